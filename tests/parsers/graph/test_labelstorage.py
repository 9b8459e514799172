"""Labels in a model: the same again, and refused if a kernel would look up what is not there."""

from functools import cache

import numpy as np
import pytest

from headwise.errors import FormatError, InputError, ModelError
from headwise.parsers.graph.labelstorage import StoredLabels, pack_labels, unpack_labels
from headwise.scoring.linear.atoms import AtomEncoder
from headwise.scoring.linear.labeller import Labeller
from headwise.scoring.linear.labels import MAX_LABELS, LabelInventory, learn_inventory
from headwise.storage.modelfile import ModelFile
from headwise.storage.settings import from_mapping
from labelledtoys import labelled_treebank

TRAIN = labelled_treebank(60, 1)


@cache
def inventory() -> LabelInventory:
    heads = np.concatenate([np.array([-1, *one.heads]) for one in TRAIN])
    return learn_inventory(TRAIN, AtomEncoder().encode(TRAIN), heads)


@cache
def toy_labeller() -> Labeller:
    return Labeller(inventory(), ("m.tag side",), np.arange(-4, 4, dtype=np.int8), 0.5)


def unpacked(labeller, joint=None, **changed):
    settings, arrays = pack_labels(labeller, joint)
    model = ModelFile("parser", {}, {**arrays, **changed}, "")
    return unpack_labels(from_mapping(StoredLabels, settings), model)


def test_a_second_stage_comes_back():
    labeller, joint = unpacked(toy_labeller())
    assert joint is None
    assert labeller.inventory.names == inventory().names
    assert (labeller.templates, labeller.scale) == (toy_labeller().templates, toy_labeller().scale)
    assert np.array_equal(labeller.table, toy_labeller().table)
    for old, new in zip(inventory().lists, labeller.inventory.lists, strict=True):
        assert np.array_equal(old, new)


def test_labels_of_arcs_come_back_and_so_does_nothing():
    labeller, joint = unpacked(None, inventory())
    assert labeller is None
    assert joint.names == inventory().names
    assert unpack_labels(None, ModelFile("parser", {}, {}, "")) == (None, None)


DAMAGES = {
    "labels.keys": lambda lists: lists.keys[:-1],
    "labels.values": lambda lists: np.zeros_like(lists.values),  # no slot is free: no end of search
    "labels.starts": lambda lists: lists.starts[::-1].copy(),
    "labels.lists": lambda lists: lists.labels + np.int32(len(inventory().names)),
    "labels.weights.shape": lambda _: np.array([6]),
}


@pytest.mark.parametrize("name", DAMAGES)
def test_damaged_arrays_are_refused(name):
    with pytest.raises(ModelError):
        unpacked(toy_labeller(), **{name: DAMAGES[name](inventory().lists)})


def test_a_list_has_each_label_once():
    """Search takes room for all pairs of labels of a list, however long it is."""
    lists = inventory().lists
    again = np.tile(lists.labels[lists.starts[0] : lists.starts[1]], 1000)
    labels = np.concatenate([again, lists.labels[lists.starts[1] :]])
    starts = lists.starts + np.int32(len(again) - lists.starts[1])
    starts[0] = 0
    with pytest.raises(ModelError, match="has a label twice in a list"):
        unpacked(toy_labeller(), **{"labels.lists": labels, "labels.starts": starts})


def test_a_treebank_of_too_many_labels_is_refused():
    one = TRAIN[0]
    many = [
        one.with_tree(one.heads, [f"{name}:{n}" for name in one.relations])
        for n in range(MAX_LABELS)
    ]
    heads = np.concatenate([np.array([-1, *one.heads]) for one in many])
    with pytest.raises(InputError, match="different relations, more than the limit of 1,000"):
        learn_inventory(many, AtomEncoder().encode(many), heads)


def test_weights_that_are_no_numbers_are_refused():
    broken = Labeller(inventory(), toy_labeller().templates, np.array([1, np.nan], np.float32))
    with pytest.raises(ModelError, match=r"array 'labels.weights' has values that are not"):
        unpacked(broken)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"root": 99}, "root is the number of one"),
        ({"root": True}, "root: expected an integer"),
        ({"scale": 0.0}, "scale must be from"),
        ({"scale": 1e300}, "scale must be from"),
        ({"scale": 1e30}, "scale must be from"),
        ({"names": [str(n) for n in range(2000)]}, "one of up to 1000 names"),
        ({"templates": ["nothing"]}, "templates: unknown view 'nothing'"),
        ({"templates": [1]}, "templates.0: expected a string"),
        ({"kind": "third"}, "kind: expected one of"),
        ({"more": 1}, "more: unknown key"),
    ],
)
def test_damaged_settings_are_refused(change, message):
    settings, _ = pack_labels(toy_labeller(), None)
    with pytest.raises(FormatError, match=message):
        from_mapping(StoredLabels, {**settings, **change})


@pytest.mark.parametrize("name", ["", "a\tb", "a\nb", "a\r", "\ud800"])
def test_names_that_would_break_what_is_written_are_refused(name):
    settings, _ = pack_labels(toy_labeller(), None)
    with pytest.raises(FormatError, match="cannot be written into a CoNLL-U column"):
        from_mapping(StoredLabels, settings | {"names": [name, *settings["names"][1:]]})
