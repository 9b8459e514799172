"""Lexical parsers as model folders."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from headwise.errors import ModelError
from headwise.kernels.text.lexical_chances import NONE
from headwise.parsers.lexical.counts import Counts, table_of
from headwise.parsers.lexical.lexicon import FIRST, Lexicon
from headwise.parsers.lexical.parser import LexicalParser
from headwise.parsers.stored import StoredParser, rows_of_treebank
from headwise.parsers.unlabelled import rows_of_dev
from headwise.storage.arraychecks import check_array, check_indices, check_starts, check_weights
from headwise.storage.modelcard import Row, card_of
from headwise.storage.modelfile import ModelFile
from headwise.storage.packednames import pack_names, unpack_names
from headwise.storage.settings import to_mapping
from headwise.text.similarity.storage import MOST_SIMILAR

NAME = "lexical parser"

TABLE = {
    "start": np.int64, "modifier": np.int32, "before": np.int8, "seen": np.int32,
    "linked": np.int32,
}  # fmt: skip
"""The arrays of the table of links."""

MOST_COUNTED = 1 << 31
"""Counts are of 32 bits."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stored(StoredParser):
    """What a model says of a lexical parser."""

    learning: LexicalParser
    single_root: bool


def to_model(parser: LexicalParser) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
    """The settings and arrays of a trained parser."""
    counts = parser.counts_
    return {"learning": to_mapping(parser), "single_root": parser.single_root_}, {
        **lexicon_arrays(parser.lexicon_),
        "asked": counts.asked,
        "ended": counts.ended,
        **{f"links.{name}": getattr(counts.links, name) for name in TABLE},
    }


def of_model(settings: Stored, model: ModelFile) -> LexicalParser:
    """The parser of checked settings, whose arrays are yet to be checked."""
    parser = settings.learning
    parser.single_root_ = settings.single_root
    parser.lexicon_ = read_lexicon(model)
    parser.counts_ = read_counts(model, parser.lexicon_.size, parser.counts)
    return parser


def lexicon_arrays(lexicon: Lexicon) -> dict[str, NDArray[Any]]:
    """The words of a model, and their similar ones, as arrays."""
    return {
        "known": pack_names(lexicon.known),
        "others": pack_names(lexicon.others),
        "near": lexicon.near,
        "similarity": lexicon.similarity,
    }


def read_lexicon(model: ModelFile) -> Lexicon:
    """The words of a model, and their similar ones."""
    known, others = unpack_names(model.array("known")), unpack_names(model.array("others"))
    near, similarity = model.array("near"), model.array("similarity")
    size = FIRST + len(known)
    check_array("near", near, np.int32, (size + len(others), None))
    check_array("similarity", similarity, np.float32, near.shape)
    check_indices("near", near, size, minimum=NONE)
    check_weights("similarity", similarity, 0.0, MOST_SIMILAR)
    return Lexicon(known, others, near, similarity)


def read_counts(model: ModelFile, size: int, counts: int) -> Counts:
    """The counts of a model."""
    table = {name: model.array(f"links.{name}") for name in TABLE}
    start, modifier, before = table["start"], table["modifier"], table["before"]
    for name, kind in TABLE.items():
        shape = (2 * size + 1,) if name == "start" else (modifier.size,)
        check_array(f"links.{name}", table[name], kind, shape)
    check_starts("links.start", start, len(modifier))
    check_indices("links.modifier", modifier, size)
    check_indices("links.before", before, counts)
    check_indices("links.seen", table["seen"], MOST_COUNTED, minimum=1)
    check_indices("links.linked", table["linked"], MOST_COUNTED)
    asked, ended = model.array("asked"), model.array("ended")
    for name, array in (("asked", asked), ("ended", ended)):
        check_array(name, array, np.int32, (size, 2, counts))
        check_indices(name, array, MOST_COUNTED)
    if (table["linked"] > table["seen"]).any() or (ended > asked).any():
        raise ModelError("it has counted parts that are larger than the whole: it is damaged")
    return Counts(table_of(start, modifier, before, table["seen"], table["linked"], counts),
                  asked, ended)  # fmt: skip


def card(parser: LexicalParser, settings: Mapping[str, Any]) -> str:
    """The card of a lexical parser, in Markdown."""
    report = settings["report"]
    rows: list[Row] = [
        *settings["about"].items(),
        ("model", f"{parser.variant} (Wang 2008, chapter 5)"),
        *rows_of_treebank(report),
        ("different words", f"{report['vocabulary']:,}"),
        ("contexts of links", f"{report['contexts']:,}, {report['links']:,} with a link"),
        ("counts of modifiers told apart", parser.counts),
        ("similar words of each word", parser.neighbours),
    ]
    if "covered_tokens" in report:
        rows.append(("tokens with similar words", f"{100 * report['covered_tokens']:.1f} %"))
    rows += rows_of_dev(report)
    return card_of("A dependency parser of words alone", rows)
