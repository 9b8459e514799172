"""Rankings, and their files."""

import json

import pytest

from headwise.corpus.sentence import Sentence
from headwise.errors import InputError, UsageError
from headwise.review.opinions import Opinion
from headwise.review.ranking import Ranking, Suspicion, ranked, read_ranking, suspicions

SENTENCE = Sentence.from_words(
    ["We", "read"], upos=["PRON", "NOUN"], heads=[2, 0], relations=["nsubj", "root"],
    comments=["# sent_id = s1"],
)  # fmt: skip
ONE = Suspicion(1, "s1", 2, "read", "upos", "NOUN", 0.0125, "VERB", 0.98)


def test_values_that_parsers_would_choose_are_not_suspicious():
    opinions = [
        Opinion(0, 1, "head", "2", 0.9, 0.8, "2", 0.9, 0.8),
        Opinion(0, 2, "head", "0", 0.4, 0.4, "1", 0.6, 0.6),
        Opinion(0, 2, "upos", "NOUN", 0.1, 0.2, "VERB", 0.9, 0.1),
    ]
    found = suspicions(opinions, [SENTENCE])
    assert [(one.column, one.form, one.expected) for one in found] == [
        ("upos", "read", "VERB"),
        ("head", "read", "1"),
    ]
    assert 0.1 <= found[0].probability <= 0.2


def test_the_least_likely_comes_first_and_among_equals_the_surest_correction():
    many = [
        Suspicion(1, None, 1, "a", "head", "2", 0.5, "3", 0.5),
        Suspicion(2, None, 1, "a", "head", "2", 0.1, "3", 0.5),
        Suspicion(3, None, 1, "a", "head", "2", 0.1, "3", 0.9),
    ]
    assert [one.number for one in ranked(many)] == [3, 2, 1]


def test_a_suspicion_fits_a_sentence_that_still_has_the_value():
    assert ONE.fits(SENTENCE)
    corrected = Sentence.from_words(["We", "read"], upos=["PRON", "VERB"])
    assert not ONE.fits(corrected)
    assert not ONE.fits(Sentence.from_words(["We"]))
    assert not ONE.fits(Sentence.from_words(["We", "wrote"], upos=["PRON", "NOUN"]))
    head = Suspicion(1, "s1", 1, "We", "head", "2", 0.1, "0", 0.9)
    assert head.fits(SENTENCE)
    assert not head.fits(Sentence.from_words(["We", "read"]))


def test_a_ranking_is_written_and_read(tmp_path):
    ranking = Ranking("x.conllu", {"upos": 2}, (ONE, ONE))
    path = tmp_path / "r.json"
    path.write_text(json.dumps(ranking.to_json()))
    assert read_ranking(path) == ranking
    assert read_ranking(path).top(1).suspicions == (ONE,)


@pytest.mark.parametrize(
    "text",
    ["", "[]", "{}", '{"format": "headwise review 1"}', "\udce9", "[" * 100_000,
     '{"format": "headwise review 1", "file": "", "judged": {}, "suspicions": [{}]}'],
    ids=range(7),
)  # fmt: skip
def test_what_is_no_ranking_is_refused(tmp_path, text):
    path = tmp_path / "r.json"
    path.write_bytes(text.encode("utf-8", "surrogateescape"))
    with pytest.raises(InputError, match="not a ranking"):
        read_ranking(path)


@pytest.mark.parametrize(
    "change",
    [
        {"word": "2"}, {"word": 0}, {"column": "misc"}, {"probability": "x"}, {"form": 1.5},
        {"form": 3}, {"sentence": []}, {"probability": float("nan")}, {"number": True},
        {"probability": 2}, {"expected_probability": -1}, {"more": 1},
    ],
)  # fmt: skip
def test_a_value_of_another_kind_is_refused(tmp_path, change):
    data = Ranking("x", {}, (ONE,)).to_json()
    data["suspicions"][0] |= change
    path = tmp_path / "r.json"
    path.write_text(json.dumps(data))
    with pytest.raises(InputError, match="not a ranking"):
        read_ranking(path)


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(UsageError, match="there is no file"):
        read_ranking(tmp_path / "none.json")
