"""Tables of weights: of how many lines, of what numbers, and as kernels want them."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from headwise.errors import UsageError
from headwise.features.templates import FILTERED
from headwise.kernels.arc_scores import Weights
from headwise.kernels.part_scores import LANES, PartWeights
from headwise.kernels.vectors import LINE

SUMS: dict[str, tuple[type[np.generic], type[np.generic]]] = {
    "float32": (np.float32, np.float32),
    "int16": (np.int32, np.int32),
    "int8": (np.int16, np.int32),
}
"""For every type of weights those in which they are summed, over rows and over arcs."""


@dataclass(frozen=True, slots=True)
class TableSizes:
    """The sizes of tables, as powers of two.

    wide: lines of sixteen weights, for features with distances.
    narrow: lines of two weights, for features with direction only.
    filters: bits of each filter of pairs of words.
    parts: lines of four weights, for features of higher parts.
    """

    wide: int = 21
    narrow: int = 22
    filters: int = 22
    parts: int = 23

    def check(self) -> None:
        """Raise if a size has no use."""
        for name in ("wide", "narrow", "filters", "parts"):
            if not 4 <= getattr(self, name) <= 30:
                raise UsageError(f"tables: {name} is 4 to 30, not {getattr(self, name)}")

    @property
    def narrow_start(self) -> int:
        """Where the narrow table starts."""
        return LINE << self.wide

    @property
    def parts_start(self) -> int:
        """Where the table of higher parts starts, after those of arcs."""
        return self.narrow_start + (2 << self.narrow)

    def weights(self, with_parts: bool) -> int:
        """The number of weights in all tables, with or without that of higher parts."""
        return self.parts_start + (LANES << self.parts if with_parts else 0)


@dataclass(frozen=True, eq=False)
class WeightTables:
    """The weights of a model: the tables one after the other, wide, narrow, and of higher parts."""

    sizes: TableSizes
    weights: NDArray[Any]
    filters: NDArray[np.uint8]
    scale: float = 1.0

    @classmethod
    def empty(cls, sizes: TableSizes, *, with_parts: bool = False) -> "WeightTables":
        """Weights of zero, and no pair of words seen."""
        sizes.check()
        weights, filters = cls.shapes(sizes, with_parts=with_parts)
        return cls(sizes, np.zeros(weights, np.float32), np.zeros(filters, np.uint8))

    @staticmethod
    def shapes(sizes: TableSizes, *, with_parts: bool) -> tuple[tuple[int], tuple[int, int]]:
        """The shapes of weights and filters."""
        return (sizes.weights(with_parts),), (len(FILTERED), 1 << (sizes.filters - 3))

    @cached_property
    def for_kernels(self) -> Weights:
        """The same memory in the shape that kernels want."""
        rows, arcs = SUMS[self.weights.dtype.name]
        start = self.sizes.narrow_start
        return Weights(
            wide=self.weights[:start],
            narrow=self.weights[start : self.sizes.parts_start],
            filters=self.filters,
            wide_shift=np.uint64(64 - self.sizes.wide),
            narrow_shift=np.uint64(64 - self.sizes.narrow),
            filter_shift=np.uint64(64 - self.sizes.filters),
            row_sums=np.empty(0, rows),
            arc_sums=np.empty(0, arcs),
            scale=self.scale,
        )

    @cached_property
    def for_part_kernels(self) -> PartWeights:
        """The same of higher parts."""
        return PartWeights(
            table=self.weights[self.sizes.parts_start :],
            shift=np.uint64(64 - self.sizes.parts),
            sums=np.empty(0, SUMS[self.weights.dtype.name][1]),
            scale=self.scale,
        )

    def quantised(self, bits: Literal[8, 16], cut_off: float = 0.0) -> "WeightTables":
        """The same weights as small integers times one scale.

        A share of them, the largest, may be cut off, so that the scale is finer.
        """
        kind = np.int8 if bits == 8 else np.int16
        highest = np.iinfo(kind).max
        sizes = np.abs(self.weights[self.weights != 0])
        if not len(sizes):
            return replace(self, weights=self.weights.astype(kind))
        cut = len(sizes) - 1 - int(cut_off * len(sizes))
        scale = float(np.partition(sizes, cut)[cut]) / highest
        small = np.clip(np.rint(self.weights / np.float32(scale)), -highest, highest)
        return replace(self, weights=small.astype(kind), scale=scale)
