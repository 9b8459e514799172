"""Boosted parsers as model folders."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from headwise.errors import UsageError
from headwise.parsers.boosting.examples import FeatureIndex
from headwise.parsers.boosting.hypotheses import LinearHypothesis
from headwise.parsers.boosting.parser import BoostedParser
from headwise.parsers.stored import StoredParser, rows_of_treebank
from headwise.parsers.unlabelled import rows_of_dev
from headwise.storage.arraychecks import check_array, check_ascending, check_weights
from headwise.storage.modelcard import Row, card_of
from headwise.storage.modelfile import ModelFile
from headwise.storage.settings import to_mapping
from headwise.storage.sparse import pack_sparse, unpack_sparse

NAME = "boosted parser"


@dataclass(frozen=True, slots=True, kw_only=True)
class Stored(StoredParser):
    """What a model says of a boosted parser."""

    learning: BoostedParser
    single_root: bool


def to_model(parser: BoostedParser) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
    """The settings and arrays of a trained parser."""
    hypothesis = parser.hypothesis_
    if not isinstance(hypothesis, LinearHypothesis):
        raise UsageError(
            "a parser with a base learner of another kind cannot be saved: models hold numbers, "
            "and no code"
        )
    return {"learning": to_mapping(parser), "single_root": parser.single_root_}, {
        "keys": parser.index_.keys,
        "unseen": hypothesis.unseen,
        **pack_sparse("weights", hypothesis.weights),
    }


def of_model(settings: Stored, model: ModelFile) -> BoostedParser:
    """The parser of checked settings, whose arrays are yet to be checked."""
    parser = settings.learning
    parser.single_root_ = settings.single_root
    parser.index_, parser.hypothesis_ = read_weights(model)
    return parser


def read_weights(model: ModelFile) -> tuple[FeatureIndex, LinearHypothesis]:
    """The features of a model, and their weights."""
    keys, unseen = model.array("keys"), model.array("unseen")
    weights = unpack_sparse("weights", model.arrays)
    check_array("keys", keys, np.uint64, (None,))
    check_ascending("keys", keys)
    for name, array, shape in (("weights", weights, (len(keys) + 1, 3)), ("unseen", unseen, (3,))):
        check_array(name, array, np.float32, shape)
        check_weights(name, array)
    check_weights("weights, the last line,", weights[-1], 0, 0)  # of features that are not there
    return FeatureIndex.of(keys), LinearHypothesis(weights, unseen)


def card(parser: BoostedParser, settings: Mapping[str, Any]) -> str:
    """The card of a boosted parser, in Markdown."""
    report = settings["report"]
    rows: list[Row] = [
        *settings["about"].items(),
        ("model", "structured boosting of link classifiers (Wang 2008, chapter 7)"),
        ("features", "static and dynamic" if parser.dynamic else "static"),
        ("boosting", f"{parser.update}, {parser.keep}, round {report['round']} of "
                     f"{report['rounds']}"),
        ("prior", f"{parser.prior}, {parser.strength}"),
        *rows_of_treebank(report),
        ("pairs of words", f"{report['pairs']:,}, decided by {report['tag_pairs']:,} classifiers"),
        ("weights", f"{report['weights']:,} that are not 0, of {report['features']:,} features"),
        *rows_of_dev(report),
    ]  # fmt: skip
    return card_of("A dependency parser of boosted link classifiers", rows)
