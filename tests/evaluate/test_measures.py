from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from scoring_data import scored_files, sentence, slow_scores

from headwise.corpus.sentence import Sentence
from headwise.errors import HeadwiseWarning
from headwise.evaluate import evaluate
from headwise.evaluate.measures import NAMES


def scores(gold: Sentence, system: Sentence, *, punctuation: bool = True) -> dict[str, float]:
    found = evaluate([gold], [system], confidence=None)
    return (found.all_tokens if punctuation else found.without_punctuation).values


def test_by_hand() -> None:
    #            1   2   3    4  5
    gold = sentence("She ate the pie .", [2, 0, 4, 2, 2], "nsubj root det obj punct")
    system = sentence("She ate the pie .", [2, 0, 4, 3, 4], "nsubj root amod det punct")
    # Heads 1, 2, 3 are right; labels 1, 2, 5; both 1, 2. No arc is turned round.
    assert scores(gold, system) == {
        "uas": 60.0,
        "las": 40.0,
        "label_accuracy": 60.0,
        "undirected": 60.0,
        "ucm": 0.0,
        "lcm": 0.0,
        "root": 100.0,
        "root_f1": 100.0,
    }
    without = scores(gold, system, punctuation=False)
    assert (without["uas"], without["las"], without["label_accuracy"]) == (75.0, 50.0, 50.0)


def test_an_arc_turned_round_counts_as_undirected() -> None:
    gold, system = sentence("a b c", [0, 1, 2]), sentence("a b c", [2, 0, 2])
    found = scores(gold, system)
    # 0–a is lost, a–b is turned round, b–c is right.
    assert round(found["undirected"], 9) == round(200 / 3, 9)
    assert round(found["uas"], 9) == round(100 / 3, 9)
    assert found["root"] == found["root_f1"] == 0


def test_the_root_is_never_anybodys_modifier() -> None:
    # Word 1 hangs on the root in gold and has head 0 as "reversed arc" of nothing.
    assert scores(sentence("a b", [0, 1]), sentence("a b", [2, 0]))["undirected"] == 50


def test_several_roots() -> None:
    gold, system = sentence("a b c", [0, 0, 1]), sentence("a b c", [0, 1, 0])
    found = scores(gold, system)
    assert found["root"] == 0
    assert found["root_f1"] == 50  # one shared of two and two


def test_complete_match_overlooks_punctuation() -> None:
    gold, system = sentence("a b .", [0, 1, 1]), sentence("a b .", [0, 1, 2])
    assert scores(gold, system)["ucm"] == 0
    assert scores(gold, system, punctuation=False)["ucm"] == 100
    assert scores(gold, system, punctuation=False)["lcm"] == 100


def test_roots_that_are_punctuation_are_left_out_without_punctuation() -> None:
    gold, system = sentence("a .", [0, 1]), sentence("a .", [0, 0])
    assert scores(gold, system)["root"] == 0
    assert scores(gold, system, punctuation=False)["root"] == 100


def test_a_sentence_of_punctuation_alone_is_a_complete_match_of_nothing() -> None:
    gold, system = sentence(". .", [0, 1]), sentence(". .", [2, 0])
    found = scores(gold, system, punctuation=False)
    assert found["ucm"] == found["lcm"] == found["root"] == 100
    assert np.isnan(found["uas"])
    assert np.isnan(found["root_f1"])


def test_a_missing_head_is_wrong() -> None:
    gold, system = sentence("a b", [0, 1]), sentence("a b", [0, None])
    found = evaluate([gold], [system], allow_missing=True, breakdowns=["arc_length"])
    assert found.all_tokens.uas == 50
    # The missing arc is of no length at all.
    assert sum(group.predicted for group in found.all_tokens.breakdowns[0].groups) == 1
    lengths = found.all_tokens.breakdowns[0].to_json()
    assert lengths["1"] == {
        "words": 1,
        "uas": 0.0,
        "las": 0.0,
        "label_accuracy": 100.0,
        "predicted": 0,
        "precision": None,
        "recall": 0.0,
        "f1": 0.0,
    }


def test_words_without_a_gold_relation_are_not_counted_in_labelled_scores() -> None:
    gold = sentence("a b c", [0, 1, 2], "root _ obj")
    system = sentence("a b c", [0, 1, 1], "root nsubj obj")
    bare = replace(gold, relations=("_", "_", "_"))
    with pytest.warns(HeadwiseWarning, match="1 of 3 words of the gold data have no relation"):
        found = evaluate([gold], [system], breakdowns=["relation"]).all_tokens
    assert (found.values["uas"], found.words) == (pytest.approx(200 / 3), 3)
    assert (found.las, found.values["label_accuracy"], found.values["lcm"]) == (50, 100, 0)
    groups = {group.name: group for group in found.breakdowns[0].groups}
    assert np.isnan(groups["_"].las)
    assert groups["_"].uas == 100
    assert "nsubj" not in groups  # nobody knows whether it is wrong
    with pytest.warns(HeadwiseWarning, match="4 of 6 words"):
        both = evaluate([gold, bare], [gold, system]).all_tokens.values
    assert (both["las"], both["label_accuracy"], both["lcm"], both["ucm"]) == (100, 100, 100, 50)


@given(scored_files())
def test_against_the_definitions(files: tuple[list[Sentence], list[Sentence]]) -> None:
    for subtypes in (True, False):
        found = evaluate(*files, confidence=None, subtypes=subtypes)
        for scores, punctuation in (
            (found.all_tokens, True),
            (found.without_punctuation, False),
        ):
            slow = slow_scores(*files, punctuation=punctuation, subtypes=subtypes)
            np.testing.assert_allclose(
                [scores.values[name] for name in NAMES], [slow[name] for name in NAMES], rtol=1e-12
            )
