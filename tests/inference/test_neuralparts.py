"""Every question about trees, asked of parts on top of a network: by enumeration, in any batch."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

import oracle
from headwise.corpus.sentence import Sentence
from headwise.errors import LimitError, UsageError
from headwise.inference.answers import ParseOptions, analyse
from headwise.inference.given import given_constraints
from headwise.inference.neuralparts import ArcsEncoder, pieces
from headwise.inference.searcher import Searcher
from headwise.scoring.linear.atoms import AtomEncoder
from headwise.scoring.neural.network import Network
from headwise.search.decoders.decoding import Decoding
from toynetworks import random_parser
from toyneuralparts import parts_parser
from toytreebank import toy_treebank

FORMS = ["the", "old", "tree", "grows"]


def bare(sentence):
    return Sentence.from_words(sentence.forms)


def totals_of(search, scores, trees):
    """Scores of trees from those of their parts, at the temperature of the model."""
    index = scores.index

    def total(tree):
        found = 0.0
        for part, place in oracle.parts(tree):
            if part.label == "arc":
                found += scores.arc[place]
            elif part in scores.higher:
                (position,) = index.find(part, np.array([place]))
                found += scores.higher[part][position] if position >= 0 else -np.inf
        return found

    return np.array([total(tree) for tree in trees]) / search.temperatures.heads


@pytest.mark.parametrize("order", [2, 3, 4])
@pytest.mark.parametrize("single_root", [True, False])
def test_marginals_kbest_and_mbr_are_those_of_enumeration(order, single_root):
    search = parts_parser(order, single_root=single_root).search()
    sentence = Sentence.from_words(FORMS)
    encoded = search.encode([sentence])
    scores = search.scores_of(encoded.sentence(0))
    trees = oracle.trees(4, projective=True, single_root=single_root)
    totals = totals_of(search, scores, trees)
    chances = np.exp(totals - totals.max())
    chances /= chances.sum()
    words, expected = np.arange(1, 5), np.zeros((5, 5))
    for tree, chance in zip(trees, chances, strict=True):
        expected[list(tree[1:]), words] += chance
    found = search.marginals(scores)
    assert found.arc == pytest.approx(expected, abs=1e-7)
    order_of = np.argsort(-totals)
    best = search.kbest(scores, 3)
    possible = totals[order_of][:3]
    assert [tree.score for tree in best] == pytest.approx(possible[possible > -np.inf].tolist())
    assert search.best_encoded(encoded).tolist() == best[0].heads.tolist()
    risk = search.decoded(scores, Decoding("mbr"))
    gains = [
        expected[list(tree[1:]), words].sum()
        for tree, total in zip(trees, totals, strict=True)
        if total > -np.inf
    ]
    assert expected[risk[1:], words].sum() == pytest.approx(max(gains))
    likely = search.tree_probabilities(scores, [best[0].heads], search.temperatures.heads)[0]
    assert likely == pytest.approx(chances[order_of[0]])


def test_scores_are_whole_numbers_and_those_of_arcs_are_the_networks():
    parser = parts_parser()
    search, base = parser.search(), random_parser().search()
    sentence = bare(toy_treebank(3, 2)[1])
    scores = search.scores(sentence)
    assert scores.index is not None
    kept = scores.index.unpruned
    expected = np.rint(base.scores(sentence).arc[kept] * parser.feature_spec_.factor)
    assert (scores.arc[kept] == expected).all()
    values = np.concatenate([scores.arc[kept], *scores.higher.values()])
    assert (values == np.rint(values)).all()
    assert np.concatenate(list(scores.higher.values())).any()


@pytest.mark.parametrize("projective", [True, False])
def test_batches_change_nothing(projective):
    search = parts_parser(projective=projective).search()
    sentences = [bare(one) for one in toy_treebank(20, 3)]
    together = search.parse_many(sentences)
    for one, alone in zip(together, (search.parse_many([s])[0] for s in sentences), strict=True):
        assert (one.heads, one.relations, one.upos) == (alone.heads, alone.relations, alone.upos)
    encoded = search.encode(sentences)
    heads = search.best_encoded(encoded.part(3, 9)).tolist()
    start, end = encoded.starts[[3, 9]]
    assert heads == search.best_encoded(encoded)[start:end].tolist()


def test_the_fused_search_and_scores_give_the_same_trees():
    trees = parts_parser().search().trees
    encoded = parts_parser().search().encode([bare(one) for one in toy_treebank(30, 5)]).parts
    assert (trees.best_encoded(encoded) == Searcher.best_encoded(trees, encoded)).all()


def test_threads_may_share_it():
    search = parts_parser().search()
    batches = [[bare(one) for one in toy_treebank(8, seed)] for seed in range(8)]
    wanted = [[one.heads for one in search.parse_many(batch)] for batch in batches]
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(search.parse_many, batches))
    assert [[one.heads for one in batch] for batch in found] == wanted


def test_tags_relations_and_their_probabilities_are_the_networks():
    search = parts_parser().search()
    base = random_parser().search().at(search.temperatures)
    sentences = [bare(one) for one in toy_treebank(5, 6)]
    encoded, plain = search.encode(sentences), base.encode(sentences)
    assert [one.upos for one in search.tagged(sentences, encoded)] == [
        one.upos for one in base.tagged(sentences, plain)
    ]
    assert (search.tag_chances(encoded) == base.tag_chances(plain)).all()
    heads = search.best_encoded(encoded)
    assert list(search.relations_of(encoded, heads)) == list(base.relations_of(plain, heads))


def test_every_question_has_an_answer_under_constraints():
    search = parts_parser().search()
    given = Sentence.from_words(FORMS, heads=[None, 4, None, 0])
    encoded = search.encode([given])
    (tagged,) = search.tagged([bare(given)], encoded)
    (answer,) = analyse(search, encoded, tagged, 1, ParseOptions(marginals=True))
    assert all("HeadProb" in misc and "TagProb" in misc for misc in answer.misc)
    constraints = given_constraints(given)
    scores = search.scores_under(encoded.sentence(0), constraints)
    tree = search.decoded(scores, Decoding())
    assert (tree[2], tree[4]) == (4, 0)
    assert len(search.sample(scores, 3)) == 3


def test_without_parts_it_is_the_network():
    search, base = parts_parser().search(), random_parser().search()
    alone = search.over_all_trees()
    assert alone is not None
    sentence = bare(toy_treebank(1, 9)[0])
    assert (alone.scores(sentence).arc == base.scores(sentence).arc).all()
    assert (alone.temperatures, alone.projective) == (base.temperatures, False)


def test_each_fold_is_scored_by_its_network():
    one = random_parser().search()
    base = random_parser()
    other_steps = {**base.steps_, "arcs": 2 * base.steps_["arcs"]}
    other = replace(one, network=Network.of(base.arrays_, other_steps))
    sentences = toy_treebank(5, 8)
    found = ArcsEncoder([one, other], AtomEncoder()).encode(sentences)
    for number, search in enumerate([one, one, other, other, other]):
        sentence = sentences[number]
        arc = search.network.arc_scores(search.encode([sentence]).tokens)
        assert (found.sentence(number).arc.ravel() == arc).all()
    arcs = [
        found.sentence(3).arc,
        ArcsEncoder([one], AtomEncoder()).encode(sentences[3:]).sentence(0).arc,
    ]
    assert (arcs[0] != arcs[1]).any()


def test_a_share_of_the_sentences_has_the_networks_tags():
    search = random_parser().search()
    sentences = toy_treebank(8, 8)
    tags = AtomEncoder().encode(sentences).tokens.tags
    assert (ArcsEncoder([search], AtomEncoder()).encode(sentences).tokens.tags == tags).all()
    found = ArcsEncoder([search], AtomEncoder(), 0.5).encode(sentences)
    starts = found.starts
    changed = [bool((found.tokens.tags != tags)[a:b].any()) for a, b in pairwise(starts)]
    assert not any(changed[::2])
    assert any(changed[1::2])


def test_pieces_are_of_so_many_words():
    sentences = [Sentence.from_words(["a"] * 3000)] * 5
    assert [len(piece) for piece in pieces(sentences)] == [2, 2, 1]
    assert [len(piece) for piece in pieces([Sentence.from_words(["a"] * 9000)] * 2)] == [1, 1]
    assert list(pieces([])) == []


def test_sentences_of_one_word_and_none_and_too_many():
    search = parts_parser().search()
    assert search.parse_many([]) == []
    assert search.parse_many([Sentence.from_words(["tree"])])[0].heads == (0,)
    with pytest.raises(UsageError):
        search.parse_many([Sentence.from_words([])])
    with pytest.raises(LimitError):
        search.parse_many([Sentence.from_words(["tree"] * 2001)])
    with pytest.raises(UsageError, match="guide"):
        search.parse_many([Sentence.from_words(["tree"])], [Sentence.from_words(["tree"])])
