"""Linear rerankers as model folders."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from headwise.errors import ModelError, Place, UsageError
from headwise.reranking.linear import LinearReranker
from headwise.reranking.rows import Features, Rows, T, Vocabulary
from headwise.storage.modelcard import Row, card_of
from headwise.storage.modelfile import ModelFile, holding_together, load_model, save_model
from headwise.storage.packednames import pack_names, unpack_names

KIND = "reranker"
PARAMETERS = ("learner", "epochs", "least", "most", "prior", "seed")

Arrays = dict[str, npt.NDArray[Any]]


def save_reranker(
    path: str | Path,
    reranker: LinearReranker[T],
    trees: str,
    *,
    about: Mapping[str, Any] | None = None,
    force: bool = False,
) -> None:
    """Save a reranker of some kind of trees (dependencies, constituents); `about` is for its card.

    Functions of features are saved by name: those that are not Headwise's must be given again.
    """
    if not hasattr(reranker, "vocabulary_"):
        raise UsageError("this reranker has learnt nothing yet: call fit")
    settings = {
        "trees": trees,
        "features": list(reranker.features),
        "parameters": {name: getattr(reranker, name) for name in PARAMETERS},
        "unit": reranker.unit_,
        "scale": reranker.scale_,
        "labels": sorted(reranker.labels_),
    }
    arrays: Arrays = {"names": pack_names(reranker.vocabulary_.names)}
    if reranker.learner == "voted":
        steps = reranker.steps_
        arrays |= {"step_starts": steps.starts, "step_columns": steps.columns}
        arrays |= {"step_values": steps.values, "votes": reranker.votes_}
    else:
        arrays["weights"] = reranker.weights_
    save_model(path, ModelFile(KIND, settings, arrays, card(settings, about or {})), force=force)


def load_reranker(
    path: str | Path, trees: str, features: Mapping[str, Features[T]]
) -> LinearReranker[T]:
    """A reranker that was saved; `features` are the functions that it may use, by name."""
    model, place = load_model(path, KIND), Place(str(path))
    settings = model.settings
    if settings.get("trees") != trees:
        raise ModelError(f"is a reranker of {settings.get('trees')}, not of {trees}", place)
    unknown = [name for name in settings["features"] if name not in features]
    if unknown:
        raise ModelError(f"needs the function of features {unknown[0]!r}: give it", place)
    with holding_together("reranker", place):
        return reranker_of(model, features)


def reranker_of(model: ModelFile, features: Mapping[str, Features[T]]) -> LinearReranker[T]:
    """The reranker of a model file."""
    settings = model.settings
    chosen = {name: features[name] for name in settings["features"]}
    reranker = LinearReranker(chosen, **settings["parameters"])
    reranker.check()
    reranker.vocabulary_ = Vocabulary(unpack_names(model.array("names")))
    reranker.unit_, reranker.scale_ = float(settings["unit"]), float(settings["scale"])
    if not reranker.unit_ > 0 or not reranker.scale_ >= 0:
        raise ValueError("its unit or scale is no positive number")
    reranker.labels_ = frozenset(settings.get("labels", ()))
    columns = len(reranker.vocabulary_)
    if reranker.learner != "voted":
        reranker.weights_ = numbers(model.array("weights"), columns)
        return reranker
    starts, found = model.array("step_starts"), model.array("step_columns")
    values, votes = numbers(model.array("step_values"), len(found)), model.array("votes")
    if starts[0] != 0 or starts[-1] != len(found) or (np.diff(starts) < 0).any():
        raise ValueError("its steps are out of order")
    if len(votes) != len(starts) or (len(found) and not 0 <= found.min() <= found.max() < columns):
        raise ValueError("its votes or columns do not fit")
    reranker.steps_ = Rows(starts.astype(np.int64), found.astype(np.int64), values)
    reranker.votes_ = votes.astype(np.int64)
    return reranker


def numbers(array: npt.NDArray[Any], length: int) -> npt.NDArray[np.float64]:
    """An array of so many finite numbers."""
    if array.shape != (length,) or not np.isfinite(array).all():
        raise ValueError("its weights do not fit")
    return array.astype(np.float64)


def card(settings: Mapping[str, Any], about: Mapping[str, Any]) -> str:
    """The card of a reranker, in Markdown."""
    rows: list[Row] = [
        ("trees", settings["trees"]),
        ("learner", settings["parameters"]["learner"]),
        ("features", ", ".join(settings["features"])),
        ("scale of probabilities", f"{settings['scale']:.4g}"),
        *about.items(),
    ]
    return card_of("A reranker of candidate lists", rows)
