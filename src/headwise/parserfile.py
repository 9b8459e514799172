"""Parsers as model folders."""

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from headwise.errors import FormatError, ModelError, Place
from headwise.features.higher import Looks, smallest_factorisation
from headwise.features.parttemplates import PartFeatureSet, PartTemplate
from headwise.features.plausible import PACKED, PLAIN, plausible_arrays, plausible_of
from headwise.features.pruner import Pruner
from headwise.features.scorer import ArcScorer
from headwise.features.tables import TableSizes, WeightTables
from headwise.features.templates import FeatureSet
from headwise.labelfile import pack_labels, unpack_labels
from headwise.parser import DependencyParser
from headwise.parsercard import card
from headwise.searchspace.parts import Part
from headwise.settings import from_mapping, to_mapping
from headwise.storage.modelfile import ModelFile
from headwise.storage.sparse import pack_sparse, unpack_sparse

KIND = "parser"

WEIGHT_TYPES = {8: np.int8, 16: np.int16, 32: np.float32}
"""What weights of so many bits are stored as."""


def parser_model(parser: DependencyParser, about: dict[str, Any] | None = None) -> ModelFile:
    """A trained parser as a model."""
    parser.search()  # it must have learnt something
    settings = {
        "training": to_mapping(parser),
        "templates": [str(template) for template in parser.looks_.arcs.templates],
        "part_templates": [str(template) for template in part_templates(parser.looks_)],
        "pruner": pruner_settings(parser.pruner_),
        "labels": None,
        "single_root": parser.single_root_,
        "temperature": parser.temperature_,
        "label_temperature": parser.label_temperature_,
        "scale": parser.tables_.scale,
        "report": parser.report_,
        "about": about or {},
    }
    arrays = pack_tables("", parser.tables_)
    if parser.pruner_ is not None:
        arrays |= pack_tables("pruner.", parser.pruner_.scorer.tables)
    settings["labels"], more = pack_labels(parser.labeller_, parser.looks_.labels)
    arrays |= more
    return ModelFile(KIND, settings, arrays, card(settings))


def pack_tables(prefix: str, tables: WeightTables) -> dict[str, NDArray[Any]]:
    """Tables of weights as arrays for a model."""
    own = plausible_arrays(tables.plausible)
    arrays = pack_sparse(f"{prefix}weights", tables.weights)
    arrays |= pack_sparse(f"{prefix}filters", tables.filters)
    for name in PACKED:
        arrays |= pack_sparse(f"{prefix}plausible.{name}", own[name])
    return arrays | {f"{prefix}plausible.{name}": own[name] for name in PLAIN}


def parser_of(model: ModelFile, place: Place) -> DependencyParser:
    """The parser that a model is; `place` is for messages."""
    settings = model.settings
    if "known" in settings.get("training", {}):
        raise ModelError("was trained by an older version of Headwise: train it again", place)
    try:
        parser = from_mapping(DependencyParser, settings["training"], place)
        parser.looks_ = read_looks(settings, str(place.path))
        parser.single_root_ = bool(settings["single_root"])
        parser.temperature_ = float(settings["temperature"])
        parser.label_temperature_ = float(settings.get("label_temperature", 1.0))
        parser.report_ = dict(settings["report"])
        scale = float(settings["scale"])
    except (KeyError, TypeError, ValueError, FormatError) as error:
        raise ModelError(f"its settings are not those of a parser: {error}", place) from error
    for number in (scale, parser.temperature_, parser.label_temperature_):
        if not 0 < number < math.inf:
            raise ModelError("its scale or temperature is no positive number", place)
    with_parts = parser.looks_.parts is not None
    parser.labeller_, inventory = unpack_labels(model, place)
    parser.looks_ = replace(parser.looks_, labels=inventory)
    parser.tables_ = read_tables(
        model, "", parser.tables, parser.bits, scale, with_parts, place, inventory is not None
    )
    parser.pruner_ = read_pruner(model, parser, place) if with_parts else None
    return parser


def read_tables(
    model: ModelFile,
    prefix: str,
    sizes: TableSizes,
    bits: int,
    scale: float,
    with_parts: bool,
    place: Place,
    with_labels: bool = False,
) -> WeightTables:
    """Tables of weights, checked against what settings say of them."""
    weights = unpack_sparse(f"{prefix}weights", model.arrays)
    filters = unpack_sparse(f"{prefix}filters", model.arrays)
    expected = WeightTables.shapes(sizes, with_parts=with_parts, with_labels=with_labels)
    if (weights.shape, filters.shape) != expected:
        raise ModelError("its tables have other sizes than its settings say", place)
    if weights.dtype != WEIGHT_TYPES[bits] or filters.dtype != np.uint8:
        raise ModelError("its tables hold other numbers than its settings say", place)
    own = {name: unpack_sparse(f"{prefix}plausible.{name}", model.arrays) for name in PACKED}
    own |= {name: model.array(f"{prefix}plausible.{name}") for name in PLAIN}
    return WeightTables(sizes, weights, filters, scale, plausible_of(own))


def part_templates(looks: Looks) -> tuple[PartTemplate, ...]:
    """The templates of higher parts."""
    return looks.parts.templates if looks.parts is not None else ()


def read_looks(settings: Mapping[str, Any], path: str) -> Looks:
    """What a saved parser looks at."""
    arcs = FeatureSet.parse(settings["templates"], path)
    if not settings["part_templates"]:
        return Looks(arcs)
    parts = PartFeatureSet.parse(settings["part_templates"], path)
    scored = (Part.ARC, *(template.part for template in parts.templates))
    crossing = settings["training"]["decoder"] == "non-projective"
    return Looks(arcs, parts, smallest_factorisation(scored), crossing=crossing)


def pruner_settings(pruner: Pruner | None) -> dict[str, Any] | None:
    """What a saved parser has to know of its pruner, besides weights."""
    if pruner is None:
        return None
    templates = [str(template) for template in pruner.scorer.features.templates]
    return {"templates": templates, "scale": pruner.scorer.tables.scale}


def read_pruner(model: ModelFile, parser: DependencyParser, place: Place) -> Pruner:
    """The pruner of a saved parser."""
    own, chosen = model.settings["pruner"], parser.pruner
    features = FeatureSet.parse(own["templates"], place.path)
    scale = float(own["scale"])
    tables = read_tables(model, "pruner.", chosen.tables, 8, scale, False, place)
    return Pruner(ArcScorer(features, tables), chosen, parser.single_root_)
