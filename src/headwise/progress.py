"""Progress: the one way in which long work says how far it is."""

from typing import Protocol


class Progress(Protocol):
    """Is told of a stage of the work: its name, and how much of it is done, of how much."""

    def __call__(self, stage: str, done: int, total: int, /) -> None: ...


def silent(stage: str, done: int, total: int, /) -> None:
    """Tell nobody."""
