from itertools import combinations

import numpy as np
import pytest
from bracketbank import random_tree, tree, tree_lists
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from headwise.constituency.bracketing import brackets_of
from headwise.constituency.candidates import CandidateList
from headwise.constituency.mbr import BracketPool, mbr_predict, mbr_rerank
from headwise.errors import LimitError, UsageError
from headwise.search.probabilities import candidate_probabilities


def f1(a: set, b: set) -> float:
    return 2 * len(a & b) / (len(a) + len(b)) if a or b else 1.0


def numbered(found) -> set:
    """Brackets told apart by their number, as a set."""
    named = brackets_of(found)
    return {(bracket, named[:at].count(bracket)) for at, bracket in enumerate(named)}


def expected(chosen: set, trees, weights) -> float:
    pairs = zip(trees, weights, strict=True)
    return sum(weight * f1(chosen, numbered(found)) for found, weight in pairs)


def crossing(a, b) -> bool:
    (a, _), (b, _) = a, b
    return a.start < b.start < a.end < b.end or b.start < a.start < b.end < a.end


def best_of_all(trees, weights) -> float:
    """The largest expected F1 of any set of the candidates' brackets that do not cross."""
    pool = sorted(set.union(*map(numbered, trees)))
    sets = (set(some) for size in range(len(pool) + 1) for some in combinations(pool, size))
    nested = (some for some in sets if not any(crossing(*two) for two in combinations(some, 2)))
    return max(expected(some, trees, weights) for some in nested)


SCORES = st.floats(-4, 4)


@settings(max_examples=150, deadline=None)
@given(tree_lists(), st.lists(SCORES, min_size=4, max_size=4))
def test_prediction_is_the_best_of_all_bracketings(trees, scores):
    assume(len(set.union(*map(numbered, trees))) <= 11)
    candidates = CandidateList.of("1", trees, scores[: len(trees)])
    weights = candidate_probabilities(candidates.scores)
    found = mbr_predict(candidates)
    assert found.expected_f1 == pytest.approx(best_of_all(trees, weights), abs=1e-9)
    assert expected(numbered(found.tree), trees, weights) == pytest.approx(found.expected_f1)


@settings(max_examples=100, deadline=None)
@given(tree_lists(most_words=9, most_trees=6), st.lists(SCORES, min_size=6, max_size=6))
def test_reranking_is_the_best_candidate_and_prediction_no_worse(trees, scores):
    candidates = CandidateList.of("1", trees, scores[: len(trees)])
    weights = candidate_probabilities(candidates.scores)
    values = [expected(numbered(found), trees, weights) for found in trees]
    found = mbr_rerank(candidates)
    assert found.expected_f1 == pytest.approx(max(values))
    first = next(i for i, value in enumerate(values) if value > max(values) - 1e-12)
    assert found.tree is trees[first]
    assert mbr_predict(candidates).expected_f1 >= found.expected_f1 - 1e-12


@settings(max_examples=60, deadline=None)
@given(tree_lists(most_words=9, most_trees=6), st.integers(0, 5))
def test_with_all_mass_on_one_candidate_it_is_the_answer(trees, number):
    number %= len(trees)
    weights = np.zeros(len(trees))
    weights[number] = 2.0  # need not sum to 1
    candidates = CandidateList.of("1", trees, np.zeros(len(trees)))
    found = mbr_predict(candidates, weights)
    assert found.expected_f1 == pytest.approx(1.0)
    assert numbered(found.tree) == numbered(trees[number])
    assert numbered(mbr_rerank(candidates, weights).tree) == numbered(trees[number])


@settings(max_examples=60, deadline=None)
@given(
    tree_lists(most_words=9, most_trees=6),
    st.lists(st.integers(-8, 8), min_size=6, max_size=6),
    st.integers(-500, 500),
)
def test_a_constant_in_all_scores_changes_nothing(trees, scores, constant):
    # Sixteenths and whole numbers: adding the constant loses no digit.
    plain = [score / 16 for score in scores[: len(trees)]]
    a = CandidateList.of("1", trees, plain)
    b = CandidateList.of("1", trees, [score + constant for score in plain])
    assert mbr_predict(a) == mbr_predict(b)
    assert mbr_rerank(a) == mbr_rerank(b)


def test_the_order_of_a_chain_is_that_of_the_first_candidate():
    texts = ["(ROOT (A (B (T x))))", "(ROOT (B (A (T x))))"]
    for pair in (texts, texts[::-1]):
        trees = [tree(text) for text in pair]
        assert str(mbr_predict(CandidateList.of("1", trees, [0, 0])).tree) == pair[0]


def test_tags_are_voted_and_the_root_is_that_of_the_candidates():
    texts = ["(S1 (A (T x) (U y)))", "(S1 (A (V x) (U y)))", "(S1 (A (V x) (W y)))"]
    trees = [tree(text) for text in texts]
    candidates = CandidateList.of("1", trees, [0.5, 0.0, 0.0])
    assert str(mbr_predict(candidates).tree) == "(S1 (A (V x) (U y)))"


def test_without_a_wrapper_there_is_none_in_the_answer():
    trees = [tree("(S (A (T x)) (T y))"), tree("(S (T x) (T y))")]
    assert str(mbr_predict(CandidateList.of("1", trees, [0, -1])).tree) == "(S (A (T x)) (T y))"


def test_trees_without_brackets():
    trees = [tree("(ROOT (T x) (T y))"), tree("(ROOT (A (T x) (T y)))")]
    empty = CandidateList.of("1", trees, [1.0, 0.0])
    assert mbr_predict(empty).tree == trees[0]
    assert mbr_predict(CandidateList.of("1", trees, [0.0, 1.0])).tree == trees[1]
    assert mbr_predict(CandidateList.of("1", trees[:1], [0.0])).expected_f1 == 1.0


def test_a_pool_counts_what_candidates_share():
    trees = [tree("(ROOT (A (A (T x))))"), tree("(ROOT (A (T x)))"), tree("(ROOT (B (T x)))")]
    pool = BracketPool.of(trees)
    assert pool.sizes.tolist() == [2, 1, 1]
    assert pool.shared().tolist() == [[2, 1, 0], [1, 1, 0], [0, 0, 1]]


def test_lists_that_would_fill_the_memory_are_refused():
    wide = tree(f"(S {'(A (T x)) ' * 20_000})")
    with pytest.raises(LimitError, match=r"20000 words and 20001 different brackets.*mbr-rerank"):
        mbr_predict(CandidateList.of("1", [wide], [0.0]))
    many = [tree(f"(S {f'(A{number}_{at} (T x)) ' * 9})") for number in range(300) for at in (1, 2)]
    chosen = mbr_rerank(CandidateList.of("1", many, np.arange(600.0)))
    assert chosen.tree == many[-1]


@pytest.mark.parametrize("weights", [[0.0, 0.0], [np.nan, 1.0], [-0.1, 1.0], [1.0]])
def test_probabilities_are_checked(weights):
    candidates = CandidateList.of("1", [tree("(ROOT (A (T x)))")] * 2, [0, 0])
    with pytest.raises(UsageError):
        mbr_predict(candidates, np.array(weights))


def test_long_sentences_and_many_candidates():
    import random

    rng = random.Random(0)
    trees = [random_tree(60, rng, "ABCDEFGH") for _ in range(50)]
    candidates = CandidateList.of("1", trees, [rng.gauss(0, 1) for _ in trees])
    weights = candidate_probabilities(candidates.scores)
    found = mbr_predict(candidates)
    assert expected(numbered(found.tree), trees, weights) == pytest.approx(found.expected_f1)
