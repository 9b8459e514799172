import numpy as np
import pytest
from scoring_data import sentence

from headwise.corpus.sentence import Sentence
from headwise.errors import HeadwiseWarning, InputError, UsageError
from headwise.evaluate import compare, evaluate
from headwise.evaluate.words import BatchReader, Codes


def test_codes_come_in_order_of_appearance() -> None:
    codes = Codes()
    assert codes.encode([["b", "a"], ["b", "b:x"]]).tolist() == [0, 1, 0, 2]
    assert codes.names == ["b", "a", "b:x"]


def test_codes_without_subtypes() -> None:
    codes = Codes(["_"], subtypes=False)
    assert codes.encode([["a:x", "a", "b:", ":c", "a:y:z", "_"]]).tolist() == [1, 1, 2, 3, 1, 0]
    assert codes.names == ["_", "a", "b", ""]


def test_a_batch_knows_its_words() -> None:
    files = [[sentence("a b .", [2, 0, 2]), sentence("c", [0])]] * 2
    (batch,) = BatchReader(files[0], "upos").batches(files[1])
    assert batch.bounds.tolist() == [0, 3, 4]
    assert batch.numbers.tolist() == [1, 2, 3, 1]
    assert batch.punctuation.tolist() == [False, False, True, False]
    assert batch.gold.heads.tolist() == batch.systems[0].heads.tolist() == [2, 0, 2, 0]
    assert batch.sums(np.array([[True, False, True, True]])).tolist() == [[2, 1]]


def test_a_sentence_without_words_adds_nothing() -> None:
    empty, one = Sentence.from_words([]), sentence("a b", [0, 1])
    found = evaluate([empty, one, empty], [empty, one, empty], breakdowns=["arc_length"])
    assert (found.all_tokens.sentences, found.all_tokens.words) == (3, 2)
    assert found.all_tokens.uas == 100


def test_no_sentences() -> None:
    with pytest.raises(InputError, match="no sentences to score"):
        evaluate([], [])


@pytest.mark.parametrize(("bare", "which"), [(0, "the gold data"), (1, "a system output")])
def test_absent_relations_are_warned_of(bare: int, which: str) -> None:
    files = [[sentence("a b", [0, 1])], [sentence("a b", [0, 1])]]
    files[bare] = [Sentence.from_words(["a", "b"], heads=[0, 1], upos=["X", "X"])]
    with pytest.warns(HeadwiseWarning, match=f"no word of {which} has a relation"):
        assert evaluate(*files).all_tokens.uas == 100


def test_what_the_first_batch_gave_is_not_missed_in_the_second(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("headwise.evaluate.words.BATCH_SENTENCES", 1)
    full = Sentence.from_words(["a", "."], xpos=["N", "."], heads=[0, 1], relations=["root", "p"])
    bare = Sentence.from_words(["a"], heads=[0])
    files = [full, bare]
    # Any other warning would be an error here.
    with pytest.warns(HeadwiseWarning, match="1 of 3 words of the gold data have no relation"):
        assert evaluate(files, files, punctuation="penn").without_punctuation.words == 2


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"subtypes": "no"}, "subtypes must be True or False, not 'no'"),
        ({"allow_missing": 0}, "allow_missing must be True or False, not 0"),
        ({"confidence": "0.95"}, "confidence must be between 0 and 1, not '0.95'"),
        ({"confidence": True}, "confidence must be between 0 and 1, not True"),
    ],
)
def test_options_have_their_types(options, message) -> None:
    one = [sentence("a b .", [2, 0, 2])]
    with pytest.raises(UsageError, match=message):
        evaluate(one, one, **options)
    with pytest.raises(UsageError, match=message):
        compare(one, one, one, **options)
