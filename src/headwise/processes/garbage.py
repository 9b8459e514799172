"""The garbage collector of a process that parses."""

import gc

OBJECTS_BEFORE_GARBAGE = 100_000
"""Allocations between runs of the garbage collector."""


def collect_rarely() -> None:
    """Let the garbage collector run rarely, and never look at what there is now.

    Most objects are code, models and sentences, which live on: collecting every 700 allocations, as
    Python does, takes a tenth of the run time.
    """
    gc.set_threshold(OBJECTS_BEFORE_GARBAGE)
    gc.freeze()
