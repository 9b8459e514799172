"""CoNLL-X (2006): ten columns, no comments, no multiword rows, no empty nodes.

CPOSTAG and POSTAG become UPOS and XPOS. PHEAD and PDEPREL have no room of their own in a
`Sentence` and travel in MISC as `PHead=` and `PDeprel=`.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path

from headwise.corpus.conllu import check_heads, joined_rows
from headwise.corpus.diagnosis import malformed, tolerate_layout, unwritable
from headwise.corpus.files import DEFAULT_LIMITS, Limits, source_name
from headwise.corpus.rows import (
    Block,
    MalformedError,
    are_words,
    check_columns,
    columns_of,
    parse_heads,
    read_blocks,
    split_fields,
)
from headwise.corpus.sentence import MISSING, Sentence, text_columns
from headwise.errors import warn

PROJECTIVE = ("PHead", "PDeprel")
"""What the last two columns are called in MISC."""


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
        raise malformed(block, path, extras_allowed=False) from None
    _, forms, lemmas, upos, xpos, feats, _, relations, heads2, relations2 = columns
    deps, misc = (MISSING,) * len(forms), tuple(map(_projective_misc, heads2, relations2))
    return Sentence(
        forms, lemmas, upos, xpos, feats, heads, relations, deps, misc,
        layout=block.layout, path=path, line=block.line,
    )  # fmt: skip


def _projective_misc(*values: str) -> str:
    pairs = zip(PROJECTIVE, values, strict=True)
    return "|".join(f"{key}={value}" for key, value in pairs if value != MISSING) or MISSING


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
    """The rows that CoNLL-U has of it, with the last two columns in the place of DEPS and MISC."""
    misc = [dict(_pairs(value)) for value in sentence.misc]
    heads2, relations2 = (tuple([one.get(key) or MISSING for one in misc]) for key in PROJECTIVE)
    bare = Sentence(
        tuple([form.replace(" ", "\u00a0") for form in sentence.forms]),
        tuple([lemma.replace(" ", "\u00a0") for lemma in sentence.lemmas]),
        sentence.upos, sentence.xpos, sentence.feats, sentence.heads, sentence.relations,
        heads2, relations2,
    )  # fmt: skip
    try:
        check_columns(*text_columns(bare))
        check_heads(sentence)
    except MalformedError:
        raise unwritable(sentence, "CoNLL-X") from None
    return joined_rows(bare)


def _pairs(misc: str) -> Iterator[tuple[str, str]]:
    for item in misc.split("|"):
        key, equals, value = item.partition("=")
        if equals:
            yield key, value
