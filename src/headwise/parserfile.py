"""Parsers as model folders, and the card that tells people what they are."""

import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from headwise.errors import FormatError, ModelError, Place
from headwise.features.higher import Looks, smallest_factorisation
from headwise.features.parttemplates import PartFeatureSet, PartTemplate
from headwise.features.pruner import Pruner
from headwise.features.scorer import ArcScorer
from headwise.features.tables import TableSizes, WeightTables
from headwise.features.templates import FeatureSet
from headwise.modelfile import ModelFile, load_model, save_model
from headwise.parser import DependencyParser
from headwise.parts import Part
from headwise.safe import safe_text
from headwise.settings import from_mapping, to_mapping
from headwise.sparse import pack_sparse, unpack_sparse

KIND = "parser"

WEIGHT_TYPES = {8: np.int8, 16: np.int16, 32: np.float32}
"""What weights of so many bits are stored as."""


def save_parser(
    path: str | Path,
    parser: DependencyParser,
    *,
    about: dict[str, Any] | None = None,
    force: bool = False,
) -> None:
    """Save a trained parser; `about` is what the card shall say of it besides (the treebank …)."""
    parser.search()  # it must have learnt something
    settings = {
        "training": to_mapping(parser),
        "templates": [str(template) for template in parser.looks_.arcs.templates],
        "part_templates": [str(template) for template in part_templates(parser.looks_)],
        "pruner": pruner_settings(parser.pruner_),
        "single_root": parser.single_root_,
        "temperature": parser.temperature_,
        "scale": parser.tables_.scale,
        "report": parser.report_,
        "about": about or {},
    }
    arrays = pack_sparse("weights", parser.tables_.weights)
    arrays["filters"] = parser.tables_.filters
    if parser.pruner_ is not None:
        tables = parser.pruner_.scorer.tables
        arrays |= pack_sparse("pruner.weights", tables.weights)
        arrays["pruner.filters"] = tables.filters
    save_model(path, ModelFile(KIND, settings, arrays, card(settings)), force=force)


def load_parser(path: str | Path) -> DependencyParser:
    """A parser that was saved."""
    model = load_model(path, KIND)
    settings, place = model.settings, Place(str(path))
    try:
        parser = from_mapping(DependencyParser, settings["training"], place)
        parser.looks_ = read_looks(settings, str(path))
        parser.single_root_ = bool(settings["single_root"])
        parser.temperature_ = float(settings["temperature"])
        parser.report_ = dict(settings["report"])
        scale = float(settings["scale"])
    except (KeyError, TypeError, ValueError, FormatError) as error:
        raise ModelError(f"its settings are not those of a parser: {error}", place) from error
    if not (0 < scale < math.inf and 0 < parser.temperature_ < math.inf):
        raise ModelError("its scale or temperature is no positive number", place)
    with_parts = parser.looks_.parts is not None
    parser.tables_ = read_tables(model, "", parser.tables, parser.bits, scale, with_parts, place)
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
) -> WeightTables:
    """Tables of weights, checked against what settings say of them."""
    weights = unpack_sparse(f"{prefix}weights", model.arrays)
    filters = model.array(f"{prefix}filters")
    if (weights.shape, filters.shape) != WeightTables.shapes(sizes, with_parts=with_parts):
        raise ModelError("its tables have other sizes than its settings say", place)
    if weights.dtype != WEIGHT_TYPES[bits] or filters.dtype != np.uint8:
        raise ModelError("its tables hold other numbers than its settings say", place)
    return WeightTables(sizes, weights, filters, scale)


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
    return Looks(arcs, parts, smallest_factorisation(scored), crossing)


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


def card(settings: dict[str, Any]) -> str:
    """The card of a parser, in Markdown."""
    report, training = settings["report"], settings["training"]
    rows = [(name.replace("_", " "), value) for name, value in settings["about"].items()]
    rows += [
        ("learner", training["learner"]),
        ("order", training["order"]),
        ("search", training["decoder"]),
        ("features", f"{training['features']}, {len(settings['templates'])} templates"),
        ("distinct features in gold trees", f"{report['features']:,}"),
        ("weights that are not 0", f"{report['weights']:,}, {training['bits']} bits each"),
        ("sentences learnt from", f"{report['sentences']:,} ({report['words']:,} words)"),
        ("sentences left out", report["left_out"]),
        ("epochs", f"{training['epochs']}, the weights are from epoch {report['epoch']}"),
        ("seed", training["seed"]),
        ("temperature of probabilities", f"{settings['temperature']:.3g}"),
    ]
    if "dev_uas" in report:
        rows.append(("UAS on dev, all tokens, tags as in the file", f"{report['dev_uas']:.2f}"))
        rows.append(("the same with 32-bit weights", f"{report['dev_uas_32_bits']:.2f}"))
    if "pruner" in report:
        kept = report["pruner"]
        text = (
            f"{kept['heads_a_word']:.1f} heads a word, oracle UAS {kept['oracle_uas']:.2f}, "
            f"in {100 * kept['share_of_time']:.0f} % of the time of parsing"
        )
        rows.append(("what its pruner keeps", text))
    members = [one["dev_uas"] for one in report["members"] if "dev_uas" in one]
    if members:
        mean = sum(members) / len(members)
        text = f"best {max(members):.2f}, worst {min(members):.2f}, mean {mean:.2f}"
        rows.append((f"UAS of its {len(members)} members", text))
    lines = ["# A dependency parser", "", "Made by Headwise. It finds heads, not relations.", ""]
    lines += ["| | |", "|---|---|", *(f"| {cell(name)} | {cell(value)} |" for name, value in rows)]
    return "\n".join(lines) + "\n"


def cell(value: object) -> str:
    """A value that stays within its cell of a Markdown table."""
    return safe_text(str(value)).replace("|", "\\|")
