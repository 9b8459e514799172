"""Splitting a sentence in two, and merging one with the next."""

import re
from collections.abc import Collection
from dataclasses import replace
from typing import Any

from headwise.corpus.extras import EmptyNode, has_no_space_after, joined
from headwise.corpus.sentence import MISSING, STANDARD_LAYOUT, Sentence, key_of
from headwise.errors import InputError, UsageError
from headwise.serve.editing.acts import check_word
from headwise.serve.editing.marks import Marks, marks_of, with_comments, with_marks
from headwise.serve.editing.words import Extra, moved, token_over

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
    texts, marks = split_text(sentence, word), replace(marks_of(sentence), checked=False)
    names = {"sent_id": new_id(sentence.id, ids) if sentence.id else "", "text": texts[1]}
    comments = with_comments(sentence.comments, {"text": texts[0]})
    first = part(sentence, 1, word - 1, comments, marks)
    if not sentence.layout.blanks_after:
        first = replace(first, layout=STANDARD_LAYOUT)
    comments, marks = with_comments((), names), replace(marks, note="")
    return first, part(sentence, word, len(sentence), comments, marks)


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


def part(
    sentence: Sentence, first: int, last: int, comments: tuple[str, ...], marks: Marks
) -> Sentence:
    """Some words of a sentence as one of their own, with these comments and its share of marks."""
    low = first - 1
    new = [0, *(n - low if first <= n <= last else -1 for n in range(1, len(sentence) + 1))]
    old_heads = sentence.heads[low:last]
    heads = [None if head is None or new[head] < 0 else new[head] for head in old_heads]
    columns: dict[str, Any] = {name: getattr(sentence, name)[low:last] for name in COLUMNS}
    columns["relations"] = tuple(
        MISSING if head is None and old is not None else relation
        for head, old, relation in zip(heads, old_heads, columns["relations"], strict=True)
    )
    columns["deps"] = (MISSING,) * len(heads)
    extras = tuple(moved(row, new) for row in sentence.extras if is_within(row, low, last))
    made = replace(sentence, **columns, heads=tuple(heads), extras=extras, comments=comments)
    return with_marks(made, marks.renumbered(new))


def is_within(row: Extra, low: int, last: int) -> bool:
    """Whether a row stands among the words after `low`, up to `last`; before all is among them."""
    if isinstance(row, EmptyNode):
        return low < row.after <= last or row.after == low == 0
    return low < row.first <= last


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
    own, new = range(shift + 1), range(shift, shift + len(second) + 1)
    extras = [
        *(moved(row, own) for row in first.extras),
        *(moved(row, new) for row in second.extras),
    ]
    marks, others = marks_of(first), marks_of(second).renumbered([0, *new[1:]])
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
        extras=tuple(extras),
        comments=comments,
        layout=STANDARD_LAYOUT if layout == STANDARD_LAYOUT else layout,
    )
    note = " ".join(filter(None, (marks.note, others.note)))
    forbidden, brackets = marks.forbidden + others.forbidden, marks.brackets + others.brackets
    return with_marks(merged, Marks(note=note, forbidden=forbidden, brackets=brackets))


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
