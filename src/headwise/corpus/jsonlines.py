"""JSON lines: one sentence a line, an object with everything that CoNLL-U knows of it.

    {"id": …, "text": …, "comments": ["# …"],
     "words": [{"id": 1, "form": …, "lemma": …, "upos": …, "xpos": …, "feats": …, "head": …,
                "relation": …, "deps": …, "misc": …, "start": …, "end": …}, …],
     "extras": [{"id": "3-4", "form": …, …}, {"id": "8.1", "form": …, …}]}

Extras are multiword tokens (`3-4`) and empty nodes (`8.1`), in the order of their rows. `start` and
`end` are the characters of the text of the document between which a word stands. What is missing is
null; a form is always text. For reading, words with forms are enough; `id` and `text`
count where there are no `comments`, and other keys than these do not count.
"""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, TypeVar

from headwise.corpus.conllu import parse_block
from headwise.corpus.files import DEFAULT_LIMITS, Limits, read_lines, source_name
from headwise.corpus.rows import Block
from headwise.corpus.sentence import MISSING, STANDARD_LAYOUT, Sentence, all_columns
from headwise.corpus.word import spans_of
from headwise.errors import FormatError, SourceLocation, quoted

T = TypeVar("T")

COLUMNS = ("form", "lemma", "upos", "xpos", "feats", "head", "relation", "deps", "misc")
"""The keys of a word, after its id …"""

PLACE = ("start", "end")
"""… and those of its position in the text, which are written and not read."""

# ---------------------------------------------------------------------------- writing


def format_jsonl(sentences: Iterable[Sentence]) -> Iterator[str]:
    """One line for each sentence."""
    for sentence in sentences:
        yield json.dumps(as_object(sentence), ensure_ascii=False) + "\n"


def as_object(sentence: Sentence) -> dict[str, Any]:
    """What JSON says of a sentence."""
    columns = zip(COLUMNS, all_columns(sentence), strict=True)
    rows = zip(
        *(column if key == "form" else with_nulls(column) for key, column in columns), strict=True
    )
    keys = ("id", *COLUMNS)
    words = [
        dict(zip((*keys, *PLACE), (i, *row, *(span or (None, None))), strict=True))
        for i, (row, span) in enumerate(zip(rows, spans_of(sentence), strict=True), 1)
    ]
    extras = [
        dict(zip(keys, (row.id, row.form, *with_nulls(row.columns[1:])), strict=True))
        for row in sentence.extras
    ]
    return {
        "id": sentence.id,
        "text": sentence.text,
        "comments": sentence.comments,
        "words": words,
        "extras": extras,
    }


def with_nulls(values: Iterable[T]) -> list[T | None]:
    """Values, None for what is not given."""
    return [None if value == MISSING else value for value in values]


# ---------------------------------------------------------------------------- reading


_EMPTY_LIST = re.compile(r'"words"\s*:\s*\[\s*\]')


class _ShapeError(Exception):
    """A JSON object is not a sentence."""


def read_jsonl(
    path: str | Path,
    *,
    limits: Limits = DEFAULT_LIMITS,
    on_nothing: Callable[[], None] | None = None,
) -> Iterator[Sentence]:
    """The sentences of a file of JSON lines, one at a time.

    Blank lines do not count. If there is `on_nothing`, it is called for each of them, and for each
    sentence without words, which is an error otherwise.
    """
    name = source_name(path)
    for number, line in enumerate(read_lines(path, limits), 1):
        if line.strip() and not (on_nothing is not None and has_no_words(line)):
            yield parse_line(line, SourceLocation(name, number))
        elif on_nothing is not None:
            on_nothing()


def has_no_words(line: str) -> bool:
    """Whether a line is a sentence whose list of words is empty."""
    if not _EMPTY_LIST.search(line):  # nearly always
        return False
    try:
        data = json.loads(line)
    except (ValueError, RecursionError):  # parse_line says what is wrong
        return False
    return isinstance(data, dict) and data.get("words") == [] and not data.get("extras")


def parse_line(line: str, location: SourceLocation) -> Sentence:
    """One sentence from its line.

    It takes the way over CoNLL-U, which knows what belongs together in a sentence.
    """
    try:
        data = json.loads(line)
        text = _conllu(data)
        text.encode()  # JSON can write half characters
        return parse_block(Block(text, location.line or 1, STANDARD_LAYOUT), location.path)
    except RecursionError:
        raise FormatError("lists within lists, too deep for a sentence", location) from None
    except UnicodeEncodeError:
        raise FormatError("a value holds a lone surrogate", location) from None
    except json.JSONDecodeError as error:
        raise FormatError(
            f"this is not JSON: {error.msg}, at character {error.pos + 1}", location
        ) from None
    except ValueError:  # a number of thousands of digits
        raise FormatError("this is not JSON: a number is too long", location) from None
    except (FormatError, _ShapeError) as error:
        message = error.message if isinstance(error, FormatError) else str(error)
        named = SourceLocation(location.path, location.line, _id_of(data))
        raise FormatError(message, named) from None


def _id_of(data: Any) -> str | None:
    found = data.get("id") if isinstance(data, dict) else None
    return found if isinstance(found, str) else None


def _conllu(data: Any) -> str:
    """The object of a sentence as CoNLL-U, without the line end of the last row."""
    if not isinstance(data, dict):
        raise _ShapeError("a sentence is an object: {…}")
    objects, extras = _objects(data, "words"), _objects(data, "extras")
    if not objects:
        raise _ShapeError("there are no words")
    if len(objects) + len(extras) > DEFAULT_LIMITS.sentence_lines:
        raise _ShapeError(f"a sentence of more than {DEFAULT_LIMITS.sentence_lines:,} words")
    words = [_row(str(i), word) for i, word in enumerate(objects, 1)]
    for before, extra in enumerate(extras):
        identifier = extra.get("id")
        words.insert(before + _position(identifier), _row(str(identifier), extra))
    return "\n".join([*_comments(data), *words])


def _objects(data: Mapping[str, Any], key: str) -> list[dict[str, Any]]:
    found = data.get(key)
    if found is None:
        return []
    if not isinstance(found, list) or not all(isinstance(one, dict) for one in found):
        raise _ShapeError(f"{key} must be a list of objects")
    return found


def _row(identifier: str, values: Mapping[str, Any]) -> str:
    """The row of a word, a multiword token or an empty node."""
    if str(values.get("id", identifier)) != identifier:
        raise _ShapeError(f"the id of word {identifier} is {quoted(values['id'])}")
    if not isinstance(values.get("form"), str):
        raise _ShapeError(f"word {identifier} has no form")
    row = "\t".join((identifier, *(_text(identifier, key, values.get(key)) for key in COLUMNS)))
    if row.count("\t") != len(COLUMNS) or "\n" in row or "\r" in row:
        raise _ShapeError(f"a value of word {identifier} holds a tab or a line end")
    return row


def _text(identifier: str, key: str, value: Any) -> str:
    if value is None:
        return MISSING
    wanted = int if key == "head" and identifier.isdigit() else str
    if type(value) is not wanted:
        kind = "a number" if wanted is int else "a text"
        raise _ShapeError(f"{key} of word {identifier} must be {kind} or null, not {quoted(value)}")
    return str(value)


def _position(identifier: Any) -> int:
    """Before how many words a row stands, by its id."""
    head, dash, _ = str(identifier).partition("-")
    number = head if dash else head.partition(".")[0]
    if not (number.isascii() and number.isdigit() and len(number) < 10):
        raise _ShapeError(
            f"{quoted(identifier)} is not the id of a multiword token or an empty node"
        )
    return int(number) - bool(dash)


def _comments(data: Mapping[str, Any]) -> list[str]:
    """The comments; where there are none, those that `id` and `text` make."""
    given = data.get("comments")
    if given is None:
        pairs = (("sent_id", data.get("id")), ("text", data.get("text")))
        given = [f"# {key} = {value}" for key, value in pairs if value is not None]
    if not isinstance(given, list) or not all(_is_comment(line) for line in given):
        raise _ShapeError("comments must be a list of texts that start with # and hold no line end")
    return given


def _is_comment(line: Any) -> bool:
    return isinstance(line, str) and line.startswith("#") and "\n" not in line and "\r" not in line
