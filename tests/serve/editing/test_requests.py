import pytest

from editedfiles import written
from headwise.errors import UsageError
from headwise.serve.editing.marks import marks_of
from headwise.serve.editing.proposing import Proposal
from headwise.serve.editing.requests import ACTS, prepared
from headwise.serve.editing.session import Session


@pytest.fixture
def session(tmp_path):
    found = Session(written(tmp_path))
    for key in found.keys:
        one = found.sentence(key)
        heads = [n - 1 if head is None else head for n, head in enumerate(one.heads, 1)]
        found.note_answer(key, Proposal(one.with_tree(heads, one.relations)))
    return found


FIELDS = [
    {"act": "head", "word": 1, "head": 2},
    {"act": "relation", "word": 1, "relation": "det"},
    {"act": "release", "words": [1]},
    {"act": "release_all"},
    {"act": "release_tags", "words": [1]},
    {"act": "forbid", "word": 1, "head": 2},
    {"act": "allow", "word": 1, "head": 2},
    {"act": "bracket", "first": 1, "last": 2},
    {"act": "unbracket", "first": 1, "last": 2},
    {"act": "set", "word": 1, "column": "upos", "value": "DET"},
    {"act": "accept", "words": [1, 2]},
    {"act": "check"},
    {"act": "uncheck"},
    {"act": "note", "note": "x"},
    {"act": "punctuation"},
    {"act": "split_word", "word": 2, "forms": ["c", "at"]},
    {"act": "merge_words", "word": 1},
    {"act": "split_sentence", "word": 2},
    {"act": "merge_sentences"},
]


@pytest.mark.parametrize("fields", FIELDS, ids=lambda one: one["act"])
def test_every_act_is_prepared_and_changes_nothing_yet(session, fields):
    before = list(session.file.sentences)
    change = prepared(session, 0, fields)
    assert change.new
    assert session.file.sentences == before


def test_all_acts_are_tried_here():
    assert {one["act"] for one in FIELDS} == {*ACTS, "split_sentence", "merge_sentences"}


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"act": "nothing"},
        {"act": ["head"]},
        {"act": "head", "word": True, "head": 2},
        {"act": "head", "word": 1.5, "head": 2},
        {"act": "head", "word": "1", "head": 2},
        {"act": "head", "word": 10**20, "head": 2},
        {"act": "note", "note": 5},
        {"act": "note", "note": "\ud800"},
        {"act": "note", "note": "\x00"},
        {"act": "note", "note": "x" * 10_001},
        {"act": "release", "words": 3},
        {"act": "split_word", "word": 1, "forms": "ab"},
        {"act": "check", "without": "x"},
        {"act": "check", "without": [["head", 1]]},
    ],
)
def test_what_makes_no_sense_is_refused(session, fields):
    with pytest.raises(UsageError):
        prepared(session, 0, fields)


def test_what_clashes_can_be_released_with_the_act(session):
    without = [["head", 1, 2], ["head", 2, 5]]
    change = prepared(session, 1, {"act": "head", "word": 5, "head": 2, "without": without})
    assert change.new[0][1].heads[:5] == (None, None, 5, 5, 2)
    change = prepared(
        session,
        1,
        {
            "act": "bracket",
            "first": 1,
            "last": 2,
            "without": [["bracket", 1, 2], ["forbidden", 1, 2]],
        },
    )
    assert marks_of(change.new[0][1]).brackets == ((1, 2),)


def test_the_last_sentence_has_no_next_one(session):
    with pytest.raises(UsageError, match="last"):
        prepared(session, 2, {"act": "merge_sentences"})
