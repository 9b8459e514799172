"""The second stage: it learns, stays itself in 8 bits, and knows how sure it is."""

import os
import signal

import numpy as np
import pytest

from headwise.corpus.sentence import Sentence
from headwise.errors import HeadwiseWarning, ModelError, UsageError
from headwise.learners import checkpoint, labelcheckpoint, labelling
from headwise.learners.checkpoint import can_resume, labels_path, remove_checkpoint
from headwise.learners.labelling import (
    LabelledTrees,
    fitted_label_temperature,
    inventory_of,
    learn_epoch,
    train_labeller,
)
from headwise.learners.labelsettings import LabellerSettings
from headwise.progress import silent
from headwise.scoring.linear.atoms import AtomEncoder
from headwise.scoring.linear.labeller import Labeller
from headwise.scoring.linear.labeltemplates import TREE_TEMPLATES, template_rows
from headwise.storage.modelfile import ModelFile, load_model, save_model
from labelledtoys import labelled_treebank

TRAIN, DEV = labelled_treebank(60, 1), labelled_treebank(30, 2)
ENCODER = AtomEncoder()


def noisy(sentences):
    """The sentences with some labels that nobody can know."""
    return [
        one.with_tree(
            one.heads, [r if n % 7 or h == 0 else "det" for n, (r, h) in enumerate(pairs)]
        )
        for one in sentences
        for pairs in [list(zip(one.relations, one.heads, strict=True))]
    ]


def trained(sentences=TRAIN, *, progress=silent, checkpoint=None, **settings):
    chosen = LabellerSettings(**{"epochs": 3, "members": 2, **settings})
    rest = {"progress": progress, "checkpoint": checkpoint}
    return train_labeller(sentences, ENCODER, chosen, size=14, seed=0, bits=8, **rest)


def test_it_learns():
    labeller = trained()
    trees = LabelledTrees.of(DEV, ENCODER.encode(DEV), labeller.inventory)
    assert (labeller.label_many(trees.encoded, trees.heads) == trees.labels).mean() > 0.99
    assert labeller.table.dtype == np.int8
    assert "obl:arg" in labeller.inventory.names


def test_the_same_seed_gives_the_same_weights():
    assert (trained().table == trained().table).all()


def test_while_its_kernel_is_compiled_an_interrupt_does_not_wait(tmp_path, monkeypatch):
    seen = []

    def interrupted(*arguments):
        seen.append(arguments)
        signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(labelling, "learn_labels", interrupted)
    with pytest.raises(KeyboardInterrupt):
        trained(checkpoint=tmp_path / "checkpoint")
    assert len(seen) == 1
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("end", [32767, -32767])
def test_weights_stay_within_two_bytes(end):
    inventory = inventory_of(noisy(TRAIN), ENCODER)
    trees = LabelledTrees.of(noisy(TRAIN), ENCODER.encode(TRAIN), inventory)
    run = labelcheckpoint.LabelRun.new(14)
    run.table[:] = end
    labeller = Labeller(inventory, template_rows(TREE_TEMPLATES), run.table)
    learn_epoch(trees, labeller, LabellerSettings(), run, trees.usable(inventory))
    assert (run.table != end).any()
    assert (np.sign(run.table) == np.sign(end)).all()


def test_small_weights_are_left_out():
    table = trained(noisy(TRAIN), drop_up_to=2).table
    assert np.abs(table[table != 0]).min() == 3


@pytest.mark.parametrize("at", [1, 2, 3, 4])
def test_cut_short_it_goes_on_to_the_same_weights(at, tmp_path):
    checkpoint = tmp_path / "c"

    def interrupt(stage, done, total):
        assert total == 6
        if done == at:
            os.kill(os.getpid(), signal.SIGINT)

    with pytest.raises(KeyboardInterrupt):
        trained(noisy(TRAIN), progress=interrupt, checkpoint=checkpoint)
    assert can_resume(checkpoint)
    told = []
    resumed = trained(
        noisy(TRAIN), progress=lambda *report: told.append(report), checkpoint=checkpoint
    )
    assert told == [("labels", done, 6) for done in range(at + 1, 7)]
    assert (resumed.table == trained(noisy(TRAIN)).table).all()
    remove_checkpoint(checkpoint)
    assert not can_resume(checkpoint)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda s, a: s.update(step=-1), "step must be 0 or more"),
        (lambda s, a: s.update(member=None), "member: expected an integer"),
        (lambda s, a: s.pop("identity"), "'identity' is missing"),
        (lambda s, a: a.update({"total.shape": np.array([1 << 40])}), "table 'total' has the"),
    ],
)
def test_a_checkpoint_that_was_altered_is_refused(change, message, tmp_path, monkeypatch):
    monkeypatch.setattr(checkpoint, "BETWEEN_CHECKPOINTS", 0.0)
    trained(checkpoint=tmp_path / "c")
    path = labels_path(tmp_path / "c")
    model = load_model(path)
    settings, arrays = dict(model.settings), dict(model.arrays)
    change(settings, arrays)
    save_model(path, ModelFile(model.kind, settings, arrays, ""), force=True)
    with pytest.raises(ModelError, match=f"c.labels: .*{message}"):
        trained(checkpoint=tmp_path / "c")


def test_a_full_disk_does_not_end_learning(tmp_path, monkeypatch):
    def fail(*_):
        raise UsageError("cannot write: no space left on device")

    monkeypatch.setattr(checkpoint, "BETWEEN_CHECKPOINTS", 0.0)
    monkeypatch.setattr(labelcheckpoint, "write_state", fail)
    with pytest.warns(HeadwiseWarning, match=r"after epoch \d of labeller \d: cannot"):
        found = trained(checkpoint=tmp_path / "c")
    assert (found.table == trained().table).all()


def test_what_is_finished_is_not_learnt_again(tmp_path, monkeypatch):
    monkeypatch.setattr(checkpoint, "BETWEEN_CHECKPOINTS", 0.0)
    first = trained(noisy(TRAIN), checkpoint=tmp_path / "c")
    told = []
    again = trained(
        noisy(TRAIN), checkpoint=tmp_path / "c", progress=lambda *report: told.append(report)
    )
    assert (again.table == first.table).all()
    assert told == []
    other = trained(
        noisy(TRAIN), checkpoint=tmp_path / "c", epochs=1
    )  # of other settings: learnt anew
    assert (other.table == trained(noisy(TRAIN), epochs=1).table).all()


def test_the_temperature_makes_gold_labels_likeliest():
    labeller = trained(TRAIN[:6], epochs=1, margin=0.0)
    unsure = noisy(DEV)  # so that it cannot be too sure
    trees = LabelledTrees.of(unsure, ENCODER.encode(unsure), labeller.inventory)
    best = fitted_label_temperature(labeller, trees)

    def likelihood(temperature):
        at = labeller.at(temperature)
        return at.chances(trees.encoded, trees.heads, trees.labels).log_trees.sum()

    assert likelihood(best) > likelihood(best * 1.2)
    assert likelihood(best) > likelihood(best / 1.2)


def test_what_cannot_be_learnt_is_left_out():
    bare = [Sentence.from_words(["a", "b"], heads=[0, 1])]
    assert trained(bare) is None
    rooted = Sentence.from_words(["a", "b"], heads=[0, 1], relations=["root", "root"])
    labeller = trained([*TRAIN, rooted])
    trees = LabelledTrees.of([rooted, *DEV], ENCODER.encode([rooted, *DEV]), labeller.inventory)
    assert trees.usable(labeller.inventory).tolist() == list(range(1, len(DEV) + 1))
    assert labeller.label_many(trees.encoded, trees.heads)[2] != labeller.inventory.root
    assert np.isfinite(fitted_label_temperature(labeller, trees))


def test_a_missing_relation_is_not_learnt():
    gaps = [one.with_tree(one.heads, ["_"] * len(one)) for one in TRAIN[:5]]
    some = [
        one.with_tree(one.heads, ["_" if r == "det" else r for r in one.relations])
        for one in TRAIN[5:20]
    ]
    labeller = trained([*gaps, *some, *TRAIN[20:]])
    assert "_" not in labeller.inventory.names
    trees = LabelledTrees.of(DEV, ENCODER.encode(DEV), labeller.inventory)
    assert (labeller.label_many(trees.encoded, trees.heads) == trees.labels).mean() > 0.95
    trees = LabelledTrees.of(gaps, ENCODER.encode(gaps), labeller.inventory)
    assert not len(trees.usable(labeller.inventory))


@pytest.mark.parametrize(
    "wrong", [{"epochs": 0}, {"members": 0}, {"margin": -1.0}, {"drop_up_to": -1}]
)
def test_settings_are_checked(wrong):
    with pytest.raises(UsageError):
        LabellerSettings(**wrong).check()
