import pytest
from hypothesis import given
from scoring_data import scored_files, sentence, some, spoilt

from headwise.corpus.sentence import Sentence
from headwise.errors import UsageError
from headwise.evaluate import AttachmentScores, evaluate
from headwise.evaluate.breakdown import ARC_LENGTHS, KINDS, Group, bucket_names

GOLD = sentence("She was seen by him .", [3, 3, 0, 5, 3, 3], "nsubj:pass aux root case obl punct")
SYSTEM = sentence("She was seen by him .", [3, 3, 0, 3, 4, 3], "nsubj aux root case obl punct")


def groups(scores: AttachmentScores, kind: str) -> dict[str, Group]:
    found = next(one for one in scores.breakdowns if one.kind == kind)
    return {group.name: group for group in found.groups}


def test_bucket_names() -> None:
    assert bucket_names((1, 2, 5)) == ("1", "2", "3-5", "6+")


def test_relations() -> None:
    found = groups(evaluate([GOLD], [SYSTEM], breakdowns=["relation"]).all_tokens, "relation")
    assert found["nsubj:pass"].words == 1
    assert found["nsubj:pass"].predicted == 0
    assert found["nsubj:pass"].recall == 0
    assert found["nsubj"].words == 0
    assert found["nsubj"].precision == 0
    assert found["obl"].label_accuracy == 100
    assert found["obl"].precision == found["obl"].recall == found["obl"].f1 == 0  # wrong head
    assert found["aux"].f1 == 100


def test_relations_without_subtypes() -> None:
    scores = evaluate([GOLD], [SYSTEM], breakdowns=["relation"], subtypes=False).all_tokens
    assert "nsubj:pass" not in groups(scores, "relation")
    assert groups(scores, "relation")["nsubj"].f1 == 100


def test_precision_and_recall_by_hand() -> None:
    gold = sentence("a b c d", [0, 1, 1, 1], "root obj obj obl")
    system = sentence("a b c d", [0, 1, 2, 1], "root obj obj obj")
    found = groups(evaluate([gold], [system], breakdowns=["relation"]).all_tokens, "relation")
    assert (found["obj"].words, found["obj"].predicted, found["obj"].correct) == (2, 3, 1)
    assert found["obj"].recall == 50
    assert round(found["obj"].precision, 6) == 33.333333
    assert found["obj"].f1 == 40


def test_directions_and_arc_lengths() -> None:
    scores = evaluate([GOLD], [SYSTEM], breakdowns=["direction", "arc_length"]).all_tokens
    directions = groups(scores, "direction")
    # Gold: She, was, by stand left of their heads; him and the full stop to the right.
    assert {name: group.words for name, group in directions.items()} == {
        "root": 1,
        "left": 3,
        "right": 2,
    }
    assert {name: group.predicted for name, group in directions.items()} == {
        "root": 1,
        "left": 2,
        "right": 3,
    }
    lengths = groups(scores, "arc_length")
    assert {name: group.words for name, group in lengths.items()} == {
        "root": 1,
        "1": 2,
        "2": 2,
        "3-5": 1,
    }
    assert lengths["1"].recall == 50


def test_tags_and_sentence_lengths_leave_out_punctuation() -> None:
    found = evaluate([GOLD], [SYSTEM], breakdowns=["tag", "sentence_length"])
    assert set(groups(found.all_tokens, "tag")) == {"X", "PUNCT"}
    assert set(groups(found.without_punctuation, "tag")) == {"X"}
    assert groups(found.without_punctuation, "sentence_length")["1-10"].words == 5


def test_tag_column() -> None:
    one = Sentence.from_words(["a"], upos=["X"], xpos=["NN"], heads=[0], relations=["root"])
    found = evaluate([one], [one], breakdowns=["tag"], tag_column="xpos")
    assert list(groups(found.all_tokens, "tag")) == ["NN"]


def test_long_arcs_and_sentences_fall_into_open_buckets() -> None:
    n = 60
    long = sentence(" ".join("w" * n), [0] + [1] * (n - 1))
    scores = evaluate([long], [long], breakdowns=["arc_length", "sentence_length"]).all_tokens
    assert groups(scores, "arc_length")["21+"].words == n - 1 - ARC_LENGTHS[-1]
    assert list(groups(scores, "sentence_length")) == ["51+"]


def test_groups_from_data_come_by_size() -> None:
    gold = some(3, 30)
    found = evaluate(gold, gold, breakdowns=["relation"]).all_tokens.breakdowns[0]
    sizes = [group.words for group in found.groups]
    assert sizes == sorted(sizes, reverse=True)


def test_unknown_breakdown() -> None:
    with pytest.raises(UsageError, match="'length'; choose from relation, tag"):
        evaluate([GOLD], [SYSTEM], breakdowns=["length"])


@given(scored_files())
def test_groups_add_up(files: tuple[list[Sentence], list[Sentence]]) -> None:
    found = evaluate(*files, breakdowns=tuple(KINDS), confidence=None)
    for scores in (found.all_tokens, found.without_punctuation):
        for breakdown in scores.breakdowns:
            total = scores.words
            assert sum(group.words for group in breakdown.groups) == total
            heads, labelled = (int(scores.counts.top[:, i].sum()) for i in (0, 1))
            assert sum(group.heads for group in breakdown.groups) == heads
            assert sum(group.labelled for group in breakdown.groups) == labelled
            if KINDS[breakdown.kind].is_of_arcs:
                assert sum(group.predicted or 0 for group in breakdown.groups) == total


def test_breakdowns_do_not_depend_on_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    gold = some(5, 40)
    system = spoilt(6, gold, 0.3)
    whole = evaluate(gold, system, breakdowns=tuple(KINDS)).to_json()
    monkeypatch.setattr("headwise.evaluate.words.BATCH_SENTENCES", 3)
    assert evaluate(gold, system, breakdowns=tuple(KINDS)).to_json() == whole


def test_a_name_alone_is_no_list() -> None:
    with pytest.raises(UsageError, match=r"\['relation'\]"):
        evaluate([GOLD], [SYSTEM], breakdowns="relation")
