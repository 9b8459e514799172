"""Parsers as model folders."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from headwise.errors import FormatError, ModelError, UsageError
from headwise.inference.temperatures import with_temperatures
from headwise.kernels.arcs.plausible import (
    EVERYTHING,
    KINDS,
    PAIRS,
    ROWS,
    WIDEST,
    Plausible,
    everything,
)
from headwise.learners.base import Learner
from headwise.learners.table import LEARNERS, OWN_NAMES, learner_class
from headwise.parsers.graph.card import card as card
from headwise.parsers.graph.labelstorage import StoredLabels, pack_labels, unpack_labels
from headwise.parsers.graph.parser import DependencyParser
from headwise.parsers.stored import CalibratedStored
from headwise.scoring.linear.higher import FeatureSpec, smallest_factorisation
from headwise.scoring.linear.parttemplates import PartFeatureSet, PartTemplate
from headwise.scoring.linear.pruner import Pruner
from headwise.scoring.linear.scorer import ArcScorer
from headwise.scoring.linear.tables import TableSizes, WeightTables, folded_in_place
from headwise.scoring.linear.tagreduction import WHOLE, TagReduction
from headwise.scoring.linear.templates import FeatureSet
from headwise.search.decoders.base import Decoder
from headwise.search.parts import Part
from headwise.storage.arraychecks import check_array, check_weights
from headwise.storage.modelfile import ModelFile
from headwise.storage.settings import to_mapping
from headwise.storage.sparse import pack_sparse, unpack_sparse
from headwise.storage.storedsettings import check_factor

if TYPE_CHECKING:
    from headwise.learners.data import TrainingData

NAME = "parser"

FORMER_NAMES = {"most": "c"}
"""Settings that had another name once."""

WEIGHT_TYPES = {8: np.int8, 16: np.int16, 32: np.float32}
"""The type in which weights of a number of bits are stored."""

PACKED, PLAIN = ("pairs", "rows"), ("tags", "margin")
"""Arrays of plausible arcs that are mostly zeros, and the others."""


@dataclass(frozen=True, slots=True)
class StoredPruner:
    """What a model says of its pruner, besides weights."""

    templates: tuple[str, ...]
    scale: float

    def check(self) -> None:
        check_factor("scale", self.scale)
        read_templates(self.templates)


@dataclass(frozen=True, slots=True, kw_only=True)
class Stored(CalibratedStored):
    """What a model says of a parser."""

    training: DependencyParser
    templates: tuple[str, ...]
    part_templates: tuple[str, ...]
    tag_reduction: tuple[str, ...] = ()  # not in older models
    pruner: StoredPruner | None
    labels: StoredLabels | None
    single_root: bool
    scale: float

    @classmethod
    def upgraded(cls, settings: Mapping[str, Any]) -> Mapping[str, Any]:
        training = upgraded(settings.get("training"))
        # The settings of this kind, which was the first one, do not say their kind.
        return {"kind": DependencyParser.kind, **with_temperatures(settings), "training": training}

    def check(self) -> None:
        check_factor("scale", self.scale)
        if (self.pruner is None) != (not self.part_templates):
            raise UsageError("a parser has a pruner if it scores higher parts, and only then")
        if self.labels is not None and self.labels.kind == "joint" and self.part_templates:
            raise UsageError("joint labels are of the first order")
        columns = self.report.get("tag_columns", [])
        if not isinstance(columns, list) or any(one not in ("upos", "xpos") for one in columns):
            raise UsageError("report.tag_columns: expected a list of upos and xpos")
        self.feature_spec()
        self.reduction()

    def reduction(self) -> TagReduction:
        """How the parser reduces XPOS."""
        return read_reduction(self.tag_reduction)

    def feature_spec(self) -> FeatureSpec:
        """What the parser looks at, but for labels."""
        arcs = read_templates(self.templates)
        if not self.part_templates:
            return FeatureSpec(arcs)
        parts = read_part_templates(self.part_templates)
        scored = (Part.ARC, *(template.part for template in parts.templates))
        crossing = self.training.decoder == "non-projective"
        return FeatureSpec(arcs, parts, smallest_factorisation(scored), crossing=crossing)


def read_reduction(rows: tuple[str, ...]) -> TagReduction:
    """How XPOS is reduced; not at all without rows."""
    try:
        return TagReduction.parse(rows) if rows else WHOLE
    except FormatError as error:
        raise UsageError(f"tag_reduction: {error}") from None


@lru_cache(maxsize=4)  # they are checked with the settings and read with the weights
def read_templates(rows: tuple[str, ...]) -> FeatureSet:
    """Templates of arcs."""
    try:
        return FeatureSet.parse(rows)
    except FormatError as error:
        raise UsageError(f"templates: {error}") from None


@lru_cache(maxsize=4)
def read_part_templates(rows: tuple[str, ...]) -> PartFeatureSet:
    """Templates of higher parts."""
    try:
        found = PartFeatureSet.parse(rows)
    except FormatError as error:
        raise UsageError(f"part_templates: {error}") from None
    if not found.templates:
        raise UsageError("part_templates: there is no template")
    return found


def to_model(parser: DependencyParser) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
    """The settings and arrays of a trained parser."""
    labels, of_labels = pack_labels(parser.labeller_, parser.feature_spec_.labels)
    settings = {
        "training": parser.complete(),
        "templates": [str(template) for template in parser.feature_spec_.arcs.templates],
        "part_templates": [str(template) for template in part_templates(parser.feature_spec_)],
        "tag_reduction": parser.reduction_.rows(),
        "pruner": pruner_settings(parser.pruner_),
        "labels": labels,
        "single_root": parser.single_root_,
        "scale": parser.tables_.scale,
    }
    arrays = pack_tables("", parser.tables_)
    if parser.pruner_ is not None:
        arrays |= pack_tables("pruner.", parser.pruner_.scorer.tables)
    return settings, arrays | of_labels


def pack_tables(prefix: str, tables: WeightTables) -> dict[str, NDArray[Any]]:
    """Tables of weights as arrays for a model."""
    own = plausible_arrays(tables.plausible)
    arrays = pack_sparse(f"{prefix}weights", tables.as_learnt())
    arrays |= pack_sparse(f"{prefix}filters", tables.filters)
    for name in PACKED:
        arrays |= pack_sparse(f"{prefix}plausible.{name}", own[name])
    return arrays | {f"{prefix}plausible.{name}": own[name] for name in PLAIN}


def upgraded(training: Any) -> Any:
    """The settings of a stored parser in the names of today, those of its learner if not defaults.

    Earlier versions stored the settings of all learners. A learner of one's own is left out.
    """
    if "known" in (training or ()):
        raise ModelError("was trained by an older version of Headwise: train it again")
    if not isinstance(training, Mapping):
        return training
    found = {FORMER_NAMES.get(name, name): value for name, value in training.items()}
    learner, defaults = found.get("learner"), dict[str, Any]()
    if isinstance(learner, str) and learner in LEARNERS:
        defaults = to_mapping(learner_class(learner)())
    elif isinstance(learner, Mapping):
        del found["learner"]
    return {
        name: value
        for name, value in found.items()
        if name not in OWN_NAMES or (name in defaults and value != defaults[name])
    }


def stored_learner(training: Mapping[str, Any], learner: str | Learner) -> str | Learner:
    """The learner of a stored parser; of one's own, only the name and the settings are known."""
    stored = training.get("learner")
    if not isinstance(stored, Mapping):
        return learner
    if not isinstance(stored.get("name"), str):
        raise ModelError("the learner of this parser has no name: it is damaged")
    return OtherLearner(dict(stored))


@dataclass
class OtherLearner(Learner):
    """What a model says of a learner whose code it does not have."""

    stored: dict[str, Any]

    def described(self) -> dict[str, Any]:
        return self.stored

    def start(self, data: "TrainingData", decoder: Decoder) -> Learner:
        raise UsageError(
            f"the code of the learner {self.stored['name']} is not in the model: give a "
            "learner object to train again"
        )


def of_model(settings: Stored, model: ModelFile) -> DependencyParser:
    """The parser of checked settings, whose arrays are yet to be checked."""
    parser = settings.training
    parser.learner = stored_learner(model.settings["training"], parser.learner)
    parser.single_root_ = settings.single_root
    parser.labeller_, inventory = unpack_labels(settings.labels, model)
    parser.reduction_ = settings.reduction()
    parser.feature_spec_ = replace(settings.feature_spec(), labels=inventory)
    shapes = parser.feature_spec_.shapes(parser.tables)
    parser.tables_ = read_tables(model, "", parser.tables, shapes, parser.bits, settings.scale)
    parser.pruner_ = None
    if settings.pruner is not None:
        parser.pruner_ = read_pruner(model, settings.pruner, parser)
    return parser


def read_tables(
    model: ModelFile,
    prefix: str,
    sizes: TableSizes,
    shapes: tuple[tuple[int], tuple[int, int]],
    bits: int,
    scale: float,
) -> WeightTables:
    """Tables of weights, checked against what settings say of them."""
    weights = unpack_sparse(f"{prefix}weights", model.arrays, shapes[0])
    filters = unpack_sparse(f"{prefix}filters", model.arrays, shapes[1])
    check_array(f"{prefix}weights", weights, WEIGHT_TYPES[bits], shapes[0])
    check_array(f"{prefix}filters", filters, np.uint8, shapes[1])
    if weights.dtype == np.float32:
        check_weights(f"{prefix}weights", weights)
    own = {name: unpack_sparse(f"{prefix}plausible.{name}", model.arrays) for name in PACKED}
    own |= {name: model.array(f"{prefix}plausible.{name}") for name in PLAIN}
    tables = WeightTables(sizes, weights, filters, scale, plausible_of(own))
    return folded_in_place(tables) if tables.are_finished else tables


def plausible_arrays(plausible: Plausible) -> dict[str, NDArray[Any]]:
    """The tables of plausible arcs as arrays."""
    arrays: dict[str, NDArray[Any]] = plausible._asdict()
    return arrays | {"margin": np.array([plausible.margin], np.int64)}


def plausible_of(arrays: dict[str, NDArray[Any]]) -> Plausible:
    """The tables from stored arrays, validated for the kernels."""
    types = {"margin": np.int64, "tags": np.uint64, "pairs": np.int8, "rows": np.int8}
    wrong = [arrays[name].dtype != kind or arrays[name].ndim != 1 for name, kind in types.items()]
    if any(wrong) or len(arrays["margin"]) != 1:
        raise ModelError("its tables of plausible arcs have invalid types")
    margin, tags = int(arrays["margin"][0]), arrays["tags"]
    pairs, rows = arrays["pairs"], arrays["rows"]
    if margin == EVERYTHING:
        return everything()
    whole = len(tags) < KINDS and len(pairs) == PAIRS and len(rows) == ROWS
    if not (whole and 0 <= margin <= WIDEST):
        raise ModelError("its tables of plausible arcs have invalid sizes")
    return Plausible(np.array(tags), pairs, rows, margin)  # kernels require writable arrays


def part_templates(spec: FeatureSpec) -> tuple[PartTemplate, ...]:
    """The templates of higher parts."""
    return spec.parts.templates if spec.parts is not None else ()


def pruner_settings(pruner: Pruner | None) -> dict[str, Any] | None:
    """What a saved parser has to know of its pruner, besides weights."""
    if pruner is None:
        return None
    templates = [str(template) for template in pruner.scorer.features.templates]
    return {"templates": templates, "scale": pruner.scorer.tables.scale}


def read_pruner(model: ModelFile, settings: StoredPruner, parser: DependencyParser) -> Pruner:
    """The pruner of a saved parser."""
    chosen = parser.pruner
    shapes = WeightTables.shapes(chosen.tables, with_parts=False)
    tables = read_tables(model, "pruner.", chosen.tables, shapes, 8, settings.scale)
    return Pruner(
        ArcScorer(read_templates(settings.templates), tables), chosen, parser.single_root_
    )
