"""How examples are weighted again after a round, and how much its hypothesis counts.

Examples are pairs of words; what counts is whether the parser, not the classifier alone, found the
right class of each (section 7.2).
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from headwise.parsers.boosting.settings import BoostingSettings, Update

Floats = NDArray[np.float64]
Labels = NDArray[np.int8]

MIN_ERROR = 1e-10
"""A hypothesis without errors counts as if it had these."""

Outcome = tuple[Floats, float]
"""The state after a round, and how much the hypothesis of the round counts: 0 if not at all."""


@dataclass(frozen=True, slots=True)
class Rule:
    """A way of boosting: its state before the first round, the weights of examples, and a round."""

    start: Callable[[int], Floats]
    weights: Callable[[Floats], Floats]
    after: Callable[[Floats, Labels, Labels, float], Outcome]


def additive(state: Floats, gold: Labels, found: Labels, step: float) -> Outcome:
    """A constant is added to the weights of wrong examples; all hypotheses count the same."""
    return state + step * (found != gold), 1.0


def adaboost_m1(state: Floats, gold: Labels, found: Labels, _: float) -> Outcome:
    """The weights of right examples are multiplied by β = ε / (1 - ε) (Freund and Schapire)."""
    error = float(state[found != gold].sum() / state.sum())
    if error >= 0.5:
        return state, 0.0
    beta = max(error, MIN_ERROR) / (1 - error)
    after = np.where(found == gold, beta * state, state)
    return after / after.sum(), float(-np.log(beta))


def adaboost_m2(state: Floats, gold: Labels, found: Labels, _: float) -> Outcome:
    """Each wrong class of an example, in their order, has a weight; β comes from a pseudo-loss.

    The parser says 1 of the class that it found and 0 of the others.
    """
    rows = np.arange(len(gold))
    own = (found == gold)[:, None].astype(np.float64)
    others = np.sort((gold[:, None] + np.array([1, 2], np.int8)) % 3, axis=1)
    wrong = (found[rows, None] == others).astype(np.float64)
    error = float(0.5 * (state * (1 - own + wrong)).sum() / state.sum())
    if error >= 0.5:
        return state, 0.0
    beta = max(error, MIN_ERROR) / (1 - error)
    after = state * beta ** (0.5 * (1 + own - wrong))
    return after / after.sum(), float(-np.log(beta))


def logistic(state: Floats, gold: Labels, found: Labels, _: float) -> Outcome:
    """Margins grow where the parser is right, and fall where it is wrong (Collins et al. 2002).

    The step is that of their sequential update, ½ log(W₊ / W₋), W being the weights of examples.
    """
    weights = 1 / (1 + np.exp(state))
    is_right = found == gold
    right, wrong = float(weights[is_right].sum()), float(weights[~is_right].sum())
    if wrong >= right:
        return state, 0.0
    vote = 0.5 * float(np.log(right / max(wrong, MIN_ERROR * right)))
    return state + np.where(is_right, vote, -vote), vote


def mean_one(weights: Floats) -> Floats:
    """Weights whose mean is 1, so that the prior is as strong as in the first round."""
    scaled: Floats = weights / weights.mean()
    return scaled


RULES: dict[Update, Rule] = {
    "additive": Rule(np.ones, lambda state: state, additive),
    "m1": Rule(lambda count: np.full(count, 1 / count), mean_one, adaboost_m1),
    "m2": Rule(
        lambda count: np.full((count, 2), 0.5 / count),
        lambda state: mean_one(state.sum(axis=1)),
        adaboost_m2,
    ),
    "logistic": Rule(np.zeros, lambda state: mean_one(1 / (1 + np.exp(state))), logistic),
}
"""THE ways of boosting. One is added by adding a row."""


def rule_of(settings: BoostingSettings) -> Rule:
    """The rule that the settings name."""
    return RULES[settings.update]
