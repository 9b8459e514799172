import numpy as np
import pytest

from headwise.errors import HeadwiseWarning, InputError, ModelError, SourceLocation, UsageError
from headwise.reranking import LEARNERS, LinearReranker
from headwise.reranking.linear import ALL_LABELS, KnowsLabels
from headwise.reranking.storage import load_reranker, save_reranker
from rankedwords import FEATURES, Words, lists, loss


@pytest.mark.parametrize("learner", LEARNERS)
def test_it_learns_saves_and_loads(learner, tmp_path):
    reranker = LinearReranker(FEATURES, learner=learner, c=1.0).fit(*lists(), loss)
    unseen, gold = lists(seed=1)
    found = [reranker.probabilities(one) for one in unseen]
    right = sum(
        one.trees[int(np.argmax(p))] == own for one, p, own in zip(unseen, found, gold, strict=True)
    )
    assert right >= 38
    assert all(p.sum() == pytest.approx(1.0) and (p >= 0).all() for p in found)
    reranker.scale_ = 0.5
    save_reranker(tmp_path / "model", reranker, "words", about={"made of": "letters | words"})
    again = load_reranker(tmp_path / "model", "words", FEATURES)
    for one in unseen[:5]:
        assert again.probabilities(one).tolist() == reranker.probabilities(one).tolist()
    with pytest.raises(ModelError, match="reranker of words, not of trees"):
        load_reranker(tmp_path / "model", "trees", FEATURES)
    with pytest.raises(ModelError, match="requires the feature function 'ends'"):
        load_reranker(tmp_path / "model", "words", {"letters": list})


@pytest.mark.parametrize("factor", [1e-200, 1e10])
def test_what_was_learnt_from_scores_of_any_size_can_be_loaded(factor, tmp_path):
    found, gold = lists()
    for one in found:
        one.scores *= factor
    reranker = LinearReranker(FEATURES).fit(found, gold, loss)
    save_reranker(tmp_path / "model", reranker, "words")
    again = load_reranker(tmp_path / "model", "words", FEATURES)
    assert again.probabilities(found[0]).tolist() == reranker.probabilities(found[0]).tolist()


@pytest.mark.parametrize("learner", LEARNERS)
def test_a_constant_in_all_scores_changes_nothing_and_learning_is_repeatable(learner):
    training = lists()
    one, other = (LinearReranker(FEATURES, learner=learner).fit(*training, loss) for _ in range(2))
    for words in training[0][:5]:
        shifted = Words(words.trees, words.scores + 100.0)
        assert one.probabilities(words) == pytest.approx(one.probabilities(shifted))
        assert one.probabilities(words).tolist() == other.probabilities(words).tolist()


@pytest.mark.parametrize("learner", ["perceptron", "voted", "large-margin"])
def test_where_scores_are_right_nothing_is_learned(learner):
    found, gold = lists()
    for words, right in zip(found, gold, strict=True):
        words.scores = np.array([50.0 * (word == right) for word in words.trees])
    reranker = LinearReranker(FEATURES, learner=learner).fit(found, gold, loss)
    best = [words.trees[int(np.argmax(reranker.probabilities(words)))] for words in found]
    assert best == gold
    if learner == "voted":
        assert reranker.votes_.tolist() == [400]


def test_wrong_calls():
    found, gold = lists(3)
    with pytest.raises(UsageError, match="unknown learner"):
        LinearReranker(FEATURES, learner="guess").fit(found, gold, loss)
    with pytest.raises(UsageError, match="epochs"):
        LinearReranker(FEATURES, epochs=0).fit(found, gold, loss)
    with pytest.raises(UsageError, match="3 candidate lists for 2 gold trees"):
        LinearReranker(FEATURES).fit(found, gold[:2], loss)
    with pytest.raises(UsageError, match="not fitted"):
        LinearReranker(FEATURES).probabilities(found[0])
    with pytest.raises(UsageError, match="not fitted"):
        save_reranker("nowhere", LinearReranker(FEATURES), "words")


def test_lists_without_a_choice_teach_nothing():
    found, gold = lists(6)
    for one in found:
        one.trees, one.scores = one.trees[:1], one.scores[:1]
    with pytest.raises(UsageError, match="every list has a single candidate"):
        LinearReranker(FEATURES).fit(found, gold, loss)


def test_a_reranker_that_keeps_no_feature_says_so():
    found, gold = lists(6)
    with pytest.warns(HeadwiseWarning, match="the score of the parser alone decides"):
        LinearReranker(FEATURES, least=7).fit(found, gold, loss)


PLACE = SourceLocation("lists.conllu", 3)


def knowing(*labels: str) -> KnowsLabels:
    known = KnowsLabels()
    known.labels_ = frozenset(labels)
    return known


def test_labels_that_were_met_are_accepted():
    knowing("nsubj", "obj", "root").check_labels(["nsubj", "obj", "obj"], PLACE, strict=True)
    knowing("nsubj").check_labels([], PLACE, strict=True)


def test_where_none_were_recorded_all_are_accepted():
    assert knowing().labels_ == ALL_LABELS
    knowing().check_labels(["anything"], PLACE, strict=True)


def test_another_label_is_named_with_its_place_and_the_most_similar_one():
    with pytest.raises(InputError, match="'nsubjj'.*most similar: 'nsubj'") as caught:
        knowing("nsubj", "obj").check_labels(["obj", "nsubjj", "zzz"], PLACE, strict=True)
    assert caught.value.location == PLACE
    with pytest.raises(InputError, match="most similar: 'obj'"):
        knowing("obj").check_labels(["zzz"], PLACE, strict=True)


def test_of_other_labels_there_is_one_warning():
    known = knowing("nsubj", "obj")
    with pytest.warns(HeadwiseWarning, match=r"^lists.conllu:3: .*'zzz'.*have no weight"):
        known.check_labels(["zzz"], PLACE)
    known.check_labels(["yyy"], PLACE)  # a second warning would be an error
    with pytest.raises(InputError, match="'yyy'"):
        known.check_labels(["yyy"], PLACE, strict=True)
