"""CoNLL-X (2006): ten columns, no comments, no multiword rows, no empty nodes.

CPOSTAG and POSTAG become UPOS and XPOS. PHEAD and PDEPREL have no room of their own in a
`Sentence` and travel in MISC as `PHead=` and `PDeprel=`.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from headwise.corpus.diagnosis import diagnose, tolerate_layout, unwritable
from headwise.corpus.files import DEFAULT_LIMITS, Limits, source_name
from headwise.corpus.rows import (
    Block,
    MalformedError,
    are_words,
    check_columns,
    check_heads,
    columns_of,
    head_text,
    parse_heads,
    read_blocks,
    split_fields,
    word_ids,
)
from headwise.corpus.sentence import MISSING, Sentence
from headwise.errors import FormatError, SourceLocation, warn


def read_conllx(
    path: str | Path, *, strict: bool = False, limits: Limits = DEFAULT_LIMITS
) -> Iterator[Sentence]:
    """The sentences of a CoNLL-X file, one at a time."""
    name = source_name(path)
    warned: set[str] = set()
    for block in read_blocks(path, limits):
        tolerate_layout(block, name, strict, warned)
        yield parse_block(block, name)


def parse_block(block: Block, path: str) -> Sentence:
    """One sentence from its lines."""
    try:
        columns = columns_of(split_fields(block.text))
        heads = parse_heads(columns[6])
        if not are_words(columns[0]):
            raise MalformedError
    except MalformedError:
        problems = diagnose(block, path, extras_allowed=False)
        if problems:
            raise problems[0].as_error() from None
        raise FormatError("cannot be read", SourceLocation(path, block.line)) from None
    _, forms, lemmas, coarse, fine, feats, _, relations, heads2, relations2 = columns
    sentence = Sentence.from_words(
        forms,
        lemmas=lemmas,
        upos=coarse,
        xpos=fine,
        feats=feats,
        heads=heads,
        relations=relations,
        misc=[_projective_misc(*pair) for pair in zip(heads2, relations2, strict=True)],
        location=SourceLocation(path, block.line),
    )
    return replace(sentence, layout=block.layout)


def _projective_misc(head: str, relation: str) -> str:
    given = [
        f"{key}={value}"
        for key, value in (("PHead", head), ("PDeprel", relation))
        if value != MISSING
    ]
    return "|".join(given) or MISSING


def format_conllx(sentences: Iterable[Sentence]) -> Iterator[str]:
    """The text of each sentence; what CoNLL-X cannot hold is left out, and said once."""
    warned = False
    for sentence in sentences:
        if sentence.extras and not warned:
            message = "CoNLL-X has no multiword rows or empty nodes: they are left out"
            warn(message)
            warned = True
        yield _format(sentence)


def _format(sentence: Sentence) -> str:
    misc = [dict(_pairs(value)) for value in sentence.misc]
    columns = (
        [form.replace(" ", "\u00a0") for form in sentence.forms],
        [lemma.replace(" ", "\u00a0") for lemma in sentence.lemmas],
        sentence.upos,
        sentence.xpos,
        sentence.feats,
        tuple(map(head_text, sentence.heads)),
        sentence.relations,
        [entry.get("PHead") or MISSING for entry in misc],
        [entry.get("PDeprel") or MISSING for entry in misc],
    )
    try:
        check_columns(*columns)
        check_heads(sentence)
    except MalformedError:
        message = f"cannot be written as CoNLL-X: {unwritable(sentence)}"
        raise FormatError(message, sentence.location) from None
    rows = zip(word_ids(len(sentence)), *columns, strict=False)  # there are more IDs than words
    return "\n".join(map("\t".join, rows)) + "\n\n"


def _pairs(misc: str) -> Iterator[tuple[str, str]]:
    for item in misc.split("|"):
        key, equals, value = item.partition("=")
        if equals:
            yield key, value
