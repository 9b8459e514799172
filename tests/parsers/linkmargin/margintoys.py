"""A treebank of links, similar words for it, and programmes from the definition."""

import itertools

import numpy as np
from scipy.optimize import minimize

from headwise.parsers.linkmargin.parser import LinkMarginParser
from headwise.parsers.linkmargin.programme import Iterate, Programme
from toytreebank import WORDS, toy_treebank

TRAIN, DEV = toy_treebank(30, 1), toy_treebank(20, 2)
SMALL = [one for one in toy_treebank(60, 5) if len(one) <= 6][:3]

SIMILAR = {
    word: {other: 0.5 + 0.1 * place for place, other in enumerate(words) if other != word}
    for words in WORDS.values()
    for word in words
}


def path(gold: list[int], i: int, j: int) -> list[tuple[int, int]]:
    """The links of a tree between two tokens, by looking at all that the one reaches."""
    links = [(gold[m], m) for m in range(1, len(gold))]
    ways: dict[int, list[tuple[int, int]]] = {i: []}
    while j not in ways:
        for (a, b), (one, other) in itertools.product(links, ((0, 1), (1, 0))):
            ends = (a, b)
            if ends[one] in ways and ends[other] not in ways:
                ways[ends[other]] = [*ways[ends[one]], (min(a, b), max(a, b))]
    return ways[j]


def feature_rows(programme: Programme, sentence: int) -> dict[tuple[int, int], np.ndarray]:
    """The features of every link of a sentence: pairs, then numbers."""
    links, found = programme.links, {}
    first, last = links.token[sentence : sentence + 2]
    at = int(links.start[sentence])
    for j in range(1, last - first):
        for i in range(j):
            row = np.zeros(programme.pairs + 3)
            row[links.pair[at]] = 1.0
            away = j - i if i else 0
            pmi = links.pmi[at] if len(links.pmi) else 0.0
            row[-3:] = np.array(programme.scales) * [pmi, away, away**2]
            found[i, j] = row
            at += 1
    return found


def local_rows(programme: Programme) -> np.ndarray:
    """Every local margin: features of the link in the tree less those of the other (6.2)."""
    rows = []
    for sentence in range(len(programme.links.start) - 1):
        first, last = programme.links.token[sentence : sentence + 2]
        gold = programme.links.gold[first:last].tolist()
        features = feature_rows(programme, sentence)
        tree = {(min(h, m), max(h, m)) for m, h in enumerate(gold) if m}
        for link in features.keys() - tree:
            between = path(gold, *link)
            rows += [features[between[0]] - features[link], features[between[-1]] - features[link]]
    return np.array(rows)


def quadratic(programme: Programme) -> np.ndarray:
    """What is drawn to 0, and to each other: β (I + ρ L)."""
    matrix = np.eye(programme.pairs + 3)
    ties = programme.ties
    for p, q, similar in zip(ties.first, ties.second, ties.similarity, strict=True):
        d = np.zeros(len(matrix))
        d[p], d[q] = 1.0, -1.0
        matrix += programme.rho * similar * np.outer(d, d)
    return programme.beta * matrix


def theta_of(at: Iterate) -> np.ndarray:
    return np.concatenate([at.weights.pair, at.weights.number])


def solved(matrix: np.ndarray, rows: np.ndarray, costs: np.ndarray, group: np.ndarray) -> float:
    """The least ½ θᵀQθ + Σ_g max(0, max over rows of g of cost - row θ), by SLSQP."""
    used = np.flatnonzero((np.abs(rows).sum(axis=0) > 0) | (np.diag(matrix) > matrix.min()))
    count, width = group.max() + 1, len(used)
    own = matrix[np.ix_(used, used)]
    limits = np.hstack([rows[:, used], np.eye(count)[group]])
    found = minimize(
        lambda x: 0.5 * x[:width] @ own @ x[:width] + x[width:].sum(),
        np.concatenate([np.zeros(width), np.full(count, costs.max())]),
        jac=lambda x: np.concatenate([own @ x[:width], np.ones(count)]),
        bounds=[(None, None)] * width + [(0, None)] * count,
        constraints={
            "type": "ineq",
            "fun": lambda x: limits @ x - costs,
            "jac": lambda _: limits,
        },
        method="SLSQP",
        options={"ftol": 1e-12, "maxiter": 500},
    )
    assert found.success
    return float(found.fun)


WORDS_ALONE = {"neighbours": 0}


def fitted(train=TRAIN, dev=None, similarity=None, **settings) -> LinkMarginParser:
    files = {n: settings.pop(n) for n in ("checkpoint", "resume", "callback") if n in settings}
    given = {**WORDS_ALONE, **settings}
    return LinkMarginParser(**given).fit(train, dev, similarity=similarity, **files)
