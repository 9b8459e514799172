"""Opinions are the probabilities of the models, mixed where heads are in doubt."""

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from headwise.parsers.graph.parser import DependencyParser
from headwise.review.frequencies import Frequencies
from headwise.review.judges import Judges, fitted_tag_temperature, merged
from headwise.review.opinions import ATTRIBUTES
from headwise.text.tagchances import tag_distributions
from headwise.text.tagger import Tagger, TaggerTraining
from toynetworks import random_parser
from toytreebank import SMALL, toy_treebank

TREEBANK = toy_treebank(120)
OTHERS, OWN = TREEBANK[:90], TREEBANK[90:]


@pytest.fixture(scope="module")
def judges():
    parser = DependencyParser(order=1, epochs=3, tables=SMALL).fit(OTHERS).calibrate(OWN)
    tagger = Tagger.fit(OTHERS, TaggerTraining(members=1, epochs=2, bits=14))
    temperature = fitted_tag_temperature(tagger, OWN, ["upos"])
    frequencies = {name: Frequencies.of(name, OTHERS) for name in ATTRIBUTES}
    return Judges(parser.search(), frequencies, tagger, temperature)


def test_every_value_is_judged_once(judges):
    found = list(judges.opinions(OWN, ("head", "deprel", "upos", "xpos"), start=7))
    words = sum(map(len, OWN))
    assert Counter(one.column for one in found) == {
        "head": words, "deprel": words, "upos": words, "xpos": words
    }  # fmt: skip
    assert len({(one.sentence, one.word, one.column) for one in found}) == 4 * words
    assert {one.sentence for one in found} == set(range(7, 7 + len(OWN)))
    for one in found:
        sentence = OWN[one.sentence - 7]
        if one.column == "head":
            assert one.value == str(sentence.heads[one.word - 1])
        assert 0 <= one.chance <= one.expected_chance <= 1 + 1e-9
        assert 0 < one.background <= 1


def test_heads_have_their_marginals(judges):
    sentence = OWN[0]
    tokens = judges.search.encode([sentence]).sentence(0)
    arc = judges.search.marginals(judges.search.scores_of(tokens)).arc
    found = list(judges.opinions([sentence], ("head",)))
    chances = [arc[head, word] for word, head in enumerate(sentence.heads, 1)]
    assert [one.chance for one in found] == pytest.approx(chances)


def test_the_wrong_head_of_a_word_is_not_said_of_its_relation_again(judges):
    sentence = next(one for one in OWN if one.upos[0] == "DET" and len(one) > 6)
    wrong = sentence.with_tree([len(sentence), *sentence.heads[1:]], sentence.relations)
    head, relation = (
        next(one for one in judges.opinions([wrong], (column,)) if one.word == 1)
        for column in ("head", "deprel")
    )
    assert head.chance < 0.05
    assert relation.chance > 0.9


def test_words_without_a_value_are_not_judged(judges):
    sentence = OWN[0]
    bare = replace(sentence, upos=("_", *sentence.upos[1:]))
    bare = bare.with_tree([None, *sentence.heads[1:]], ["_", *sentence.relations[1:]])
    found = list(judges.opinions([bare], ("head", "deprel", "upos")))
    assert {one.word for one in found} == set(range(2, len(sentence) + 1))


def test_a_value_that_nobody_knows_is_unlikely_and_not_impossible(judges):
    sentence = OWN[0]
    strange = replace(sentence, upos=("STRANGE", *sentence.upos[1:]))
    one = next(iter(judges.opinions([strange], ("upos",))))
    assert one.chance == 0
    assert 0 < one.background < 0.01


def test_the_temperature_makes_tags_likeliest(judges):
    def loss(temperature: float) -> float:
        names, chances = tag_distributions(judges.tagger, OWN, temperature)["upos"]
        gold = [names.index(tag) for one in OWN for tag in one.upos]
        return -float(np.log(np.maximum(chances[np.arange(len(gold)), gold], 1e-4)).sum())

    best = judges.tag_temperature
    assert loss(best) <= min(loss(best * 1.3), loss(best / 1.3)) + 1e-6


def test_tags_alone_need_no_parser(judges):
    alone = replace(judges, search=None)
    assert list(alone.opinions(OWN, ("upos",))) == list(judges.opinions(OWN, ("upos",)))


def test_a_network_judges_tags_as_well(judges):
    search = random_parser().search()
    found = list(replace(judges, search=search, tagger=None).opinions(OWN, ("deprel", "upos")))
    assert len(found) == 2 * sum(map(len, OWN))
    names, chances = search.tag_distributions(search.encode(OWN[:1]))["upos"]
    own = [one for one in found if one.column == "upos" and one.sentence == 0]
    expected = [chances[word, names.index(tag)] for word, tag in enumerate(OWN[0].upos, 1)]
    assert [one.chance for one in own] == pytest.approx(expected)


def test_names_that_occur_twice_are_added():
    names, chances = merged(["a", "b", "a"], np.array([[0.2, 0.5, 0.3]]))
    assert list(names) == ["a", "b"]
    np.testing.assert_allclose(chances, [[0.5, 0.5]])
