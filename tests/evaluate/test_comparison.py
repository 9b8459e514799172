import json
import time
from pathlib import Path

import numpy as np
import pytest
from scoring_data import sentence, some, spoilt

from headwise.corpus.conllu import read_conllu
from headwise.errors import HeadwiseWarning, MismatchError
from headwise.evaluate import compare, evaluate
from headwise.evaluate.comparison import head_verdicts, mcnemar_of_heads
from headwise.evaluate.measures import NAMES

EWT_DEV = Path(__file__).parents[2] / "../shared/treebanks/en_ewt/en_ewt-ud-dev.conllu.gz"

GOLD = some(1, 120)
A = spoilt(2, GOLD, 0.30)
B = spoilt(3, GOLD, 0.15)


def test_scores_are_those_of_evaluate() -> None:
    found = compare(GOLD, A, B, rounds=50)
    for system, side in ((A, "a"), (B, "b")):
        scores = evaluate(GOLD, system, confidence=None)
        for view in ("all_tokens", "without_punctuation"):
            values = getattr(scores, view).values
            assert {d.measure: getattr(d, side) for d in getattr(found, view).differences} == values


def test_mcnemar_by_hand() -> None:
    gold = sentence("a b c .", [0, 1, 1, 1])
    a = sentence("a b c .", [0, 1, 2, 2])
    b = sentence("a b c .", [0, 3, 1, 1])
    found = compare([gold], [a], [b], rounds=10)
    assert (found.all_tokens.mcnemar_heads.only_a, found.all_tokens.mcnemar_heads.only_b) == (1, 2)
    without = found.without_punctuation.mcnemar_heads
    assert (without.only_a, without.only_b) == (1, 1)
    assert found.all_tokens["uas"].difference == 25


def test_verdicts_of_each_system_give_the_same_test() -> None:
    found = compare(GOLD, A, B, rounds=10)
    a, b = head_verdicts(GOLD, A), head_verdicts(GOLD, B)
    assert mcnemar_of_heads(a, b) == found.all_tokens.mcnemar_heads
    without = mcnemar_of_heads(a, b, punctuation=False)
    assert without == found.without_punctuation.mcnemar_heads
    gold = sentence("a b c .", [0, 1, 1, 1])
    assert head_verdicts([gold], [sentence("a b c .", [0, 1, 2, 1])]).tolist() == [1, 1, 0, 3]


def test_mcnemar_of_labels() -> None:
    gold = sentence("a b", [0, 1], "root obj")
    a = sentence("a b", [0, 1], "root obl")
    found = compare([gold], [a], [gold], rounds=10).all_tokens
    assert (found.mcnemar_heads.only_b, found.mcnemar_labelled.only_b) == (0, 1)
    found = compare([gold], [gold], [a], rounds=10).all_tokens
    assert (found.mcnemar_heads.only_a, found.mcnemar_labelled.only_a) == (0, 1)


def test_a_better_system_is_found_better() -> None:
    found = compare(GOLD, A, B, rounds=1000)
    uas = found.all_tokens["uas"]
    assert uas.difference > 5
    assert 0 < uas.interval[0] < uas.difference < uas.interval[1]
    assert uas.bootstrap_p == pytest.approx(2 / 1001)
    assert uas.randomisation_p == pytest.approx(1 / 1001)
    assert found.all_tokens.mcnemar_heads.p < 1e-6


def test_swapping_negates() -> None:
    there, back = compare(GOLD, A, B, rounds=300), compare(GOLD, B, A, rounds=300)
    for view in ("all_tokens", "without_punctuation"):
        pairs = zip(getattr(there, view).differences, getattr(back, view).differences, strict=True)
        for one, other in pairs:
            assert one.difference == -other.difference
            assert one.randomisation_p == other.randomisation_p
            np.testing.assert_allclose(one.interval, [-end for end in other.interval[::-1]])
    assert there.all_tokens.mcnemar_heads.p == back.all_tokens.mcnemar_heads.p


def test_a_system_against_itself() -> None:
    found = compare(GOLD, A, A, rounds=100)
    for one in (*found.all_tokens.differences, *found.without_punctuation.differences):
        assert (one.difference, one.bootstrap_p, one.randomisation_p) == (0, 1, 1)
    assert found.all_tokens.mcnemar_heads.p == 1


def test_json() -> None:
    data = compare(GOLD, A, B, rounds=20, seed=5).to_json()
    assert json.loads(json.dumps(data, allow_nan=False)) == data
    assert set(data["measures"]) == set(data["without_punctuation"]["measures"]) == set(NAMES)
    assert set(data["mcnemar"]) == {"heads", "labelled"}
    assert (data["sentences"], data["rounds"], data["seed"]) == (120, 20, 5)


def test_the_same_answer_always(monkeypatch: pytest.MonkeyPatch) -> None:
    first = compare(GOLD, A, B, rounds=200).to_json()
    assert compare(iter(GOLD), iter(A), iter(B), rounds=200).to_json() == first
    monkeypatch.setattr("headwise.evaluate.words.BATCH_SENTENCES", 11)
    assert compare(GOLD, A, B, rounds=200).to_json() == first
    assert compare(GOLD, A, B, rounds=200, seed=1).to_json() != first


def test_files_must_match() -> None:
    with pytest.raises(MismatchError):
        compare(GOLD, A, B[:-1])


def test_10_000_rounds_on_2_000_sentences_take_seconds() -> None:
    # Measured 0.3 s for all measures and tests; the limit leaves room for slow machines.
    gold, a, b = (one[:100] * 20 for one in (GOLD, A, B))
    start = time.perf_counter()
    compare(gold, a, b, rounds=10_000)
    assert time.perf_counter() - start < 10


@pytest.mark.shared
@pytest.mark.skipif(not EWT_DEV.exists(), reason="needs the treebanks kept beside the repository")
def test_two_outputs_on_a_treebank() -> None:
    gold = list(read_conllu(EWT_DEV))
    a, b, c = (spoilt(seed, gold, rate) for seed, rate in ((1, 0.12), (2, 0.12), (3, 0.10)))
    equal = compare(gold, a, b)
    better = compare(gold, a, c)
    for view in ("all_tokens", "without_punctuation"):
        found = getattr(equal, view)["uas"]
        assert min(found.bootstrap_p, found.randomisation_p) > 0.01
        assert getattr(equal, view).mcnemar_heads.p > 0.01
        found = getattr(better, view)["uas"]
        assert found.difference > 1
        assert max(found.bootstrap_p, found.randomisation_p) < 0.001
        assert getattr(better, view).mcnemar_heads.p < 0.001


def test_labels_are_not_compared_without_gold_relations() -> None:
    bare = sentence("a b", [2, 0], "_ _")
    with pytest.warns(HeadwiseWarning, match="not available"):
        found = compare([bare], [bare], [sentence("a b", [0, 1])], rounds=10)
    data = found.to_json()
    assert data["mcnemar"]["labelled"] is None
    assert data["measures"]["las"]["a"] is None
    assert data["measures"]["las"]["bootstrap_p"] is None
    assert data["measures"]["uas"]["a"] == 100.0
    assert json.dumps(data, allow_nan=False)
