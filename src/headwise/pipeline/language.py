"""A warning where text seems to be in another language than the treebank of a model."""

from collections.abc import Callable, Iterable, Iterator, Sequence

from headwise.corpus.sentence import Sentence
from headwise.errors import warn

Knows = Callable[[Sequence[str]], Sequence[bool] | None]
"""Says of words whether they occur in the treebank; None if the model does not remember that."""

ENOUGH_WORDS = 200
"""Number of words that are looked at; numbers and punctuation do not count."""

FEWEST_WORDS = 10
"""Of shorter text nothing is said: it may be a list of names."""

LEAST_SHARE = 0.25
"""Of known words: text in the language of a treebank has 50 to 90 %, in others up to 25 %."""


def noticing_language(sentences: Iterable[Sentence], knows: Knows) -> Iterator[Sentence]:
    """The sentences, with a warning if hardly any of the first words are known."""
    stream = iter(sentences)
    words: list[str] = []
    for sentence in stream:
        words += filter(has_letters, sentence.forms)
        yield sentence
        if len(words) >= ENOUGH_WORDS:
            break
    if len(words) >= FEWEST_WORDS:
        warn_of_language(len(words), knows(words))
    yield from stream


def has_letters(form: str) -> bool:
    """Whether a word has a letter."""
    return any(map(str.isalpha, form))


def warn_of_language(words: int, known: Sequence[bool] | None) -> None:
    """Warn if too few of some words are known."""
    if known is not None and sum(known) < LEAST_SHARE * words:
        warn(
            f"{sum(known)} of the first {words} words occur in the treebank of this model: is the "
            "text in its language?"
        )
