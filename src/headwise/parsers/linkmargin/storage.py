"""Parsers of links as model folders."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from headwise.kernels.solvers.linkmargin import NUMBERS, LinkWeights
from headwise.parsers.lexical.lexicon import Lexicon
from headwise.parsers.lexical.storage import lexicon_arrays, read_lexicon
from headwise.parsers.linkmargin.links import Association, PairTable
from headwise.parsers.linkmargin.parser import LinkMarginParser
from headwise.parsers.linkmargin.search import LinkModel
from headwise.parsers.stored import CalibratedStored, rows_of_treebank
from headwise.parsers.unlabelled import rows_of_dev
from headwise.storage.arraychecks import (
    check_array,
    check_ascending,
    check_indices,
    check_weights,
)
from headwise.storage.modelcard import Row, card_of
from headwise.storage.modelfile import ModelFile
from headwise.storage.packednames import pack_names, unpack_names
from headwise.storage.settings import to_mapping

NAME = "parser of links"


@dataclass(frozen=True, slots=True, kw_only=True)
class Stored(CalibratedStored):
    """What a model says of a parser of links."""

    learning: LinkMarginParser
    single_root: bool


def to_model(parser: LinkMarginParser) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
    """The settings and arrays of a trained parser."""
    model = parser.model_
    arrays: dict[str, NDArray[Any]] = {
        **lexicon_arrays(model.lexicon),
        "pairs": model.table.keys,
        "weights.pair": model.weights.pair.astype(np.float32),
        "weights.number": model.weights.number,
        "weights.scale": model.weights.scale,
    }
    if model.association is not None:
        arrays |= {
            "association.words": pack_names(model.association.words),
            "association.keys": model.association.keys,
            "association.values": model.association.values,
        }
    return {"learning": to_mapping(parser), "single_root": model.single_root}, arrays


def of_model(settings: Stored, model: ModelFile) -> LinkMarginParser:
    """The parser of checked settings, whose arrays are yet to be checked."""
    parser, lexicon = settings.learning, read_lexicon(model)
    table = read_table(model, lexicon)
    parser.model_ = LinkModel(
        lexicon,
        table,
        read_weights(model, len(table.keys)),
        read_association(model) if "pmi" in parser.features else None,
        settings.single_root,
        parser.neighbours,
        parser.lowercase,
    )
    return parser


def read_table(model: ModelFile, lexicon: Lexicon) -> PairTable:
    """The pairs of words that have weights."""
    keys = model.array("pairs")
    check_pairs("pairs", keys, lexicon.size)
    return PairTable(lexicon.size, keys)


def check_pairs(name: str, keys: NDArray[Any], words: int) -> None:
    """Raise unless keys are those of pairs of `words` words, each once and in order."""
    check_array(name, keys, np.int64, (None,))
    check_ascending(name, keys)
    check_indices(name, keys, words * words)


def read_weights(model: ModelFile, pairs: int) -> LinkWeights:
    """The weights of a model."""
    found = [model.array(f"weights.{name}") for name in LinkWeights._fields]
    for name, array, length in zip(
        LinkWeights._fields, found, (pairs, NUMBERS, NUMBERS), strict=True
    ):
        check_array(f"weights.{name}", array, (np.float32, np.float64), (length,))
        check_weights(f"weights.{name}", array)
    return LinkWeights(*(array.astype(np.float64) for array in found))


def read_association(model: ModelFile) -> Association:
    """PMI of words."""
    words = unpack_names(model.array("association.words"))
    keys, values = model.array("association.keys"), model.array("association.values")
    check_pairs("association.keys", keys, len(words))
    check_array("association.values", values, np.float32, keys.shape)
    check_weights("association.values", values)
    return Association(words, keys, values)


def card(parser: LinkMarginParser, settings: Mapping[str, Any]) -> str:
    """The card of a parser of links, in Markdown."""
    report = settings["report"]
    last = report["history"][-1]
    rows: list[Row] = [
        *settings["about"].items(),
        ("model", f"{parser.loss} margins of links (Wang 2008, chapter 6)"),
        ("features of links", ", ".join(parser.features)),
        *rows_of_treebank(report),
        ("different words", f"{report['vocabulary']:,}"),
        ("pairs of words", f"{report['pairs']:,}, {report['ties']:,} ties of similar ones"),
        ("margins", f"{report['margins']:,}"),
        ("beta, and laplacian as a multiple of it", f"{report['beta']:g}, {parser.laplacian:g}"),
        ("solved in", f"{last['epoch']} epochs, to a gap of {last['gap']:.2%}"),
        ("similar words of each word", parser.neighbours),
    ]
    if "covered_tokens" in report:
        rows.append(("tokens with similar words", f"{100 * report['covered_tokens']:.1f} %"))
    return card_of("A parser of links between words, by large margins", rows + rows_of_dev(report))
