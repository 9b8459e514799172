"""Saving and loading linear rerankers as model folders."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from headwise.errors import ModelError, SourceLocation, UsageError
from headwise.reranking.learners import RerankerSettings
from headwise.reranking.linear import LinearReranker
from headwise.reranking.rows import FeatureRows, Features, Ints, T, Vocabulary
from headwise.storage.arraychecks import check_array, check_indices, check_starts, check_weights
from headwise.storage.modelcard import Row, card_of
from headwise.storage.modelfile import ModelFile, load_model, reporting_damage, save_model
from headwise.storage.packednames import pack_names, unpack_names
from headwise.storage.settings import to_mapping
from headwise.storage.storedsettings import check_factor, stored_settings

KIND = "reranker"
MOST_VOTES = 1 << 40
"""Largest vote count of one perceptron; sums of votes stay exact."""

Arrays = dict[str, npt.NDArray[Any]]


@dataclass(frozen=True, slots=True)
class StoredReranker:
    """The settings of a stored reranker."""

    trees: str
    features: tuple[str, ...]
    parameters: RerankerSettings
    unit: float
    scale: float
    labels: tuple[str, ...] = ()

    def check(self) -> None:
        """Raise if a value is invalid."""
        check_factor("unit", self.unit)
        if self.scale != 0:
            check_factor("scale", self.scale)


def save_reranker(
    path: str | Path,
    reranker: LinearReranker[T],
    trees: str,
    *,
    about: Mapping[str, Any] | None = None,
    force: bool = False,
) -> None:
    """Save a reranker of a kind of trees (dependencies, constituents); `about` is for its card.

    Feature functions are saved by name: custom ones must be passed again when loading.
    """
    if not hasattr(reranker, "vocabulary_"):
        raise UsageError("this reranker is not fitted; call fit() first")
    settings = {
        "trees": trees,
        "features": list(reranker.features),
        "parameters": {one.name: getattr(reranker, one.name) for one in fields(RerankerSettings)},
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
    """Load a reranker; `features` are the available feature functions, by name."""
    model = load_model(path, KIND)
    with reporting_damage("reranker", SourceLocation(str(path))):
        settings = stored_settings(StoredReranker, model.settings, "reranker")
        if settings.trees != trees:
            raise ModelError(f"is a reranker of {settings.trees}, not of {trees}")
        for name in settings.features:
            if name not in features:
                raise ModelError(f"requires the feature function {name!r}: pass it in `features`")
        return reranker_of(settings, model, features)


def reranker_of(
    settings: StoredReranker, model: ModelFile, features: Mapping[str, Features[T]]
) -> LinearReranker[T]:
    """The reranker of a model file."""
    chosen = {name: features[name] for name in settings.features}
    reranker = LinearReranker(chosen, **to_mapping(settings.parameters))
    reranker.vocabulary_ = Vocabulary(unpack_names(model.array("names")))
    reranker.unit_, reranker.scale_ = settings.unit, settings.scale
    reranker.labels_ = frozenset(settings.labels)
    columns = len(reranker.vocabulary_)
    if reranker.learner == "voted":
        reranker.steps_, reranker.votes_ = read_steps(model, columns)
    else:
        reranker.weights_ = model.array("weights")
        check_array("weights", reranker.weights_, np.float64, (columns,))
        check_weights("weights", reranker.weights_)
    return reranker


def read_steps(model: ModelFile, columns: int) -> tuple[FeatureRows, Ints]:
    """The updates of a voted perceptron, and its votes."""
    starts, found = model.array("step_starts"), model.array("step_columns")
    values, votes = model.array("step_values"), model.array("votes")
    check_array("step_columns", found, np.int64, (None,))
    check_array("step_starts", starts, np.int64, (None,))
    check_starts("step_starts", starts, len(found))
    check_indices("step_columns", found, columns)
    check_array("step_values", values, np.float64, found.shape)
    check_weights("step_values", values)
    check_votes(votes, len(starts))
    return FeatureRows(starts, found, values), votes


def check_votes(votes: npt.NDArray[Any], count: int) -> None:
    """Raise unless there are `count` vote counts, and one is above 0."""
    check_array("votes", votes, np.int64, (count,))
    check_indices("votes", votes, MOST_VOTES)
    if not votes.any():
        raise ModelError("array 'votes' has no votes: the model is damaged")


def card(settings: Mapping[str, Any], about: Mapping[str, Any]) -> str:
    """The model card of a reranker, in Markdown."""
    rows: list[Row] = [
        ("trees", settings["trees"]),
        ("learner", settings["parameters"]["learner"]),
        ("features", ", ".join(settings["features"])),
        ("scale of probabilities", f"{settings['scale']:.4g}"),
        *about.items(),
    ]
    return card_of("A reranker of candidate lists", rows)
