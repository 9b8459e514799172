"""The labels of a treebank, and which of them an arc may have."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from headwise.corpus.sentence import MISSING, Sentence
from headwise.errors import InputError
from headwise.kernels.labels.features import LEVELS, LabelLists, arc_keys
from headwise.kernels.primitives.hashmap import build_map
from headwise.scoring.linear.atoms import EncodedSentences

ROOT_LABEL = "root"
"""The label of arcs from the root if the treebank has none."""

KNOWN = 20
"""A configuration seen this often has only the labels it was seen with."""

MAX_LABELS = 1_000
"""A treebank with more has something else in this column; search allocates all pairs."""

UNKNOWN, NOT_GIVEN = -1, -2
"""Codes of labels that are unknown, or missing."""

Labels = NDArray[np.int32]
Heads = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class LabelInventory:
    """All labels, and the lists of those that arcs may have.

    One label is reserved for arcs from the root.
    """

    names: tuple[str, ...]
    root: int
    lists: LabelLists

    def numbers(self, sentences: Iterable[Sequence[str]]) -> Labels:
        """The indices of the labels of all tokens; negative for roots, unknown and missing
        labels."""
        return self.numbers_of(name for one in sentences for name in ("", *one))

    def numbers_of(self, names: Iterable[str]) -> Labels:
        """The indices of labels: `UNKNOWN` for unknown ones, `NOT_GIVEN` for missing ones."""
        known = {MISSING: NOT_GIVEN} | {name: number for number, name in enumerate(self.names)}
        return np.array([known.get(name, UNKNOWN) for name in names], np.int32)


def has_labels(sentences: Sequence[Sentence]) -> bool:
    """Whether there are any labels to learn."""
    return any(relation != MISSING for one in sentences for relation in one.relations)


def lacks_label(sentence: Sentence) -> bool:
    """Whether a word has no relation; words below the root need none."""
    return MISSING in sentence.relations and any(
        relation == MISSING and head != 0
        for relation, head in zip(sentence.relations, sentence.heads, strict=True)
    )


def learn_inventory(
    sentences: Sequence[Sentence], encoded: EncodedSentences, heads: Heads
) -> LabelInventory:
    """The labels of a treebank; the root's is the most frequent on arcs from the root."""
    count: Counter[str] = Counter()
    of_root: Counter[str] = Counter()
    for one in sentences:
        count.update(one.relations)
        of_root.update(r for r, h in zip(one.relations, one.heads, strict=True) if h == 0)
    for counted in (count, of_root):  # a missing relation is not a label
        del counted[MISSING]
    root = max(of_root, key=lambda name: (of_root[name], name), default=ROOT_LABEL)
    names = tuple(sorted(set(count) | {root}))
    if len(names) > MAX_LABELS:
        raise InputError(
            f"the treebank has {len(names):,} different relations, more than the limit of "
            f"{MAX_LABELS:,}: is there something else in this column?"
        )
    blank = LabelInventory(names, names.index(root), _EMPTY)
    labels = blank.numbers(one.relations for one in sentences)
    return LabelInventory(names, blank.root, _lists(encoded, heads, labels, blank))


_EMPTY = LabelLists(
    np.zeros(0, np.uint64), np.zeros(0, np.int32), np.zeros(0, np.int32), np.zeros(0, np.int32)
)


def _lists(
    encoded: EncodedSentences, heads: Heads, labels: Labels, inventory: LabelInventory
) -> LabelLists:
    """The lists of labels that arcs were seen with, most frequent first."""
    everything = tuple(n for n in range(len(inventory.names)) if n != inventory.root)
    numbers = {everything or (inventory.root,): 0}
    found: dict[int, int] = {}
    keys = arc_keys(encoded.tokens.atoms, encoded.starts, heads)
    for level in range(LEVELS - 1):
        seen: dict[int, Counter[int]] = defaultdict(Counter)
        used = (keys[level] != 0) & (labels >= 0) & (labels != inventory.root)
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
