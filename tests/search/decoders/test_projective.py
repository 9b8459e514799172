"""Projective search of every order against enumeration."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import chisquare

from headwise.errors import ConstraintError, UsageError
from headwise.search.decoders.projective import ProjectiveDecoder
from headwise.search.parts import Factorisation, Part
from headwise.search.scores import Scores
from oracle import Oracle, score, trees
from strategies import Problem, make_problem, problems

HIGHER = tuple(f for f in Factorisation if f is not Factorisation.ARCS)
roots = st.booleans()


def check_impossible(decoder: ProjectiveDecoder, scores: Scores) -> None:
    rng = np.random.default_rng(0)
    for ask in (
        lambda: decoder.best(scores),
        lambda: decoder.kbest(scores, 3),
        lambda: decoder.marginals(scores),
        lambda: decoder.sample(scores, 1, rng),
    ):
        with pytest.raises(ConstraintError):
            ask()


@settings(max_examples=150, deadline=None)
@given(problems(), roots)
def test_best_tree(problem: Problem, single_root: bool) -> None:
    truth = Oracle(problem.tables, single_root=single_root)
    decoder = ProjectiveDecoder(single_root=single_root)
    scores = problem.scores()
    if not truth.ranked:
        check_impossible(decoder, scores)
        return
    found = decoder.best(scores)
    assert found.score == pytest.approx(truth.ranked[0][0], abs=1e-9)
    assert tuple(found.heads) in trees(problem.n, projective=True, single_root=single_root)
    assert score(tuple(found.heads), problem.tables) == pytest.approx(found.score, abs=1e-9)
    assert scores.of_tree(found.heads) == pytest.approx(found.score, abs=1e-9)


@settings(max_examples=150, deadline=None)
@given(problems(), roots, st.integers(1, 300))
def test_k_best_trees(problem: Problem, single_root: bool, k: int) -> None:
    truth = Oracle(problem.tables, single_root=single_root)
    if not truth.ranked:
        return
    found = ProjectiveDecoder(single_root=single_root).kbest(problem.scores(), k)
    assert len(found) == min(k, len(truth.ranked))
    assert len({tuple(one.heads) for one in found}) == len(found)
    totals = [one.score for one in found]
    assert totals == sorted(totals, reverse=True)
    np.testing.assert_allclose(totals, truth.scores[:k], atol=1e-9)
    allowed = {heads: total for total, heads in truth.ranked}
    for one in found:
        assert allowed[tuple(one.heads)] == pytest.approx(one.score, abs=1e-9)


@settings(max_examples=150, deadline=None)
@given(problems(), roots)
def test_marginals(problem: Problem, single_root: bool) -> None:
    truth = Oracle(problem.tables, single_root=single_root)
    if not truth.ranked:
        return
    scores = problem.scores()
    found = ProjectiveDecoder(single_root=single_root).marginals(scores)
    assert found.log_partition == pytest.approx(truth.log_partition, abs=1e-9)
    assert found.entropy == pytest.approx(truth.entropy, abs=1e-8)
    np.testing.assert_allclose(found.arc, truth.marginals(Part.ARC), atol=1e-9)
    assert set(found.higher) == set(problem.tables) - {Part.ARC}
    for part, probabilities in found.higher.items():
        assert scores.index is not None
        expected = truth.marginals(part)[tuple(scores.index.tokens(part).T)]
        np.testing.assert_allclose(probabilities, expected, atol=1e-9, err_msg=part.label)


@pytest.mark.parametrize("single_root", [True, False])
@pytest.mark.parametrize("factorisation", Factorisation)
def test_marginals_are_the_gradient(factorisation: Factorisation, single_root: bool) -> None:
    problem = make_problem(7, factorisation, seed=1)
    decoder = ProjectiveDecoder(single_root=single_root)
    scores = problem.scores()
    found = decoder.marginals(scores)
    rng = np.random.default_rng(2)
    step = 1e-4

    def log_partition(part: Part, place: tuple[int, ...], change: float) -> float:
        if part is Part.ARC:
            arc = scores.arc.copy()
            arc[place] += change
            return decoder.marginals(Scores(arc, scores.index, scores.higher)).log_partition
        values = scores.higher[part].copy()
        values[place] += change
        higher = {**scores.higher, part: values}
        return decoder.marginals(Scores(scores.arc, scores.index, higher)).log_partition

    for part in factorisation.parts:
        table = found.arc if part is Part.ARC else found.higher[part]
        likely = np.argwhere(table > 1e-3)
        for place in map(tuple, rng.permutation(likely)[:6]):
            difference = log_partition(part, place, step) - log_partition(part, place, -step)
            assert difference / (2 * step) == pytest.approx(table[place], abs=1e-6)


@pytest.mark.parametrize("factorisation", Factorisation)
def test_samples_follow_the_distribution(factorisation: Factorisation) -> None:
    problem = make_problem(4, factorisation, seed=3)
    for single_root in (True, False):
        truth = Oracle(problem.tables, single_root=single_root)
        decoder = ProjectiveDecoder(single_root=single_root)
        samples = decoder.sample(problem.scores(), 20_000, np.random.default_rng(4))
        drawn, counts = np.unique(samples, axis=0, return_counts=True)
        seen = {tuple(heads): count for heads, count in zip(drawn, counts, strict=True)}
        assert set(seen) <= {heads for _, heads in truth.ranked}
        expected = truth.probabilities * len(samples)
        observed = np.array([seen.get(heads, 0) for _, heads in truth.ranked])
        frequent = expected >= 5
        observed = np.append(observed[frequent], observed[~frequent].sum())
        expected = np.append(expected[frequent], expected[~frequent].sum())
        kept = expected > 0
        assert chisquare(observed[kept], expected[kept]).pvalue > 1e-3


def test_samples_depend_on_the_seed_alone() -> None:
    scores = make_problem(5, Factorisation.SIBLINGS, seed=5).scores()
    decoder = ProjectiveDecoder()
    first, second = (decoder.sample(scores, 50, np.random.default_rng(6)) for _ in range(2))
    assert (first == second).all()
    assert (first != decoder.sample(scores, 50, np.random.default_rng(7))).any()


@pytest.mark.parametrize("single_root", [True, False])
@pytest.mark.parametrize("factorisation", HIGHER)
def test_every_tree_has_one_derivation(factorisation: Factorisation, single_root: bool) -> None:
    decoder = ProjectiveDecoder(single_root=single_root)
    for n in (1, 2, 5, 6):
        problem = make_problem(n, factorisation, seed=0)
        tables = {part: np.zeros_like(table) for part, table in problem.tables.items()}
        scores = Problem(tables, factorisation).scores()
        number = len(trees(n, projective=True, single_root=single_root))
        assert np.exp(decoder.marginals(scores).log_partition) == pytest.approx(number)
        assert decoder.marginals(scores).entropy == pytest.approx(np.log(number), abs=1e-9)


@pytest.mark.parametrize("single_root", [True, False])
@pytest.mark.parametrize("factorisation", HIGHER)
def test_orders_agree_on_arcs(factorisation: Factorisation, single_root: bool) -> None:
    decoder = ProjectiveDecoder(single_root=single_root)
    problem = make_problem(9, factorisation, seed=8)
    tables = {
        part: table if part is Part.ARC else np.zeros_like(table)
        for part, table in problem.tables.items()
    }
    higher = Problem(tables, factorisation).scores()
    arcs = Scores(tables[Part.ARC])
    assert (decoder.best(higher).heads == decoder.best(arcs).heads).all()
    pairs = zip(decoder.kbest(higher, 40), decoder.kbest(arcs, 40), strict=True)
    assert all((one.heads == other.heads).all() for one, other in pairs)
    found, expected = decoder.marginals(higher), decoder.marginals(arcs)
    np.testing.assert_allclose(found.arc, expected.arc, atol=1e-10)
    assert found.entropy == pytest.approx(expected.entropy)


@settings(max_examples=60, deadline=None)
@given(problems(factorisations=HIGHER, forbidden=(0.0, 0.2)), st.integers(0, 2**32 - 1), roots)
def test_crossing_parts_change_nothing(problem: Problem, seed: int, single_root: bool) -> None:
    decoder = ProjectiveDecoder(single_root=single_root)
    plain, crossing = problem.scores(), problem.scores(crossing=True)
    if not Oracle(problem.tables, single_root=single_root).ranked:
        return
    assert decoder.best(plain).score == decoder.best(crossing).score
    one, other = decoder.marginals(plain), decoder.marginals(crossing)
    np.testing.assert_allclose(one.arc, other.arc, atol=1e-12)
    totals = [[s.score for s in decoder.kbest(scores, 9)] for scores in (plain, crossing)]
    assert totals[0] == totals[1]


@pytest.mark.parametrize("factorisation", [Factorisation.ARCS, Factorisation.GRAND_TRI_SIBLINGS])
def test_scores_of_any_size(factorisation: Factorisation) -> None:
    """Beyond the range of exp, where the scaled linear semiring must give way."""
    problem = make_problem(5, factorisation, seed=9)
    tables = {part: 1e4 * table for part, table in problem.tables.items()}
    scores = Problem(tables, factorisation).scores()
    truth = Oracle(tables)
    found = ProjectiveDecoder().marginals(scores)
    assert found.log_partition == pytest.approx(truth.log_partition, rel=1e-12)
    np.testing.assert_allclose(found.arc, truth.marginals(Part.ARC), atol=1e-6)
    assert found.entropy == pytest.approx(0.0, abs=1e-4)


@pytest.mark.parametrize("factorisation", [Factorisation.ARCS, Factorisation.SIBLINGS])
def test_entropy_is_never_negative(factorisation: Factorisation) -> None:
    """One tree has nearly all probability: the difference of large numbers is all rounding."""
    for seed in range(30):
        tables = make_problem(5, factorisation, seed=seed).tables
        scores = Problem({part: 300.0 * t for part, t in tables.items()}, factorisation).scores()
        assert ProjectiveDecoder().marginals(scores).entropy >= 0.0


@pytest.mark.parametrize(
    "factorisation", [Factorisation.ARCS, Factorisation.SIBLINGS, Factorisation.GRAND_SIBLINGS]
)
def test_trees_come_in_order_where_rounding_could_change_it(factorisation: Factorisation) -> None:
    """Tenths are no exact floats: equal sums differ by the order in which they are added."""
    for seed in range(31):
        rng = np.random.default_rng(seed)
        tables = make_problem(6, factorisation, seed=seed).tables
        tenths = {part: rng.integers(-3, 4, table.shape) / 10 for part, table in tables.items()}
        found = ProjectiveDecoder().kbest(Problem(tenths, factorisation).scores(), 300)
        totals = [one.score for one in found]
        assert totals == sorted(totals, reverse=True)


@pytest.mark.parametrize("single_root", [True, False])
@pytest.mark.parametrize("factorisation", Factorisation)
def test_all_trees_of_six_words(factorisation: Factorisation, single_root: bool) -> None:
    problem = make_problem(6, factorisation, seed=11)
    truth = Oracle(problem.tables, single_root=single_root)
    decoder = ProjectiveDecoder(single_root=single_root)
    ranked = decoder.kbest(problem.scores(), 2000)
    assert [tuple(one.heads) for one in ranked] == [heads for _, heads in truth.ranked]
    assert tuple(decoder.best(problem.scores()).heads) == truth.ranked[0][1]
    found = decoder.marginals(problem.scores())
    np.testing.assert_allclose(found.arc, truth.marginals(Part.ARC), atol=1e-10)
    assert found.entropy == pytest.approx(truth.entropy, abs=1e-9)


@pytest.mark.parametrize("k", [0, -1, 2**20, 5.0, None])
def test_k_has_a_range(k: object) -> None:
    with pytest.raises(UsageError, match="k must be an integer from 1 to"):
        ProjectiveDecoder().kbest(Scores(np.zeros((3, 3))), k)
