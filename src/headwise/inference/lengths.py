"""How long sentences may be."""

from collections.abc import Sequence

from headwise.corpus.sentence import Sentence
from headwise.errors import LimitError, UsageError

LONGEST = 2000
"""Words in the longest sentence that is accepted: search takes seconds there and grows as n³."""

LONG = 500
"""Above the first order, a message announces sentences longer than this."""


def check_length(sentence: Sentence) -> None:
    """Raise if a sentence exceeds the length limit."""
    if len(sentence) > LONGEST:
        raise LimitError(
            f"a sentence of {len(sentence)} words; the longest that is parsed has {LONGEST}: "
            "is it split into sentences?",
            sentence.location,
        )


def checked_lengths(sentences: Sequence[Sentence]) -> list[int]:
    """The numbers of words of sentences; raise if one has none or exceeds the limit."""
    lengths = list(map(len, sentences))
    if 0 in lengths:
        raise UsageError("a sentence without words cannot be parsed")
    if max(lengths, default=0) > LONGEST:
        for sentence in sentences:
            check_length(sentence)
    return lengths
