"""Weight tables: their sizes and types, and their layout for the kernels."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from headwise.errors import UsageError
from headwise.kernels.arcs.features import BUCKETS
from headwise.kernels.arcs.plausible import Plausible, everything
from headwise.kernels.arcs.tables import Weights, fold, folded, round_wide
from headwise.kernels.parts.scores import LANES, PartWeights
from headwise.kernels.primitives.vectors import LINE
from headwise.scoring.linear.templates import FILTERED

FOLDED_AT_A_TIME = 1 << 18
"""Weights of a wide table: they stay in the cache."""

FILTERS = len(FILTERED)
"""There is a filter of pairs for each of these atoms."""

SUMS: dict[str, type[np.generic]] = {
    "float32": np.float32,
    "int16": np.int32,
    "int8": np.int32,
}
"""The accumulator type of each weight type."""

ROWS: dict[str, type[np.generic]] = SUMS | {"int8": np.int16}
"""The accumulator types for sums of few weights."""


LARGEST = {"wide": 24, "narrow": 27, "filters": 27, "parts": 26, "labels": 27}
"""The largest table sizes: no table has more than 2²⁸ weights."""


@dataclass(frozen=True, slots=True)
class TableSizes:
    """The sizes of tables, as powers of two.

    wide: rows of sixteen weights, for features with distances.
    narrow: rows of two weights, for features with direction only.
    filters: bits of each filter of pairs of words.
    parts: rows of four weights, for features of higher-order parts.
    labels: weights of labels, of a second stage or learned jointly with arcs.
    """

    wide: int = 21
    narrow: int = 22
    filters: int = 22
    parts: int = 23
    labels: int = 22

    def check(self) -> None:
        """Raise if a size is invalid."""
        for name, maximum in LARGEST.items():
            if not 4 <= getattr(self, name) <= maximum:
                raise UsageError(
                    f"tables: {name} must be from 4 to {maximum}, not {getattr(self, name)}"
                )

    @property
    def narrow_start(self) -> int:
        """The offset of the narrow table."""
        return LINE << self.wide

    @property
    def parts_start(self) -> int:
        """The offset of the table of higher-order parts, after those of arcs."""
        return self.narrow_start + (2 << self.narrow)

    @property
    def labels_start(self) -> int:
        """The offset of the table of labels, in place of that of higher-order parts."""
        return self.parts_start

    def weights(self, with_parts: bool, with_labels: bool = False) -> int:
        """The number of weights in all tables, with or without those of higher parts or labels."""
        if with_labels:
            return self.labels_start + (1 << self.labels)
        return self.parts_start + (LANES << self.parts if with_parts else 0)


@dataclass(frozen=True, eq=False)
class WeightTables:
    """The weights of a model: the concatenated tables.

    These are the wide and the narrow one, and that of higher-order parts or of labels, if any.
    """

    sizes: TableSizes
    weights: NDArray[Any]
    filters: NDArray[np.uint8]
    scale: float = 1.0
    plausible: Plausible = field(default_factory=everything)

    def __reduce__(self) -> tuple[Any, ...]:
        """Do not send what can be recomputed to another process."""
        return WeightTables, (self.sizes, self.weights, self.filters, self.scale, self.plausible)

    @classmethod
    def empty(
        cls,
        sizes: TableSizes,
        plausible: Plausible | None = None,
        *,
        with_parts: bool = False,
        with_labels: bool = False,
    ) -> "WeightTables":
        """Zero weights and empty filters; by default all arcs are plausible."""
        sizes.check()
        weights, filters = cls.shapes(sizes, with_parts=with_parts, with_labels=with_labels)
        tables = cls(sizes, np.zeros(weights, np.float32), np.zeros(filters, np.uint8))
        return tables if plausible is None else replace(tables, plausible=plausible)

    @staticmethod
    def shapes(
        sizes: TableSizes, *, with_parts: bool, with_labels: bool = False
    ) -> tuple[tuple[int], tuple[int, int]]:
        """The shapes of weights and filters."""
        weights = sizes.weights(with_parts, with_labels)
        return (weights,), (FILTERS, 1 << (sizes.filters - 3))

    @property
    def are_finished(self) -> bool:
        """Whether the weights are quantised, and training has ended."""
        return bool(self.weights.dtype != np.float32)

    @cached_property
    def for_kernels(self) -> Weights:
        """The weights in the layout of the kernels; during training, the memory is shared."""
        return Weights(
            wide=self.wide_for_kernels(),
            narrow=self.weights[self.sizes.narrow_start : self.sizes.parts_start],
            filters=self.filters,
            wide_shift=np.uint64(64 - self.sizes.wide),
            narrow_shift=np.uint64(64 - self.sizes.narrow),
            filter_shift=np.uint64(64 - self.sizes.filters),
            plausible=self.plausible,
            sums=np.empty(0, SUMS[self.weights.dtype.name]),
            rows=np.empty(0, ROWS[self.weights.dtype.name]),
            scale=self.scale,
        )

    def wide_for_kernels(self) -> NDArray[Any]:
        """The wide table, folded when training has ended."""
        wide = self.weights[: self.sizes.narrow_start]
        return folded(wide) if self.are_finished else wide

    def as_learnt(self) -> NDArray[Any]:
        """The weights as they were learnt, and as models have them."""
        return self.weights

    @cached_property
    def for_part_kernels(self) -> PartWeights:
        """The weights of higher-order parts in the layout of the kernels."""
        return PartWeights(
            table=self.weights[self.sizes.parts_start :],
            shift=np.uint64(64 - self.sizes.parts),
            sums=np.empty(0, SUMS[self.weights.dtype.name]),
            scale=self.scale,
        )

    @property
    def label_weights(self) -> NDArray[Any]:
        """The table of labels."""
        return self.weights[self.sizes.labels_start :]

    def quantised(
        self, bits: Literal[8, 16], cut_off: float = 0.0, drop_up_to: int = 0
    ) -> "WeightTables":
        """The weights quantised to small integers times one scale.

        The largest may be clipped (a share of `cut_off`), for a finer scale. Quantised weights of
        magnitude ≤ `drop_up_to` are dropped.
        """
        return self.rounded(bits, self.scales(bits, [cut_off])[0], drop_up_to)

    def scales(self, bits: Literal[8, 16], cut_offs: Sequence[float]) -> list[float]:
        """The scales if such shares of the weights are clipped."""
        start = self.sizes.narrow_start
        sums = np.concatenate([folded(self.weights[:start]), self.weights[start:]])
        return scales_of(sums, bits, cut_offs)

    def rounded(self, bits: Literal[8, 16], scale: float, drop_up_to: int = 0) -> "WeightTables":
        """The weights quantised at a given scale."""
        start = self.sizes.narrow_start
        small = np.empty(len(self.weights), np.int8 if bits == 8 else np.int16)
        round_wide(self.weights[:start], np.float32(scale), drop_up_to, small[:start])
        small[start:] = as_integers(self.weights[start:], bits, scale, drop_up_to)
        return replace(self, weights=small, scale=scale)


@dataclass(frozen=True, eq=False)
class FoldedTables(WeightTables):
    """Tables of a finished model whose wide table is folded in its own memory.

    Parsing needs no other; that it can be saved again takes an eighth of its size.

    directions: what the wide table had as weights of directions, [line, direction].
    clipped: where a sum may have been too large, and what was in these slots.
    """

    directions: NDArray[Any] = field(kw_only=True)
    clipped: tuple[NDArray[np.int64], NDArray[Any]] = field(kw_only=True)

    def __reduce__(self) -> tuple[Any, ...]:
        shared = (self.sizes, self.weights, self.filters, self.scale, self.plausible)
        return partial(FoldedTables, directions=self.directions, clipped=self.clipped), shared

    def wide_for_kernels(self) -> NDArray[Any]:
        return self.weights[: self.sizes.narrow_start]

    def as_learnt(self) -> NDArray[Any]:
        weights = self.weights.copy()
        lines = weights[: self.sizes.narrow_start].reshape(-1, LINE)
        for direction, lanes in enumerate((slice(2, 2 + BUCKETS), slice(2 + BUCKETS, LINE))):
            lines[:, lanes] -= self.directions[:, direction, np.newaxis]
        lines[:, :2] = self.directions
        slots, before = self.clipped
        weights[slots] = before
        return weights


def folded_in_place(tables: WeightTables) -> FoldedTables:
    """Tables of a finished model with their wide table folded: OUT their weights.

    The array of these is read-only from now on: it cannot be folded a second time.
    """
    weights = tables.weights[:]
    wide, highest = weights[: tables.sizes.narrow_start], np.iinfo(weights.dtype).max
    pairs = wide.view(f"u{2 * wide.itemsize}").reshape(-1, LINE // 2)
    directions = pairs[:, 0].copy().view(wide.dtype).reshape(-1, 2)
    slots, before = [np.empty(0, np.int64)], [np.empty(0, weights.dtype)]
    for start in range(0, len(wide), FOLDED_AT_A_TIME):
        piece = wide[start : start + FOLDED_AT_A_TIME]
        learnt = piece.copy()
        piece[:] = 0
        fold(learnt, piece)
        if piece.max() == highest or piece.min() == -highest:
            largest = np.flatnonzero(np.abs(piece) == highest)
            slots.append(start + largest)
            before.append(learnt[largest])
    tables.weights.flags.writeable = False
    clipped = np.concatenate(slots), np.concatenate(before)
    return FoldedTables(
        tables.sizes, weights, tables.filters, tables.scale, tables.plausible,
        directions=directions, clipped=clipped,
    )  # fmt: skip


def largest_of(bits: Literal[8, 16]) -> int:
    """The largest signed integer of this many bits."""
    return (1 << (bits - 1)) - 1


def scales_of(
    weights: NDArray[Any], bits: Literal[8, 16], cut_offs: Sequence[float]
) -> list[float]:
    """The scales of quantised weights if such shares of them, the largest, are clipped."""
    sizes = np.abs(weights[weights != 0])
    if not len(sizes):
        return [1.0] * len(cut_offs)
    cuts = [len(sizes) - 1 - int(share * len(sizes)) for share in cut_offs]
    return [float(one) / largest_of(bits) for one in np.partition(sizes, cuts)[cuts]]


def as_integers(
    weights: NDArray[Any], bits: Literal[8, 16], scale: float, drop_up_to: int = 0
) -> NDArray[Any]:
    """Weights quantised at a given scale; those of magnitude ≤ `drop_up_to` are dropped."""
    highest = largest_of(bits)
    whole = np.clip(np.rint(weights / np.float32(scale)), -highest, highest)
    whole[np.abs(whole) <= drop_up_to] = 0
    return np.asarray(whole.astype(np.int8 if bits == 8 else np.int16))
