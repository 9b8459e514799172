"""Splitting a sentence in two, and merging one with the next."""

import re
from collections.abc import Collection
from dataclasses import replace
from typing import Any

from headwise.corpus.extras import EmptyNode, Multiword, has_no_space_after, joined
from headwise.corpus.sentence import MISSING, STANDARD_LAYOUT, Layout, Sentence, key_of
from headwise.errors import InputError, UsageError
from headwise.serve.editing.acts import check_word
from headwise.serve.editing.marks import Marks, marks_of, with_comments, with_marks
from headwise.serve.editing.words import Extra, token_over

COLUMNS = ("forms", "lemmas", "upos", "xpos", "feats", "relations", "deps", "misc")
BEGINS = re.compile(r"#\s*new(doc|par)\b")


def split_sentence(
    sentence: Sentence, word: int, ids: Collection[str]
) -> tuple[Sentence, Sentence]:
    """Let a new sentence begin with a word. Heads beyond the border are left to the model.

    ids: those that other sentences of the file have.
    """
    check_word(sentence, word)
    over = token_over(sentence, word)
    if word == 1:
        raise UsageError("the sentence begins with this word already")
    if over is not None and over.first < word:
        raise UsageError("a sentence cannot begin within a multiword token: split that first")
    texts = split_text(sentence, word)
    layout = sentence.layout
    first = part(sentence, 1, word - 1, layout if layout.blanks_after else STANDARD_LAYOUT)
    second = replace(part(sentence, word, len(sentence), layout), comments=())
    first = replace(first, comments=with_comments(sentence.comments, {"text": texts[0]}))
    names = {"sent_id": new_id(sentence.id, ids) if sentence.id else "", "text": texts[1]}
    second = replace(second, comments=with_comments((), names))
    marks = replace(marks_of(sentence), checked=False)
    return with_marks(first, within(marks, 1, word - 1)), with_marks(
        second, within(replace(marks, note=""), word, len(sentence))
    )


def split_text(sentence: Sentence, word: int) -> tuple[str, str]:
    """The texts of both parts; none if the sentence has no text of its own."""
    if sentence.comment("text") is None:
        return "", ""
    try:
        border = sentence.offsets()[word - 1][0]
    except InputError:  # text and words differ
        tokens = sentence.tokens()
        return joined([t for t in tokens if t.first < word]), joined(
            [t for t in tokens if t.first >= word]
        )
    return sentence.text[:border].rstrip(), sentence.text[border:]


def part(sentence: Sentence, first: int, last: int, layout: Layout) -> Sentence:
    """Some words of a sentence as one of their own; comments stay as they are."""
    low, shift = first - 1, first - 1
    heads = [
        None if head is None or (head and not first <= head <= last) else head and head - shift
        for head in sentence.heads[low:last]
    ]
    cut = [
        head is None and old is not None
        for head, old in zip(heads, sentence.heads[low:last], strict=True)
    ]
    columns: dict[str, Any] = {name: getattr(sentence, name)[low:last] for name in COLUMNS}
    columns["relations"] = tuple(
        MISSING if is_cut else one for is_cut, one in zip(cut, columns["relations"], strict=True)
    )
    columns["deps"] = (MISSING,) * len(heads)
    extras = tuple(
        shifted(row, -shift)
        for row in sentence.extras
        if low <= row.position < last or (isinstance(row, EmptyNode) and row.position == last)
        if not (isinstance(row, EmptyNode) and row.position == low and low)
    )
    return replace(sentence, **columns, heads=tuple(heads), extras=extras, layout=layout)


def shifted(row: Extra, by: int) -> Extra:
    """A multiword token or an empty node further on."""
    if isinstance(row, Multiword):
        return replace(row, first=row.first + by, last=row.last + by, position=row.position + by)
    columns = (*row.columns[:7], MISSING, *row.columns[8:])
    return replace(row, after=row.after + by, columns=columns)


def within(marks: Marks, first: int, last: int) -> Marks:
    """What marks say of some words."""
    shift = first - 1

    def kept(pairs: tuple[tuple[int, int], ...]) -> tuple[tuple[int, int], ...]:
        return tuple(
            (a and a - shift, b - shift)
            for a, b in pairs
            if first <= b <= last and (a == 0 or first <= a <= last)
        )

    return replace(marks, forbidden=kept(marks.forbidden), brackets=kept(marks.brackets))


def merge_sentences(first: Sentence, second: Sentence) -> Sentence:
    """One sentence of two neighbours. The root of the second is left to the model."""
    if any(BEGINS.match(line) and "newdoc" in line for line in second.comments):
        raise UsageError("the next sentence begins a new document: these cannot be merged")
    shift = len(first)
    heads = [None if not head else head + shift for head in second.heads]
    relations = [
        MISSING if head == 0 else relation
        for head, relation in zip(second.heads, second.relations, strict=True)
    ]
    columns: dict[str, Any] = {
        name: getattr(first, name) + getattr(second, name) for name in COLUMNS
    }
    columns["relations"] = (*first.relations, *relations)
    columns["deps"] = (MISSING,) * (shift + len(second))
    own = tuple(shifted(row, 0) for row in first.extras)
    extras = (*own, *(shifted(row, shift) for row in second.extras))
    marks, others = marks_of(first), marks_of(second)
    empty = dict.fromkeys(("checked", "note", "forbidden_arcs", "brackets"), "")
    dropped = {"sent_id", "text", *empty}
    more = [
        line
        for line in second.comments
        if key_of(line) not in dropped and not BEGINS.match(line) and line not in first.comments
    ]
    text = {} if first.comment("text") is None else {"text": merged_text(first, second)}
    comments = with_comments((*first.comments, *more), {**text, **empty})
    layout = replace(second.layout, blanks_before=first.layout.blanks_before)
    merged = replace(
        first,
        **columns,
        heads=(*first.heads, *heads),
        extras=extras,
        comments=comments,
        layout=STANDARD_LAYOUT if layout == STANDARD_LAYOUT else layout,
    )
    return with_marks(
        merged,
        Marks(
            note=" ".join(filter(None, (marks.note, others.note))),
            forbidden=(
                *marks.forbidden,
                *((h and h + shift, m + shift) for h, m in others.forbidden),
            ),
            brackets=(*marks.brackets, *((i + shift, j + shift) for i, j in others.brackets)),
        ),
    )


def merged_text(first: Sentence, second: Sentence) -> str:
    """The text of both."""
    over = token_over(first, len(first))
    misc = over.misc if over is not None else first.misc[-1]
    return first.text + ("" if has_no_space_after(misc) else " ") + second.text


def new_id(old: str, ids: Collection[str]) -> str:
    """An id for the second part of a sentence that no other one has."""
    number = 2
    while f"{old}-{number}" in ids:
        number += 1
    return f"{old}-{number}"
