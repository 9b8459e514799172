"""Acts as JSON, and what each does.

{"act": "head", "word": 3, "head": 5}
"""

from collections.abc import Callable, Mapping
from typing import Any

from headwise.corpus.sentence import Sentence
from headwise.errors import UsageError, quoted
from headwise.serve.editing import acts
from headwise.serve.editing.punctuation import attached_punctuation
from headwise.serve.editing.sentences import merge_sentences, split_sentence
from headwise.serve.editing.session import Change, Session
from headwise.serve.editing.words import merge_words, split_word

Fields = Mapping[str, Any]
Act = Callable[[Sentence, Sentence, Fields], Sentence]
"""Takes the sentence, the sentence as it is shown, and the fields of the act."""

MOST_CHARACTERS = 10_000


def number(fields: Fields, key: str) -> int:
    """A whole number."""
    value = fields.get(key)
    if type(value) is not int or abs(value) > 1 << 31:
        raise UsageError(f"{key} must be a whole number")
    return value


def text(fields: Fields, key: str) -> str:
    """A text that a file can hold."""
    return as_text(fields.get(key), key)


def as_text(value: Any, key: str) -> str:
    """A value, if it is a text that a file can hold."""
    if not isinstance(value, str) or len(value) > MOST_CHARACTERS:
        raise UsageError(f"{key} must be a text of at most {MOST_CHARACTERS:,} characters")
    if any("\ud800" <= char <= "\udfff" or (char < " " and char not in "\n\t") for char in value):
        raise UsageError(f"{key} has a character in it that is not text")
    return value


def numbers(fields: Fields, key: str) -> list[int]:
    """A list of whole numbers."""
    value = fields.get(key)
    if not isinstance(value, list):
        raise UsageError(f"{key} must be a list of words")
    return [number({key: one}, key) for one in value]


def texts(fields: Fields, key: str) -> list[str]:
    """A list of texts."""
    value = fields.get(key)
    if not isinstance(value, list):
        raise UsageError(f"{key} must be a list of texts")
    return [as_text(one, key) for one in value]


ACTS: dict[str, Act] = {
    "head": lambda s, _, f: acts.set_head(s, number(f, "word"), number(f, "head")),
    "relation": lambda s, _, f: acts.set_relation(s, number(f, "word"), text(f, "relation")),
    "release": lambda s, _, f: acts.release(s, numbers(f, "words")),
    "release_all": lambda s, _, __: acts.release_all(s),
    "release_tags": lambda s, _, f: acts.release_tags(s, numbers(f, "words")),
    "forbid": lambda s, _, f: acts.forbid_arc(s, number(f, "word"), number(f, "head")),
    "allow": lambda s, _, f: acts.allow_arcs(s, [(number(f, "head"), number(f, "word"))]),
    "bracket": lambda s, _, f: acts.bracket(s, number(f, "first"), number(f, "last")),
    "unbracket": lambda s, _, f: acts.remove_bracket(s, number(f, "first"), number(f, "last")),
    "set": lambda s, shown, f: acts.set_column(
        s, shown, number(f, "word"), text(f, "column"), text(f, "value")
    ),
    "accept": lambda s, shown, f: acts.accept(s, shown, numbers(f, "words")),
    "check": lambda s, shown, _: acts.check(s, shown),
    "uncheck": lambda s, _, __: acts.uncheck(s),
    "note": lambda s, _, f: acts.set_note(s, text(f, "note")),
    "punctuation": lambda s, shown, _: fixed_punctuation(s, shown),
    "split_word": lambda s, _, f: split_word(
        s, number(f, "word"), texts(f, "forms"), multiword=f.get("multiword") is True
    ),
    "merge_words": lambda s, _, f: merge_words(s, number(f, "word")),
}
"""What acts on one sentence do."""


def fixed_punctuation(sentence: Sentence, shown: Sentence) -> Sentence:
    """The sentence with the heads of its punctuation fixed by rule."""
    if not shown.has_tree:
        raise UsageError("punctuation is attached to a whole tree: some words have no head yet")
    found = attached_punctuation(shown)
    words = [n for n, relation in enumerate(found.relations, 1) if relation == "punct"]
    return acts.accept(sentence, found, words)


def prepared(session: Session, key: int, fields: Fields) -> Change:
    """The change that an act on a sentence makes; nothing is done yet."""
    sentence = without(session.sentence(key), fields.get("without", []))
    name = fields.get("act")
    if name == "split_sentence":
        new = split_sentence(sentence, number(fields, "word"), session.ids())
        return session.prepare(key, 1, new)
    if name == "merge_sentences":
        place = session.place_of(key)
        if place + 1 == len(session.keys):
            raise UsageError("this is the last sentence: there is no next one to merge it with")
        merged = merge_sentences(sentence, session.file.sentences[place + 1])
        return session.prepare(key, 2, [merged])
    if not isinstance(name, str) or name not in ACTS:
        raise UsageError(f"no act {quoted(name)}: choose from {', '.join(ACTS)}")
    return session.prepare(key, 1, [ACTS[name](sentence, session.shown(key), fields)])


def without(sentence: Sentence, constraints: Any) -> Sentence:
    """The sentence without some of what is fixed, which would clash with the act."""
    if not isinstance(constraints, list):
        raise UsageError("without must be a list of constraints")
    for one in constraints:
        if not isinstance(one, list) or len(one) != 3:
            raise UsageError('a constraint is a list such as ["head", 3, 5]')
        kind, first, second = one[0], number({"word": one[1]}, "word"), number({"n": one[2]}, "n")
        if kind == "head":
            sentence = acts.release(sentence, [first])
        elif kind == "forbidden":
            sentence = acts.allow_arcs(sentence, [(second, first)])
        else:
            sentence = acts.remove_bracket(sentence, first, second)
    return sentence
