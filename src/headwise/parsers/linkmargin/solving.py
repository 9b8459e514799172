"""Solving a programme pass by pass: logged, saved, interrupted, gone on with.

β is chosen by cross-validation: the value whose links are right most often in sentences left out.
"""

import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from headwise.corpus.sentence import Sentence
from headwise.errors import InputError, ModelError, UsageError
from headwise.kernels.solvers.linkmargin import Links
from headwise.kernels.solvers.treemargin import SLOTS
from headwise.learners.callbacks import Plan, Report, TrainingCallback
from headwise.learners.checkpoint import (
    check_identity,
    checkpoint_exists,
    checkpoints,
    like,
    read_state,
    write_state,
)
from headwise.parsers.linkmargin.data import MarginData, margin_data
from headwise.parsers.linkmargin.links import Association
from headwise.parsers.linkmargin.programme import Iterate, Programme
from headwise.parsers.linkmargin.search import LinkModel, LinkSearch
from headwise.parsers.linkmargin.settings import LinkMarginSettings
from headwise.parsers.unlabelled import right_words
from headwise.text.similarity.words import WordSimilarity

BYTES_A_LINK = 64
BYTES_A_PAIR = 120
BYTES_A_TIE = 40
PROGRAM = 300 << 20
"""What memory is taken by, to say how much it will be."""


@dataclass(eq=False)
class Saved:
    """How far a training has come: accuracies of folds by β, records of passes, and an iterate.

    identity: what must be the same for training to go on.
    path: the folder from which it does; without one, nothing is saved.
    """

    identity: dict[str, Any] = field(default_factory=dict)
    validation: dict[str, tuple[float, ...]] = field(default_factory=dict)
    history: tuple[dict[str, Any], ...] = ()
    path: Path | None = field(init=False, default=None)
    arrays: Mapping[str, Any] = field(init=False, default_factory=dict)

    @classmethod
    def at(cls, path: Path | None, identity: dict[str, Any], *, resume: bool) -> "Saved":
        """A training that goes on from what was saved, if anything was, or begins."""
        found = cls(identity)
        if resume and path is not None and checkpoint_exists(path):
            found, model = read_state(path, cls)
            check_identity(path, found.identity, identity)
            found.arrays = model.arrays
        found.path = path
        return found

    def check(self) -> None:
        if not all(isinstance(one.get("gap"), float) for one in self.history):
            raise UsageError("history must have the gap of every epoch")

    def save(self, at: Iterate | None = None) -> None:
        """Write all there is, whole or not at all."""
        if self.path is not None:
            write_state(self.path, self, arrays_of(at))


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
    with checkpoints(lambda: saved.save(at)) as save_after:
        while not is_done(saved.history, settings.epochs, enough):
            report, record = one_pass(data, programme, settings, at, len(saved.history))
            saved.history += (record,)
            callback.progress(report)
            callback.epoch(record)
            save_after(f"epoch {len(saved.history)}")
    return at


def is_done(history: Sequence[Mapping[str, Any]], epochs: int, tolerance: float) -> bool:
    """Whether the last pass was near enough, or the last that is allowed."""
    return len(history) >= epochs or bool(history and history[-1]["gap"] <= tolerance)


def one_pass(
    data: MarginData, programme: Programme, settings: LinkMarginSettings, at: Iterate, number: int
) -> tuple[Report, dict[str, Any]]:
    """Visit everything once, sentences in an order of the pass's own; what it came to."""
    start = time.monotonic()
    order = np.random.default_rng([settings.seed, number]).permutation(len(data))
    lost = programme.advance(at, order)
    report = Report(number + 1, len(data), data.words, lost, True)
    return report, report.record(time.monotonic() - start) | asdict(programme.measures(at))


def plan(data: MarginData, settings: LinkMarginSettings, saved: Saved) -> Plan:
    """What is going to be done, and about how many bytes it needs."""
    memory = PROGRAM + len(data.links.pair) * BYTES_A_LINK + len(data.table.keys) * BYTES_A_PAIR
    memory += len(data.ties) * BYTES_A_TIE
    if settings.loss == "global":
        memory += 2 * SLOTS * len(data.links.gold) + 8 * SLOTS * len(data)  # mixtures
    return Plan(len(data), data.words, 0, settings.epochs, saved.history, memory)


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
) -> dict[str, tuple[float, ...]]:
    """Undirected accuracy on every fold, learnt from the others, for each β, as text.

    Those that were saved are not done again. IN/OUT saved, which is written after each fold.
    """
    check_folds(sentences, settings)
    found = saved.validation
    for fold in range(settings.folds):
        missing = [one for one in settings.betas if len(found.get(str(one), ())) <= fold]
        if not missing:
            continue
        others = [one for place, one in enumerate(sentences) if place % settings.folds != fold]
        held_out = list(sentences[fold :: settings.folds])
        data = margin_data(others, settings, similarity, association)
        for beta in missing:
            programme = data.programme(settings, beta)
            at = solve(data, programme, settings, tolerance=max(settings.tolerance, NEAR))
            search = LinkSearch(link_model(data, at, settings, association))
            _, linked = right_words(held_out, search.parse_many(held_out))
            own = linked / sum(map(len, held_out))
            found[str(beta)] = (*found.get(str(beta), ()), own)
        saved.save()
    return found
