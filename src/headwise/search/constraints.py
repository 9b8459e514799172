"""Constraints on trees, applied to Scores.

Excluded arcs become -inf; brackets are stored beside the arc scores, and all decoders respect
them.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from operator import index
from typing import Any

import numpy as np
from numpy.typing import NDArray

from headwise.errors import ConstraintError, UsageError
from headwise.search.bracketing import WordSpan, as_brackets
from headwise.search.feasibility import bracket_name, has_tree, smallest_conflict, why_no_tree
from headwise.search.scores import Scores

Pair = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Constraints:
    """Constraints on a tree.

    `required` and `forbidden` are arcs (head, modifier); `root` is the only word attached to the
    root; `heads` gives the heads of some words; the words i to j of each of the `brackets` (i, j)
    form one subtree: no arc leaves them, and exactly one enters.
    """

    required: tuple[Pair, ...] = ()
    forbidden: tuple[Pair, ...] = ()
    root: int | None = None
    heads: Mapping[int, int] = field(default_factory=dict)
    brackets: tuple[Pair, ...] = ()

    def known_heads(self, n: int) -> list[int | None]:
        """The heads of words 1 to n that are required, None where none is."""
        known = {m: h for h, m in self.required} | dict(self.heads)
        if self.root is not None:
            known[self.root] = 0
        return [known.get(word) for word in range(1, n + 1)]

    def single(self) -> list["Constraint"]:
        """Every constraint on its own, with a name for messages."""
        found = [
            Constraint(f"arc {h} → {m} is required", required=(h, m))
            for h, m in map(as_arc, self.required)
        ]
        found += [
            Constraint(
                f"arc {h} → {m} is forbidden" if h else f"word {m} is not the root",
                forbidden=(h, m),
            )
            for h, m in map(as_arc, self.forbidden)
        ]
        if self.root is not None:
            _, root = as_arc((0, self.root))
            found.append(Constraint(f"word {root} is the root", root=root))
        found += [
            Constraint(f"the head of word {m} is {h}", required=(h, m))
            for h, m in (as_arc((head, word)) for word, head in dict(self.heads).items())
        ]
        found += [Constraint(bracket_name(pair), bracket=pair) for pair in self.brackets]
        return found


def as_arc(arc: Sequence[int]) -> Pair:
    """An arc as a pair of Python's integers."""
    try:
        head, modifier = (index(word) for word in arc)
    except (TypeError, ValueError):
        message = f"an arc must be a pair of integers (head, modifier), not {arc!r}"
        raise UsageError(message) from None
    return head, modifier


@dataclass(frozen=True, slots=True)
class Constraint:
    """A single constraint and its name."""

    name: str
    required: Pair | None = None
    forbidden: Pair | None = None
    root: int | None = None
    bracket: WordSpan | None = None

    def check(self, n: int) -> None:
        """Raise if the constraint is not valid in a sentence of n words."""
        for arc in (self.required, self.forbidden):
            if arc is not None and not (0 <= arc[0] <= n and 1 <= arc[1] <= n):
                raise UsageError(f"{self.name}, but the sentence has only words 1 to {n}")
        if self.root is not None and not 1 <= self.root <= n:
            raise UsageError(f"{self.name}, but the sentence has only words 1 to {n}")
        if self.bracket is not None:
            as_brackets([self.bracket], n)

    def forbid_arcs(self, allowed: NDArray[np.bool_]) -> None:
        """Remove the arcs that this excludes from a matrix [head, modifier]."""
        if self.required is not None:
            keep_only(allowed, *self.required)
        if self.forbidden is not None:
            allowed[self.forbidden] = False
        if self.root is not None:
            keep_only(allowed, 0, self.root)
            allowed[0, np.arange(len(allowed)) != self.root] = False


def keep_only(allowed: NDArray[np.bool_], h: int, m: int) -> None:
    """Remove all arcs to m but the one from h."""
    was_allowed = bool(allowed[h, m])
    allowed[:, m] = False
    allowed[h, m] = was_allowed


def constrain(
    scores: Scores, constraints: Constraints, *, single_root: bool = True, projective: bool = True
) -> Scores:
    """Scores under which every tree of finite score satisfies the constraints.

    If there is no such tree (projective or not, with a single root or more), raises
    `ConstraintError` with a minimal set of conflicting constraints, including brackets that the
    scores already have. The method `constrain` of decoders knows their kind of trees.
    """
    unpruned = scores.arc > -np.inf
    tree = "projective tree" if projective else "tree"
    if not unpruned[off_diagonal(len(unpruned))].all():
        tree += " over the unpruned arcs"

    def possible(some: Sequence[Constraint], single_root: bool) -> bool:
        allowed, brackets = apply(some, unpruned)
        return has_tree(allowed, brackets, single_root=single_root, projective=projective)

    def reason() -> str:
        return ": " + why_no_tree(unpruned, (), single_root=single_root, projective=projective)

    single = satisfiable(constraints, scores, single_root, possible, tree, reason)
    allowed, brackets = apply(single, unpruned)
    return replace(scores, arc=np.where(allowed, scores.arc, -np.inf), brackets=brackets)


def satisfiable(
    constraints: Constraints,
    scores: Any,
    single_root: bool,
    possible: Callable[[Sequence[Constraint], bool], bool],
    tree: str,
    reason: Callable[[], str] = lambda: "",
) -> list[Constraint]:
    """All constraints one by one, after the brackets of the scores; raises if they allow no tree.

    `possible` says whether a tree satisfies some of them, with a single root or not; `tree` names
    the trees it means; `reason` says why there is none even without constraints.
    """
    single = [*Constraints(brackets=scores.brackets).single(), *constraints.single()]
    for constraint in single:
        constraint.check(scores.n)
    if not possible(single, single_root):
        needed = smallest_conflict(single, lambda some: possible(some, single_root))
        if not needed:
            message = f"no tree has a finite score, even without constraints{reason()}"
            raise ConstraintError(message)
        names = "; ".join(one.name for one in needed)
        roots = " with a single root" if possible(needed, False) else ""
        message = f"no {tree}{roots} satisfies all of these, remove one: {names}"
        raise ConstraintError(message, needed)
    return single


def apply(
    constraints: Sequence[Constraint], unpruned: NDArray[np.bool_]
) -> tuple[NDArray[np.bool_], tuple[WordSpan, ...]]:
    """The arcs allowed by all constraints together, and their brackets."""
    allowed = unpruned.copy()
    for constraint in constraints:
        constraint.forbid_arcs(allowed)
    brackets = [one.bracket for one in constraints if one.bracket is not None]
    return allowed, as_brackets(brackets, len(unpruned) - 1)


def off_diagonal(size: int) -> NDArray[np.bool_]:
    """All arcs [head, modifier] of a sentence: from any token to another word."""
    arcs = ~np.eye(size, dtype=np.bool_)
    arcs[:, 0] = False
    return arcs
