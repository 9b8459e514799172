"""The arcs to draw, of one tree or of two trees over the same words."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum

from headwise.corpus.sentence import MISSING, Sentence
from headwise.errors import MismatchError, UsageError, quoted
from headwise.safe import safe_text


class Mark(Enum):
    """Which of two trees an arc belongs to; with one tree, every arc is in `BOTH`."""

    BOTH = "both"
    FIRST = "only first"
    SECOND = "only second"


@dataclass(frozen=True, slots=True)
class Arc:
    """An arc to draw, with text that is safe to print."""

    head: int
    modifier: int
    label: str  # empty if the relation is missing
    mark: Mark = Mark.BOTH
    other_label: str | None = None  # the second tree's, where only the labels differ
    is_pin: bool = False  # drawn from above, not from a word: the root, or an invalid head

    @property
    def left(self) -> int:
        """The leftmost word of the arc."""
        return self.modifier if self.is_pin else min(self.head, self.modifier)

    @property
    def right(self) -> int:
        """The rightmost word of the arc."""
        return self.modifier if self.is_pin else max(self.head, self.modifier)

    @property
    def text(self) -> str:
        """The label on the arc: `nsubj`, or `nsubj≠obj` where two trees disagree."""
        if self.other_label is None:
            return self.label
        return f"{self.label or MISSING}≠{self.other_label or MISSING}"


def check_drawable(given: object, function: str) -> None:
    """Raise unless this is a sentence: callers give documents, words or text."""
    if isinstance(given, Sentence):
        return
    if hasattr(given, "sentences"):
        raise UsageError(
            f"{function} draws one sentence of a document, as {function}(doc.sentences[0]); "
            "doc.svg() draws all of them"
        )
    raise UsageError(f"{function} draws a sentence, not {type(given).__name__}")


def arcs_to_draw(sentence: Sentence, other: Sentence | None = None) -> list[Arc]:
    """The arcs of a sentence, or of two trees over the same words."""
    if other is None:
        return [arc for arc in tree_arcs(sentence) if arc is not None]
    if sentence.forms != other.forms:
        raise MismatchError(different_words(sentence, other), other.location)
    pairs = zip(tree_arcs(sentence), tree_arcs(other), strict=True)
    return [arc for first, second in pairs for arc in overlaid(first, second)]


def tree_arcs(sentence: Sentence) -> Iterator[Arc | None]:
    """The arc into each word; None where the head is missing."""
    columns = zip(sentence.heads, sentence.relations, strict=True)
    for modifier, (head, relation) in enumerate(columns, start=1):
        if head is None:
            yield None
            continue
        label = "" if relation == MISSING else safe_text(relation)
        if head == 0:
            yield Arc(0, modifier, label, is_pin=True)
        elif head == modifier or not 0 < head <= len(sentence):
            # An invalid head (the word itself, or outside the sentence) is shown as a number.
            yield Arc(head, modifier, f"{label}←{head}", is_pin=True)
        else:
            yield Arc(head, modifier, label)


def overlaid(first: Arc | None, second: Arc | None) -> Iterator[Arc]:
    """One arc if both trees agree on the head, otherwise one for each."""
    if first and second and first.head == second.head:
        other_label = second.label if second.label != first.label else None
        yield Arc(first.head, first.modifier, first.label, Mark.BOTH, other_label, first.is_pin)
        return
    if first:
        yield Arc(first.head, first.modifier, first.label, Mark.FIRST, None, first.is_pin)
    if second:
        yield Arc(second.head, second.modifier, second.label, Mark.SECOND, None, second.is_pin)


def different_words(sentence: Sentence, other: Sentence) -> str:
    """The message for two sentences with different words."""
    problem = "two trees can be compared only over the same words"
    if len(sentence) != len(other):
        return f"{problem}, but the first has {len(sentence)} words and the second {len(other)}"
    word = next(
        m for m, (a, b) in enumerate(zip(sentence.forms, other.forms, strict=True), 1) if a != b
    )
    first, second = quoted(sentence.forms[word - 1]), quoted(other.forms[word - 1])
    return f"{problem}, but word {word} is {first} in the first and {second} in the second"


def shown_tag(sentence: Sentence, word: int) -> str:
    """The tag below word 1…n: UPOS, or XPOS if there is no UPOS."""
    upos, xpos = sentence.upos[word - 1], sentence.xpos[word - 1]
    tag = upos if upos != MISSING else xpos
    return "" if tag == MISSING else safe_text(tag)
