"""The HEAD column as numbers, checked."""

from collections.abc import Callable, Sequence
from functools import lru_cache

from headwise.errors import InputError, SourceLocation


def known_heads(heads: Sequence[int | None], count: int) -> tuple[int | None, ...] | None:
    """The heads of `count` words if a quick look finds every one missing or in range."""
    try:
        found = tuple(map(_heads_within(min(count, 1000)), heads))
    except (KeyError, TypeError):  # one out of range, a very long sentence, or no number
        return None
    return found if len(found) == count else None


@lru_cache(maxsize=128)
def _heads_within(count: int) -> Callable[[int | None], int | None]:
    """What gives a head back if it is one that a word of a sentence of `count` words can have."""
    return {head: head for head in (None, *range(count + 1))}.__getitem__


def checked_heads(
    heads: Sequence[int | None], count: int, location: SourceLocation | None
) -> tuple[int | None, ...]:
    """Heads of `count` words, each one missing or in range."""
    if len(heads) != count:
        raise InputError(f"{len(heads)} heads for {count} words", location)
    found = tuple(None if head is None else int(head) for head in heads)
    for word, head in enumerate(found, 1):
        if head is not None and not 0 <= head <= count:
            raise InputError(
                f"the head of word {word} is {head}, not one of 0 to {count}", location
            )
    return found
