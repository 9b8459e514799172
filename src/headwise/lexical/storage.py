"""Lexical parsers as model folders."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from headwise.errors import Place
from headwise.headsfile import parser_by, rows_of_dev, rows_of_treebank, settings_of
from headwise.lexical.counts import Counts, table_of
from headwise.lexical.lexicon import FIRST, Lexicon
from headwise.lexical.parser import LexicalParser
from headwise.storage.modelcard import Row, card_of
from headwise.storage.modelfile import ModelFile, holding_together
from headwise.storage.packednames import pack_names, unpack_names

KIND = "lexical"

TABLE = {
    "start": np.int64, "modifier": np.int32, "before": np.int8, "seen": np.int32,
    "linked": np.int32,
}  # fmt: skip
"""The arrays of the table of links."""


def lexical_model(parser: LexicalParser, about: dict[str, Any] | None = None) -> ModelFile:
    """A trained parser as a model."""
    settings = settings_of(KIND, parser, about) | {"single_root": parser.single_root_}
    counts = parser.counts_
    arrays: dict[str, NDArray[Any]] = {
        **lexicon_arrays(parser.lexicon_),
        "asked": counts.asked,
        "ended": counts.ended,
        **{f"links.{name}": getattr(counts.links, name) for name in TABLE},
    }
    return ModelFile(KIND, settings, arrays, card(settings))


def lexical_of(model: ModelFile, place: Place) -> LexicalParser:
    """The parser that a model is; `place` is for messages."""
    with holding_together("lexical parser", place):
        parser = parser_by(LexicalParser, model, place)
        parser.single_root_ = bool(model.settings["single_root"])
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
    if near.shape != similarity.shape or near.shape[:1] != (size + len(others),):
        raise ValueError("its similar words have other sizes than its words")
    if near.dtype != np.int32 or similarity.dtype != np.float32 or near.ndim != 2:
        raise ValueError("its similar words are other numbers than they should be")
    if near.size and not -1 <= near.min() <= near.max() < size:
        raise ValueError("it names similar words that it does not have")
    if not (similarity >= 0).all() or not np.isfinite(similarity).all():
        raise ValueError("its similarities are no cosines")
    return Lexicon(known, others, near, similarity)


def read_counts(model: ModelFile, size: int, counts: int) -> Counts:
    """The counts of a model."""
    table = {name: model.array(f"links.{name}") for name in TABLE}
    for name, kind in TABLE.items():
        if table[name].dtype != kind or table[name].ndim != 1:
            raise ValueError(f"its table of links holds other numbers ({name})")
    start, modifier, before = table["start"], table["modifier"], table["before"]
    entries = {len(table[name]) for name in TABLE if name != "start"}
    if len(start) != 2 * size + 1 or (np.diff(start) < 0).any() or entries != {int(start[-1])}:
        raise ValueError("the rows of its table of links are out of order")
    if start[0] != 0 or (len(modifier) and not 0 <= modifier.min() <= modifier.max() < size):
        raise ValueError("its links name words that it does not have")
    if len(before) and not 0 <= before.min() <= before.max() < counts:
        raise ValueError("its links have counts that it does not tell apart")
    if (table["seen"] < 1).any() or (table["linked"] < 0).any():
        raise ValueError("it has counts below 0")
    asked, ended = model.array("asked"), model.array("ended")
    for array in (asked, ended):
        if array.shape != (size, 2, counts) or array.dtype != np.int32 or (array < 0).any():
            raise ValueError("its counts of ends do not fit its words")
    return Counts(table_of(start, modifier, before, table["seen"], table["linked"], counts),
                  asked, ended)  # fmt: skip


def card(settings: Mapping[str, Any]) -> str:
    """The card of a lexical parser, in Markdown."""
    report, learning = settings["report"], settings["learning"]
    rows: list[Row] = [
        *settings["about"].items(),
        ("model", f"{learning['variant']} (Wang 2008, chapter 5)"),
        *rows_of_treebank(report),
        ("different words", f"{report['vocabulary']:,}"),
        ("contexts of links", f"{report['contexts']:,}, {report['links']:,} with a link"),
        ("counts of modifiers told apart", learning["counts"]),
        ("similar words of each word", learning["neighbours"]),
    ]
    if "covered_tokens" in report:
        rows.append(("tokens with similar words", f"{100 * report['covered_tokens']:.1f} %"))
    rows += rows_of_dev(report)
    return card_of("A dependency parser of words alone", rows)
