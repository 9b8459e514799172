"""A run is known by what it depends on."""

import json

from smallworlds import small_world

from headwise.experiments.plan import read_experiment
from headwise.experiments.results import Results
from headwise.experiments.runs import ExperimentRun, key_of_result, rows_of
from headwise.scoring.linear.tables import TableSizes


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


def test_a_result_is_found_by_what_it_says(tmp_path):
    run = ExperimentRun(treebank="toy", settings={"tables": TableSizes(wide=9), "k": 5})
    old = {"treebank": "toy", "settings": {"tables": {"wide": 9}, "k": 5}, "scores": {"uas": 1}}
    assert key_of_result(old) == run.key
    (tmp_path / "some-name.json").write_text(json.dumps(old))
    (tmp_path / "of-a-script.json").write_text('{"treebank": "toy", "rows": []}')
    gone = {"treebank": "toy", "settings": {"no_more": 1}, "scores": {}}
    (tmp_path / "too-old.json").write_text(json.dumps(gone))
    found = Results(tmp_path).find(run)
    assert found is not None
    assert found.data == old
    assert Results(tmp_path).find(ExperimentRun(treebank="toy")) is None
    assert Results(tmp_path / "nowhere").find(run) is None
