"""Candidates of a word: its likely heads, and the likely relations to the head it has.

In MISC, most likely first: `Heads=2/0.9512,4/0.0301` and `Relations=nsubj:pass/0.9012,obj/0.0820`.
"""

import re
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from headwise.corpus.projectivise import plain
from headwise.scoring.chances import LabelDistributions

HEADS, RELATIONS = "Heads", "Relations"
BETWEEN = re.compile(r"(?<=/[01]\.\d{4}),")
"""The separator of candidates; relation names may contain commas too."""
CANDIDATE = {
    HEADS: re.compile(r"([0-9]{1,9})/([01]\.\d{4})"),
    RELATIONS: re.compile(r"(.+)/([01]\.\d{4})"),
}

Candidates = list[tuple[str, float]]
"""Names, of relations or of heads by number, with their probabilities."""


def head_items(arc: NDArray[np.float64], minimum: float) -> list[str]:
    """The likely heads of each word as MISC items, from probabilities [head, word]."""
    return [item(HEADS, likely(column, minimum)) for column in arc.T[1:]]


def relation_items(
    found: LabelDistributions, given: Sequence[str | None], minimum: float
) -> list[str]:
    """The likely relations of each word as MISC items; given relations have probability 1."""
    names = [plain(name) for name in found.names]
    return [
        item(RELATIONS, merged(names, likely(row, minimum)) if kept is None else [(kept, 1.0)])
        for row, kept in zip(found.chances[1:], given, strict=True)
    ]


def likely(chances: NDArray[np.float64], minimum: float) -> Candidates:
    """The indices with at least this probability, most likely first, and always the best one."""
    order = np.argsort(-chances, kind="stable")
    count = max(1, int((chances >= minimum).sum()))
    return [(str(one), float(chances[one])) for one in order[:count].tolist()]


def merged(names: Sequence[str], found: Candidates) -> Candidates:
    """Relations by name; labels that differ only in how the arc was lifted are merged."""
    chances: dict[str, float] = {}
    for index, chance in found:
        name = names[int(index)]
        chances[name] = chances.get(name, 0.0) + chance
    return sorted(chances.items(), key=lambda pair: -pair[1])


def item(key: str, candidates: Candidates) -> str:
    """Candidates as an item of MISC."""
    return f"{key}=" + ",".join(f"{name}/{min(chance, 1.0):.4f}" for name, chance in candidates)


def read_item(key: str, value: str) -> Candidates | None:
    """The candidates in the value of a MISC item; None if it is not in our format."""
    pairs = [CANDIDATE[key].fullmatch(one) for one in BETWEEN.split(value)]
    found = [(pair[1], float(pair[2])) for pair in pairs if pair is not None]
    return found if len(found) == len(pairs) else None
