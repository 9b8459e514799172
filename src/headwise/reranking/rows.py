"""Candidate lists, and candidates as sparse vectors: their score first, then counts of features."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import numpy as np
import numpy.typing as npt

from headwise.errors import NOWHERE, FormatError, MismatchError, SourceLocation

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

T = TypeVar("T")
Features = Callable[[T], Iterable[str]]
"""Names of the features of a tree; repeated names are counted."""


def bucket(number: int) -> int:
    """A number for a feature name, binned more coarsely the larger it is."""
    return number if number <= 4 else 6 if number <= 6 else 10 if number <= 10 else 11


@dataclass(frozen=True, slots=True, eq=False)
class Candidates(Generic[T]):
    """Trees of one sentence with scores: unnormalised log-probabilities."""

    sentence_id: str
    trees: tuple[T, ...]
    scores: Floats
    location: SourceLocation = NOWHERE

    def __len__(self) -> int:
        """The number of trees."""
        return len(self.trees)

    @property
    def best(self) -> T:
        """The tree with the highest score; the first of equals."""
        return self.trees[int(np.argmax(self.scores))]


def scores_for(
    trees: Sequence[object], scores: Sequence[float] | Floats, location: SourceLocation
) -> Floats:
    """The scores of a list as an array, one for each tree; there must be trees."""
    if not trees:
        raise FormatError("there are no trees", location)
    numbers = np.asarray(scores, np.float64)
    if numbers.shape != (len(trees),):
        raise FormatError(f"{len(trees)} trees, but {numbers.size} scores", location)
    return numbers


def check_as_many(lists: Sequence[Any], gold: Sequence[Any]) -> None:
    """Raise unless there is a gold tree for every candidate list."""
    if len(lists) != len(gold):
        longer = lists[len(gold) :] or gold[len(lists) :]
        message = f"{len(lists)} candidate lists, but {len(gold)} gold trees"
        raise MismatchError(f"{message}; this one has no counterpart", longer[0].location)


@dataclass(frozen=True, slots=True, eq=False)
class FeatureRows:
    """Sparse vectors in CSR format; none is empty, as column 0 (the score) is always present."""

    starts: Ints
    columns: Ints
    values: Floats

    def __len__(self) -> int:
        """The number of vectors."""
        return len(self.starts) - 1

    def dot(self, weights: Floats) -> Floats:
        """The product of every vector with weights."""
        return np.add.reduceat(self.values * weights[self.columns], self.starts[:-1])

    def matrix(self, size: int) -> Any:
        """The vectors as a sparse matrix of `size` columns."""
        from scipy.sparse import csr_array

        return csr_array((self.values, self.columns, self.starts), shape=(len(self), size))

    def weighted_sum(self, factors: Floats, size: int) -> Floats:
        """The sum of all vectors times their factors, as a dense vector of `size` columns."""
        spread = self.values * np.repeat(factors, np.diff(self.starts))
        return np.bincount(self.columns, weights=spread, minlength=size).astype(np.float64)

    def part(self, first: int, last: int) -> "FeatureRows":
        """A range of the vectors."""
        a, b = int(self.starts[first]), int(self.starts[last])
        starts = self.starts[first : last + 1] - a
        return FeatureRows(starts, self.columns[a:b], self.values[a:b])

    def row(self, index: int) -> tuple[Ints, Floats]:
        """The columns and values of a vector."""
        a, b = int(self.starts[index]), int(self.starts[index + 1])
        return self.columns[a:b], self.values[a:b]

    def difference(self, a: int, b: int) -> tuple[Ints, Floats]:
        """The columns and values of one vector minus another."""
        (x, p), (y, q) = self.row(a), self.row(b)
        columns, indices = np.unique(np.concatenate([x, y]), return_inverse=True)
        values = np.bincount(indices, weights=np.concatenate([p, -q]))
        return columns, values.astype(np.float64)

    @classmethod
    def joined(cls, parts: Sequence["FeatureRows"]) -> "FeatureRows":
        """The concatenation of several parts."""
        lengths = np.concatenate([np.diff(part.starts) for part in parts])
        return cls(
            np.concatenate([[0], np.cumsum(lengths)]),
            np.concatenate([part.columns for part in parts]),
            np.concatenate([part.values for part in parts]),
        )


class Vocabulary:
    """The columns of features; column 0 is the score."""

    def __init__(self, names: Iterable[str] = ()) -> None:
        """Start with known features, in the order of their columns from 1 on."""
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
        """The vectors of a list, without features on which its candidates agree.

        Scores are relative to the best, in units. New features are added if `learn`, else ignored.
        """
        columns, owners = self._occurrences(candidates.trees, features, learn=learn)
        size = len(candidates.trees)
        used, indices = np.unique(columns, return_inverse=True)
        table = np.zeros((size, len(used) + 1))
        np.add.at(table, (owners, indices + 1), 1.0)
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
        """The columns of all feature occurrences in some trees, and the index of their tree."""
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
        """Only the features that vary in at least `least` lists, and the lists over them."""
        seen = np.zeros(len(self), np.int64)
        for rows in lists:
            seen[np.unique(rows.columns)] += 1
        kept = seen >= least
        kept[0] = True
        new = np.cumsum(kept) - 1
        names = [name for name, column in self.columns.items() if kept[column]]
        return Vocabulary(names), [limited(rows, kept, new) for rows in lists]


def limited(rows: FeatureRows, kept: npt.NDArray[np.bool_], new: Ints) -> FeatureRows:
    """Vectors restricted to the kept columns, renumbered."""
    stay = kept[rows.columns]
    before = np.concatenate([[0], np.cumsum(stay)])
    return FeatureRows(before[rows.starts], new[rows.columns[stay]], rows.values[stay])
