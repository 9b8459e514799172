"""The labels of a treebank, and which of them an arc may have."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from headwise.corpus.sentence import MISSING, Sentence
from headwise.errors import ModelError
from headwise.features.atoms import EncodedSentences
from headwise.kernels.hashmap import build_map
from headwise.kernels.label_features import LEVELS, LabelLists, arc_keys

ROOT_LABEL = "root"
"""What arcs from the root are called where a treebank has no other name for them."""

KNOWN = 20
"""What was seen this often has no labels but those it was seen with."""

MOST_LABELS = 10_000
"""A treebank of more has something else in this column."""

Labels = NDArray[np.int32]
Heads = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class LabelInventory:
    """All labels, and the lists of those that arcs may have.

    One label is the root's: arcs from the root have it, and no others.
    """

    names: tuple[str, ...]
    root: int
    lists: LabelLists

    def numbers(self, sentences: Iterable[Sequence[str]]) -> Labels:
        """The numbers of the labels of all tokens; -1 for roots, and for labels not known."""
        return self.numbers_of(name for one in sentences for name in ("", *one))

    def numbers_of(self, names: Iterable[str]) -> Labels:
        """The numbers of labels; -1 for those not known."""
        known = {name: number for number, name in enumerate(self.names)}
        return np.array([known.get(name, -1) for name in names], np.int32)

    def to_model(self) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
        """Settings and arrays that a model file holds."""
        return {"names": list(self.names), "root": self.root}, {
            "labels.keys": self.lists.keys,
            "labels.values": self.lists.values,
            "labels.starts": self.lists.starts,
            "labels.lists": self.lists.labels,
        }

    @classmethod
    def from_model(
        cls, settings: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]
    ) -> "LabelInventory":
        """An inventory from what `to_model` gave."""
        names, root = tuple(map(str, settings["names"])), int(settings["root"])
        types = {"keys": np.uint64, "values": np.int32, "starts": np.int32, "lists": np.int32}
        found = []
        for name, kind in types.items():
            array = arrays.get(f"labels.{name}")
            if array is None or array.dtype != kind or array.ndim != 1:
                raise ModelError(f"its labels have no proper array {name!r}")
            found.append(np.array(array))  # writable: kernels would be compiled again for any other
        lists = LabelLists(*found)
        if not (0 <= root < len(names) <= MOST_LABELS and are_sound(lists, len(names))):
            raise ModelError("its lists of labels are damaged")
        return cls(names, root, lists)


def are_sound(lists: LabelLists, count: int) -> bool:
    """Whether lists hold labels of which there are so many, and a map finds nothing but lists.

    A map must have free slots, or a search in it would have no end.
    """
    size, starts = len(lists.keys), lists.starts
    return bool(
        size >= 2
        and size & (size - 1) == 0
        and len(lists.values) == size
        and len(starts) >= 2
        and starts[0] == 0
        and starts[-1] == len(lists.labels)
        and (np.diff(starts) >= 1).all()
        and ((lists.labels >= 0) & (lists.labels < count)).all()
        and ((lists.values >= -1) & (lists.values < len(starts) - 1)).all()
        and (lists.values == -1).any()
    )


def has_labels(sentences: Sequence[Sentence]) -> bool:
    """Whether there is something to learn labels from."""
    return any(relation != MISSING for one in sentences for relation in one.relations)


def learn_inventory(
    sentences: Sequence[Sentence], encoded: EncodedSentences, heads: Heads
) -> LabelInventory:
    """The labels of a treebank; the root's is the commonest of arcs from the root."""
    count: Counter[str] = Counter()
    of_root: Counter[str] = Counter()
    for one in sentences:
        count.update(one.relations)
        of_root.update(r for r, h in zip(one.relations, one.heads, strict=True) if h == 0)
    root = max(of_root, key=lambda name: (of_root[name], name), default=ROOT_LABEL)
    names = tuple(sorted(set(count) | {root}))
    blank = LabelInventory(names, names.index(root), _EMPTY)
    labels = blank.numbers(one.relations for one in sentences)
    return LabelInventory(names, blank.root, _lists(encoded, heads, labels, blank))


_EMPTY = LabelLists(
    np.zeros(0, np.uint64), np.zeros(0, np.int32), np.zeros(0, np.int32), np.zeros(0, np.int32)
)


def _lists(
    encoded: EncodedSentences, heads: Heads, labels: Labels, inventory: LabelInventory
) -> LabelLists:
    """The lists of labels that arcs were seen with, commonest first."""
    everything = tuple(n for n in range(len(inventory.names)) if n != inventory.root)
    numbers = {everything or (inventory.root,): 0}
    found: dict[int, int] = {}
    keys = arc_keys(encoded.tokens.atoms, encoded.starts, heads)
    for level in range(LEVELS - 1):
        seen: dict[int, Counter[int]] = defaultdict(Counter)
        used = (keys[level] != 0) & (labels != inventory.root)
        for key, label in zip(keys[level][used].tolist(), labels[used].tolist(), strict=True):
            seen[key][label] += 1
        for key, counts in seen.items():
            if counts.total() >= KNOWN:
                own = tuple(label for label, _ in counts.most_common())
                found[key] = numbers.setdefault(own, len(numbers))
    hashes = np.fromiter(found.keys(), np.uint64, len(found))
    map_keys, values = build_map(hashes, np.fromiter(found.values(), np.int32, len(found)))
    starts = np.cumsum([0, *map(len, numbers)], dtype=np.int32)
    flat = [label for own in numbers for label in own]
    return LabelLists(map_keys, values, starts, np.array(flat, np.int32))
