"""Lines that say how far something long has come, for people who wait."""

import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from headwise.corpus.sentence import Sentence

T = TypeVar("T")
OVER = "\r\x1b[K"
"""Brings a terminal back to the start of its line, which is empty then."""

FIRST_AFTER = 2.0
"""Seconds after which a stream counts as long."""
EVERY = 0.5
LOOK_EVERY = 64
"""Sentences between two looks at the clock."""


def paced(sentences: Iterable["Sentence"]) -> Iterator["Sentence"]:
    """The sentences as they are, counted on standard error if that is a terminal."""
    if not sys.stderr.isatty() or sys.stdout.isatty():  # nobody waits, or the output itself shows
        return iter(sentences)
    return counted(sentences)


def counted(sentences: Iterable["Sentence"]) -> Iterator["Sentence"]:
    """The sentences as they are, with a line about them that is written again and again."""
    start = time.monotonic()
    due, words, shown = start + FIRST_AFTER, 0, False
    try:
        for number, sentence in enumerate(sentences):
            yield sentence
            words += len(sentence)
            if number % LOOK_EVERY == 0 and (now := time.monotonic()) >= due:
                write_line(words, now - start)
                due, shown = now + EVERY, True
        if shown:
            write_line(words, time.monotonic() - start)
    finally:
        if shown:
            print(file=sys.stderr)


def write_line(words: int, seconds: float) -> None:
    """Write over the line before."""
    write_over(f"{words:,} words, {words / seconds:,.0f} words/s")


def write_over(line: str) -> None:
    """Write a line on standard error in the place of the one that is there."""
    print(f"{OVER}{line}", end="", file=sys.stderr, flush=True)


@contextmanager
def counting(what: str) -> Iterator[Callable[..., None]]:
    """Say on standard error, where someone looks at it, how many of something are done.

    Gives the function to be told of it: of how many, and of how many in all if that is known.
    """
    due, is_watched = time.monotonic(), sys.stderr.isatty()

    def tell(done: int, total: int | None = None) -> None:
        nonlocal due
        if is_watched and (now := time.monotonic()) >= due:
            of_all = "" if total is None else f" of {total:,}"
            write_over(f"{done:,}{of_all} {what}")
            due = now + EVERY

    try:
        yield tell
    finally:
        if is_watched:
            write_over("")


def counted_items(items: Iterable[T], what: str) -> Iterator[T]:
    """The items as they are, counted in this way."""
    with counting(what) as tell:
        for done, item in enumerate(items, 1):
            yield item
            tell(done)
