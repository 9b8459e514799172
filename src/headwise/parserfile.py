"""Parsers as model folders, and the card that tells people what they are."""

import math
from pathlib import Path
from typing import Any

import numpy as np

from headwise.errors import FormatError, ModelError, Place
from headwise.features.tables import WeightTables
from headwise.features.templates import FeatureSet
from headwise.modelfile import ModelFile, load_model, save_model
from headwise.parser import DependencyParser
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
        "templates": [str(template) for template in parser.features_.templates],
        "single_root": parser.single_root_,
        "temperature": parser.temperature_,
        "scale": parser.tables_.scale,
        "report": parser.report_,
        "about": about or {},
    }
    arrays = pack_sparse("weights", parser.tables_.weights)
    arrays["filters"] = parser.tables_.filters
    save_model(path, ModelFile(KIND, settings, arrays, card(settings)), force=force)


def load_parser(path: str | Path) -> DependencyParser:
    """A parser that was saved."""
    model = load_model(path, KIND)
    settings, place = model.settings, Place(str(path))
    try:
        parser = from_mapping(DependencyParser, settings["training"], place)
        parser.features_ = FeatureSet.parse(settings["templates"], str(path))
        parser.single_root_ = bool(settings["single_root"])
        parser.temperature_ = float(settings["temperature"])
        parser.report_ = dict(settings["report"])
        scale = float(settings["scale"])
    except (KeyError, TypeError, ValueError, FormatError) as error:
        raise ModelError(f"its settings are not those of a parser: {error}", place) from error
    if not (0 < scale < math.inf and 0 < parser.temperature_ < math.inf):
        raise ModelError("its scale or temperature is no positive number", place)
    weights = unpack_sparse("weights", model.arrays)
    filters = model.array("filters")
    if (weights.shape, filters.shape) != WeightTables.shapes(parser.tables, with_parts=False):
        raise ModelError("its tables have other sizes than its settings say", place)
    if weights.dtype != WEIGHT_TYPES[parser.bits] or filters.dtype != np.uint8:
        raise ModelError("its tables hold other numbers than its settings say", place)
    parser.tables_ = WeightTables(parser.tables, weights, filters, scale)
    return parser


def card(settings: dict[str, Any]) -> str:
    """The card of a parser, in Markdown."""
    report, training = settings["report"], settings["training"]
    rows = [(name.replace("_", " "), value) for name, value in settings["about"].items()]
    rows += [
        ("learner", training["learner"]),
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
