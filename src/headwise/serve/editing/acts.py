"""Acts on one sentence: each takes a sentence and gives another one, or says what is wrong."""

import unicodedata
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from headwise.corpus.sentence import MISSING, Sentence
from headwise.errors import UsageError, quoted
from headwise.serve.editing.marks import ROOT, Marks, marks_of, with_marks

TAGS = ("upos", "xpos", "feats")
COLUMNS = ("lemmas", *TAGS)


def check_word(sentence: Sentence, word: int, least: int = 1) -> int:
    """Raise unless there is such a word (or, with `least` 0, the root)."""
    if not least <= word <= len(sentence):
        raise UsageError(f"there is no word {word}: the sentence has words 1 to {len(sentence)}")
    return word


def check_value(value: str, *, spaces: bool = False) -> str:
    """Raise unless a column can hold this; an empty value is `_`."""
    value = unicodedata.normalize("NFC", value.strip())
    if any(char in "\t\n\r" or (not spaces and char.isspace()) for char in value):
        raise UsageError(f"{quoted(value)} has a space in it, which this column cannot hold")
    return value or MISSING


def taken(
    sentence: Sentence, other: Sentence, words: Sequence[int], names: Sequence[str]
) -> dict[str, Any]:
    """Columns of a sentence in which some words have what they have in another one."""
    places = {check_word(sentence, word) - 1 for word in words}
    return {
        name: tuple(
            new if place in places else old
            for place, (old, new) in enumerate(
                zip(getattr(sentence, name), getattr(other, name), strict=True)
            )
        )
        for name in names
    }


def set_head(sentence: Sentence, word: int, head: int) -> Sentence:
    """Fix the head of a word; 0 makes it the root."""
    check_word(sentence, word)
    check_word(sentence, head, 0)
    if word == head:
        raise UsageError(f"word {word} cannot be its own head: choose another one")
    heads, relations = list(sentence.heads), list(sentence.relations)
    heads[word - 1] = head
    if head == 0:
        relations[word - 1] = ROOT
    elif relations[word - 1] == ROOT:
        relations[word - 1] = MISSING
    return allow_arcs(sentence.with_tree(heads, relations), [(head, word)])


def set_relation(sentence: Sentence, word: int, relation: str) -> Sentence:
    """Fix the relation of a word; the root's, and only it, makes it the root."""
    check_word(sentence, word)
    relation = check_value(relation)
    heads, relations = list(sentence.heads), list(sentence.relations)
    relations[word - 1] = relation
    if relation == ROOT:
        return set_head(sentence, word, 0)
    if heads[word - 1] == 0 and relation != MISSING:
        heads[word - 1] = None
    return sentence.with_tree(heads, relations)


def release(sentence: Sentence, words: Sequence[int]) -> Sentence:
    """Leave heads and relations of words to the model again."""
    return accept(sentence, Sentence.from_words(sentence.forms), words)


def release_all(sentence: Sentence) -> Sentence:
    """Leave the whole tree to the model again, without constraints."""
    found = release(sentence, range(1, len(sentence) + 1))
    return with_marks(found, replace(marks_of(found), forbidden=(), brackets=()))


def release_tags(sentence: Sentence, words: Sequence[int]) -> Sentence:
    """Leave tags, features and lemmas of words to the model again."""
    bare = Sentence.from_words(sentence.forms)
    return replace(sentence, **taken(sentence, bare, words, COLUMNS))


def set_column(sentence: Sentence, shown: Sentence, word: int, column: str, value: str) -> Sentence:
    """Fix the lemma, a tag or the features of a word.

    A word whose UPOS is given has all its tags, so the others are fixed as they were `shown`.
    """
    check_word(sentence, word)
    if column not in COLUMNS:
        raise UsageError(f"no column {quoted(column)}: choose from {', '.join(COLUMNS)}")
    value = check_value(value, spaces=column == "lemmas")
    if column == "feats":
        value = sorted_features(value)
    if column == "upos" and value == MISSING:
        return release_tags(sentence, [word])
    names = ("lemmas",) if column == "lemmas" else TAGS
    changed = taken(sentence, shown, [word], names)
    changed[column] = (*changed[column][: word - 1], value, *changed[column][word:])
    return replace(sentence, **changed)


def sorted_features(value: str) -> str:
    """FEATS in the order that UD wants: by name, whatever the case."""
    if value == MISSING:
        return value
    items = [item for item in value.split("|") if item]
    for item in items:
        name, equals, of = item.partition("=")
        if not (name and equals and of):
            raise UsageError(f"feature {quoted(item)}: expected Name=Value, separated by |")
    return "|".join(sorted(items, key=str.lower))


def forbid_arc(sentence: Sentence, word: int, head: int) -> Sentence:
    """Forbid an arc; a word that had it is left to the model."""
    check_word(sentence, word)
    check_word(sentence, head, 0)
    if word == head:
        raise UsageError(f"word {word} is never its own head: there is nothing to forbid")
    if sentence.heads[word - 1] == head:
        sentence = release(sentence, [word])
    marks = marks_of(sentence)
    return with_marks(sentence, replace(marks, forbidden=(*marks.forbidden, (head, word))))


def allow_arcs(sentence: Sentence, arcs: Sequence[tuple[int, int]]) -> Sentence:
    """Allow arcs (head, word) that were forbidden."""
    marks = marks_of(sentence)
    left = tuple(arc for arc in marks.forbidden if arc not in arcs)
    return with_marks(sentence, replace(marks, forbidden=left))


def bracket(sentence: Sentence, first: int, last: int) -> Sentence:
    """Let words form one subtree."""
    first, last = sorted((check_word(sentence, first), check_word(sentence, last)))
    marks = marks_of(sentence)
    return with_marks(sentence, replace(marks, brackets=(*marks.brackets, (first, last))))


def remove_bracket(sentence: Sentence, first: int, last: int) -> Sentence:
    """Let words form a subtree or not."""
    marks = marks_of(sentence)
    left = tuple(pair for pair in marks.brackets if pair != (first, last))
    return with_marks(sentence, replace(marks, brackets=left))


def set_note(sentence: Sentence, note: str) -> Sentence:
    """Write a note, or remove it."""
    return with_marks(sentence, replace(marks_of(sentence), note=note))


def accept(sentence: Sentence, shown: Sentence, words: Sequence[int]) -> Sentence:
    """Fix heads and relations of words as they are shown."""
    found = taken(sentence, shown, words, ("heads", "relations"))
    return sentence.with_tree(found["heads"], found["relations"])


def check(sentence: Sentence, shown: Sentence) -> Sentence:
    """Fix all that is shown. The tree says what constraints have said before."""
    columns: dict[str, Any] = {name: getattr(shown, name) for name in COLUMNS}
    fixed = replace(sentence, **columns).with_tree(shown.heads, shown.relations)
    return with_marks(fixed, Marks(checked=True, note=marks_of(sentence).note))


def uncheck(sentence: Sentence) -> Sentence:
    """Take back that all of it was looked at."""
    return with_marks(sentence, replace(marks_of(sentence), checked=False))
