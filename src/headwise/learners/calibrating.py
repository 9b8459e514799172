"""Temperatures of a finished model of any kind, and how far its probabilities can be trusted."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from headwise.corpus.sentence import MISSING, Sentence
from headwise.evaluate.calibration import Calibration, calibration
from headwise.inference.answers import MAP
from headwise.inference.searcher import Searcher
from headwise.inference.temperatures import (
    Curve,
    Temperatures,
    from_log_odds,
    log_odds,
    log_odds_along,
    reported,
    tempered,
)
from headwise.learners.partial import known_heads
from headwise.search.decoders.base import HeadsArray
from headwise.search.scores import scale

FOR_TEMPERATURES = 1000
"""Number of sentences that temperatures and curves are fitted to."""

FOR_RELIABILITY = 2000
"""Number of sentences that reliability is measured on."""

KNOTS, LEAST_ANSWERS = 6, 50
"""Points of a curve, and the answers that are needed for each; with fewer than two there is no
curve."""

CLOSEST_KNOTS, LEAST_RISE = 0.1, 1e-3
"""Log-odds from one point of a curve to the next, and those that it rises at least."""

AT_A_TIME = 500
"""Sentences that are encoded together when reliability is measured."""

MIN_CHANCE = 1e-4
"""Lower bound of probabilities when temperatures are fitted, so that a few gold heads with almost
no probability do not dominate."""

UNKNOWN = -1
"""The number of a relation or tag that is missing, or that the model does not know."""

Floats = NDArray[np.float64]
Pairs = tuple[Floats, NDArray[np.bool_]]


def for_temperatures(count: int) -> range:
    """The sentences that temperatures are fitted to: every second one, or evenly fewer."""
    return range(0, count, 2 * max(1, -(-count // (2 * FOR_TEMPERATURES + 1))))


def for_reliability(count: int) -> range:
    """The sentences that reliability is measured on: none that temperatures are fitted to."""
    first = 1 if count > 1 else 0
    return range(first, count, 2 * max(1, -(-count // (2 * FOR_RELIABILITY + 1))))


@dataclass(frozen=True, eq=False)
class Answers:
    """What a model makes of sentences whose trees are known, besides temperatures.

    gold: the sentences.
    given: the same as the model is given them.
    """

    search: Searcher
    gold: Sequence[Sentence]
    given: Sequence[Sentence]
    guides: Sequence[Sentence] | None = None

    @cached_property
    def encoded(self) -> Any:
        """The sentences as the model sees them."""
        return self.search.encode(self.given, self.guides)

    @cached_property
    def scores(self) -> list[Any]:
        """The scores of each sentence."""
        return [self.search.scores_of(self.encoded.sentence(n)) for n in range(len(self.gold))]

    @cached_property
    def gold_heads(self) -> list[HeadsArray]:
        """The gold heads of each sentence."""
        return [np.array(known_heads(one), np.int64) for one in self.gold]

    @cached_property
    def trees(self) -> list[HeadsArray]:
        """The tree that is found for each sentence."""
        return [self.search.decoded(scores, MAP) for scores in self.scores]

    @cached_property
    def is_right(self) -> NDArray[np.bool_]:
        """Whether the head of each token is right; not of roots."""
        found, gold = np.concatenate(self.trees), np.concatenate(self.gold_heads)
        return np.asarray((found == gold) & (gold >= 0))

    @cached_property
    def is_whole(self) -> NDArray[np.bool_]:
        """Whether all heads of each sentence are right."""
        pairs = zip(self.trees, self.gold_heads, strict=True)
        return np.array([np.array_equal(tree, gold) for tree, gold in pairs], np.bool_)

    def relations(self) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """The found relations of all tokens; and gold ones, `UNKNOWN` where the head is wrong."""
        labeller = self.search.labeller
        assert labeller is not None
        found = labeller.label_many(self.encoded, np.concatenate(self.trees))
        gold = numbers(labeller.names, [one.relations for one in self.gold])
        return found, np.where(self.is_right, gold, UNKNOWN)

    def tags(self) -> tuple[Floats, NDArray[np.int32]] | None:
        """The distributions over UPOS that the model finds; and gold ones, `UNKNOWN` where given.

        None if it finds no tags.
        """
        found = self.search.tag_distributions(self.encoded).get("upos")
        if found is None:
            return None
        gold = numbers(found[0], [one.upos for one in self.gold])
        is_free = [tag == MISSING for one in self.given for tag in (MISSING, *one.upos)]
        return found[1], np.where(is_free, gold, UNKNOWN)


def numbers(names: Sequence[str], values: Iterable[Sequence[str]]) -> NDArray[np.int32]:
    """The numbers of the values of all tokens, sentence after sentence."""
    known = {name: number for number, name in enumerate(names)}
    found = (known.get(name, UNKNOWN) for one in values for name in (MISSING, *one))
    return np.fromiter(found, np.int32)


def fitted(answers: Answers) -> Temperatures:
    """The temperatures and curves of a model whose search is at those of `UNFITTED`."""
    heads = temperature_of_heads(answers)
    found = Temperatures(
        heads=heads,
        relations=temperature_of_relations(answers),
        tags=temperature_of_tags(answers),
        trees=temperature_of_trees(answers, heads),
    )
    pairs = judged(replace(answers, search=answers.search.at(found)))
    return replace(found, head_curve=curve(*pairs["heads"]), tree_curve=curve(*pairs["trees"]))


def curve(chances: Floats, is_right: NDArray[np.bool_]) -> Curve:
    """How often answers of some probability are right: the likeliest rising curve.

    Its points lie at quantiles of the log-odds of the answers. Between them and beyond, it goes as
    `reported` says, and so it is fitted: the reported probabilities of the answers have the mean of
    what is right. Half an answer of each kind is added at every point, so that nothing is certain.
    """
    from scipy.optimize import minimize

    count = min(KNOTS, len(chances) // LEAST_ANSWERS)
    if count < 2:
        return ()
    own = log_odds(chances)
    knots = distinct(np.quantile(own, np.linspace(0.02, 1.0, count)))
    if len(knots) < 2:
        return ()
    places, counts = np.concatenate([own, knots]), np.repeat([1.0, 0.5], [len(own), len(knots)])
    shifts = log_odds_along(places, knots, np.zeros(len(knots)))
    hats = [log_odds_along(places, knots, one) - shifts for one in np.eye(len(knots))]
    steps = np.cumsum(np.array(hats)[::-1], axis=0)[::-1]  # what a rise before a point adds
    right = np.concatenate([is_right, np.ones(len(knots))])
    wrong = np.concatenate([~is_right, np.ones(len(knots))])

    def loss(rises: Floats) -> tuple[float, Floats]:
        odds = shifts + rises @ steps
        total = counts @ (right * np.logaddexp(0.0, -odds) + wrong * np.logaddexp(0.0, odds))
        slopes = counts * ((right + wrong) / (1.0 + np.exp(-odds)) - right)
        return float(total), steps @ slopes

    start = np.diff(knots, prepend=0.0)
    bounds = [(None, None), *[(LEAST_RISE, None)] * (len(knots) - 1)]
    found = minimize(loss, start, jac=True, method="L-BFGS-B", bounds=bounds).x
    odds = np.cumsum(found)
    return tuple(zip(from_log_odds(knots).tolist(), from_log_odds(odds).tolist(), strict=True))


def distinct(knots: Floats) -> Floats:
    """Ascending points, without those that are hardly further than the one before."""
    kept = [knots[0]]
    for knot in knots[1:]:
        if knot - kept[-1] > CLOSEST_KNOTS:
            kept.append(knot)
    return np.array(kept)


def temperature_of_heads(answers: Answers) -> float:
    """The temperature that maximises the likelihood of the gold heads that survive pruning.

    Heads rather than whole trees: those of hard sentences are pruned more often, and without them
    the model would look more certain than it should.
    """
    kept = [
        (scores, gold, 1 + np.flatnonzero(scores.arc[gold[1:], np.arange(1, len(gold))] > -np.inf))
        for scores, gold in zip(answers.scores, answers.gold_heads, strict=True)
        if len(gold) > 2
    ]
    decoder = answers.search.decoder

    def loss(temperature: float) -> float:
        return sum(
            missed(decoder.marginals(scale(scores, 1.0 / temperature)).arc[gold[words], words])
            for scores, gold, words in kept
        )

    return likeliest(loss) if kept else 1.0


def temperature_of_trees(answers: Answers, heads: float) -> float:
    """The temperature at which it is likeliest that those trees are right which are."""
    chosen = [n for n, gold in enumerate(answers.gold_heads) if len(gold) > 2]
    if not chosen:
        return heads
    is_whole = answers.is_whole[chosen]
    problems = [(answers.scores[n], [answers.trees[n]]) for n in chosen]
    probabilities = answers.search.tree_probabilities

    def loss(temperature: float) -> float:
        found = [probabilities(scores, trees, temperature)[0] for scores, trees in problems]
        return missed(np.where(is_whole, found, 1.0 - np.array(found)))

    return likeliest(loss, around=heads)


def temperature_of_relations(answers: Answers) -> float:
    """The temperature at which the gold relations of words with the right head are likeliest."""
    labeller = answers.search.labeller
    if labeller is None:
        return 1.0
    found, gold = answers.relations()
    known, heads = gold != UNKNOWN, np.concatenate(answers.trees)
    some = np.where(known, gold, found)

    def loss(temperature: float) -> float:
        return missed(labeller.at(temperature).chances(answers.encoded, heads, some).words[known])

    return likeliest(loss) if known.any() else 1.0


def temperature_of_tags(answers: Answers) -> float:
    """The temperature at which gold tags are likeliest."""
    found = answers.tags()
    if found is None or not (found[1] != UNKNOWN).any():
        return 1.0
    known = found[1] != UNKNOWN
    chances, gold = found[0][known], found[1][known]
    rows = np.arange(len(gold))
    return likeliest(lambda temperature: missed(tempered(chances, temperature)[rows, gold]))


def missed(chances: Floats) -> float:
    """The negative log-likelihood of what has these probabilities."""
    return -float(np.log(np.maximum(chances, MIN_CHANCE)).sum())


def likeliest(loss: Callable[[float], float], around: float | None = None) -> float:
    """The temperature with the smallest loss, between 1/400 and 400.

    The loss may have several local minima, so a coarse grid search comes first, unless it is known
    to be within a factor of e² from some temperature.
    """
    from scipy.optimize import minimize_scalar

    def loss_at(x: float) -> float:
        return loss(float(np.exp(x)))

    if around is None:
        lowest, reach = float(min(np.arange(-6.0, 7.0), key=loss_at)), 1.0
    else:
        lowest, reach = float(np.log(around)), 2.0
    found = minimize_scalar(
        loss_at,
        bounds=(max(lowest - reach, -6.0), min(lowest + reach, 6.0)),
        method="bounded",
        options={"xatol": 0.01},
    )
    return float(np.exp(found.x))


def reliability(
    search: Searcher,
    gold: Sequence[Sentence],
    given: Sequence[Sentence],
    guides: Sequence[Sentence] | None = None,
) -> dict[str, Calibration]:
    """How far probabilities can be trusted, by kind.

    Those of heads, of relations of words with the right head, of tags that the model finds, and of
    whole trees (heads alone).
    """
    pieces: list[dict[str, Pairs]] = []
    for start in range(0, len(gold), AT_A_TIME):
        here = slice(start, start + AT_A_TIME)
        some = None if guides is None else guides[here]
        pieces.append(judged(Answers(search, gold[here], given[here], some)))
    found: dict[str, Calibration] = {}
    for name in pieces[0]:
        chances, is_right = zip(*(one[name] for one in pieces), strict=True)
        if any(map(len, chances)):
            found[name] = calibration(np.concatenate(chances), np.concatenate(is_right))
    return found


def judged(answers: Answers) -> dict[str, Pairs]:
    """The probabilities of answers, by kind, and whether they are right."""
    search, gold_heads = answers.search, np.concatenate(answers.gold_heads)
    heads, trees = [], []
    for scores, tree in zip(answers.scores, answers.trees, strict=True):
        words = np.arange(1, len(tree))
        heads.append(search.marginals(scores).arc[tree[1:], words])
        trees += search.tree_probabilities(scores, [tree])
    temperatures = search.temperatures
    sure = reported(within(np.concatenate(heads)), temperatures.head_curve)
    whole = reported(within(np.array(trees)), temperatures.tree_curve)
    found = {
        "heads": (sure, answers.is_right[gold_heads >= 0]),
        "trees": (whole, answers.is_whole),
    }
    if search.labeller is not None:
        own, gold = answers.relations()
        chances = search.labeller.chances(answers.encoded, np.concatenate(answers.trees), own).words
        known = gold != UNKNOWN
        found["labels"] = (within(chances[known]), (own == gold)[known])
    tags = answers.tags()
    if tags is not None:
        known = tags[1] != UNKNOWN
        best = tags[0][known]
        found["tags"] = (within(best.max(axis=1)), best.argmax(axis=1) == tags[1][known])
    return found


def within(chances: Floats) -> Floats:
    """Probabilities without what rounding adds."""
    return np.clip(chances, 0.0, 1.0)
