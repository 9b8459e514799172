"""Saving and loading the voted tree-kernel perceptron as a model folder."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from headwise.constituency.voted import MAX_NODES, KernelSpace, Productions, VotedTreePerceptron
from headwise.errors import ModelError, SourceLocation, UsageError
from headwise.kernels.constituents.treekernel import Forest
from headwise.reranking.storage import check_votes
from headwise.storage.arraychecks import check_array, check_indices, check_starts, check_weights
from headwise.storage.modelcard import Row, card_of
from headwise.storage.modelfile import ModelFile, load_model, reporting_damage, save_model
from headwise.storage.packednames import pack_names, unpack_names
from headwise.storage.storedsettings import check_factor, stored_settings

KIND = "tree-kernel-reranker"
Ints = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class StoredVoted:
    """The settings of a stored voted perceptron."""

    decay: float
    score_weight: float
    epochs: int
    labels: tuple[str, ...] = ()

    def check(self) -> None:
        if not 0 < self.decay <= 1:
            raise UsageError(f"decay must be above 0 and at most 1, not {self.decay:g}")
        if self.score_weight != 0:
            check_factor("score_weight", abs(self.score_weight))


def save_voted(
    path: str | Path,
    model: VotedTreePerceptron,
    *,
    about: Mapping[str, Any] | None = None,
    force: bool = False,
) -> None:
    """Save a perceptron with its support trees."""
    if not hasattr(model, "votes_"):
        raise UsageError("this reranker is not fitted; call fit() first")
    pairs = np.array(model.support_, np.int64).reshape(-1, 2)
    kept, indices = np.unique(pairs, return_inverse=True)
    forest, used = part_of(model.space_.forest, kept)
    keys = list(model.productions_.numbers)
    names = ["\t".join(keys[number]) for number in used.tolist()]
    arrays: dict[str, npt.NDArray[Any]] = {
        "support": indices.reshape(-1, 2).astype(np.int64),
        "gaps": np.array(model.gaps_, np.float64),
        "votes": np.array(model.votes_, np.int64),
        "productions": pack_names(names),
        **{f"forest.{name}": array for name, array in forest._asdict().items()},
    }
    settings = {
        "decay": model.decay,
        "score_weight": model.score_weight,
        "epochs": model.epochs,
        "labels": sorted(model.labels_),
    }
    rows: list[Row] = [
        ("lists voted on", sum(model.votes_)),
        ("changes", len(model.support_)),
        *(about or {}).items(),
    ]
    card = card_of("A reranker: voted perceptron with the tree kernel", rows)
    save_model(path, ModelFile(KIND, settings, arrays, card), force=force)


def part_of(forest: Forest, kept: Ints) -> tuple[Forest, Ints]:
    """Some trees of a forest, and their productions, renumbered."""
    nodes = [np.arange(forest.tree_starts[x], forest.tree_starts[x + 1]) for x in kept.tolist()]
    chosen = np.concatenate([*nodes, np.zeros(0, np.int64)]).astype(np.int64)
    counts = np.diff(forest.child_starts)[chosen]
    # The children of a node are adjacent: their indices are consecutive from its start.
    first = np.repeat(forest.child_starts[chosen] - np.cumsum(counts) + counts, counts)
    indices = first + np.arange(len(first))
    used, numbers = np.unique(forest.production[chosen], return_inverse=True)
    columns = (
        np.concatenate([[0], np.cumsum([len(one) for one in nodes])]),
        numbers,
        np.concatenate([[0], np.cumsum(counts)]),
        forest.children[indices.astype(np.int64)],
        forest.order[chosen],
    )
    return Forest(*(column.astype(np.int32) for column in columns)), used.astype(np.int64)


def load_voted(path: str | Path) -> VotedTreePerceptron:
    """Load a saved perceptron."""
    file = load_model(path, KIND)
    with reporting_damage("reranker", SourceLocation(str(path))):
        return voted_of(file)


def voted_of(file: ModelFile) -> VotedTreePerceptron:
    """The perceptron of a model file."""
    settings = stored_settings(StoredVoted, file.settings, "reranker")
    model = VotedTreePerceptron(
        decay=settings.decay, score_weight=settings.score_weight, epochs=settings.epochs
    )
    model.labels_ = frozenset(settings.labels)
    keys = [tuple(line.split("\t")) for line in unpack_names(file.array("productions"))]
    model.productions_ = Productions()
    model.productions_.numbers = {key: number for number, key in enumerate(keys)}
    forest = Forest(*(file.array(f"forest.{name}") for name in Forest._fields))
    check_forest(forest, np.array([arity(key) for key in keys], np.int64))
    support, gaps, votes = file.array("support"), file.array("gaps"), file.array("votes")
    check_array("support", support, np.int64, (None, 2))
    check_indices("support", support, len(forest.tree_starts) - 1)
    check_array("gaps", gaps, np.float64, support.shape[:1])
    check_weights("gaps", gaps)
    check_votes(votes, len(support) + 1)
    model.space_ = KernelSpace.of(forest, model.decay)
    model.support_ = [(better, worse) for better, worse in support.tolist()]
    model.gaps_, model.votes_ = gaps.tolist(), votes.tolist()
    return model


def check_forest(forest: Forest, arities: Ints) -> None:
    """Raise unless trees follow productions of these arities, as the kernels assume."""
    nodes = len(forest.production)
    lengths = (None, nodes, nodes + 1, None, nodes)
    for name, array, length in zip(Forest._fields, forest, lengths, strict=True):
        check_array(f"forest.{name}", array, np.int32, (length,))
    check_starts("forest.tree_starts", forest.tree_starts, nodes, fewest=1)
    if nodes and np.diff(forest.tree_starts).max() > MAX_NODES:
        raise ModelError(f"array 'forest.tree_starts' has a tree of more than {MAX_NODES:,} nodes")
    check_starts("forest.child_starts", forest.child_starts, len(forest.children))
    check_indices("forest.production", forest.production, len(arities))
    counts = np.diff(forest.child_starts)
    if (counts != arities[forest.production]).any():
        raise ModelError("array 'forest.child_starts' does not match its productions")
    starts = np.repeat(forest.tree_starts[:-1].astype(np.int64), np.diff(forest.tree_starts))
    parents = np.repeat(np.arange(nodes) - starts, counts)
    if ((forest.children < 0) | (forest.children >= parents)).any():
        raise ModelError("array 'forest.children' has children after their parents")
    check_order(forest, starts)


def check_order(forest: Forest, starts: Ints) -> None:
    """Raise unless the nodes of each tree are sorted by production; `starts` are of their trees."""
    listed = forest.order.astype(np.int64) + starts
    expected = np.lexsort((forest.production, starts))
    if not np.array_equal(np.sort(listed), np.arange(len(listed))) or not np.array_equal(
        forest.production[listed], forest.production[expected]
    ):
        raise ModelError("array 'forest.order' is not sorted by production")


def arity(production: tuple[str, ...]) -> int:
    """The number of children of a production; a word, after an empty label, has none."""
    return 0 if production[1:2] == ("",) else len(production) - 1
