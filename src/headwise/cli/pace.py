"""A line that says how far a long stream has come, for people who wait."""

import sys
import time
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from headwise.corpus.sentence import Sentence

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
    print(
        f"\r\x1b[K{words:,} words, {words / seconds:,.0f} words/s",
        end="",
        file=sys.stderr,
        flush=True,
    )
