"""Iterate over the sentences of gold and system files in parallel, checking that they match."""

from collections.abc import Iterable, Iterator
from itertools import zip_longest

from headwise.corpus.sentence import Sentence
from headwise.errors import (
    NOWHERE,
    InputError,
    MismatchError,
    SourceLocation,
    TreeError,
    counted,
    quoted,
)


def aligned(
    gold: Iterable[Sentence], systems: Iterable[Iterable[Sentence]], *, allow_missing: bool = False
) -> Iterator[tuple[Sentence, ...]]:
    """Iterate over gold and systems in parallel, as tuples of gold and system sentences.

    Gold words must all have heads; system words must, unless `allow_missing`. All heads must
    lie within their sentence. Cycles are not checked: such heads simply score as wrong.
    """
    for number, row in enumerate(zip_longest(gold, *systems), start=1):
        check_present(row, number)
        first, *others = row
        check_heads(first, number, "gold")
        for other in others:
            check_same_words(first, other, number)
            check_heads(other, number, "system", allow_missing=allow_missing)
        yield row


def location_of(sentence: Sentence, number: int) -> SourceLocation:
    """The location of a sentence; if it is unknown, the sentence's number."""
    location = sentence.location
    return SourceLocation(sentence_id=f"number {number}") if location == NOWHERE else location


def check_present(row: tuple[Sentence | None, ...], number: int) -> None:
    """Raise if one of the files has ended before the others."""
    if None not in row:
        return
    extra = next(sentence for sentence in row if sentence is not None)
    ended, going = (
        ("the gold data", "the system output")
        if row[0] is None
        else ("the system output", "the gold data")
    )
    raise MismatchError(
        f"{ended} ends after {counted(number - 1, 'sentence')}, but {going} continues with this "
        "one; both files must contain the same sentences",
        location_of(extra, number),
    )


def check_same_words(gold: Sentence, system: Sentence, number: int) -> None:
    """Raise if two sentences do not have the same words."""
    if gold.forms == system.forms:
        return
    other = location_of(system, number)
    if len(gold) != len(system):
        what = f"{len(gold)} words here, but {len(system)} in the system output at {other}"
    else:
        word = next(i for i in range(len(gold)) if gold.forms[i] != system.forms[i])
        what = (
            f"word {word + 1} is {quoted(gold.forms[word])} here, "
            f"but {quoted(system.forms[word])} in the system output at {other}"
        )
    raise MismatchError(f"{what}; both must have the same words", location_of(gold, number))


def check_heads(sentence: Sentence, number: int, role: str, *, allow_missing: bool = False) -> None:
    """Raise if a word has no head, or its head is outside the sentence."""
    heads = [head for head in sentence.heads if head is not None]
    if len(heads) < len(sentence) and not allow_missing:
        word = sentence.heads.index(None) + 1
        raise InputError(
            f"word {word} of the {role} sentence has no head; evaluation requires all heads",
            location_of(sentence, number),
        )
    if heads and not (min(heads) >= 0 and max(heads) <= len(sentence)):
        wrong = next(head for head in heads if not 0 <= head <= len(sentence))
        raise TreeError(
            f"HEAD of word {sentence.heads.index(wrong) + 1} of the {role} sentence is {wrong}, "
            f"but must be from 0 to {len(sentence)}",
            location_of(sentence, number),
        )
