"""Constraints on trees, as a change made to Scores: decoders know nothing of them."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from headwise.errors import ConstraintError, UsageError
from headwise.kernels import order1
from headwise.kernels.semiring import MAX
from headwise.parts import Factorisation, Part
from headwise.scores import Scores

Pair = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Constraints:
    """What must be true of a tree.

    `required` and `forbidden` are arcs (head, modifier); `root` is the only word attached to the
    root; `heads` gives the heads of some words; the words i to j of each of the `brackets` (i, j)
    form one subtree: no arc leaves them, and exactly one enters.
    """

    required: tuple[Pair, ...] = ()
    forbidden: tuple[Pair, ...] = ()
    root: int | None = None
    heads: Mapping[int, int] = field(default_factory=dict)
    brackets: tuple[Pair, ...] = ()

    def single(self) -> list["Constraint"]:
        """Every constraint on its own, with its name for people."""
        found = [
            Constraint(f"arc {h} → {m} is required", required=(h, m)) for h, m in self.required
        ]
        found += [
            Constraint(f"arc {h} → {m} is forbidden", forbidden=(h, m)) for h, m in self.forbidden
        ]
        if self.root is not None:
            found.append(Constraint(f"word {self.root} is the root", root=self.root))
        found += [
            Constraint(f"the head of word {m} is {h}", required=(h, m))
            for m, h in self.heads.items()
        ]
        found += [
            Constraint(f"no arc crosses the bracket of words {i} to {j}", bracket=(i, j))
            for i, j in self.brackets
        ]
        return found


@dataclass(frozen=True, slots=True)
class Constraint:
    """One constraint: its name, and the one thing it asks."""

    name: str
    required: Pair | None = None
    forbidden: Pair | None = None
    root: int | None = None
    bracket: Pair | None = None

    def check(self, n: int) -> None:
        """Raise if this means nothing in a sentence of n words."""
        for arc in (self.required, self.forbidden):
            if arc is not None and not (0 <= arc[0] <= n and 1 <= arc[1] <= n):
                raise UsageError(f"{self.name}, but there are words 1 to {n} only")
        if self.root is not None and not 1 <= self.root <= n:
            raise UsageError(f"{self.name}, but there are words 1 to {n} only")
        if self.bracket is not None and not 1 <= self.bracket[0] <= self.bracket[1] <= n:
            raise UsageError(f"{self.name}, but brackets must be within words 1 to {n}, in order")

    def forbid_arcs(self, alive: NDArray[np.bool_]) -> None:
        """Strike the arcs that this excludes from a matrix [head, modifier]."""
        if self.required is not None:
            keep_only(alive, *self.required)
        if self.forbidden is not None:
            alive[self.forbidden] = False
        if self.root is not None:
            keep_only(alive, 0, self.root)
            alive[0, np.arange(len(alive)) != self.root] = False
        if self.bracket is not None:
            inside = self.inside(len(alive))
            alive[np.ix_(inside, ~inside)] = False

    def forbid_spans(self, spans: NDArray[np.float64]) -> None:
        """Strike the halves that would cut a bracket: from a head outside to an end within."""
        if self.bracket is not None:
            first, last = self.bracket
            spans[:first, first:last] = -np.inf
            spans[last + 1 :, first + 1 : last + 1] = -np.inf

    def inside(self, size: int) -> NDArray[np.bool_]:
        """Which tokens a bracket holds."""
        first, last = self.bracket or (1, 0)
        tokens = np.arange(size)
        return (first <= tokens) & (tokens <= last)


def keep_only(alive: NDArray[np.bool_], h: int, m: int) -> None:
    """Strike all arcs to m but the one from h."""
    lives = bool(alive[h, m])
    alive[:, m] = False
    alive[h, m] = lives


def constrain(
    scores: Scores, constraints: Constraints, *, single_root: bool = True, projective: bool = True
) -> Scores:
    """Scores under which every tree of finite score fulfils the constraints.

    If no tree can (projective or not, with a single root or more), raises `ConstraintError` naming
    constraints that are in conflict; none of those named can be left out of the conflict.
    """
    single = constraints.single()
    for constraint in single:
        constraint.check(scores.n)
    if constraints.brackets and not projective:
        raise UsageError(
            "only projective search keeps brackets by its scores; give them to NonProjectiveDecoder"
        )
    living = scores.arc > -np.inf
    if scores.index is not None:
        living &= scores.index.living
    alive, spans = apply(single, living, scores.spans)
    if not is_possible(alive, spans, single_root, projective):
        raise conflict(single, living, scores.spans, single_root, projective)
    constrained = replace(scores, arc=np.where(alive, scores.arc, -np.inf))
    if constraints.brackets:
        constrained = replace(constrained, spans=spans)
        if scores.higher:
            constrained = forbid_siblings(constrained, constraints.brackets)
    return constrained


def apply(
    constraints: Iterable[Constraint],
    living: NDArray[np.bool_],
    spans: NDArray[np.float64] | None,
) -> tuple[NDArray[np.bool_], NDArray[np.float64]]:
    """The arcs and spans that all constraints together leave."""
    alive = living.copy()
    left = np.zeros(living.shape) if spans is None else spans.copy()
    for constraint in constraints:
        constraint.forbid_arcs(alive)
        constraint.forbid_spans(left)
    return alive, left


def forbid_siblings(scores: Scores, brackets: Iterable[Pair]) -> Scores:
    """Strike neighbouring siblings in one bracket whose head is outside: two arcs would enter it.

    At the first order, forbidden spans do this; above it, siblings are joined without such spans.
    Grandchildren become grand-siblings, which share their rows.
    """
    index = scores.index
    assert index is not None
    if index.factorisation is Factorisation.GRANDCHILDREN:
        index = replace(index, factorisation=Factorisation.GRAND_SIBLINGS)
    h, s, m = index.tokens(Part.SIBLING).T
    values = scores.higher.get(Part.SIBLING, np.zeros(len(h))).copy()
    for first, last in brackets:
        low, high = np.minimum(s, m), np.maximum(s, m)
        outside = (h < first) | (h > last)
        values[outside & (s != h) & (first <= low) & (high <= last)] = -np.inf
    return replace(scores, index=index, higher={**scores.higher, Part.SIBLING: values})


def is_possible(
    alive: NDArray[np.bool_], spans: NDArray[np.float64], single_root: bool, projective: bool
) -> bool:
    """Whether there is a tree over living arcs."""
    if projective:
        arc = np.where(alive, 0.0, -np.inf)
        return bool(order1.inside(MAX, arc, spans, single_root).values[len(alive) - 1] > -np.inf)
    if not single_root:
        return reaches_all(alive, 0)
    without_root = alive.copy()
    without_root[0] = False
    return any(reaches_all(without_root, int(word)) for word in np.flatnonzero(alive[0]))


def reaches_all(alive: NDArray[np.bool_], start: int) -> bool:
    """Whether every word can be reached along living arcs."""
    reached = np.zeros(len(alive), np.bool_)
    reached[[0, start]] = True
    waiting = [start]
    while waiting:
        new = np.flatnonzero(alive[waiting.pop()] & ~reached)
        reached[new] = True
        waiting.extend(new.tolist())
    return bool(reached.all())


def conflict(
    constraints: list[Constraint],
    living: NDArray[np.bool_],
    spans: NDArray[np.float64] | None,
    single_root: bool,
    projective: bool,
) -> ConstraintError:
    """The error that names a smallest set of constraints that cannot hold together.

    Smallest in that every one of them is needed: what can be left out, one by one, is left out.
    """
    needed = list(constraints)
    for constraint in constraints:
        fewer = [one for one in needed if one is not constraint]
        if not is_possible(*apply(fewer, living, spans), single_root, projective):
            needed = fewer
    if not needed:
        return ConstraintError("no tree has a finite score, even without constraints")
    names = "; ".join(one.name for one in needed)
    return ConstraintError(f"no tree over the living arcs fulfils: {names}")
