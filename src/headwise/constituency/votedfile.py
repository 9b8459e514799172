"""The voted perceptron with the tree kernel as a model folder: the trees it compares with."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from headwise.constituency.treekernel import KernelSpace, Productions
from headwise.constituency.voted import VotedTreePerceptron
from headwise.errors import Place, UsageError
from headwise.kernels.treekernel import Forest
from headwise.storage.modelcard import Row, card_of
from headwise.storage.modelfile import ModelFile, holding_together, load_model, save_model

KIND = "tree-kernel-reranker"
Ints = npt.NDArray[np.int64]


def save_voted(
    path: str | Path,
    model: VotedTreePerceptron,
    *,
    about: Mapping[str, Any] | None = None,
    force: bool = False,
) -> None:
    """Save what was learned; of all trees it was shown, only those that were kept."""
    if not hasattr(model, "votes_"):
        raise UsageError("this reranker has learnt nothing yet: call fit")
    pairs = np.array(model.support_, np.int64).reshape(-1, 2)
    kept, places = np.unique(pairs, return_inverse=True)
    forest, used = part_of(model.space_.forest, kept)
    keys = list(model.productions_.numbers)
    names = "\n".join("\t".join(keys[number]) for number in used.tolist())
    arrays: dict[str, npt.NDArray[Any]] = {
        "support": places.reshape(-1, 2).astype(np.int64),
        "gaps": np.array(model.gaps_, np.float64),
        "votes": np.array(model.votes_, np.int64),
        "productions": np.frombuffer(names.encode(errors="replace"), np.uint8),
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
    """Some trees of a forest, and the productions that they have, which are numbered anew."""
    nodes = [np.arange(forest.tree_starts[x], forest.tree_starts[x + 1]) for x in kept.tolist()]
    chosen = np.concatenate([*nodes, np.zeros(0, np.int64)]).astype(np.int64)
    counts = np.diff(forest.child_starts)[chosen]
    # A node's children lie side by side: their places are the start and so many steps on.
    first = np.repeat(forest.child_starts[chosen] - np.cumsum(counts) + counts, counts)
    places = first + np.arange(len(first))
    used, numbers = np.unique(forest.production[chosen], return_inverse=True)
    columns = (
        np.concatenate([[0], np.cumsum([len(one) for one in nodes])]),
        numbers,
        np.concatenate([[0], np.cumsum(counts)]),
        forest.children[places.astype(np.int64)],
        forest.order[chosen],
    )
    return Forest(*(column.astype(np.int32) for column in columns)), used.astype(np.int64)


def load_voted(path: str | Path) -> VotedTreePerceptron:
    """What was saved."""
    file = load_model(path, KIND)
    with holding_together("reranker", Place(str(path))):
        return voted_of(file)


def voted_of(file: ModelFile) -> VotedTreePerceptron:
    """The perceptron of a model file."""
    settings = file.settings
    model = VotedTreePerceptron(
        decay=float(settings["decay"]),
        score_weight=float(settings["score_weight"]),
        epochs=int(settings["epochs"]),
    )
    model.labels_ = frozenset(settings.get("labels", ()))
    text = file.array("productions").astype(np.uint8).tobytes().decode()
    keys = [tuple(line.split("\t")) for line in text.split("\n")] if text else []
    model.productions_ = Productions()
    model.productions_.numbers = {key: number for number, key in enumerate(keys)}
    forest = Forest(*(file.array(f"forest.{name}") for name in Forest._fields))
    check_forest(forest, len(keys))
    support, votes = file.array("support"), file.array("votes")
    trees = len(forest.tree_starts) - 1
    if len(votes) != len(support) + 1 or (
        support.size and not 0 <= support.min() <= support.max() < trees
    ):
        raise ValueError("its votes or its trees do not fit")
    model.space_ = KernelSpace.of(forest, model.decay)
    model.support_ = [(int(better), int(worse)) for better, worse in support.tolist()]
    model.gaps_ = file.array("gaps").astype(np.float64).tolist()
    model.votes_ = votes.tolist()
    return model


def check_forest(forest: Forest, productions: int) -> None:
    """Raise unless every number points to something: kernels do not look."""
    if any(array.dtype != np.int32 for array in forest):
        raise ValueError("its trees are no whole numbers")
    nodes = len(forest.production)
    for starts, last in ((forest.tree_starts, nodes), (forest.child_starts, len(forest.children))):
        if starts[0] != 0 or starts[-1] != last or (np.diff(starts) < 0).any():
            raise ValueError("its trees are out of order")
    if len(forest.child_starts) != nodes + 1 or len(forest.order) != nodes:
        raise ValueError("its trees are cut short")
    sizes = np.repeat(np.diff(forest.tree_starts), np.diff(forest.tree_starts))
    owners = np.repeat(sizes, np.diff(forest.child_starts))
    bad = (forest.order < 0) | (forest.order >= sizes) | (forest.production >= productions)
    if bad.any() or (forest.production < 0).any():
        raise ValueError("its trees have unknown nodes")
    if ((forest.children < 0) | (forest.children >= owners)).any():
        raise ValueError("its trees have unknown children")
