"""Labels in a model file: those of a second stage, with its weights, or of labelled arcs."""

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from headwise.errors import FormatError, ModelError, Place
from headwise.features.labeller import Labeller
from headwise.features.labels import LabelInventory
from headwise.features.labeltemplates import compiled_templates
from headwise.storage.modelfile import ModelFile
from headwise.storage.sparse import pack_sparse, unpack_sparse

SECOND_STAGE, JOINT = "second-stage", "joint"
TABLE_TYPES = (np.int8, np.int16, np.float32)


def pack_labels(
    labeller: Labeller | None, joint: LabelInventory | None
) -> tuple[dict[str, Any] | None, dict[str, NDArray[Any]]]:
    """Settings and arrays of a parser's labels; None if it has none."""
    inventory = joint if labeller is None else labeller.inventory
    if inventory is None:
        return None, {}
    settings, arrays = inventory.to_model()
    settings["kind"] = JOINT if labeller is None else SECOND_STAGE
    if labeller is not None:
        settings |= {"templates": list(labeller.templates), "scale": labeller.scale}
        arrays |= pack_sparse("labels.weights", labeller.table)
    return settings, arrays


def unpack_labels(model: ModelFile, place: Place) -> tuple[Labeller | None, LabelInventory | None]:
    """The second stage of a saved parser, or the labels that its arcs have, or neither."""
    settings = model.settings.get("labels")
    if settings is None:
        return None, None
    try:
        inventory = LabelInventory.from_model(settings, model.arrays)
        if settings["kind"] == JOINT:
            return None, inventory
        templates = tuple(map(str, settings["templates"]))
        compiled_templates(templates)
        scale = float(settings["scale"])
    except (KeyError, TypeError, ValueError, FormatError) as error:
        raise ModelError(f"its labels are damaged: {error}", place) from error
    table = unpack_sparse("labels.weights", model.arrays)
    size = len(table)
    if table.ndim != 1 or size < 2 or size & (size - 1) or table.dtype not in TABLE_TYPES:
        raise ModelError("its weights of labels are damaged", place)
    if not 0 < scale < math.inf:
        raise ModelError("its scale of labels is no positive number", place)
    return Labeller(inventory, templates, table, scale), None
