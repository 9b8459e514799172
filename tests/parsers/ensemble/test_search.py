"""Ensembles at work, compared with averages by hand and with enumeration."""

from dataclasses import replace

import numpy as np
import pytest

import oracle
from headwise.corpus.sentence import Sentence
from headwise.errors import UsageError
from headwise.inference.answers import MAP, ParseOptions, analyse
from headwise.inference.temperatures import Temperatures
from headwise.parsers.ensemble.member import Member
from headwise.parsers.ensemble.parser import EnsembleParser
from headwise.parsers.ensemble.search import average, likeliest
from headwise.search.decoders.decoding import Decoding
from headwise.text.tagger import Tagger, TaggerTraining
from toyensembles import linear_member, linear_parser, mixed_ensemble, other_network
from toynetworks import random_parser
from toytreebank import toy_treebank

FORMS = ["the", "old", "tree", "grows"]
WORDS = np.arange(1, 5)


def bare(sentence: Sentence) -> Sentence:
    return Sentence.from_words(sentence.forms)


ENSEMBLES = {
    "one network": lambda: EnsembleParser(members=[Member(random_parser())]),
    "network and linear": mixed_ensemble,
    "projective or not": lambda: EnsembleParser(
        members=[Member(random_parser()), Member(other_network())]
    ),
    "second order": lambda: EnsembleParser(
        members=[Member(linear_parser(2), linear_member().tagger), Member(random_parser())]
    ),
}


@pytest.mark.parametrize("name", ENSEMBLES)
def test_arcs_have_averaged_probabilities_and_the_tree_is_the_best_by_them(name):
    parser = ENSEMBLES[name]()
    search = parser.search()
    sentence = Sentence.from_words(FORMS)
    expected = np.zeros((5, 5))
    for member in parser.members:
        (own,) = member.prepared([sentence])
        expected += member.parser.marginals(own).arc / len(parser.members)
    encoded = search.encode([sentence])
    scores = search.scores_of(encoded.sentence(0))
    found = search.marginals(scores)
    assert found.arc[:, 1:] == pytest.approx(expected[:, 1:], abs=1e-5)
    heads = search.decoded(scores, MAP)
    trees = oracle.trees(4, projective=search.projective, single_root=search.single_root)
    gains = [expected[list(tree[1:]), WORDS].sum() for tree in trees]
    assert expected[heads[1:], WORDS].sum() == pytest.approx(max(gains), abs=1e-4)
    assert search.parse_many([sentence])[0].heads == tuple(heads[1:])


def test_other_questions_are_answered_by_products_of_averages():
    search = replace(mixed_ensemble().search(), temperatures=Temperatures(heads=1.7, trees=1.7))
    encoded = search.encode([Sentence.from_words(FORMS)])
    scores = search.scores_of(encoded.sentence(0))
    trees = oracle.trees(4, projective=True, single_root=search.single_root)
    totals = np.array([scores.arc[list(t[1:]), WORDS].sum() for t in trees]) / 1.7
    order = np.argsort(-totals)
    kbest = search.kbest(scores, 4)
    assert [tree.score for tree in kbest] == pytest.approx(totals[order][:4].tolist())
    chances = np.exp(totals - totals.max())
    chances /= chances.sum()
    likely = search.tree_probabilities(scores, [kbest[0].heads])[0]
    assert likely == pytest.approx(chances[order[0]])
    assert len(search.sample(scores, 3)) == 3
    assert search.decoded(scores, Decoding("mbr")).tolist() in [list(tree) for tree in trees]


def test_heads_that_are_given_are_kept_even_if_nobody_thinks_of_them():
    search = EnsembleParser(members=[Member(linear_parser(2), linear_member().tagger)]).search()
    given = Sentence.from_words(FORMS, heads=[None, 4, 4, None])
    encoded = search.encode([given])
    (answer,) = analyse(search, encoded, given, 1, ParseOptions(constraints=True, marginals=True))
    assert answer.heads[1:3] == (4, 4)
    assert "HeadProb=1.0000" in answer.misc[1]


def test_relations_and_tags_are_the_likeliest_on_average():
    parser = mixed_ensemble()
    search, sentence = parser.search(), Sentence.from_words(FORMS)
    encoded = search.encode([sentence])
    heads = np.array([-1, 3, 3, 4, 0])
    first, second = (
        dict(
            zip(own.labeller.names, own.labeller.distributions(seen, heads).chances.T, strict=True)
        )
        for own, seen in zip(search.searches, encoded.encoded, strict=True)
    )
    names = set(first) | set(second)
    totals = {name: (first.get(name, 0) + second.get(name, 0))[1:] / 2 for name in names}
    relations = list(search.relations_of(encoded, heads))[1:]
    best = [max(totals[name][word] for name in names) for word in range(4)]
    assert [totals[name][word] for word, name in enumerate(relations)] == pytest.approx(best)
    chances = search.labeller.chances(encoded, heads, search.labeller.label_many(encoded, heads))
    assert chances.words[1:] == pytest.approx(best)
    assert np.exp(chances.log_trees) == pytest.approx(np.prod(best))
    table = search.tag_distributions(encoded)["upos"][1]
    assert table[1:].sum(axis=1) == pytest.approx(np.ones(4))
    assert search.tag_chances(encoded)[1:] == pytest.approx(table[1:].max(axis=1))


def test_tags_that_are_given_are_kept():
    search = mixed_ensemble().search()
    given = Sentence.from_words(FORMS, upos=["X", "ADJ", "NOUN", "VERB"])
    encoded = search.encode([given])
    (tagged,) = search.tagged([given], encoded)
    assert tagged.upos == given.upos
    assert "_" not in tagged.xpos
    assert search.tag_chances(encoded).tolist() == [1.0] * 5


def test_batches_change_nothing():
    search = mixed_ensemble().search()
    sentences = [bare(one) for one in toy_treebank(8, 3)]
    together = search.parse_many(sentences)
    alone = [search.parse_many([one])[0] for one in sentences]
    assert [(o.heads, o.relations, o.upos) for o in together] == [
        (o.heads, o.relations, o.upos) for o in alone
    ]
    assert search.parse_many([]) == []


def test_which_sentences_come_together_changes_no_tags():
    halves = toy_treebank(60)[:6], toy_treebank(60)[6:12]  # so that the taggers disagree
    taggers = [Tagger.fit(one, TaggerTraining(bits=14, epochs=1, members=1)) for one in halves]
    search = EnsembleParser(members=[Member(linear_parser(), one) for one in taggers]).search()
    search = replace(search, temperatures=replace(search.temperatures, tags=150.0))
    sentences = [bare(one) for one in toy_treebank(20, 3)]
    together = search.encode(sentences)
    chances = search.tag_chances(together)
    assert len(set(chances.round(3))) > 2  # they do disagree
    for one, found, start in zip(
        sentences, search.tagged(sentences, together), together.starts.tolist(), strict=False
    ):
        alone = search.encode([one])
        (by_itself,) = search.tagged([one], alone)
        assert (by_itself.upos, by_itself.xpos, by_itself.feats) == (
            found.upos,
            found.xpos,
            found.feats,
        )
        expected = chances[start : start + len(one) + 1]
        assert search.tag_chances(alone)[1:].tolist() == expected[1:].tolist()
        (first,) = taggers[0].tag([one])
        assert found.upos == first.upos  # of two tags, that of the first member


def test_the_first_member_decides_between_the_likeliest():
    first = (("a", "b", "c"), np.array([[0.5, 0.25, 0.25], [0.0, 1.0, 0.0], [0.25, 0.25, 0.5]]))
    second = (("b", "d", "a"), np.array([[0.5, 0.0, 0.25], [0.0, 1.0, 0.0], [0.75, 0.25, 0.0]]))
    assert likeliest([first, second]) == ["a", "b", "b"]
    assert likeliest([second, first]) == ["b", "d", "b"]


def test_averages_over_names():
    names, table = average(
        [(("a", "b"), np.array([[0.25, 0.75]])), (("b", "c"), np.array([[0.5, 0.5]]))]
    )
    assert dict(zip(names, table[0].tolist(), strict=True)) == {"a": 0.125, "b": 0.625, "c": 0.25}
    names, table = average([(("a", "a"), np.array([[0.25, 0.75]]))])
    assert (names, table.tolist()) == (("a",), [[1.0]])


def test_guides_are_refused():
    sentence = Sentence.from_words(FORMS)
    with pytest.raises(UsageError, match="no guides"):
        mixed_ensemble().search().encode([sentence], [sentence])
