"""A treebank cut into parts, so that what is learnt from all others is used on each.

What was learnt from sentences does better on them than it will on others: who learns from its
answers in turn must not see those.
"""

from collections.abc import Iterator, Sequence
from typing import TypeVar

from headwise.errors import UsageError, counted

T = TypeVar("T")


def folds_of(items: Sequence[T], folds: int) -> Iterator[tuple[Sequence[T], Sequence[T]]]:
    """The parts of a treebank, each after all the others; neighbours stay together."""
    if not 2 <= folds <= len(items):
        raise UsageError(
            f"{counted(len(items), 'sentence')} cannot be cut into {counted(folds, 'part')}: it "
            "takes 2 or more parts of a sentence or more"
        )
    for number in range(folds):
        first, last = number * len(items) // folds, (number + 1) * len(items) // folds
        yield [*items[:first], *items[last:]], items[first:last]
