"""What a sentence and a document share: they are sequences of their words."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, overload

from headwise.corpus.attributes import unknown_attribute

if TYPE_CHECKING:
    from headwise.corpus.word import Word


class WordSequence:
    """A sequence of words that are built when first asked for.

    They are kept outside the fields of the dataclasses under this class, so that they are not
    compared, pickled or copied.
    """

    __slots__ = ("_words",)
    _words: "tuple[Word, ...]"

    def _build_words(self) -> "tuple[Word, ...]":
        raise NotImplementedError

    @property
    def words(self) -> "tuple[Word, ...]":
        """The words: each knows its columns, its position in the text and its neighbours."""
        try:
            return self._words
        except AttributeError:  # the first time
            object.__setattr__(self, "_words", self._build_words())
            return self._words

    def __iter__(self) -> "Iterator[Word]":
        """The words, one after the other."""
        return iter(self.words)

    @overload
    def __getitem__(self, index: int) -> "Word": ...
    @overload
    def __getitem__(self, index: slice) -> "tuple[Word, ...]": ...
    def __getitem__(self, index: int | slice) -> "Word | tuple[Word, ...]":
        """A word, counted from 0, or a slice of the words."""
        return self.words[index]

    def __getattr__(self, name: str) -> object:
        """Name the attribute that was probably meant."""
        raise unknown_attribute(self, name)
