"""The rows of a sentence that are not words: multiword tokens and empty nodes."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Multiword:
    """A surface token such as `don't`, spelled out as words `first` to `last`."""

    first: int
    last: int
    columns: tuple[str, ...]  # FORM to MISC, as in the file
    position: int  # how many words stand before this row

    @property
    def id(self) -> str:
        """The ID column: `3-4`."""
        return f"{self.first}-{self.last}"

    @property
    def form(self) -> str:
        """The surface form."""
        return self.columns[0]

    @property
    def misc(self) -> str:
        """The MISC column."""
        return self.columns[-1]


@dataclass(frozen=True, slots=True)
class EmptyNode:
    """A node of the enhanced graph that is not a word: `8.1` comes after word 8."""

    after: int
    index: int
    columns: tuple[str, ...]  # FORM to MISC, as in the file

    @property
    def id(self) -> str:
        """The ID column: `8.1`."""
        return f"{self.after}.{self.index}"

    @property
    def form(self) -> str:
        """The form, often `_`."""
        return self.columns[0]

    @property
    def position(self) -> int:
        """How many words stand before this row."""
        return self.after
