"""Another call than the one that was cut short is refused before anything is trained."""

import os
import signal
from pathlib import Path

import pytest

from headwise import Sentence, write_sentences
from headwise.errors import ModelError, UsageError
from headwise.learners import loop
from headwise.learners.callbacks import TrainingCallback
from headwise.learners.checkpoint import call_path, can_resume
from headwise.parameters import parameters_of
from headwise.parsers.boosting.parser import BoostedParser
from headwise.parsers.graph.parser import DependencyParser
from headwise.parsers.linkmargin.parser import LinkMarginParser
from headwise.pipeline.training.recipe import Recipe
from headwise.pipeline.training.trainfiles import TrainingFiles, train_files
from toytreebank import SMALL, toy_treebank

MIRA = DependencyParser(features="paper-000", tables=SMALL, epochs=3)
MACHINE = DependencyParser(
    features="paper-000", tables=SMALL, epochs=1, learner="bayes-point", members=3
)
BOOSTING = BoostedParser(rounds=3, cutoff=1)
LINKS = LinkMarginParser(neighbours=0, laplacian=0.0, tolerance=1e-9, epochs=30)
KINDS = {"mira": MIRA, "bayes-point": MACHINE, "boosting": BOOSTING, "link-margin": LINKS}


def trees(count: int) -> list[Sentence]:
    """Sentences of which some have odd trees, so that there is something to learn for long."""
    sentences = toy_treebank(count, 1)
    for number in range(0, count, 3):
        words = len(sentences[number])
        chain = ["root", *["dep"] * (words - 1)]
        sentences[number] = sentences[number].with_tree(list(range(words)), chain)
    return sentences


class Interrupting(TrainingCallback):
    """Presses Ctrl-C after an epoch, or a round; of a machine, after the first member."""

    def __init__(self, after: int) -> None:
        self.after = after

    def epoch(self, record) -> None:
        if record["epoch"] == self.after:
            os.kill(os.getpid(), signal.SIGINT)


class Forbidding(TrainingCallback):
    """Lets nothing be trained."""

    def stage(self, name, done, total) -> None:
        if name != "reading":
            pytest.fail(f"{name} was trained")

    def begin(self, plan) -> None:
        pytest.fail("training began")


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(loop, "BLOCK", 8)
    write_sentences("train.conllu", trees(30))
    write_sentences("other.conllu", trees(31))
    return tmp_path


def files(train: str = "train.conllu", **others) -> TrainingFiles:
    return TrainingFiles(train=Path(train), model=Path("m"), **others)


def cut_short(settings, recipe: Recipe | None = None, after: int = 1) -> None:
    with pytest.raises(KeyboardInterrupt):
        train_files(files(), settings, Interrupting(after), recipe=recipe)
    assert can_resume(files().checkpoint)
    assert call_path(files().checkpoint).exists()


def refused(settings, recipe: Recipe | None = None, used: TrainingFiles | None = None) -> str:
    """Why a training cannot go on; nothing may be trained before that is found out."""
    stages = Forbidding()
    with pytest.raises((ModelError, UsageError)) as error:
        train_files(used or files(), settings, stages, recipe=recipe, resume=True)
    return str(error.value)


def changed(settings, **values):
    return type(settings)(**{**parameters_of(settings), **values})


@pytest.mark.filterwarnings("ignore:the programme is not solved")
@pytest.mark.parametrize("kind", KINDS)
def test_other_settings_or_data_are_refused_at_once(kind):
    settings = KINDS[kind]
    cut_short(settings, after=1 + (kind == "boosting"))  # which saves its rounds last of all
    longest = "other settings (longest: null, now 50): train with the same, or begin anew with --fo"
    assert longest in refused(changed(settings, longest=50))
    text = refused(settings, used=files("other.conllu"))
    assert "m.checkpoint: belongs to a training with other data (training sentences: 30 sen" in text
    assert ", now 31 sentences, " in text
    assert "development sentences: none, now 31 " in refused(
        settings, used=files(dev=Path("other.conllu"))
    )
    train_files(files(), settings, TrainingCallback(), resume=True)
    assert not list(Path().glob("m.checkpoint*"))


def test_all_that_differs_is_named():
    cut_short(MIRA)
    words = changed(MIRA.words, lowercase=True)
    text = refused(changed(MIRA, seed=5, words=words), used=files("other.conllu"))
    assert (
        "other settings (words.lowercase: false, now true; seed: 0, now 5) and other data" in text
    )


def test_other_stages_and_tags_are_refused_at_once():
    cut_short(MIRA, Recipe(tags="jackknife", folds=3))
    assert "other pipeline (folds: 3, now 4)" in refused(MIRA, Recipe(tags="jackknife", folds=4))
    assert "(train tags: jackknife, now gold; folds: 3, now 10)" in refused(MIRA)
    alone = Recipe(stages=("tokeniser", "parser"))
    assert "stages: [" in refused(MIRA, alone)


def test_another_kind_of_parser_is_refused_at_once():
    cut_short(MIRA)
    assert "other parser (kind: parser, now boosting): " in refused(BOOSTING)


def test_what_may_change_is_not_refused():
    cut_short(MIRA, after=2)
    assert "in epoch 2 already" in refused(changed(MIRA, epochs=1))
    pipeline, _ = train_files(
        files(), changed(MIRA, epochs=4, bits=16), TrainingCallback(), resume=True
    )
    assert len(pipeline.parser.report_["history"]) == 4


def test_rounds_that_were_done_are_not_taken_away():
    cut_short(BOOSTING, after=3)
    assert "has 2 rounds already" in refused(changed(BOOSTING, rounds=1))


def test_epochs_of_a_machine_are_refused_at_once():
    cut_short(MACHINE)
    assert "(epochs: 1, now 2)" in refused(changed(MACHINE, epochs=2))


def test_a_training_that_fails_leaves_no_note():
    write_sentences("bad.conllu", trees(3))
    with pytest.raises(UsageError):
        train_files(files("bad.conllu"), changed(MIRA, decoder="sideways"), TrainingCallback())
    assert not list(Path().glob("m.*"))


def test_from_python_too_no_stage_is_trained_before():
    higher = {**parameters_of(MIRA), "order": 2}
    with pytest.raises(KeyboardInterrupt):
        DependencyParser(**higher).fit(trees(30), checkpoint="c", callback=Interrupting(1))
    again = DependencyParser(**{**higher, "seed": 3})
    with pytest.raises(ModelError, match="settings \\(seed: 0, now 3\\)"):
        again.fit(trees(30), checkpoint="c", resume=True, callback=Forbidding())
