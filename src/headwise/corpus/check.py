"""Every problem of a file: form, trees, and what the annotation says about itself.

*Errors* keep a file from being read, or its trees from being trees. *Warnings* are against the
rules of the format or of Universal Dependencies, but do no harm to a parser.
"""

import re
import warnings
from bisect import bisect_right
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from itertools import chain, islice
from pathlib import Path

from headwise.corpus.brackets import read_brackets
from headwise.corpus.conllu import parse_block as parse_conllu
from headwise.corpus.conllx import parse_block as parse_conllx
from headwise.corpus.diagnosis import Problem, diagnose, encoding_problem, layout_problems
from headwise.corpus.extras import find_form
from headwise.corpus.files import BYTE_ORDER_MARK, read_lines, source_name
from headwise.corpus.formats import existing
from headwise.corpus.jsonlines import parse_line
from headwise.corpus.rows import Block, read_blocks
from headwise.corpus.sentence import MISSING, Sentence
from headwise.corpus.tree import heads_array, problems, roots
from headwise.errors import (
    FormatError,
    HeadwiseWarning,
    InputError,
    SourceLocation,
    cut,
    listed,
    quoted,
)

UNIVERSAL_TAGS = frozenset({
    MISSING, "ADJ", "ADP", "ADV", "AUX", "CCONJ", "DET", "INTJ", "NOUN", "NUM", "PART", "PRON",
    "PROPN", "PUNCT", "SCONJ", "SYM", "VERB", "X", "CONJ",
})  # fmt: skip
"""The tags of UD 2, and CONJ of UD 1."""

Parser = Callable[[Block, str], Sentence]

LET_THROUGH = "surrogateescape"
"""How bytes that are not UTF-8 are read here, so that they can be listed with everything else."""

MAX_PROBLEMS = 100_000
"""The number of problems after which the rest of a file is not checked, unless asked for more."""

_FEATURE = re.compile(r"[^\s=|]+=[^\s=|]+")
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")
_ENHANCED_ARC = re.compile(r"((?:0|[1-9]\d*)(?:\.[1-9]\d*)?):(\S.*)")


def check_file(
    path: str | Path,
    format_name: str | None = None,
    *,
    several_roots: bool = False,
    max_problems: int = MAX_PROBLEMS,
) -> Iterator[Problem]:
    """The problems of a file, in order; `several_roots` allows trees with more than one.

    After `max_problems` of them, the rest of the file is left: a small compressed file can have
    millions.
    """
    found = _all_problems(path, format_name, several_roots)
    yield from islice(found, max_problems)
    for problem in found:
        message = (
            f"more than {max_problems:,} problems: nothing is checked from here on "
            "(raise --max-problems)"
        )
        yield Problem(problem.location, message)
        return


def _all_problems(
    path: str | Path, format_name: str | None, several_roots: bool
) -> Iterator[Problem]:
    check = CHECKS[existing(path, format_name).name]
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", HeadwiseWarning)
        try:
            yield from check(path, several_roots)
        except InputError as error:  # nothing after it can be read
            yield Problem(error.location, error.message)
    if any(BYTE_ORDER_MARK in str(warning.message) for warning in caught):
        yield Problem(SourceLocation(source_name(path), 1), BYTE_ORDER_MARK, is_error=False)


def _check_rows(
    path: str | Path, several_roots: bool, parse: Parser, extras_allowed: bool
) -> Iterator[Problem]:
    """Check a file of ten columns, every sentence whatever is wrong with others."""
    name = source_name(path)
    ids: dict[str, int] = {}
    is_empty = True
    for block in read_blocks(path, errors=LET_THROUGH):
        is_empty = False
        try:
            block.text.encode()  # fails where bytes were let through that are not UTF-8
            sentence = parse(block, name)
        except (UnicodeEncodeError, FormatError):
            yield from diagnose(block, name, extras_allowed=extras_allowed)
        else:
            yield from tree_problems(sentence, several_roots)
            if extras_allowed:
                yield from annotation_problems(sentence)
                yield from _repeated_id(sentence, ids)
        yield from layout_problems(block, name)
    if is_empty:
        yield nothing_in(path)


def nothing_in(path: str | Path) -> Problem:
    """What is said of a file without sentences."""
    return Problem(SourceLocation(source_name(path)), "there are no sentences", is_error=False)


def _check_tokens(path: str | Path, several_roots: bool) -> Iterator[Problem]:
    is_empty = True
    for number, line in enumerate(read_lines(path, errors=LET_THROUGH), 1):
        is_empty = is_empty and not line.strip()
        message = encoding_problem(line)
        if message:
            yield Problem(SourceLocation(source_name(path), number), message)
    if is_empty:
        yield nothing_in(path)


def _check_jsonl(path: str | Path, several_roots: bool) -> Iterator[Problem]:
    ids: dict[str, int] = {}
    is_empty = True
    for number, line in enumerate(read_lines(path, errors=LET_THROUGH), 1):
        is_empty = is_empty and not line.strip()
        location = SourceLocation(source_name(path), number)
        if message := encoding_problem(line):
            yield Problem(location, message)
        elif line.strip():
            try:
                sentence = parse_line(line, location)
            except FormatError as error:
                yield Problem(error.location, error.message)
                continue
            yield from tree_problems(sentence, several_roots)
            yield from annotation_problems(sentence)
            yield from _repeated_id(sentence, ids)
    if is_empty:
        yield nothing_in(path)


def _check_brackets(path: str | Path, several_roots: bool) -> Iterator[Problem]:
    """Check a bracket file; after a tree that cannot be read, go on at the next line `(…`."""
    source = enumerate(read_lines(path), 1)
    start = next(source, None)
    is_empty = True
    while start is not None:
        lines = (line for _, line in chain([start], source))
        try:
            for _ in read_brackets(lines, source_name(path), first_line=start[0]):
                is_empty = False
        except InputError as error:
            is_empty = False
            yield Problem(error.location, error.message)
        start = next((one for one in source if one[1].startswith("(")), None)
    if is_empty:
        yield nothing_in(path)


CHECKS: dict[str, Callable[[str | Path, bool], Iterator[Problem]]] = {
    "conllu": partial(_check_rows, parse=parse_conllu, extras_allowed=True),
    "conllx": partial(_check_rows, parse=parse_conllx, extras_allowed=False),
    "tokens": _check_tokens,
    "brackets": _check_brackets,
    "jsonl": _check_jsonl,
}


def _repeated_id(sentence: Sentence, ids: dict[str, int]) -> Iterator[Problem]:
    identifier = sentence.id
    if identifier is None:
        return
    if identifier in ids:
        message = f"this sent_id was used on line {ids[identifier]} already"
        yield Problem(sentence.location, message, is_error=False)
    else:
        ids[identifier] = sentence.line or 0


def annotation_problems(sentence: Sentence) -> Iterator[Problem]:
    """What a sentence says against the rules, or against itself."""
    for offset, message in _annotation_warnings(sentence):
        location = replace(sentence.location, line=(sentence.line or 1) + offset)
        yield Problem(location, message, is_error=False)
    mismatch = text_problem(sentence)
    if mismatch:
        yield Problem(sentence.location, mismatch, is_error=False)


def tree_problems(sentence: Sentence, several_roots: bool = False) -> Iterator[Problem]:
    """What keeps the heads of a sentence from being a tree; no heads at all are no problem."""
    given = [head for head in sentence.heads if head is not None]
    if not given:
        return
    if len(given) < len(sentence):
        missing = [i for i, head in enumerate(sentence.heads, 1) if head is None]
        yield Problem(sentence.location, f"words without a head: {listed(missing)}")
        return
    heads = heads_array(given)
    found = problems(heads)
    if not found and not several_roots and len(roots(heads)) > 1:
        found = [f"several roots: words {listed(roots(heads))}"]
    for message in found:
        yield Problem(sentence.location, message)


def text_problem(sentence: Sentence) -> str | None:
    """Whether the words, with their spaces, give the `# text` of the sentence."""
    text, cursor, space_before = sentence.comment("text"), 0, True
    if text is None:
        return None
    for token in sentence.tokens():
        span = find_form(text, token.form, cursor)
        if span is None:
            return f"word {token.first} is not found in # text at character {cursor + 1}"
        if cursor and span[0] > cursor and not space_before:
            return f"SpaceAfter=No before word {token.first}, but # text has a space there"
        if cursor and span[0] == cursor and space_before:
            return f"no space before word {token.first} in # text, but SpaceAfter=No is missing"
        cursor, space_before = span[1], token.space_after
    return "# text goes on after the last word" if text[cursor:].strip() else None


def _annotation_warnings(sentence: Sentence) -> Iterator[tuple[int, str]]:
    """What is wrong with words, and how many lines below that of the sentence their rows are."""
    first, extras = len(sentence.comments), sorted(extra.position for extra in sentence.extras)
    rows = [first + word + bisect_right(extras, word) for word in range(len(sentence))]
    nodes = {"0", *map(str, range(1, len(sentence) + 1))}
    nodes |= {node.id for node in sentence.empty_nodes}
    for i, row in enumerate(rows):
        word = f"word {i + 1}"
        if sentence.upos[i] not in UNIVERSAL_TAGS:
            yield row, f"{word}: UPOS {quoted(sentence.upos[i])} is not a universal tag"
        for name, value in (("XPOS", sentence.xpos[i]), ("DEPREL", sentence.relations[i])):
            if " " in value:
                yield row, f"{word}: {name} {quoted(value)} holds a space"
        for name, value in (("FORM", sentence.forms[i]), ("LEMMA", sentence.lemmas[i])):
            if value != value.strip():
                yield row, f"{word}: {name} {quoted(value)} starts or ends with white space"
            elif _CONTROL.search(value):
                yield row, f"{word}: {name} {quoted(value)} holds a control character"
        for message in (
            _features_problem(sentence.feats[i]),
            _deps_problem(sentence.deps[i], nodes),
            root_problem(sentence.heads[i], sentence.relations[i]),
        ):
            if message:
                yield row, f"{word}: {message}"
    lacking = [i for i, relation in enumerate(sentence.relations, 1) if relation == MISSING]
    if len(lacking) < len(sentence):  # who gives none has a treebank without relations
        yield from ((rows[i - 1], f"word {i}: DEPREL is missing") for i in lacking)


def _features_problem(feats: str) -> str | None:
    if feats == MISSING:
        return None
    items = feats.split("|")
    if not all(_FEATURE.fullmatch(item) for item in items):
        return f"FEATS {quoted(feats)} is not Name=Value|…"
    names = [item.partition("=")[0].lower() for item in items]
    if len(set(names)) < len(names):
        return f"FEATS {quoted(feats)} repeats a name"
    return None if names == sorted(names) else f"FEATS {quoted(feats)} is not sorted"


def _deps_problem(deps: str, nodes: set[str]) -> str | None:
    if deps == MISSING:
        return None
    for item in deps.split("|"):
        arc = _ENHANCED_ARC.fullmatch(item)
        if arc is None:
            return f"DEPS {quoted(item)} is not head:relation"
        if arc[1] not in nodes:
            return f"DEPS {quoted(item)}: there is no node {cut(arc[1])}"
    return None


def root_problem(head: int | None, relation: str) -> str | None:
    """What is wrong with a relation that contradicts its head, if it does."""
    if relation == MISSING or head is None:
        return None
    is_root = relation.partition(":")[0] == "root"
    if is_root and head:
        return f"the relation is {cut(relation)} but the head is {head}"
    if not is_root and head == 0:
        return f"the head is 0 but the relation is {cut(relation)}"
    return None
