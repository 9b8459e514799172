import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from candidatelists import TREES, candidate
from headwise.errors import InputError, LimitError, MismatchError, UsageError
from headwise.inference.lengths import LONGEST
from headwise.reranking.decide import Choice, check_pairs, decide, tune_choice, with_probabilities
from headwise.reranking.lists import TreeList
from headwise.search.probabilities import ScaledScores
from oracle import trees

LABELS = ("a", "b")


@st.composite
def lists(draw):
    n = draw(st.integers(2, 5))
    everything = trees(n, projective=False, single_root=draw(st.booleans()))
    heads = draw(st.lists(st.sampled_from(everything), min_size=1, max_size=6))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    forms = [str(word) for word in range(n)]
    found = [
        candidate(list(one[1:]), [str(x) for x in rng.choice(LABELS, n)], forms=forms)
        for one in heads
    ]
    return TreeList.of("1", found, rng.integers(-2, 3, len(found)) / 2)


def wrong(labelled):
    def loss(chosen, right):
        pairs = zip(chosen.heads, right.heads, chosen.relations, right.relations, strict=True)
        return float(sum(a != b or (labelled and x != y) for a, b, x, y in pairs))

    return loss


@settings(max_examples=60, deadline=None)
@given(lists(), st.sampled_from(["labelled", "unlabelled"]))
def test_losses_by_name_are_those_functions_and_prediction_is_no_worse(found, name):
    loss = wrong(name == "labelled")
    weights = ScaledScores().probabilities(found)

    def risk(tree):
        return sum(w * loss(tree, one) for w, one in zip(weights, found.trees, strict=True))

    chosen = decide(found, Choice("mbr-rerank", name))
    assert chosen == decide(found, Choice("mbr-rerank", loss))
    assert risk(chosen) == pytest.approx(min(map(risk, found.trees)))
    predicted = decide(found, Choice("mbr", name))
    assert risk(predicted) <= risk(chosen) + 1e-9


@settings(max_examples=40, deadline=None)
@given(lists(), st.integers(-300, 300))
def test_a_constant_in_all_scores_changes_nothing(found, constant):
    shifted = TreeList.of("1", found.trees, found.scores + constant)
    for decode in ("mbr", "mbr-rerank", "map"):
        assert decide(found, Choice(decode)) == decide(shifted, Choice(decode))


@settings(max_examples=40, deadline=None)
@given(lists(), st.integers(0, 5))
def test_with_all_mass_on_one_candidate_it_is_the_answer(found, number):
    number %= len(found)

    class Sure:
        def probabilities(self, candidates):
            return np.eye(len(candidates))[number]

    for decode in ("mbr", "mbr-rerank", "map"):
        chosen = decide(found, Choice(decode), Sure())
        assert (chosen.heads, chosen.relations) == (
            found.trees[number].heads,
            found.trees[number].relations,
        )


def test_arcs_have_their_most_probable_relation_under_either_loss():
    names = [["x", "root", "y", "z"], ["x", "root", "w", "z"], ["x", "root", "w", "z"]]
    found = TreeList.of("s", [candidate(TREES[0], one) for one in names], [0.5, 0.0, 0.0])
    for loss in ("labelled", "unlabelled"):
        assert decide(found, Choice("mbr", loss)).relations == ("x", "root", "w", "z")


def test_an_arc_of_no_candidate_may_be_needed():
    heads = [[0, 0], [0, 0]]  # two roots, but one is wanted
    found = TreeList.of("s", [candidate(one, forms=("a", "b")) for one in heads], [0, 0])
    answer = decide(found, Choice(single_root=True))
    assert sorted(answer.relations) == ["dep", "root"]
    assert decide(found, Choice()).heads == (0, 0)


def test_the_answer_has_the_name_of_its_sentence():
    comments = ("# sent_id = s/1", "# text = x", "# score = 1")
    found = TreeList.of("s", [candidate(TREES[0], comments=comments)], [1.0])
    assert decide(found).comments == ("# sent_id = s", "# text = x")


def test_the_scale_is_tuned():
    lists = [TreeList.of("s", [candidate(heads) for heads in TREES], [1.0, 0.0, 0.0])] * 2
    gold = [candidate(TREES[0])] * 2
    found = tune_choice(lists, gold, Choice("map"), [0.0, 1.0])
    assert found.gain == 1.0


def test_scores_become_logarithms_of_probabilities():
    found = TreeList.of("s", [candidate(heads) for heads in TREES], [1.0, 0.0, 0.0])
    kept = with_probabilities(found, np.array([0.25, 0.0, 0.75]))
    assert np.exp(kept.scores) == pytest.approx([0.25, 0.75])
    assert kept.trees == (found.trees[0], found.trees[2])


def test_longer_sentences_than_parsers_accept_are_refused():
    forms = ("a",) * (LONGEST + 1)
    found = TreeList.of("s", [candidate(range(len(forms)), forms=forms)], [0.0])
    with pytest.raises(LimitError, match="longest that is parsed"):
        decide(found)
    assert decide(found, Choice("map")).heads == tuple(range(len(forms)))


def test_wrong_calls():
    found = TreeList.of("s", [candidate(TREES[0], ["_"] * 4)], [0.0])
    with pytest.raises(InputError, match="unlabelled"):
        decide(found)
    with pytest.raises(InputError, match="unlabelled"):
        decide(found, Choice("mbr-rerank"))
    assert decide(found, Choice(loss="unlabelled")).heads == TREES[0]
    for choice in (Choice("guess"), Choice(loss="half"), Choice("mbr", lambda a, b: 0.0)):
        with pytest.raises(UsageError):
            decide(found, choice)
    with pytest.raises(MismatchError, match="1 candidate lists, but 2 gold trees"):
        check_pairs([found], [candidate(TREES[0])] * 2)
