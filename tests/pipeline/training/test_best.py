"""Two scorers are trained, and the better one is kept."""

import pytest

from headwise.corpus.formats import write_sentences
from headwise.errors import UsageError
from headwise.learners.callbacks import TrainingCallback
from headwise.parsers.graph.parser import DependencyParser
from headwise.pipeline.models import as_pipeline
from headwise.pipeline.training.best import Choice, train_best
from headwise.pipeline.training.recipe import Recipe
from headwise.pipeline.training.trainfiles import TrainingFiles
from toytreebank import SMALL, toy_treebank

ALONE = Recipe(stages=("parser",))


def candidates():
    good = DependencyParser(epochs=4, tables=SMALL)
    bad = DependencyParser(epochs=1, tables=SMALL, tags="none", features="paper-000")
    return {"neural": (bad, ALONE), "linear": (good, ALONE)}


@pytest.fixture
def files(tmp_path):
    write_sentences(tmp_path / "train.conllu", toy_treebank(60))
    write_sentences(tmp_path / "dev.conllu", toy_treebank(30, 1))
    return TrainingFiles(
        train=tmp_path / "train.conllu", dev=tmp_path / "dev.conllu", model=tmp_path / "model"
    )


def test_the_better_one_is_kept_and_the_other_removed(files, tmp_path):
    pipeline, _, choice = train_best(files, candidates(), TrainingCallback())
    assert choice is not None
    assert choice.kept == "linear"
    assert choice.score > choice.other_score
    found = {one.name for one in tmp_path.iterdir()}
    assert found == {"train.conllu", "dev.conllu", "model", "model.log.jsonl"}
    words = toy_treebank(1, 5)[0]
    kept = as_pipeline(files.model)
    assert [one.heads for one in kept.annotate([words])] == [
        one.heads for one in pipeline.annotate([words])
    ]


def test_it_needs_development_data(files, tmp_path):
    without = TrainingFiles(train=files.train, model=tmp_path / "model")
    with pytest.raises(UsageError, match="give --dev"):
        train_best(without, candidates(), TrainingCallback())


def test_the_choice_says_how_sure_it_is():
    text = str(Choice("neural", "linear", 87.0, 83.9, 0.0001))
    assert text.startswith("kept neural: dev LAS 87.00 under own tags, linear 83.90;")
    assert "3.10 is significant" in text
    assert "not significant" in str(Choice("a", "b", 80.0, 79.9, 0.4))
