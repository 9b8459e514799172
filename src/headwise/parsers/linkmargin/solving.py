"""Solving a programme pass by pass: logged, saved, interrupted, gone on with.

β is chosen by cross-validation: the value whose links are right most often in sentences left out.
"""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from headwise.corpus.sentence import Sentence
from headwise.errors import InputError, ModelError, UsageError
from headwise.interrupt import Interrupt, noted_interrupts
from headwise.kernels.solvers.linkmargin import Links
from headwise.kernels.solvers.treemargin import SLOTS
from headwise.learners.callbacks import Plan, Report, TrainingCallback
from headwise.learners.checkpoint import (
    CheckpointTimer,
    check_identity,
    checkpoint_exists,
    like,
    read_state,
    tolerating_full_disk,
    write_state,
)
from headwise.parsers.linkmargin.data import MarginData, margin_data
from headwise.parsers.linkmargin.links import Association
from headwise.parsers.linkmargin.programme import Iterate, Programme
from headwise.parsers.linkmargin.search import LinkModel, LinkSearch
from headwise.parsers.linkmargin.settings import LinkMarginSettings
from headwise.parsers.unlabelled import accuracies
from headwise.text.similarity.words import WordSimilarity

BYTES_A_LINK = 64
BYTES_A_PAIR = 120
BYTES_A_TIE = 40
PROGRAM = 300 << 20
"""What memory is taken by, to say how much it will be."""


@dataclass(eq=False)
class Saved:
    """What a checkpoint holds, besides the iterate: accuracies of folds, records of passes."""

    validation: dict[str, list[float]] = field(default_factory=dict)
    history: list[dict[str, Any]] = field(default_factory=list)
    arrays: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class StoredIterate:
    """What a checkpoint says of a training, besides its arrays."""

    identity: dict[str, Any]
    validation: dict[str, tuple[float, ...]]
    history: tuple[dict[str, Any], ...]

    def check(self) -> None:
        if not all(isinstance(one.get("gap"), float) for one in self.history):
            raise UsageError("history must have the gap of every epoch")


@dataclass(eq=False)
class Checkpoint:
    """The folder from which a training goes on; `identity` must be the same then."""

    path: Path | None
    identity: Mapping[str, Any]

    def load(self, *, resume: bool) -> Saved:
        """What was saved, if anything was, and training goes on from it."""
        if not resume or self.path is None or not checkpoint_exists(self.path):
            return Saved()
        stored, model = read_state(self.path, StoredIterate)
        check_identity(self.path, stored.identity, self.identity)
        validation = {name: list(folds) for name, folds in stored.validation.items()}
        return Saved(validation, list(stored.history), model.arrays)

    def save(self, saved: Saved, at: Iterate | None = None) -> None:
        """Write all there is, whole or not at all."""
        if self.path is not None:
            folds = {beta: tuple(found) for beta, found in saved.validation.items()}
            said = StoredIterate(dict(self.identity), folds, tuple(saved.history))
            write_state(self.path, said, arrays_of(at))


def arrays_of(at: Iterate | None) -> dict[str, Any]:
    """An iterate as arrays."""
    if at is None:
        return {}
    return {
        "pair": at.weights.pair, "number": at.weights.number, "alphas": at.alphas,
        "trees": at.mixtures.tree, "masses": at.mixtures.mass, "gammas": at.gammas,
    }  # fmt: skip


def restored(programme: Programme, saved: Saved) -> Iterate:
    """Where the solver was, or its start."""
    at = programme.start()
    for name, array in arrays_of(at).items() if saved.arrays else ():
        if name not in saved.arrays:
            raise ModelError(f"the checkpoint lacks the array {name!r}: begin anew with --force")
        array[:] = like(array, name, saved.arrays[name])
    check_heads(programme.links, at.mixtures.tree)
    return at


def check_heads(links: Links, trees: NDArray[np.int16]) -> None:
    """Raise unless every word of stored trees has another token of its sentence as its head."""
    if not trees.size:
        return
    sizes = np.diff(links.token)
    own = np.arange(links.token[-1]) - np.repeat(links.token[:-1], sizes)
    fits = (trees >= 0) & (trees < np.repeat(sizes, sizes)) & (trees != own)
    if not fits[:, own > 0].all():
        raise ModelError("the checkpoint has trees that are none: begin anew with --force")


def solve(
    data: MarginData,
    programme: Programme,
    settings: LinkMarginSettings,
    saved: Saved | None = None,
    checkpoint: Checkpoint | None = None,
    callback: TrainingCallback | None = None,
    *,
    tolerance: float | None = None,
) -> Iterate:
    """Visit all margins again and again, until the gap is small enough or passes were enough.

    IN/OUT saved: the records of passes. Interrupted, it saves a checkpoint first. The tolerance is
    that of the settings, if nothing is said.
    """
    saved, callback = saved or Saved(), callback or TrainingCallback()
    enough = settings.tolerance if tolerance is None else tolerance
    at = restored(programme, saved)
    callback.begin(plan(data, settings, saved))
    timer = CheckpointTimer()
    with noted_interrupts() as interrupt:
        while not is_done(saved.history, settings.epochs, enough):
            saved.history.append(one_pass(data, programme, settings, at, len(saved.history)))
            tell(callback, data, saved.history[-1])
            stop_if_asked(interrupt, checkpoint, saved, at)
            if checkpoint is not None and timer.is_due():
                with timer.taken(), tolerating_full_disk(f"epoch {len(saved.history)}"):
                    checkpoint.save(saved, at)
    return at


def is_done(history: Sequence[Mapping[str, Any]], epochs: int, tolerance: float) -> bool:
    """Whether the last pass was near enough, or the last that is allowed."""
    return len(history) >= epochs or bool(history and history[-1]["gap"] <= tolerance)


def one_pass(
    data: MarginData, programme: Programme, settings: LinkMarginSettings, at: Iterate, number: int
) -> dict[str, Any]:
    """Visit everything once, sentences in an order of the pass's own; the record of it."""
    start = time.monotonic()
    order = np.random.default_rng([settings.seed, number]).permutation(len(data))
    lost = programme.advance(at, order)
    seconds = time.monotonic() - start
    return {
        "epoch": number + 1,
        "loss": lost,
        "seconds": round(seconds, 3),
        "words_per_second": round(data.words / max(seconds, 1e-9)),
        **asdict(programme.measures(at)),
    }


def tell(callback: TrainingCallback, data: MarginData, record: dict[str, Any]) -> None:
    """Tell what a pass came to."""
    callback.progress(Report(record["epoch"], len(data), data.words, record["loss"], True))
    callback.epoch(record)


def stop_if_asked(
    interrupt: Interrupt, checkpoint: Checkpoint | None, saved: Saved, at: Iterate
) -> None:
    """Save and leave, if someone has asked for it."""
    if interrupt.signal_number is not None:
        if checkpoint is not None:
            checkpoint.save(saved, at)
        interrupt.leave()


def plan(data: MarginData, settings: LinkMarginSettings, saved: Saved) -> Plan:
    """What is going to be done, and about how many bytes it needs."""
    memory = PROGRAM + len(data.links.pair) * BYTES_A_LINK + len(data.table.keys) * BYTES_A_PAIR
    memory += len(data.ties) * BYTES_A_TIE
    if settings.loss == "global":
        memory += 2 * SLOTS * len(data.links.gold) + 8 * SLOTS * len(data)  # mixtures
    return Plan(len(data), data.words, 0, settings.epochs, tuple(saved.history), memory)


NEAR = 0.02
"""Folds are solved as far as this gap: near enough to tell values of β apart."""


def link_model(
    data: MarginData, at: Iterate, settings: LinkMarginSettings, association: Association | None
) -> LinkModel:
    """The weights of an iterate as a model, as exact as its file will hold them."""
    pair = at.weights.pair.astype(np.float32).astype(np.float64)
    return LinkModel(
        data.lexicon,
        data.table,
        at.weights._replace(pair=pair),
        association,
        data.single_root,
        settings.neighbours,
        settings.lowercase,
    )


def check_folds(sentences: Sequence[Sentence], settings: LinkMarginSettings) -> None:
    """Raise if there are fewer sentences than folds."""
    if len(sentences) < settings.folds:
        raise InputError(
            f"there are {len(sentences)} sentences to learn from, too few for a "
            f"cross-validation with {settings.folds} folds: give more, fewer folds, or one beta",
            sentences[0].location,
        )


def validated(
    sentences: Sequence[Sentence],
    settings: LinkMarginSettings,
    similarity: WordSimilarity | None,
    association: Association | None,
    saved: Saved,
    save: Callable[[], None],
) -> dict[str, list[float]]:
    """Undirected accuracy on every fold, learnt from the others, for each β, as text.

    Those that were saved are not done again; `save` is called after each fold. IN/OUT saved.
    """
    check_folds(sentences, settings)
    for fold in range(settings.folds):
        missing = [one for one in settings.betas if len(saved.validation.get(str(one), [])) <= fold]
        if not missing:
            continue
        others = [one for place, one in enumerate(sentences) if place % settings.folds != fold]
        held_out = list(sentences[fold :: settings.folds])
        data = margin_data(others, settings, similarity, association)
        for beta in missing:
            programme = data.programme(settings, beta)
            at = solve(data, programme, settings, tolerance=max(settings.tolerance, NEAR))
            search = LinkSearch(link_model(data, at, settings, association))
            own = accuracies(held_out, search.parse_many(held_out))[1]
            saved.validation.setdefault(str(beta), []).append(own)
        save()
    return saved.validation
