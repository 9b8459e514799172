"""Similar words: windows, mutual information and cosines, against slow twins."""

from collections import Counter
from math import log, sqrt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from headwise.errors import InputError, ModelError, UsageError
from headwise.storage.modelfile import ModelFile, load_model, save_model
from headwise.text.similarity.contexts import KeyCounts, count_contexts, numbered
from headwise.text.similarity.words import WordSimilarity, similarity_smoothed

TEXT = [line.split() for line in ("the big dog saw the cat", "a dog saw", "cat", "", "the the cat")]


def slow_pairs(sentences, stop_words):
    """Every word with the words of its window, and the side they are on."""
    for words in sentences:
        for i, word in enumerate(words):
            for side, outwards in enumerate((words[:i][::-1], words[i + 1 :])):
                for other in outwards:
                    yield word, other, side
                    if other not in stop_words:
                        break


def slow_similarity(sentences, stop_words, sides):
    """All cosines of vectors of mutual information, as dictionaries."""
    pairs = Counter(
        (word, (other, side if sides else 0))
        for word, other, side in slow_pairs(sentences, stop_words)
    )
    total = sum(pairs.values())
    of_word, of_context = Counter(), Counter()
    for (word, context), count in pairs.items():
        of_word[word] += count
        of_context[context] += count
    vectors = {word: {} for word in of_word}
    for (word, context), count in pairs.items():
        vectors[word][context] = log(count * total / of_word[word] / of_context[context])
    norms = {word: sqrt(sum(x * x for x in vector.values())) for word, vector in vectors.items()}

    def cosine(a, b):
        dot = sum(x * vectors[b].get(key, 0.0) for key, x in vectors[a].items())
        return dot / norms[a] / norms[b] if norms[a] * norms[b] else 0.0

    return {a: {b: cosine(a, b) for b in vectors if b != a} for a in vectors}


def test_a_window_ends_with_the_nearest_word_that_is_no_stop_word():
    text = numbered(TEXT, 100, 1)
    assert text.words[:2] == ("the", "cat")
    contexts = count_contexts(text, stop_words=1)
    names = np.array(text.words)
    found = {
        (str(names[w]), str(names[c])): int(n)
        for w, c, n in zip(contexts.word, contexts.context, contexts.count, strict=True)
    }
    assert found["saw", "the"] == 1
    assert found["saw", "cat"] == found["cat", "saw"] == 1  # behind a stop word
    assert ("big", "saw") not in found
    assert found["the", "the"] == 2  # each is in the window of the other
    expected = Counter((a, b) for a, b, _ in slow_pairs(TEXT, {"the"}))
    assert found == expected


def test_words_that_are_too_rare_end_windows_and_are_in_no_pair():
    text = numbered([["a", "x", "b"], ["a", "b"], ["b", "a"]], 100, 2)
    assert text.words == ("a", "b")
    assert count_contexts(text, 0).count.tolist() == [2, 2]


WORDS = st.lists(st.lists(st.sampled_from("abcdefg"), max_size=8), min_size=1, max_size=12)


@given(WORDS, st.integers(0, 3), st.booleans())
@settings(max_examples=60, deadline=None)
def test_cosines_are_those_of_the_slow_twin(sentences, stop_words, sides):
    if len({word for words in sentences for word in words}) < 2:
        return
    found = WordSimilarity(stop_words=stop_words, least=1, neighbours=7, sides=sides).fit(sentences)
    slow = slow_similarity(sentences, set(found.words_[:stop_words]), sides)
    for word in found.words_:
        near = dict(found.similar(word))
        for other, cosine in slow.get(word, {}).items():
            assert near.get(other, 0.0) == pytest.approx(max(cosine, 0.0), abs=2e-5)
        values = [cosine for _, cosine in found.similar(word)]
        assert values == sorted(values, reverse=True)


def test_dense_columns_change_nothing(monkeypatch):
    rng = np.random.default_rng(0)
    sentences = [list(rng.choice(list("abcdefghij"), 6)) for _ in range(40)]
    both = []
    for share in (1, 10**9):  # all columns dense but the empty ones, or none
        monkeypatch.setattr("headwise.text.similarity.contexts.DENSE", share if share > 1 else 0)
        both.append(WordSimilarity(least=1, stop_words=2, neighbours=4).fit(sentences))
    assert both[0].near_.tolist() == both[1].near_.tolist()
    assert both[0].cosine_ == pytest.approx(both[1].cosine_, abs=1e-5)


def test_case_is_made_small_unless_it_shall_be_kept():
    sentences = [["A", "b"], ["a", "c"], ["A", "c"]]
    assert WordSimilarity(least=1).fit(sentences).number_of("A") == 0
    kept = WordSimilarity(least=1, lowercase=False).fit(sentences)
    assert kept.number_of("a") != kept.number_of("A")


def test_what_is_saved_comes_back(tmp_path):
    learnt = WordSimilarity(least=1, neighbours=3).fit(TEXT)
    learnt.save(tmp_path / "s", about={"text": "a | b"})
    again = WordSimilarity.load(tmp_path / "s")
    assert again.similar("dog") == learnt.similar("dog") != []
    assert again.similar("nowhere") == []
    assert again.tokens_ == 13
    assert "a \\| b" in (tmp_path / "s" / "README.md").read_text()


@pytest.mark.parametrize("what", ["near", "cosine", "words", "settings"])
def test_a_file_that_does_not_hold_together_is_refused(what, tmp_path):
    WordSimilarity(least=1, neighbours=3).fit(TEXT).save(tmp_path / "s")
    model = load_model(tmp_path / "s")
    arrays, own = dict(model.arrays), dict(model.settings)
    if what == "near":
        arrays["near"] = arrays["near"] + np.int32(50)
    elif what == "cosine":
        arrays["cosine"] = arrays["cosine"] - np.float32(np.nan)
    elif what == "words":
        arrays["words"] = np.frombuffer(b"a\na", np.uint8)
    else:
        own = {"learning": {"least": "many"}}
    save_model(tmp_path / "bad", ModelFile("similarity", own, arrays, ""))
    with pytest.raises(ModelError, match="bad"):
        WordSimilarity.load(tmp_path / "bad")


def test_bad_calls_are_refused():
    with pytest.raises(UsageError, match="neighbours must be 1 or more, not 0"):
        WordSimilarity(neighbours=0).fit(TEXT)
    with pytest.raises(InputError, match="no two words that occur 5 times"):
        WordSimilarity().fit([[], ["one"]])
    with pytest.raises(UsageError, match="nothing was learnt yet"):
        WordSimilarity().similar("a")


def test_smoothing_is_the_weighted_average_of_similar_words():
    chances = {"beer": 0.5, "wine": 0.2, "tea": 0.0}
    similar = [("wine", 0.3), ("tea", 0.1)]
    assert similarity_smoothed(similar, chances.__getitem__) == pytest.approx(0.15)
    assert similarity_smoothed([], chances.__getitem__) == 0.0


@given(st.lists(st.lists(st.integers(0, 20), max_size=30), max_size=5))
def test_counting_in_blocks_is_counting(blocks):
    counts = KeyCounts()
    for block in blocks:
        counts.add(np.array(block, np.int64))
    keys, times = counts.total()
    expected = Counter(key for block in blocks for key in block)
    assert dict(zip(keys.tolist(), times.tolist(), strict=True)) == expected
