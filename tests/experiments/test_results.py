"""Results in files; altered ones are errors that name the file."""

import json
import math

import numpy as np
import pytest

from headwise.errors import FormatError
from headwise.evaluate.measures import NAMES
from headwise.experiments.plan import Column
from headwise.experiments.results import Result, Results
from headwise.experiments.runs import ExperimentRun, key_of_result
from headwise.experiments.table import figures, summed
from headwise.experiments.treebanks import Treebank, TreebankFiles
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


UAS = Column(measure="uas", title="UAS")
COUNTS = {name: np.ones((3, len(NAMES)), np.int32) for name in (
    "all_top", "all_bottom", "no_top", "no_bottom",
)}  # fmt: skip


def stored(folder, data=None, name="a", **changed) -> Result:
    result = Result(folder / f"{name}.json", data or {"scores": {"uas": 90.0}})
    result.path.write_text(json.dumps(dict(result.data)))
    np.savez_compressed(result.counts_path, **{**COUNTS, **changed})
    return result


def test_counts_come_back(tmp_path):
    views = stored(tmp_path).counts()
    assert views is not None
    assert [len(view) for view in views] == [3, 3]


@pytest.mark.parametrize(
    "array",
    [
        np.ones((2, len(NAMES)), np.int32),
        np.ones((3, 1), np.int32),
        np.ones((3, len(NAMES))),
        np.array("x"),
        np.int32(1),
    ],
)
@pytest.mark.parametrize("name", ["all_top", "no_bottom"])
def test_counts_of_another_shape_or_type_are_damaged(array, name, tmp_path):
    with pytest.raises(FormatError, match=r"counts\.npz: is damaged"):
        stored(tmp_path, **{name: array}).counts()


def test_verdicts_come_back_if_they_are_there(tmp_path):
    marks = np.array([0, 1, 3], np.uint8)
    assert stored(tmp_path, words=marks).verdicts().tolist() == [0, 1, 3]
    assert stored(tmp_path).verdicts() is None
    assert Result(tmp_path / "nowhere.json", {}).verdicts() is None
    for array in (np.zeros(3), np.zeros((3, 1), np.uint8)):
        with pytest.raises(FormatError, match=r"counts\.npz: is damaged"):
            stored(tmp_path, words=array).verdicts()


def test_counts_of_one_system_are_of_the_same_sentences(tmp_path):
    fewer = {name: one[:2] for name, one in COUNTS.items()}
    with pytest.raises(FormatError, match="is damaged"):
        summed(UAS, [stored(tmp_path), stored(tmp_path, name="b", **fewer)], 1)


@pytest.mark.parametrize("text", [b"[" * 100_000, b'{"scores": 1' + b"0" * 5000, b"\xff"])
def test_a_file_that_is_no_json_is_named(tmp_path, text):
    (tmp_path / "a.json").write_bytes(text)
    with pytest.raises(FormatError, match=r"a\.json: is not JSON"):
        Results(tmp_path).find(ExperimentRun(treebank="toy"))


def test_checksums_that_are_none_are_damaged(tmp_path):
    treebank = Treebank("toy", TreebankFiles(train="a", dev="b"), ())
    with pytest.raises(FormatError, match=r"a\.json: is damaged"):
        stored(tmp_path, {"data": [1]}).check_data(treebank)


@pytest.mark.parametrize("scores", ["x", [], {}, 7, {"uas": "x"}, {"uas": []}, {"uas": math.nan}])
def test_scores_that_are_no_numbers_are_damaged(scores, tmp_path):
    assert figures(UAS, [stored(tmp_path)]) == (90.0,)
    with pytest.raises(FormatError, match=r"a\.json: is damaged"):
        figures(UAS, [stored(tmp_path, {"scores": scores})])
