"""A neural parser as a model: what is stored, what is checked, and its card."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from headwise.errors import ModelError, UsageError
from headwise.parsers.neural.parser import NeuralParser
from headwise.parsers.stored import CalibratedStored, card_with_curves, row_of_temperatures
from headwise.scoring.neural.characters import DIMENSIONS, FIRST_CHARACTER, WINDOW
from headwise.scoring.neural.layers import MAX_INPUTS
from headwise.scoring.neural.network import CHARACTER_LAYER, FROM_ROOT, HIDDEN
from headwise.scoring.neural.vocabulary import FIRST_WORD, TAG_COLUMNS, Vocabulary
from headwise.scoring.neural.wordfeatures import HASHED, SLOTS
from headwise.storage.arraychecks import check_array, check_weights
from headwise.storage.modelcard import Row
from headwise.storage.modelfile import ModelFile
from headwise.storage.packednames import pack_names, unpack_names
from headwise.storage.settings import to_mapping
from headwise.storage.storedsettings import check_factor, check_texts

NAME = "neural parser"

NAMES = ("words", "vectors", *TAG_COLUMNS, "relations", "roots", "inner", "characters")
"""Lists of a vocabulary, each stored as one array."""

LARGEST_SCALE = 1e6


@dataclass(frozen=True, slots=True, kw_only=True)
class Stored(CalibratedStored):
    """What a model says of a neural parser, besides its arrays."""

    training: NeuralParser
    steps: dict[str, float]
    projective: bool
    single_root: bool

    def check(self) -> None:
        if set(self.steps) - {CHARACTER_LAYER} != {*HIDDEN, "arcs"}:
            raise UsageError("steps: there must be one for each hidden layer")
        for name, step in self.steps.items():
            check_factor(f"steps.{name}", step)


def to_model(parser: NeuralParser) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
    """The settings and arrays of a trained parser."""
    settings = {
        "training": to_mapping(parser),
        "steps": parser.steps_,
        "projective": parser.projective_,
        "single_root": parser.single_root_,
    }
    names = {f"names.{one}": pack_names(getattr(parser.vocabulary_, one)) for one in NAMES}
    return settings, {**parser.arrays_, **names}


def of_model(settings: Stored, model: ModelFile) -> NeuralParser:
    """The parser of checked settings, whose arrays are yet to be checked."""
    parser = settings.training
    lists = {one: unpack_names(model.array(f"names.{one}")) for one in NAMES}
    check_lists(lists)
    parser.vocabulary_ = Vocabulary(**lists)
    if bool(lists["characters"]) != (CHARACTER_LAYER in settings.steps):
        raise ModelError("its characters and its steps do not fit: the model is damaged")
    parser.arrays_, parser.steps_ = checked_arrays(parser, model), settings.steps
    parser.projective_, parser.single_root_ = settings.projective, settings.single_root
    return parser


def check_lists(lists: Mapping[str, tuple[str, ...]]) -> None:
    """Raise unless all tags and relations can be written."""
    try:
        for name in (*TAG_COLUMNS, "relations"):
            check_texts(name, lists[name])
    except UsageError as error:
        raise ModelError(f"{error}: the model is damaged") from None


def checked_arrays(parser: NeuralParser, model: ModelFile) -> dict[str, NDArray[Any]]:
    """The arrays of a network, if each has the shape that the settings and the names give it."""
    expected = shapes_of(parser, model.array("vectors"))
    found: dict[str, NDArray[Any]] = {}
    for name, shape in expected.items():
        array = model.array(name)
        is_number = name.endswith((".scale", ".bias", ".distance"))
        check_array(name, array, np.float32 if is_number else np.int8, shape)
        if is_number:
            check_weights(name, array, -LARGEST_SCALE, LARGEST_SCALE)
        found[name] = array
    return found


def shapes_of(parser: NeuralParser, vectors: NDArray[Any]) -> dict[str, tuple[int, ...]]:
    """The shapes of all arrays of a network."""
    sizes, names = parser.sizes, parser.vocabulary_
    labels = max(len(names.relations), 1)
    if vectors.ndim != 2:
        raise ModelError("array 'vectors' is not a table: the model is damaged")
    tables = {
        "words": (FIRST_WORD + len(names.words), sizes.words),
        "vectors": (1 + len(names.vectors), vectors.shape[1]),
        "hashed": (len(HASHED) * SLOTS, sizes.hashed),
    }
    inputs = sizes.words + vectors.shape[1] + len(HASHED) * sizes.hashed
    tags = sizes.tags * len(names.columns)
    for name in names.columns:
        tables[f"tags.{name}"] = (len(names.tags(name)), sizes.tags)
    layers: dict[str, tuple[int, ...]] = {}
    if names.characters:
        tables["characters"] = (FIRST_CHARACTER + len(names.characters), DIMENSIONS)
        layers[CHARACTER_LAYER] = (WINDOW * DIMENSIONS, sizes.characters)
        inputs += sizes.characters
    gates = 4 * sizes.units
    for number in range(sizes.layers):
        layers[f"encoder.{number}.input"] = (2, inputs, gates)
        layers[f"encoder.{number}.recurrent"] = (2, sizes.units, gates)
        if inputs > MAX_INPUTS:
            raise ModelError(f"its layers have up to {inputs} inputs, more than {MAX_INPUTS}")
        inputs = 2 * sizes.units + tags
    for name, size in zip(HIDDEN, [sizes.arcs] * 2 + [sizes.relations] * 2 + [sizes.tagging],
                          strict=True):  # fmt: skip
        layers[name] = (inputs if name != "tagging" else 2 * sizes.units, size)
    layers["arcs.product"] = (sizes.arcs, sizes.arcs)
    layers["relations.from-heads"] = layers["relations.from-modifiers"] = (sizes.relations, labels)
    for name in names.columns:
        layers[f"tagging.{name}"] = (sizes.tagging, len(names.tags(name)))
    found: dict[str, tuple[int, ...]] = {**tables, **layers}
    for name, shape in layers.items():
        outputs = (*shape[:-2], shape[-1])
        found[f"{name}.scale"] = outputs
        if not name.endswith(".recurrent"):
            found[f"{name}.bias"] = outputs
    found["arcs.distance"] = (FROM_ROOT + 1,)
    found["relations.product"] = (sizes.relations, sizes.relations * labels)
    found["relations.product.scale"] = (labels,)
    return found


def rows_of_text(report: Mapping[str, Any] | None) -> list[Row]:
    """What a card says of parsed text that was learnt from besides the treebank."""
    if report is None:
        return []
    told = (
        f"{report['sentences']:,} sentences ({report['words']:,} words) once an epoch, the "
        f"treebank {report['gold_weight']} times"
    )
    return [("text parsed by teachers", told)]


def card(parser: NeuralParser, settings: Mapping[str, Any]) -> str:
    """The card of a neural parser, in Markdown."""
    report, sizes = settings["report"], parser.sizes
    rows: list[Row] = [
        *settings["about"].items(),
        ("scorer", f"neural: BiLSTM of {sizes.layers} × {sizes.units} units, biaffine"),
        ("loss", parser.loss),
        ("search", "projective" if parser.projective_ else "non-projective"),
        ("weights", f"{report['weights']:,}, 8 bits each"),
        ("pretrained vectors", f"{report['vectors']:,}"),
        ("sentences learnt from", f"{report['sentences']:,} ({report['words']:,} words)"),
        *rows_of_text(report.get("text")),
        ("sentences left out", report["left_out"]),
        ("epochs", f"{report['epochs']}, the weights are from epoch {report['epoch']}"),
        ("seed", parser.seed),
        row_of_temperatures(settings),
    ]
    for name, title in (("dev_uas", "UAS"), ("dev_las", "LAS with subtypes")):
        if name in report:
            floats = report.get(f"{name}_floats")
            more = "" if floats is None else f" ({floats:.2f} with 32-bit floats)"
            rows.append((f"{title} on dev, all tokens, own tags", f"{report[name]:.2f}{more}"))
    does = "It finds tags, heads and relations."
    return card_with_curves("A neural dependency parser", rows, does, report)
