"""Where training puts its files (the command is tested in `cli/test_train.py`)."""

from dataclasses import replace
from pathlib import Path

import pytest

from headwise.corpus.sentence import MISSING
from headwise.errors import UsageError
from headwise.parsers.base import TrainingInputs
from headwise.pipeline.training.recipe import Recipe
from headwise.pipeline.training.trainfiles import (
    TrainingFiles,
    check_call,
    names_for_card,
    under_own_tags,
)
from headwise.progress import silent
from toypipelines import toy_pipeline, toy_trees


@pytest.mark.parametrize(
    ("model", "checkpoint", "log"),
    [
        ("m", "m.checkpoint", "m.log.jsonl"),
        ("out/m/", "out/m.checkpoint", "out/m.log.jsonl"),
        ("v1.0", "v1.0.checkpoint", "v1.0.log.jsonl"),
    ],
)
def test_checkpoint_and_log_stand_beside_the_model(model, checkpoint, log, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    files = TrainingFiles(train=Path("t.conllu"), model=Path(model))
    assert (files.checkpoint, files.log_path) == (Path(checkpoint), Path(log))


def test_a_model_that_is_the_folder_one_is_in(tmp_path, monkeypatch):
    (tmp_path / "m").mkdir()
    monkeypatch.chdir(tmp_path / "m")
    files = TrainingFiles(train=Path("t.conllu"), model=Path())
    assert files.checkpoint == tmp_path.resolve() / "m.checkpoint"


def test_the_card_names_files_without_folders():
    files = TrainingFiles(train=Path("/home/me/t.conllu"), model=Path("m"), dev=Path("a/d.conllu"))
    assert names_for_card(files) == {"trained on": "t.conllu", "development data": "d.conllu"}


def test_development_data_without_tags_are_seen_under_those_of_the_tagger():
    """A parser that knows tags would be judged without any."""
    train, dev = toy_trees(20, seed=1), toy_trees(5, seed=2)
    bare = [replace(one, upos=(MISSING,) * len(one), xpos=(MISSING,) * len(one)) for one in dev]
    for given in (dev, bare):
        read = TrainingInputs(sentences=train, dev=given)
        seen = under_own_tags(read, toy_pipeline(), Recipe(), silent)
        assert [one.upos for one in seen.dev] == [one.upos for one in dev]
        assert [one.heads for one in seen.dev] == [one.heads for one in dev]


@pytest.mark.parametrize("name", ["none.vec", "."])
def test_vectors_that_are_no_file_are_refused_before_anything_is_read(tmp_path, name):
    """A device would be read for ever."""
    files = TrainingFiles(train=tmp_path / "t", model=tmp_path / "m", vectors=tmp_path / name)
    with pytest.raises(UsageError, match="no file of vectors"):
        check_call(files, resume=False)
