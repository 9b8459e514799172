import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from headwise.corpus.sentence import Sentence
from headwise.errors import UsageError
from headwise.inference.answers import ParseOptions
from headwise.inference.candidates import (
    head_items,
    item,
    likely,
    read_item,
    relation_items,
)
from headwise.inference.temperatures import reported
from headwise.pipeline.parsing import parse_stream
from headwise.scoring.chances import LabelDistributions
from toynetworks import random_parser
from toyparsers import toy_search, toy_sentences, without_heads

SEARCHES = {
    "linear": toy_search,
    "non-projective": lambda: toy_search("non-projective"),
    "neural": lambda: random_parser().search(),
}


@pytest.mark.parametrize("kind", SEARCHES)
def test_candidates_agree_with_the_probabilities_of_the_tree(kind):
    raw = [without_heads(one) for one in toy_sentences()[:5]]
    options = ParseOptions(marginals=True, candidates=1e-4)
    search = SEARCHES[kind]()
    plain = list(parse_stream(search, raw, ParseOptions(marginals=True)))
    for answer, other in zip(parse_stream(search, raw, options), plain, strict=True):
        assert (answer.heads, answer.relations) == (other.heads, other.relations)
        chosen = [dict(one.split("=") for one in misc.split("|")) for misc in answer.misc]
        for word, (heads, relations) in enumerate(
            zip(values(answer, "Heads"), values(answer, "Relations"), strict=True)
        ):
            own, named = str(answer.heads[word]), answer.relations[word]
            sure = reported(np.array(dict(heads)[own]), search.temperatures.head_curve)
            assert float(sure) == pytest.approx(float(chosen[word]["HeadProb"]), abs=5e-4)
            assert sum(chance for _, chance in heads) == pytest.approx(1, abs=0.01)
            assert sum(chance for _, chance in relations) == pytest.approx(1, abs=0.01)
            if search.labeller is not None:
                found = float(chosen[word]["LabelProb"])
                assert dict(relations)[named] == pytest.approx(found, abs=2e-4)


def values(sentence: Sentence, key: str) -> list[list[tuple[str, float]]]:
    items = [dict(one.split("=") for one in misc.split("|")) for misc in sentence.misc]
    return [read_item(key, one[key]) for one in items]


@given(st.lists(st.floats(0, 1), min_size=1, max_size=6), st.floats(0.01, 1))
def test_the_likely_are_those_above_the_threshold_and_always_the_best(chances, least):
    found = likely(np.array(chances), least)
    assert found[0][1] == max(chances)
    assert [chance for _, chance in found] == sorted((c for _, c in found), reverse=True)
    assert {int(index) for index, _ in found[1:]} <= {
        index for index, chance in enumerate(chances) if chance >= least
    }
    assert len(found) == max(1, sum(chance >= least for chance in chances))


def test_items_are_read_as_they_were_written():
    found = [("nsubj:pass", 0.75), ("obj", 0.125)]
    assert item("Relations", found) == "Relations=nsubj:pass/0.7500,obj/0.1250"
    assert read_item("Relations", "nsubj:pass/0.7500,obj/0.1250") == found
    assert read_item("Relations", "a,b/c/0.5000,,/0.2500") == [("a,b/c", 0.5), (",", 0.25)]


def test_lifted_relations_count_with_plain_ones_and_given_ones_are_sure():
    names = ("obj", "obj↑acl", "obl")
    chances = np.array([[1.0, 0, 0], [0.3, 0.25, 0.45], [0.1, 0.8, 0.1]])
    found = relation_items(LabelDistributions(names, chances), [None, "iobj"], 0.2)
    assert found == ["Relations=obj/0.5500,obl/0.4500", "Relations=iobj/1.0000"]


def test_heads_are_columns():
    arc = np.array([[0, 0.7, 0.2], [0, 0, 0.8], [0, 0.3, 0]])
    assert head_items(arc, 0.25) == ["Heads=0/0.7000,2/0.3000", "Heads=1/0.8000"]


@pytest.mark.parametrize("threshold", [0, -0.5, 1.5])
def test_a_threshold_is_a_probability(threshold):
    with pytest.raises(UsageError, match="candidates must be a probability"):
        ParseOptions(candidates=threshold).check()
