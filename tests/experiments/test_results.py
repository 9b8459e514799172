"""Results in files."""

import json

from headwise.experiments.results import Results
from headwise.experiments.runs import ExperimentRun, key_of_result
from headwise.scoring.linear.tables import TableSizes


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
