"""Where words are in a text, as spaCy writes it down: tokens, and the spaces between them.

spaCy keeps one space after a token with the token; all other white space is a token by itself.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from spacy.tokens import Doc

Span = tuple[int, int]


@dataclass(slots=True)
class Layout:
    """The tokens of a text, some of which are white space."""

    tokens: list[str] = field(default_factory=list)
    spaces: list[bool] = field(default_factory=list)
    words: list[int] = field(default_factory=list)  # which tokens are words

    def add_word(self, form: str, *, space: bool = False) -> None:
        """Add a word."""
        self.words.append(len(self.tokens))
        self.tokens.append(form)
        self.spaces.append(space)

    def add_gap(self, gap: str) -> None:
        """Add the white space after a token, or before the first one."""
        if gap.startswith(" ") and self.tokens:
            self.spaces[-1], gap = True, gap[1:]
        if gap:
            self.tokens.append(gap)
            self.spaces.append(False)

    def doc(self, vocab: Any, starts: Iterable[int]) -> Doc:
        """The Doc; `starts` are the words with which sentences begin."""
        begins: list[bool] = [False] * len(self.tokens)
        for word in starts:
            begins[self.words[word] if word else 0] = True
        return Doc(vocab, words=self.tokens, spaces=self.spaces, sent_starts=begins)


def laid_out(text: str, spans: Iterable[Span]) -> Layout:
    """The tokens of a text whose words are at these positions."""
    layout, cursor = Layout(), 0
    for start, end in spans:
        layout.add_gap(text[cursor:start])
        layout.add_word(text[start:end])
        cursor = end
    layout.add_gap(text[cursor:])
    return layout


def spelled_out(form: str, words: Sequence[str], start: int) -> list[Span] | None:
    """Where the words of a multiword token are, if they spell it (do-n't); else None (du)."""
    if "".join(words) != form:
        return None
    spans = []
    for word in words:
        spans.append((start, start + len(word)))
        start += len(word)
    return spans
