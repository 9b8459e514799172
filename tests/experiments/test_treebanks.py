"""Files of treebanks are found by patterns, in folders, and samples are nested."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from smallworlds import small_world

from headwise.errors import InputError, UsageError
from headwise.experiments.treebanks import Treebank, TreebankFiles, sample


def test_patterns_are_looked_for_in_one_folder_after_another(tmp_path):
    small_world(tmp_path)
    (tmp_path / "empty").mkdir()
    files = TreebankFiles(train="bank/train-*.conllu", dev="bank/dev.conllu")
    found = Treebank("toy", files, (tmp_path / "empty", tmp_path))
    assert [path.name for path in found.paths("train")] == ["train-1.conllu", "train-2.conllu"]
    assert found.missing("dev") is None
    assert found.length == len(found.sentences("train")) == 40
    assert set(found.checksums) == {"train", "dev"}
    absolute = TreebankFiles(train=str(tmp_path / "bank/train-1.conllu"), dev="bank/*.conllu")
    assert len(Treebank("toy", absolute, (tmp_path / "empty",)).paths("train")) == 1


def test_what_is_missing_is_said(tmp_path):
    small_world(tmp_path)
    files = TreebankFiles(train=("bank/train-1.conllu", "bank/no.conllu"), dev="bank/dev.conllu")
    toy = Treebank("toy", files, (tmp_path,))
    assert toy.paths("train") == []
    assert "toy: no train" in (toy.missing("dev") or "")
    with pytest.raises(InputError, match="test has no sentences"):
        toy.sentences("test")
    with pytest.raises(UsageError, match="requires bracketed trees"):
        toy.bracket_paths("dev")


def test_other_files_have_another_checksum(tmp_path):
    small_world(tmp_path)
    files = TreebankFiles(train="bank/train-1.conllu", dev="bank/dev.conllu")
    before = Treebank("toy", files, (tmp_path,)).checksums
    with (tmp_path / "bank/dev.conllu").open("a") as stream:
        stream.write("\n")
    after = Treebank("toy", files, (tmp_path,)).checksums
    assert before["train"] == after["train"]
    assert before["dev"] != after["dev"]


@given(st.integers(1, 30), st.integers(0, 3))
def test_samples_are_in_order_and_within_larger_ones(size, seed):
    items = list(range(30))
    small, large = sample(items, size, seed), sample(items, min(30, size + 5), seed)
    assert len(small) == size
    assert small == sorted(small)
    assert set(small) <= set(large)


def test_a_sample_is_no_larger_than_the_treebank():
    assert sample([1, 2], None, 0) == [1, 2]
    with pytest.raises(UsageError, match="cannot sample 3 sentences from 2"):
        sample([1, 2], 3, 0)
