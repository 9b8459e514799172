"""Candidates as sparse vectors: counts of features, the candidates' own score first."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)
Features = Callable[[T], Iterable[str]]
"""Names of the features that a tree has; a name that comes twice counts twice."""


def bucket(number: int) -> int:
    """A number in the name of a feature: coarser the larger it is."""
    return number if number <= 4 else 6 if number <= 6 else 10 if number <= 10 else 11


class Candidates(Protocol[T_co]):
    """A candidate list of trees of some kind."""

    @property
    def trees(self) -> Sequence[T_co]:
        """The candidates."""
        ...

    @property
    def scores(self) -> Floats:
        """Their scores."""
        ...


@dataclass(frozen=True, slots=True, eq=False)
class FeatureRows:
    """Sparse vectors, one after the other; none is empty: column 0, the score, is always there."""

    starts: Ints
    columns: Ints
    values: Floats

    def __len__(self) -> int:
        """The number of vectors."""
        return len(self.starts) - 1

    def dot(self, weights: Floats) -> Floats:
        """The product of every vector with weights."""
        return np.add.reduceat(self.values * weights[self.columns], self.starts[:-1])

    def weighted_sum(self, factors: Floats, size: int) -> Floats:
        """The sum of all vectors, each times its factor, over so many columns."""
        spread = self.values * np.repeat(factors, np.diff(self.starts))
        return np.bincount(self.columns, weights=spread, minlength=size).astype(np.float64)

    def part(self, first: int, last: int) -> "FeatureRows":
        """Some of the vectors."""
        a, b = int(self.starts[first]), int(self.starts[last])
        starts = self.starts[first : last + 1] - a
        return FeatureRows(starts, self.columns[a:b], self.values[a:b])

    def row(self, place: int) -> tuple[Ints, Floats]:
        """The columns and values of a vector."""
        a, b = int(self.starts[place]), int(self.starts[place + 1])
        return self.columns[a:b], self.values[a:b]

    @classmethod
    def joined(cls, parts: Sequence["FeatureRows"]) -> "FeatureRows":
        """Vectors of several parts, one after the other."""
        lengths = np.concatenate([np.diff(part.starts) for part in parts])
        return cls(
            np.concatenate([[0], np.cumsum(lengths)]),
            np.concatenate([part.columns for part in parts]),
            np.concatenate([part.values for part in parts]),
        )


class Vocabulary:
    """The columns of features; column 0 is the score's."""

    def __init__(self, names: Iterable[str] = ()) -> None:
        """Features that are known, in the order of their columns from 1 on."""
        self.columns: dict[str, int] = {name: at for at, name in enumerate(names, 1)}

    def __len__(self) -> int:
        """The number of columns."""
        return len(self.columns) + 1

    @property
    def names(self) -> list[str]:
        """The names of features, in the order of their columns from 1 on."""
        return list(self.columns)

    def rows(
        self,
        candidates: Candidates[T],
        features: Sequence[Features[T]],
        unit: float,
        *,
        learn: bool = False,
    ) -> FeatureRows:
        """The vectors of a list, without features that its candidates have in common.

        Scores are relative to the best, in units. New features are learned, or left out.
        """
        columns, owners = self._occurrences(candidates.trees, features, learn=learn)
        size = len(candidates.trees)
        used, places = np.unique(columns, return_inverse=True)
        table = np.zeros((size, len(used) + 1))
        np.add.at(table, (owners, places + 1), 1.0)
        varying = (table != table[0]).any(axis=0)
        relative = np.asarray(candidates.scores, np.float64)
        table[:, 0] = (relative - relative.max()) / unit
        varying[0] = True
        present = (table != 0) & varying
        present[:, 0] = True
        owner, column = np.nonzero(present)
        known = np.concatenate([[0], used])
        starts = np.concatenate([[0], np.cumsum(np.bincount(owner, minlength=size))])
        return FeatureRows(starts, known[column], table[owner, column])

    def _occurrences(
        self, trees: Sequence[T], features: Sequence[Features[T]], *, learn: bool
    ) -> tuple[Ints, Ints]:
        """The columns of all features of some trees, and whose they are."""
        found: list[int] = []
        owners: list[int] = []
        known = self.columns
        for owner, tree in enumerate(trees):
            for function in features:
                for name in function(tree):
                    column = known.get(name)
                    if column is None:
                        if not learn:
                            continue
                        column = known[name] = len(known) + 1
                    found.append(column)
                    owners.append(owner)
        return np.array(found, np.int64), np.array(owners, np.int64)

    def reduced(
        self, lists: Sequence[FeatureRows], least: int
    ) -> tuple["Vocabulary", list[FeatureRows]]:
        """Only features that tell candidates of so many lists apart, and lists of these."""
        seen = np.zeros(len(self), np.int64)
        for rows in lists:
            seen[np.unique(rows.columns)] += 1
        kept = seen >= least
        kept[0] = True
        new = np.cumsum(kept) - 1
        names = [name for name, column in self.columns.items() if kept[column]]
        return Vocabulary(names), [limited(rows, kept, new) for rows in lists]


def limited(rows: FeatureRows, kept: npt.NDArray[np.bool_], new: Ints) -> FeatureRows:
    """Vectors with the columns that are kept, under their new numbers."""
    stay = kept[rows.columns]
    before = np.concatenate([[0], np.cumsum(stay)])
    return FeatureRows(before[rows.starts], new[rows.columns[stay]], rows.values[stay])
