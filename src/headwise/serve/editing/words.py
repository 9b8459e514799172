"""Splitting and merging the words of a sentence; everything that counts words is counted again."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from headwise.corpus.extras import EmptyNode, Multiword, has_no_space_after
from headwise.corpus.sentence import MISSING, Sentence
from headwise.errors import UsageError, quoted
from headwise.serve.editing.acts import check_value, check_word
from headwise.serve.editing.marks import BRACKETS, FORBIDDEN, marks_of, with_comments, with_marks

NO_SPACE = "SpaceAfter=No"
TEXTS = ("forms", "lemmas", "upos", "xpos", "feats", "relations", "misc")
Extra = Multiword | EmptyNode
Cells = dict[str, tuple[str, ...]]
"""What some columns hold in the place of words that are split or merged."""


def split_word(
    sentence: Sentence, word: int, forms: Sequence[str], *, multiword: bool = False
) -> Sentence:
    """Split a word into two: of the text itself, or as the words of a multiword token.

    The first has the head and the dependents of the old word. Tags and lemmas are open.
    """
    check_word(sentence, word)
    parts = [check_value(form, spaces=True) for form in forms]
    old, inside = sentence.forms[word - 1], token_over(sentence, word)
    if len(parts) != 2 or MISSING in parts:
        raise UsageError("a word is split into two: give both forms")
    if not multiword and inside is None and "".join(parts) != old:
        raise UsageError(
            f"{' + '.join(map(quoted, parts))} is not {quoted(old)}: make it a multiword token to "
            "split it into words that are spelt otherwise"
        )
    misc = sentence.misc[word - 1]
    first, second = (misc, MISSING) if inside else (without_space(misc), misc)
    if multiword and inside is None:
        first = second = MISSING
    new = [n + (n > word) for n in range(len(sentence) + 1)]
    last = [n + (n >= word) for n in range(len(sentence) + 1)]  # what ended with it still does
    cells: Cells = dict.fromkeys(TEXTS, (MISSING, MISSING))
    cells |= {
        "forms": (parts[0], parts[1]),
        "misc": (first, second),
        "relations": (sentence.relations[word - 1], MISSING),
    }
    changed = rebuilt(sentence, (word, word), cells, (sentence.heads[word - 1], None), new)
    extras = [moved(row, new, last) for row in sentence.extras]
    if multiword and inside is None:
        columns = (old, *(MISSING,) * 7, misc)
        extras.append(Multiword(word, word + 1, columns, word - 1))
    return replace(changed, extras=in_order(extras))


def merge_words(sentence: Sentence, word: int) -> Sentence:
    """Merge a word with the next one; its head is that of the one which is above the other."""
    check_word(sentence, word)
    check_word(sentence, word + 1)
    first, second = token_over(sentence, word), token_over(sentence, word + 1)
    if first is not second:
        raise UsageError("one of the words is part of a multiword token, the other is not")
    a, b = word - 1, word
    space = "" if first or has_no_space_after(sentence.misc[a]) else " "
    is_whole = first is not None and first.last - first.first == 1
    new = [n - (n > word) for n in range(len(sentence) + 1)]
    top = b if sentence.heads[a] == word + 1 else a
    head = sentence.heads[top]
    if head in (word, word + 1):
        head = None
    cells: Cells = dict.fromkeys(TEXTS, (MISSING,))
    cells |= {
        "forms": (
            first.form if first and is_whole else sentence.forms[a] + space + sentence.forms[b],
        ),
        "misc": (first.misc if first and is_whole else sentence.misc[b],),
        "relations": (sentence.relations[top] if head is not None else MISSING,),
    }
    changed = rebuilt(sentence, (word, word + 1), cells, (head,), new)
    kept = [row for row in sentence.extras if not (is_whole and row is first)]
    return replace(changed, extras=in_order(moved(row, new) for row in kept))


def rebuilt(
    sentence: Sentence,
    place: tuple[int, int],
    cells: Cells,
    heads: tuple[int | None, ...],
    new: Sequence[int],
) -> Sentence:
    """The sentence with other cells in the place of some words; `new[old]` are its numbers.

    An enhanced graph would have to be drawn anew, so DEPS are emptied.
    """
    low, high = place[0] - 1, place[1]
    columns: dict[str, Any] = {
        name: (*getattr(sentence, name)[:low], *own, *getattr(sentence, name)[high:])
        for name, own in cells.items()
    }
    all_heads = (*sentence.heads[:low], *heads, *sentence.heads[high:])
    changed = replace(
        sentence,
        **columns,
        heads=tuple(None if head is None else new[head] for head in all_heads),
        deps=(MISSING,) * len(all_heads),
        extras=(),
        comments=with_comments(sentence.comments, {FORBIDDEN: "", BRACKETS: ""}),
    )
    return with_marks(changed, marks_of(sentence).renumbered(new))


def moved(row: Extra, new: Sequence[int], last: Sequence[int] | None = None) -> Extra:
    """A multiword token or empty node under the new numbers of words, none of which is gone.

    last: the numbers of words with which something ends, if these are others.
    """
    last = last or new
    if isinstance(row, EmptyNode):
        columns = (*row.columns[:7], MISSING, *row.columns[8:])
        return replace(row, after=last[row.after], columns=columns)
    first = new[row.first]
    return replace(row, first=first, last=last[row.last], position=first - 1)


def in_order(rows: Iterable[Extra]) -> tuple[Extra, ...]:
    """Rows that are not words, as a file has them; empty nodes after one word are counted anew."""
    counts: Counter[int] = Counter()
    ordered: list[Extra] = []
    for row in sorted(rows, key=lambda row: (row.position, isinstance(row, Multiword))):
        if isinstance(row, EmptyNode):
            counts[row.after] += 1
            ordered.append(replace(row, index=counts[row.after]))
        else:
            ordered.append(row)
    return tuple(ordered)


def token_over(sentence: Sentence, word: int) -> Multiword | None:
    """The multiword token that a word is part of."""
    return next((row for row in sentence.multiwords if row.first <= word <= row.last), None)


def without_space(misc: str) -> str:
    """MISC that says besides that no space follows."""
    kept = (one for one in misc.split("|") if one not in (MISSING, NO_SPACE))
    return "|".join((NO_SPACE, *kept))
