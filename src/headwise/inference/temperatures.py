"""What scores are divided by before they become probabilities."""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from headwise.errors import UsageError
from headwise.storage.storedsettings import check_temperature

Floats = NDArray[np.float64]

FORMER_KEYS = {
    "temperature": "heads",
    "label_temperature": "relations",
    "tag_temperature": "tags",
}
"""Keys of settings in models of earlier versions."""


Curve = tuple[tuple[float, float], ...]
"""Probabilities, ascending, and the share of answers of each that were right, ascending too."""

CLOSEST = 1e-9
"""How close to 0 and 1 probabilities are told apart by their log-odds."""

MOST_KNOTS = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Temperatures:
    """What makes scores probabilities, fitted to gold trees that the model has not learnt from.

    heads: temperature of the distribution over trees that heads, samples, minimum Bayes risk and
        the scores of the k best trees go by.
    relations: of relations given the tree.
    tags: of tags that the parser finds by itself.
    trees: of the distribution over trees that the probabilities of whole trees are from.
    head_curve, tree_curve: how often heads and trees of some probability are right, which is what
        is reported; nothing where a probability is reported as it is.
    """

    heads: float = 1.0
    relations: float = 1.0
    tags: float = 1.0
    trees: float = 1.0
    head_curve: Curve = ()
    tree_curve: Curve = ()

    def check(self) -> None:
        """Raise if one is not valid."""
        for name in NAMES:
            check_temperature(f"temperatures.{name}", getattr(self, name))
        for name in ("head_curve", "tree_curve"):
            check_curve(f"temperatures.{name}", getattr(self, name))

    def __str__(self) -> str:
        """The temperatures, for cards."""
        return ", ".join(f"{getattr(self, name):.3g} for {name}" for name in NAMES)


NAMES = ("heads", "relations", "tags", "trees")


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelTemperatures(Temperatures):
    """Those of a model under tags that were found; others, if fitted, where tags are given.

    given_tags: of sentences that come with tags: their trees deserve more trust.
    """

    given_tags: Temperatures | None = None


UNFITTED = ModelTemperatures()


def check_curve(name: str, curve: Curve) -> None:
    """Raise unless a curve rises from somewhere above 0 to somewhere below 1."""
    flat = [(0.0, 0.0), *curve, (1.0, 1.0)]
    rises = all(a[0] < b[0] and a[1] < b[1] for a, b in pairwise(flat))
    if not rises or len(curve) > MOST_KNOTS:
        raise UsageError(f"{name}: not a rising curve of probabilities")


def reported(chances: Floats, curve: Curve) -> Floats:
    """Probabilities as they are reported: how often answers of that probability are right.

    Between the points of the curve, log-odds are interpolated; beyond them they are shifted.
    """
    if not curve:
        return chances
    return from_log_odds(log_odds_along(log_odds(chances), *log_odds(np.array(curve).T)))


def log_odds_along(own: Floats, before: Floats, after: Floats) -> Floats:
    """Log-odds along a curve, which is given by those of its points."""
    found = np.interp(own, before, after)
    found += np.minimum(own - before[0], 0.0) + np.maximum(own - before[-1], 0.0)
    return np.asarray(found)


def from_log_odds(odds: Floats) -> Floats:
    """Probabilities."""
    return np.asarray(1.0 / (1.0 + np.exp(-odds)))


def log_odds(chances: Floats) -> Floats:
    """The logarithms of odds; those of 0 and 1 are finite."""
    near = np.clip(chances, CLOSEST, 1.0 - CLOSEST)
    return np.asarray(np.log(near) - np.log1p(-near))


def tempered(chances: Floats, temperature: float) -> Floats:
    """Distributions over the last axis at another temperature."""
    logs = np.log(np.maximum(chances, np.finfo(np.float64).tiny)) / temperature
    found: Floats = np.exp(logs - logs.max(axis=-1, keepdims=True))
    return np.asarray(found / found.sum(axis=-1, keepdims=True))


def with_temperatures(
    settings: Mapping[str, Any], base: Mapping[str, Any] | None = None
) -> Mapping[str, Any]:
    """The settings of a model; earlier versions had a key for each temperature, none for trees.

    base: the settings of the model that it builds on and had the other temperatures from.
    """
    if "temperatures" in settings or "temperature" not in settings:
        return settings
    found = {name: settings[key] for key, name in FORMER_KEYS.items() if key in settings}
    others = with_temperatures(base).get("temperatures") if isinstance(base, Mapping) else None
    rest = {key: value for key, value in settings.items() if key not in FORMER_KEYS}
    known = others if isinstance(others, Mapping) else {}
    return {**rest, "temperatures": {**known, **found, "trees": found["heads"]}}
