from dataclasses import dataclass, replace

import numpy as np
import pytest

from headwise.errors import ModelError, UsageError
from headwise.progress import silent
from headwise.reranking import LEARNERS, LinearReranker
from headwise.reranking.learners import Learning, RankingData, learn_log_linear, normalised
from headwise.reranking.rows import FeatureRows, Vocabulary
from headwise.reranking.storage import load_reranker, save_reranker
from headwise.storage.modelfile import load_model, save_model


@dataclass
class Words:
    """Candidates are words here, and their letters features."""

    trees: tuple[str, ...]
    scores: np.ndarray


def lists(count=40, seed=0):
    """Words with a z are right, whatever the score says."""
    rng = np.random.default_rng(seed)
    found, gold = [], []
    for _ in range(count):
        words = ["".join(rng.choice(list("abcde"), 4)) for _ in range(5)]
        right = int(rng.integers(0, 5))
        words[right] += "z"
        found.append(Words(tuple(words), rng.normal(size=5)))
        gold.append(words[right])
    return found, gold


def loss(word, gold):
    return float(word != gold)


FEATURES = {"letters": list, "ends": lambda word: [f"end {word[-1]}"]}


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


def test_votes_are_those_of_each_perceptron():
    reranker = LinearReranker(FEATURES, learner="voted", epochs=3).fit(*lists(), loss)
    words = lists(seed=2)[0][0]
    rows = reranker.rows(words)
    weights = np.zeros(len(reranker.vocabulary_))
    weights[0] = 1.0
    votes = np.zeros(5)
    for number, count in enumerate(reranker.votes_.tolist()):
        if number:
            columns, values = reranker.steps_.row(number - 1)
            weights[columns] += values
        votes[int(np.argmax(rows.dot(weights)))] += count
    assert reranker.scores(words).tolist() == votes.tolist()


def test_the_gradient_is_that_of_the_likelihood():
    found, gold = lists(10)
    vocabulary = Vocabulary()
    rows = [vocabulary.rows(one, [list], 1.0, learn=True) for one in found]
    losses = [
        np.array([loss(w, own) for w in one.trees]) for one, own in zip(found, gold, strict=True)
    ]
    data = RankingData.of(rows, losses, len(vocabulary))
    weights = learn_log_linear(data, Learning(epochs=50, prior=0.3), silent)

    def objective(w):
        starts, lengths = data.bounds[:-1], np.diff(data.bounds)
        totals = data.rows.dot(w)
        right = np.where(data.losses == 0, totals, -np.inf)
        norms = normalised(totals, starts, lengths)[1] - normalised(right, starts, lengths)[1]
        return norms.sum() + 0.15 * (w[1:] ** 2).sum()

    for column in range(len(weights)):
        for step in (-1e-2, 1e-2):
            moved = weights.copy()
            moved[column] += step
            assert objective(moved) >= objective(weights) - 1e-5


def test_rows_leave_out_what_candidates_have_in_common_and_rare_features():
    vocabulary = Vocabulary()
    rows = vocabulary.rows(
        Words(("ab", "ac", "aa"), np.array([1.0, 3.0, 2.0])), [list], 2.0, learn=True
    )
    dense = np.zeros((3, len(vocabulary)))
    for place in range(3):
        columns, values = rows.row(place)
        dense[place, columns] = values
    assert dense[:, 0].tolist() == [-1.0, 0.0, -0.5]
    assert dense[:, vocabulary.columns["a"]].tolist() == [1.0, 1.0, 2.0]
    same = vocabulary.rows(Words(("ab", "ba"), np.zeros(2)), [list], 1.0)
    assert same.columns.tolist() == [0, 0]
    small, (kept, _) = vocabulary.reduced([rows, rows.part(0, 2)], 2)
    assert small.names == ["a", "b", "c"]
    assert len(kept) == 3
    assert isinstance(FeatureRows.joined([rows, same]), FeatureRows)


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


@pytest.mark.parametrize(
    "change",
    [
        {"features": 3}, {"features": [3]}, {"labels": 1}, {"labels": [1]}, {"parameters": []},
        {"parameters": {"learner": "guess"}}, {"unit": 0.0}, {"unit": "1"}, {"scale": -1.0},
        {"trees": None}, {"more": 1},
    ],
)  # fmt: skip
def test_settings_of_another_kind_are_refused(tmp_path, change):
    reranker = LinearReranker(FEATURES).fit(*lists(), loss)
    save_reranker(tmp_path / "model", reranker, "words")
    model = load_model(tmp_path / "model")
    save_model(tmp_path / "bad", replace(model, settings={**model.settings, **change}))
    with pytest.raises(ModelError, match=f"settings of this reranker .*{next(iter(change))}"):
        load_reranker(tmp_path / "bad", "words", FEATURES)


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("step_starts", lambda array: array[::-1].copy()),
        ("step_starts", lambda array: array[:0]),
        ("step_columns", lambda array: array + 1000),
        ("step_columns", lambda array: array.astype(np.float64)),
        ("step_values", lambda array: array * np.nan),
        ("votes", lambda array: array * 0),
        ("names", lambda array: array.astype(np.float32)),
    ],
)
def test_arrays_that_do_not_fit_are_refused(tmp_path, name, change):
    reranker = LinearReranker(FEATURES, learner="voted").fit(*lists(), loss)
    save_reranker(tmp_path / "model", reranker, "words")
    model = load_model(tmp_path / "model")
    arrays = {**model.arrays, name: change(model.arrays[name])}
    save_model(tmp_path / "bad", replace(model, arrays=arrays))
    with pytest.raises(ModelError, match=f"bad: array '{name}'"):
        load_reranker(tmp_path / "bad", "words", FEATURES)
