import numpy as np
import pytest

from headwise.evaluate.ratios import (
    RatioCounts,
    blocks,
    bootstrap_sums,
    side_by_side,
    stacked,
    swap_sums,
    table_ratios,
)


def test_ratios_are_micro_averages() -> None:
    counts = RatioCounts(np.array([[1, 0], [5, 0]]), np.array([[2, 0], [10, 0]]))
    assert counts.ratios()[0] == 0.5
    assert np.isnan(counts.ratios()[1])


def test_stacking() -> None:
    one = RatioCounts(np.array([[1]]), np.array([[2]]))
    assert stacked([one, one]).top.tolist() == [[1], [1]]
    assert side_by_side([one, one]).bottom.tolist() == [[2, 2]]


def test_blocks_cover_all_rounds_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("headwise.evaluate.ratios.BLOCK_ENTRIES", 100)
    for rounds, sentences in ((1, 1), (10, 33), (7, 1000), (5, 0)):
        rows = [row for block in blocks(rounds, sentences) for row in range(rounds)[block]]
        assert rows == list(range(rounds))


def test_every_bootstrap_round_draws_as_many_sentences_as_there_are() -> None:
    values = np.hstack([np.ones((9, 1)), np.arange(9.0)[:, None]])
    sums = bootstrap_sums(values, 500, 3)
    assert (sums[:, 0] == 9).all()
    assert 30 < sums[:, 1].mean() < 42  # 36 expected
    # The variance of a sum of nine draws from 0…8.
    assert sums[:, 1].var() == pytest.approx(9 * np.arange(9).var(), rel=0.25)


def test_every_sentence_is_swapped_half_of_the_time() -> None:
    sums = swap_sums(np.eye(20), 4000, 3)
    assert set(np.unique(sums)) == {0.0, 1.0}
    np.testing.assert_allclose(sums.mean(axis=0), 0.5, atol=0.04)
    # Coins of different sentences have nothing to do with each other.
    assert np.abs(np.corrcoef(sums.T) - np.eye(20)).max() < 0.08


def test_nothing_to_swap() -> None:
    assert not swap_sums(np.zeros((4, 2)), 10, 0).any()


def test_table_ratios() -> None:
    assert table_ratios(np.array([[1.0, 3.0, 2.0, 4.0]])).tolist() == [[0.5, 0.75]]
