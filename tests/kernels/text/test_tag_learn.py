"""Learning does what plain steps over dictionaries of weights do."""

from collections import Counter
from itertools import product

import numpy as np
import pytest

from headwise.kernels.text.tag_learn import learn_tags
from headwise.text.tags import tag_weights
from tagtoys import TAGS, slots, some_tokens

MARGIN, UPOS_MARGIN = 1.5, 2.25


def best_way(tokens, weights, lists, gold, a: int, b: int) -> tuple[int, ...]:
    """The tags of the highest score, by enumeration; what is wrong scores more by its margins."""

    def score(way) -> float:
        total = sum(float(weights.table[p]) for p in slots(tokens, weights, a, b, way))
        for found, right in zip(way, gold[a:b], strict=True):
            total += MARGIN * (found != right)
            total += UPOS_MARGIN * (TAGS[found].upos != TAGS[right].upos)
        return total

    allowed = [{*own, right} for own, right in zip(lists[a:b], gold[a:b], strict=True)]
    return max(product(*allowed), key=score)


def slow_steps(tokens, weights, lists, gold, order):
    """The table, the sums of its changes times their steps, its squares; and the mistakes."""
    table = weights.table.astype(np.float64)
    sums, squares, mistakes = np.zeros(len(table)), np.zeros(len(table)), 0
    for step, sentence in enumerate(order):
        a, b = tokens.starts[sentence : sentence + 2]
        now = weights._replace(table=table.astype(np.float32))
        way = best_way(tokens, now, lists, gold, a, b)
        mistakes += sum(found != right for found, right in zip(way, gold[a:b], strict=True))
        asked = Counter(slots(tokens, weights, a, b, gold[a:b]))
        asked.subtract(slots(tokens, weights, a, b, way))
        for p, gradient in asked.items():
            if gradient:
                squares[p] += gradient**2
                table[p] += gradient / np.sqrt(squares[p])
                sums[p] += step * gradient / np.sqrt(squares[p])
    return table, sums, squares, mistakes


@pytest.mark.parametrize("bits", [6, 12], ids=["slots are shared", "slots are not shared"])
@pytest.mark.parametrize("seed", range(4))
def test_steps_are_those_of_the_margin_and_of_adagrad(seed, bits):
    random = np.random.default_rng(seed)
    lists, tokens = some_tokens(random)
    gold = random.integers(0, len(TAGS), tokens.starts[-1]).astype(np.int32)
    order = np.array([2, 0, 1, 2])
    start = random.normal(0, 0.1, 1 << bits).astype(np.float32)  # no two ways score alike
    wanted = slow_steps(tokens, tag_weights(TAGS, start.copy()), lists, gold, order)
    weights = tag_weights(TAGS, start.copy())
    sums, squares = np.zeros(1 << bits), np.zeros(1 << bits, np.float32)
    margins = np.float32(MARGIN), np.float32(UPOS_MARGIN)
    step, mistakes = learn_tags(tokens, weights, sums, squares, gold, order, 0, *margins)
    assert (step, mistakes) == (len(order), wanted[3])
    assert mistakes > 0
    for slow, fast in zip(wanted, (weights.table, sums, squares), strict=False):
        np.testing.assert_allclose(fast, slow, atol=1e-5)
