"""A run is known by what it depends on."""

from smallworlds import small_world

from headwise.experiments.plan import read_experiment
from headwise.experiments.runs import ExperimentRun, rows_of


def test_every_system_has_a_row_on_every_treebank_and_a_run_for_every_seed(tmp_path):
    experiment, _ = read_experiment(small_world(tmp_path))
    rows = list(rows_of(experiment, experiment.treebanks))
    assert [(row.treebank, row.system) for row in rows] == [
        ("toy", "perceptron"),
        ("toy", "MIRA"),
        ("licensed", "perceptron"),
        ("licensed", "MIRA"),
    ]
    assert [run.training_settings().seed for run in rows[0].runs] == [0, 1]


def test_runs_that_come_to_the_same_have_one_key_whatever_was_said():
    plain, wordy = (
        ExperimentRun(treebank="toy"),
        ExperimentRun(treebank="toy", settings={"order": 1, "epochs": 10}),
    )
    assert plain.key == wordy.key
    assert plain.file_name != wordy.file_name
    assert plain.key != ExperimentRun(treebank="toy", settings={"epochs": 9}).key
    assert plain.key != ExperimentRun(treebank="toy", sentences=100).key
    assert plain.key != ExperimentRun(treebank="toy", guide="grammar").key


def test_the_name_of_a_result_is_as_it_always_was():
    """Results that are there stay results."""
    run = ExperimentRun(treebank="la_udante", settings={"decoder": "projective"})
    assert run.file_name == "la_udante-25b950ef7210.json"
