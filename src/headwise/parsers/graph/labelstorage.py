"""Labels in a model file: those of a second stage, with its weights, or of labelled arcs."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from headwise.errors import FormatError, ModelError, UsageError
from headwise.kernels.labels.features import LabelLists
from headwise.scoring.linear.labeller import Labeller
from headwise.scoring.linear.labels import MAX_LABELS, LabelInventory
from headwise.scoring.linear.labeltemplates import compiled_templates
from headwise.scoring.linear.tables import LARGEST
from headwise.storage.arraychecks import (
    check_array,
    check_indices,
    check_map,
    check_power_of_two,
    check_starts,
    check_weights,
)
from headwise.storage.modelfile import ModelFile
from headwise.storage.sparse import pack_sparse, unpack_sparse
from headwise.storage.storedsettings import check_factor, check_texts

SECOND_STAGE, JOINT = "second-stage", "joint"
TABLE_TYPES = (np.int8, np.int16, np.float32)


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredLabels:
    """What a model says of its labels; templates and scale are of a second stage."""

    kind: Literal["second-stage", "joint"]
    names: tuple[str, ...]
    root: int
    templates: tuple[str, ...] = ()
    scale: float = 1.0

    def check(self) -> None:
        if not 0 <= self.root < len(self.names) <= MAX_LABELS:
            raise UsageError(f"root is the number of one of up to {MAX_LABELS} names")
        check_texts("names", self.names)
        check_factor("scale", self.scale)
        try:
            compiled_templates(self.templates)
        except FormatError as error:
            raise UsageError(f"templates: {error}") from None


def pack_labels(
    labeller: Labeller | None, joint: LabelInventory | None
) -> tuple[dict[str, Any] | None, dict[str, NDArray[Any]]]:
    """Settings and arrays of a parser's labels; None if it has none."""
    inventory = joint if labeller is None else labeller.inventory
    if inventory is None:
        return None, {}
    lists = inventory.lists
    settings = {"names": list(inventory.names), "root": inventory.root, "kind": JOINT}
    arrays: dict[str, NDArray[Any]] = {
        "labels.keys": lists.keys,
        "labels.values": lists.values,
        "labels.starts": lists.starts,
        "labels.lists": lists.labels,
    }
    if labeller is not None:
        settings |= {
            "kind": SECOND_STAGE,
            "templates": list(labeller.templates),
            "scale": labeller.scale,
        }
        arrays |= pack_sparse("labels.weights", labeller.table)
    return settings, arrays


def unpack_labels(
    settings: StoredLabels | None, model: ModelFile
) -> tuple[Labeller | None, LabelInventory | None]:
    """The second stage of a saved parser, or the labels that its arcs have, or neither."""
    if settings is None:
        return None, None
    lists = unpack_lists(model, len(settings.names))
    inventory = LabelInventory(settings.names, settings.root, lists)
    if settings.kind == JOINT:
        return None, inventory
    table = label_weights(model.arrays)
    return Labeller(inventory, settings.templates, table, settings.scale), None


def unpack_lists(model: ModelFile, labels: int) -> LabelLists:
    """The lists of labels that arcs may have, checked: search trusts them."""
    names = ("keys", "values", "starts", "lists")
    # Writable: kernels would be compiled again for any other.
    lists = LabelLists(*(np.array(model.array(f"labels.{name}")) for name in names))
    check_array("labels.starts", lists.starts, np.int32, (None,))
    check_array("labels.lists", lists.labels, np.int32, (None,))
    check_starts("labels.starts", lists.starts, len(lists.labels), fewest=1, fewest_rows=1)
    check_indices("labels.lists", lists.labels, labels)
    check_no_label_twice(lists)
    check_map("labels", lists.keys, lists.values, len(lists.starts) - 1)
    return lists


def check_no_label_twice(lists: LabelLists) -> None:
    """Raise if a list has a label twice.

    Search takes room for all pairs of labels of the longest list, which has each but once.
    """
    rows = np.repeat(np.arange(len(lists.starts) - 1), np.diff(lists.starts))
    order = np.lexsort((lists.labels, rows))
    rows, labels = rows[order], lists.labels[order]
    if ((rows[1:] == rows[:-1]) & (labels[1:] == labels[:-1])).any():
        raise ModelError("array 'labels.lists' has a label twice in a list: the model is damaged")


def label_weights(arrays: Mapping[str, NDArray[Any]]) -> NDArray[Any]:
    """The weights of a second stage."""
    table = unpack_sparse("labels.weights", arrays)
    check_array("labels.weights", table, TABLE_TYPES, (None,))
    check_power_of_two("labels.weights", len(table), maximum=1 << LARGEST["labels"])
    if table.dtype == np.float32:
        check_weights("labels.weights", table)
    return table
