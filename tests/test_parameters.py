"""Parameters: whole numbers within bounds and flags, whoever made them."""

import io
from pathlib import Path

import numpy as np
import pytest

import headwise
from headwise.errors import UsageError
from headwise.parameters import as_path, flag, whole_number
from headwise.pipeline.pipeline import Pipeline


def test_numbers_of_numpy_are_whole_numbers():
    assert type(whole_number("k", np.int16(3))) is int
    assert whole_number("k", np.array(3), 1, 3) == 3


@pytest.mark.parametrize("value", [0, 4, 2.0, True, None, "2", np.float64(2), [2]])
def test_all_else_is_refused(value):
    with pytest.raises(UsageError, match="^k must be an integer from 1 to 3, not "):
        whole_number("k", value, 1, 3)


def test_flags_are_true_or_false():
    assert flag("force", True) is True
    assert flag("force", np.bool_(False)) is False


@pytest.mark.parametrize("value", ["no", "", 0, 1, None, [True]])
def test_what_only_counts_as_true_or_false_is_refused(value):
    with pytest.raises(UsageError, match="^force must be True or False, not "):
        flag("force", value)


NO_PATHS = [None, 5, True, b"a", [], ["a"], io.StringIO("a"), "a\0b", "a\ud800"]


@pytest.mark.parametrize("value", NO_PATHS)
def test_what_names_no_file_is_refused_wherever_files_are_named(value):
    sentence = headwise.Sentence.from_words(["a"])
    for use in (
        as_path,
        headwise.read_sentences,
        lambda path: headwise.write_sentences(path, [sentence], "conllu"),
        Pipeline.load,
        lambda path: Pipeline().save(path),
    ):
        with pytest.raises(headwise.HeadwiseError):
            use(value)


def test_paths_may_be_of_any_bytes():
    assert as_path("\udcff") == as_path(Path("\udcff"))


def test_formats_and_processes_that_cannot_be(tmp_path):
    with pytest.raises(UsageError, match="no format"):
        headwise.write_sentences(tmp_path / "a.conllu", [], ["conllu"])
    with pytest.raises(UsageError, match="from 1 to 1000"):
        list(Pipeline().pipe(["a"], processes=10**30))
