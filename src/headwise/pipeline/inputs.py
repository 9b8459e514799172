"""What can be parsed: raw text, a sentence a line, tokens, documents of a table, or sentences in
any format of treebanks.

Sentences of all but the last are numbered (`sent_id`), and say what their text is; the first one of
a file or a document says so (`newdoc`).
"""

import re
import shlex
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import count
from pathlib import Path

from headwise.corpus.files import (
    STANDARD_STREAM,
    decoded,
    read_lines,
    refuse_many_words,
    source_name,
)
from headwise.corpus.formats import (
    CONLLU,
    FORMATS,
    JSONL,
    STREAMS,
    TOKENS,
    existing,
    read_sentences,
)
from headwise.corpus.jsonlines import read_jsonl
from headwise.corpus.plaintext import tokens_of
from headwise.corpus.scanned import read_scanned
from headwise.corpus.sentence import Sentence
from headwise.errors import SourceLocation, UsageError, warn
from headwise.text.cutting import CutNotice
from headwise.text.reading import read_blocks
from headwise.text.tokeniser import Tokeniser

RAW, PRESEGMENTED, TOKENIZED = "raw", "presegmented", "tokenized"
DOCUMENTS = "documents"
PLAIN = (RAW, PRESEGMENTED, TOKENIZED, DOCUMENTS)

Documents = Callable[[], Iterator[tuple[str, str]]]
"""Gives the documents of a table: the id and the raw text of each."""

TOKENS_ENDING = ".tok"
"""The ending of tokenised text; other text is taken for raw."""

FIRST_ROW = re.compile(r"(?:1|1-[0-9]+|0\.1)(?:\t[^\t\n]+){9}(?:\n|$)")
MAX_COMMENTS = 1000
"""How the first row of CoNLL-U looks, and before how many lines it is looked for."""

ENDINGS = (*(ending for one in FORMATS.values() for ending in one.extensions), ".gz", ".xz")
"""How files are called that have sentences or text in them."""

OTHER_ENDINGS = (
    ".csv", ".doc", ".docx", ".epub", ".htm", ".html", ".json", ".md", ".odt", ".parquet", ".pdf",
    ".rtf", ".tex", ".tsv", ".xls", ".xlsx", ".xml", ".zip",
)  # fmt: skip
"""How files are called that people would like to be parsed."""


@dataclass(frozen=True, slots=True)
class Input:
    """A file, or else a text, and what it holds: raw text …, or sentences of a format.

    documents: what reads the documents of a table.
    """

    kind: str
    path: Path | None = None
    text: str = ""
    documents: Documents | None = None
    is_guessed: bool = field(
        default=False, compare=False
    )  # whether the kind was guessed from the name


def input_of(argument: str, kind: str | None, *, stream_kind: str = RAW) -> Input:
    """What an argument is: a file that is there, standard input (`-`), or a text.

    Without a `kind`, the name of a file says what it holds, of treebank formats; all else is raw
    text. A name that looks like a file's is not taken for a text, nor is one that looks like one
    in a folder if no `kind` says that it is text.
    """
    if not argument.strip() and kind not in FORMATS:  # an empty path is this folder
        return Input(kind or RAW, text=argument)
    path = Path(argument)
    if argument == STANDARD_STREAM:
        return Input(kind or stream_kind, path, is_guessed=kind is None)
    if path_exists(path):
        return Input(kind or kind_of(path), path, is_guessed=kind is None)
    refuse_name(argument, kind)
    return Input(kind or RAW, text=argument)


def refuse_name(argument: str, kind: str | None) -> None:
    """Raise if this is surely, or without a `kind` probably, the name of a file that is missing."""
    is_one_word = len(argument.split()) == 1
    if kind in FORMATS or (is_one_word and argument.lower().endswith(ENDINGS)):
        raise UsageError(f"there is no file {argument}")
    looks_like_a_path = "/" in argument or argument.lower().endswith(OTHER_ENDINGS)
    if kind is None and is_one_word and looks_like_a_path and "://" not in argument:
        raise UsageError(
            f"there is no file {argument}; to parse it as text: "
            f"headwise parse --text {shlex.quote(argument)}"
        )


def path_exists(path: Path) -> bool:
    """Whether there is something of this name; a long text is not a valid name."""
    try:
        return path.exists()
    except (OSError, ValueError):
        return False


def kind_of(path: Path) -> str:
    """What a file holds, as its name says."""
    if str(path).startswith(STREAMS):  # as of `-`
        return RAW
    try:
        found = existing(path, None)
    except UsageError:
        if path.is_dir():
            raise
        return RAW
    if found is not TOKENS:
        return found.name
    return TOKENIZED if TOKENS_ENDING in path.suffixes else RAW


def read_inputs(
    inputs: Iterable[Input],
    tokeniser: Callable[[], Tokeniser],
    errors: str = "strict",
    *,
    at_once: bool = False,
    on_nothing: Callable[[], None] | None = None,
) -> Iterator[Sentence]:
    """The sentences of inputs, one after the other. `tokeniser` gives one, if it is needed.

    `errors` says what happens to bytes that are not UTF-8: `strict` or `replace`. With `at_once`,
    raw text is tokenised paragraph by paragraph, as soon as the blank line after one was read.
    `on_nothing` is called where a line of text (of raw text, a paragraph) has no sentence in it, or
    one without words.
    """
    numbers, notice = count(1), CutNotice()
    reading = TextReading(tokeniser, errors, at_once, on_nothing or (lambda: None))
    for one in inputs:
        if one.kind in PLAIN:
            notice.source = None if one.path is None else source_name(one.path)
            sentences = read_plain(one, reading, numbers, notice)
            is_file = one.path is not None and str(one.path) != STANDARD_STREAM
            if is_file and one.kind != DOCUMENTS:
                assert one.path is not None
                sentences = naming_document(one.path.name, sentences)
            yield from sentences
        else:
            assert one.path is not None
            if errors != "strict":
                raise UsageError(f"{one.path}: only text can be read with errors={errors}")
            yield from read_treebank(one.path, one.kind, on_nothing)


def read_treebank(
    path: Path, kind: str, on_nothing: Callable[[], None] | None
) -> Iterator[Sentence]:
    """The sentences of a file; those of CoNLL-U are only scanned where possible."""
    if kind == JSONL.name:
        return read_jsonl(path, on_nothing=on_nothing)
    return read_scanned(path) if kind == CONLLU.name else read_sentences(path, kind)


def naming_document(name: str, sentences: Iterator[Sentence]) -> Iterator[Sentence]:
    """The sentences of a document; a comment of the first one names it, in one line of UTF-8."""
    for first in sentences:
        yield replace(first, comments=(f"# newdoc id = {document_id(name)}", *first.comments))
        break
    yield from sentences


def document_id(name: str) -> str:
    """A name of a document as a comment can hold it."""
    return " ".join(name.encode("utf-8", "replace").decode().split())


@dataclass(frozen=True, slots=True)
class TextReading:
    """How text is read: the options of `read_inputs`."""

    tokeniser: Callable[[], Tokeniser]
    errors: str
    at_once: bool
    on_nothing: Callable[[], None]


def read_plain(
    one: Input, how: TextReading, numbers: "count[int]", notice: CutNotice
) -> Iterator[Sentence]:
    """The sentences of text; the `notice` says where it was cut."""
    if one.kind == TOKENIZED:
        yield from read_tokenized(one, how, numbers)
        return
    if one.kind == DOCUMENTS:
        yield from read_documents(one, how, numbers, notice)
        return
    tokeniser, offset, line = how.tokeniser(), 0, 1
    errors = how.errors
    blocks = (
        raw_blocks(one, errors, notice, how.at_once) if one.kind == RAW else lines_of(one, errors)
    )
    if one.kind == RAW and one.path is not None and one.is_guessed:
        blocks = warning_of_rows(blocks, one.path)
    for block in blocks:
        split = tokeniser.tokenise if one.kind == RAW else tokeniser.tokenise_sentence
        tokenised = split(block)
        notice.tell_of_tokens(tokenised, offset=offset, line=line)
        if one.kind == PRESEGMENTED and one.path is not None:  # the line end was cut off
            tokenised = replace(tokenised, text=f"{block}\n")
        if not len(tokenised):
            how.on_nothing()
        location = SourceLocation(notice.source, line)
        yield from tokeniser.sentences(tokenised, offset=offset, numbers=numbers, location=location)
        offset += len(block) if one.kind == RAW else len(block) + 1
        line += block.count("\n") if one.kind == RAW else 1


def read_documents(
    one: Input, how: TextReading, numbers: "count[int]", notice: CutNotice
) -> Iterator[Sentence]:
    """The sentences of the documents of a table; the first one of each names it."""
    assert one.documents is not None
    tokeniser = how.tokeniser()
    for name, text in one.documents():
        tokenised = tokeniser.tokenise(text)
        notice.tell_of_tokens(tokenised)
        if not len(tokenised):
            how.on_nothing()
        yield from naming_document(name, tokeniser.sentences(tokenised, numbers=numbers))


def warning_of_rows(blocks: Iterator[str], path: Path) -> Iterator[str]:
    """The blocks of a text; if it begins as CoNLL-U does, it is hardly meant to be text."""
    for number, block in enumerate(blocks):
        if number == 0 and looks_like_conllu(block):
            warn(
                f"{source_name(path)}: this looks like CoNLL-U but is parsed as text: to parse "
                "its sentences, use --from conllu (to silence this, --text)"
            )
        yield block


def looks_like_conllu(text: str) -> bool:
    """Whether the first line of a text that is not a comment is a first row of ten columns."""
    rows = (line for line in text.split("\n", MAX_COMMENTS) if line.strip() and line[0] != "#")
    return FIRST_ROW.match(next(rows, "")) is not None


def read_tokenized(one: Input, how: TextReading, numbers: "count[int]") -> Iterator[Sentence]:
    """A sentence for every line of tokens."""
    name = source_name(one.path) if one.path is not None else None
    for line_number, line in enumerate(lines_of(one, how.errors), 1):
        tokens = tokens_of(line)
        if not tokens:
            how.on_nothing()
        else:
            location = SourceLocation(name, line_number)
            refuse_many_words(len(tokens), location)
            comments = (f"# sent_id = {next(numbers)}", f"# text = {' '.join(tokens)}")
            yield Sentence.from_words(tokens, comments=comments, location=location)


def raw_blocks(one: Input, errors: str, notice: CutNotice, at_once: bool) -> Iterator[str]:
    """Text in blocks that can be tokenised one by one: in long ones, or `at_once` in paragraphs."""
    if one.path is not None:
        usual_bytes = 0 if at_once else None
        return read_blocks(one.path, errors=errors, notice=notice, usual_bytes=usual_bytes)
    return iter([checked_text(one.text, errors)])


def lines_of(one: Input, errors: str) -> Iterator[str]:
    """The lines of a text."""
    if one.path is not None:
        return read_lines(one.path, errors=errors)
    return iter(checked_text(one.text, errors).split("\n"))


def checked_text(text: str, errors: str) -> str:
    """The text of an argument, in which bytes that are not UTF-8 came as surrogates."""
    return decoded(text.encode("utf-8", "surrogateescape"), 1, "<argument>", errors)
