"""Two scorers are trained, and the better one is kept."""

from dataclasses import replace

import pytest

from headwise.corpus.formats import write_sentences
from headwise.errors import ModelError, UsageError
from headwise.evaluate import evaluate
from headwise.learners.callbacks import TrainingCallback
from headwise.parsers.graph.parser import DependencyParser
from headwise.pipeline.models import as_pipeline
from headwise.pipeline.pipeline import Pipeline
from headwise.pipeline.training.best import Choice, better, train_best
from headwise.pipeline.training.recipe import Recipe
from headwise.pipeline.training.trainfiles import TrainingFiles, only_training
from toynetworks import random_parser
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


class Trainings(TrainingCallback):
    """Remembers what was trained, and the stages of that."""

    def __init__(self):
        self.told = []

    def training(self, name, number, total):
        self.told.append((name, number, total))

    def stage(self, name, done, total):
        if name == "parser" and done == total:
            self.told.append(name)


@pytest.mark.parametrize("names", [["linear"], ["neural", "linear"]])
def test_a_model_that_another_process_trains_is_left_alone(files, tmp_path, names):
    chosen = {name: candidates()[name] for name in names}
    before = set(tmp_path.iterdir())
    with only_training(files), pytest.raises(UsageError, match="model is being trained by another"):
        train_best(replace(files, force=True), chosen, TrainingCallback(), resume=True)
    assert set(tmp_path.iterdir()) == before


def test_the_better_one_is_kept_and_the_other_removed(files, tmp_path):
    callback = Trainings()
    pipeline, _, choice = train_best(files, candidates(), callback)
    assert callback.told == [("neural", 1, 2), "parser", ("linear", 2, 2), "parser"]
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


def test_where_one_finds_no_tags_both_are_compared_under_gold_tags():
    """A neural parser alone would be scored under its own tags, beside one under gold tags."""
    linear = DependencyParser(epochs=2, tables=SMALL).fit(toy_treebank(60))
    neural, dev = random_parser(), toy_treebank(30, 1)
    trained = {"neural": Pipeline(parser=neural), "linear": Pipeline(parser=linear)}
    choice = better(trained, dev)
    assert (choice.kept, choice.other, choice.tags) == ("linear", "neural", "gold")
    right = evaluate(dev, list(neural.predict(dev))).all_tokens.las
    assert choice.other_score == pytest.approx(right)


def test_it_needs_development_data(files, tmp_path):
    without = TrainingFiles(train=files.train, model=tmp_path / "model")
    with pytest.raises(UsageError, match="give --dev"):
        train_best(without, candidates(), TrainingCallback())


def test_the_choice_says_how_sure_it_is():
    text = str(Choice("neural", "linear", 87.0, 83.9, 0.0001))
    assert text.startswith("kept neural: dev LAS 87.00 under own tags, linear 83.90;")
    assert "3.10 is significant" in text
    assert "not significant" in str(Choice("a", "b", 80.0, 79.9, 0.4))


class StopAtSecond(TrainingCallback):
    """Stops when the second candidate begins to learn."""

    def __init__(self):
        self.begun = 0

    def begin(self, plan):
        del plan
        self.begun += 1
        if self.begun == 2:
            raise KeyboardInterrupt


def stopped(files, both):
    with pytest.raises(KeyboardInterrupt):
        train_best(files, both, StopAtSecond())
    return {one.name for one in files.model.parent.iterdir() if one.is_dir()}


def pipelines():
    recipe = Recipe(stages=("tagger", "parser"))
    return {name: (parser, recipe) for name, (parser, _) in candidates().items()}


def test_a_finished_candidate_keeps_its_scores(files, tmp_path):
    better_first = dict(reversed(pipelines().items()))
    assert stopped(files, better_first) == {"model.linear"}
    watched = StopAtSecond()
    _, report, choice = train_best(files, better_first, watched, resume=True)
    assert watched.begun == 1  # the other one only
    assert choice.kept == "linear"
    assert report["dev"]["gold tags"]["uas"] > 50
    assert {one.name for one in tmp_path.iterdir()} == {
        "train.conllu", "dev.conllu", "model", "model.log.jsonl",
    }  # fmt: skip


def test_a_finished_candidate_of_other_settings_is_refused(files):
    assert stopped(files, candidates()) == {"model.neural"}
    others = candidates()
    others["neural"][0].epochs = 2
    watched = StopAtSecond()
    with pytest.raises(ModelError, match=r"model\.neural: belongs to .*epochs: 1, now 2.*--force"):
        train_best(files, others, watched, resume=True)
    with pytest.raises(UsageError, match=r"model\.neural"):  # it is in the way
        train_best(files, others, watched)
    assert watched.begun == 0
    _, _, choice = train_best(replace(files, force=True), others, TrainingCallback())
    assert choice is not None


def test_both_are_checked_before_one_is_trained(files):
    both = candidates()
    both["linear"][0].epochs = -1
    watched = StopAtSecond()
    with pytest.raises(UsageError, match="epochs"):
        train_best(files, both, watched)
    assert watched.begun == 0
