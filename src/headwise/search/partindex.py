"""Which parts exist, and in which order their scores are stored.

A `PartIndex` is made from the unpruned arcs of a sentence. Parts exist only over unpruned arcs; the
scores of all parts of a type are one flat array. Without pruning, the index is dense.

The order of parts: by head, left side first, modifiers from the inside out; for each of these arcs
by grandparent, from left to right; then by sibling, first "none", then from the inside out; then by
inner sibling in the same way. STOP parts: by head, left side first, "none", then each modifier from
the inside out.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from headwise.errors import UsageError
from headwise.kernels.parts.lookup import (
    find_parts,
    find_stops,
    list_stops,
    list_tokens,
    tokens_of_tree,
)
from headwise.kernels.parts.pruned_rows import PartRows, compress
from headwise.search.parts import Factorisation, Part

COLUMNS = {"grandparent": 0, "head": 1, "inner sibling": 2, "sibling": 3, "modifier": 4}
"""The columns in which kernels store the tokens of a part."""

PartTokens = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class PartIndex:
    """All parts of a factorisation over the unpruned arcs of a sentence."""

    factorisation: Factorisation
    rows: PartRows
    crossing: bool

    @classmethod
    def over(
        cls,
        unpruned: NDArray[np.bool_],
        factorisation: Factorisation,
        *,
        crossing: bool = False,
    ) -> "PartIndex":
        """Index the parts over `unpruned[head, modifier]`.

        With `crossing`, parts that only non-projective trees have (a modifier beyond its
        grandparent) are indexed too.
        """
        if unpruned.ndim != 2 or unpruned.shape[0] != unpruned.shape[1] or len(unpruned) < 2:
            raise UsageError(f"unpruned arcs must be a square matrix, not {unpruned.shape}")
        allowed = np.array(unpruned, dtype=np.bool_, order="C")
        np.fill_diagonal(allowed, False)
        allowed[:, 0] = False
        return cls(factorisation, compress(allowed, factorisation.grand, crossing), crossing)

    @classmethod
    def dense(cls, n: int, factorisation: Factorisation, *, crossing: bool = False) -> "PartIndex":
        """Index all parts of a sentence of n words."""
        return cls.over(np.ones((n + 1, n + 1), np.bool_), factorisation, crossing=crossing)

    @property
    def n(self) -> int:
        """The number of words."""
        return self.rows.n

    @property
    def unpruned(self) -> NDArray[np.bool_]:
        """Which arcs are unpruned, as a matrix [head, modifier]."""
        allowed: NDArray[np.bool_] = self.rows.arc_id >= 0
        return allowed

    def count(self, part: Part) -> int:
        """The number of parts of a type, which is the length of their array of scores."""
        self.check(part)
        rows = self.rows
        if part is Part.STOP:
            return len(rows.arc_head) + 2 * (self.n + 1)
        return len(rows.arc_head) if part is Part.ARC else int(self.starts[part][-1])

    @property
    def starts(self) -> dict[Part, NDArray[np.int64]]:
        """Where the parts of each arc start, for types with several per arc; and their end."""
        rows = self.rows
        return {
            Part.SIBLING: rows.sibling_start,
            Part.TRI_SIBLING: rows.tri_start,
            Part.GRANDCHILD: rows.grand_start,
            Part.GRAND_SIBLING: rows.grand_sibling_start,
            Part.GRAND_TRI_SIBLING: rows.grand_tri_start,
        }

    def tokens(self, part: Part) -> PartTokens:
        """The tokens of all parts of a type, in order: one row per part, columns `part.indices`."""
        if part is Part.STOP:
            stops: PartTokens = list_stops(self.rows.row_start, self.rows.arc_modifier)
            return stops
        found = list_tokens(self.rows, part.grand, part.siblings, self.count(part))
        return np.ascontiguousarray(found[:, [COLUMNS[name] for name in part.indices]])

    def find(self, part: Part, tokens: PartTokens) -> NDArray[np.int64]:
        """The positions of parts given by their tokens (columns `part.indices`).

        -1 where there is no such part: over a pruned arc, or siblings out of order.
        """
        self.check(part)
        tokens = np.asarray(tokens, np.int64)
        if tokens.ndim != 2 or tokens.shape[1] != len(part.indices):
            raise UsageError(f"{part.label} parts are rows of {', '.join(part.indices)}")
        if len(tokens) and not (tokens.min() >= 0 and tokens.max() <= self.n):
            raise UsageError(f"tokens must be from 0 to {self.n}")
        if part is Part.STOP and len(tokens) and tokens[:, 1].max() > 1:
            raise UsageError("sides must be 0 (left) or 1 (right)")
        if part is Part.STOP:
            stops: NDArray[np.int64] = find_stops(self.rows, tokens)
            return stops
        columns = np.repeat(tokens[:, [part.indices.index("head")]], 5, axis=1)
        for column, name in enumerate(part.indices):
            columns[:, COLUMNS[name]] = tokens[:, column]
        return self.find_columns(part, columns)

    def find_columns(self, part: Part, columns: PartTokens) -> NDArray[np.int64]:
        """The positions of parts given by all five columns."""
        found: NDArray[np.int64] = find_parts(self.rows, part.grand, part.siblings, columns)
        return found

    def of_tree(self, heads: Sequence[int] | NDArray[np.int64]) -> dict[Part, NDArray[np.int64]]:
        """The positions of all parts of a tree; -1 for pruned ones.

        For each type there is one part per word, in order; for STOP two per token.
        """
        columns, stops = tokens_of_tree(as_heads(heads, self.n))
        return {
            part: find_stops(self.rows, stops)
            if part is Part.STOP
            else self.find_columns(part, columns)
            for part in self.factorisation.parts
        }

    def check(self, part: Part) -> None:
        """Raise if the factorisation has no such parts."""
        if not self.factorisation.encloses(part):
            raise UsageError(f"{self.factorisation.label} have no {part.label} parts")


def as_heads(heads: Sequence[int] | NDArray[np.int64], n: int) -> NDArray[np.int64]:
    """The heads of n words after an entry for the root, as an array; raises if invalid."""
    given = np.asarray(heads)
    if given.dtype.kind not in "iuf" or (given.dtype.kind == "f" and (given % 1 != 0).any()):
        raise UsageError("heads must be integers")
    tree = given.astype(np.int64, copy=False)
    # As unsigned integers, negative numbers are large.
    if tree.shape != (n + 1,) or tree[1:].view(np.uint64).max(initial=0) > n:
        raise UsageError(f"heads must have an entry for the root, then {n} of 0 to {n}")
    return tree
