"""THE table of file formats. A format is added by adding its file and a row here."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from headwise.corpus.brackets import read_brackets, write_brackets
from headwise.corpus.conllu import format_conllu, read_conllu
from headwise.corpus.conllx import format_conllx, read_conllx
from headwise.corpus.documents import Sentences, all_sentences, with_distinct_ids
from headwise.corpus.files import STANDARD_STREAM, read_lines, source_name
from headwise.corpus.headrules import HeadRules, to_dependencies
from headwise.corpus.jsonlines import format_jsonl, read_jsonl
from headwise.corpus.output import write_text
from headwise.corpus.plaintext import format_tokens, read_tokens
from headwise.corpus.sentence import Sentence
from headwise.errors import UsageError, quoted
from headwise.parameters import as_path

Reader = Callable[..., Iterator[Sentence]]
Formatter = Callable[[Iterable[Sentence]], Iterator[str]]

DEFAULT_HEAD_RULES = "yamada-matsumoto"


def read_bracket_dependencies(
    path: str | Path, *, rules: str | Path = DEFAULT_HEAD_RULES
) -> Iterator[Sentence]:
    """The trees of a bracket file, turned into dependencies by head rules."""
    trees = read_brackets(read_lines(path), source_name(path))
    return to_dependencies(trees, HeadRules.load(rules))


@dataclass(frozen=True, slots=True)
class Format:
    """A file format: how its files are called, read and written."""

    name: str
    extensions: tuple[str, ...]
    read: Reader
    format: Formatter | None  # None: dependencies cannot be written so


CONLLU = Format("conllu", (".conllu",), read_conllu, format_conllu)
CONLLX = Format("conllx", (".conllx", ".conll"), read_conllx, format_conllx)
BRACKETS = Format("brackets", (".mrg", ".ptb", ".brackets"), read_bracket_dependencies, None)
TOKENS = Format("tokens", (".txt", ".tok"), read_tokens, format_tokens)
JSONL = Format("jsonl", (".jsonl", ".ndjson"), read_jsonl, format_jsonl)

STREAMS = ("/dev/stdin", "/dev/stdout", "/dev/fd/", "/proc/self/fd/")
"""Other names of streams: a shell writes them for `<(command)`. They are CoNLL-U, as `-` is."""

FORMATS = {entry.name: entry for entry in (CONLLU, CONLLX, BRACKETS, TOKENS, JSONL)}


def format_of(path: str | Path, name: str | None = None) -> Format:
    """The format of a file: the one named, or else the one its extension says."""
    if name is not None:
        if not isinstance(name, str) or name not in FORMATS:
            raise UsageError(f"there is no format {quoted(name)}; there are {', '.join(FORMATS)}")
        return FORMATS[name]
    if str(path) == STANDARD_STREAM or str(path).startswith(STREAMS):
        return CONLLU
    extensions = [suffix for suffix in Path(path).suffixes if suffix not in (".gz", ".xz")]
    for entry in FORMATS.values():
        if extensions and extensions[-1].lower() in entry.extensions:
            return entry
    known = ", ".join(extension for entry in FORMATS.values() for extension in entry.extensions)
    raise UsageError(
        f"{path}: the name does not tell the format; known are {known}. "
        f"Name the format (--from or --to; in Python format_name): {', '.join(FORMATS)}"
    )


def read_sentences(
    path: str | Path,
    format_name: str | None = None,
    *,
    head_rules: str | Path | None = None,
    strict: bool = False,
) -> Iterator[Sentence]:
    """The sentences of a file in any format.

    Head rules turn brackets into dependencies. Under `strict`, what CoNLL-U and CoNLL-X readers
    tolerate with a warning is an error.
    """
    entry = existing(path, format_name)
    if entry is BRACKETS:
        return read_bracket_dependencies(path, rules=head_rules or DEFAULT_HEAD_RULES)
    return entry.read(path, strict=strict) if entry in (CONLLU, CONLLX) else entry.read(path)


def existing(path: str | Path, format_name: str | None) -> Format:
    """The format of a file that is there."""
    place = as_path(path)
    if str(path) != STANDARD_STREAM and not place.exists():
        raise UsageError(f"there is no file {path}")
    if place.is_dir():
        raise UsageError(f"{path} is a folder, not a file")
    return format_of(path, format_name)


def sentences_of(given: Sentences | str | Path) -> Iterator[Sentence]:
    """The sentences of a file, or those that were given."""
    return read_sentences(given) if isinstance(given, str | Path) else all_sentences(given)


def write_sentences(path: str | Path, sentences: Sentences, format_name: str | None = None) -> None:
    """Write sentences, or those of documents, to a file in any format that can be written.

    Sentences of several documents have ids like 2-1: the first one of the second document.
    """
    entry = format_of(as_path(path), format_name)
    if entry.format is None:
        raise UsageError(
            f"{path}: {entry.name} cannot be written from dependencies, only from {entry.name}"
        )
    write_text(path, entry.format(with_distinct_ids(sentences)))


def convert_file(
    source: str | Path,
    target: str | Path,
    from_format: str | None = None,
    to_format: str | None = None,
    *,
    head_rules: str | Path | None = None,
    strict: bool = False,
) -> None:
    """Read one file and write another; brackets may also become brackets, one tree a line."""
    entry = existing(source, from_format)
    if entry is BRACKETS and format_of(target, to_format) is BRACKETS:
        write_text(target, write_brackets(read_brackets(read_lines(source), source_name(source))))
        return
    if head_rules is not None and entry is not BRACKETS:
        raise UsageError(f"head rules turn brackets into dependencies; {source} is {entry.name}")
    sentences = read_sentences(source, entry.name, head_rules=head_rules, strict=strict)
    write_sentences(target, sentences, to_format)
