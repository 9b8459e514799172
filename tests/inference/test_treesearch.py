from dataclasses import replace

import numpy as np
import pytest

import oracle
from headwise.corpus.sentence import Sentence
from headwise.errors import ConstraintError, LimitError, SourceLocation, UsageError
from headwise.inference.given import given_constraints
from headwise.inference.lengths import LONGEST
from headwise.inference.searcher import Searcher
from headwise.inference.temperatures import Temperatures
from headwise.inference.treesearch import TreeSearch
from headwise.parsers.graph.parser import DependencyParser
from headwise.scoring.linear import atoms as atoms_module
from headwise.scoring.linear.atoms import in_pieces
from headwise.search.decoders.nonprojective import NonProjectiveDecoder
from headwise.search.decoders.projective import ProjectiveDecoder
from headwise.search.parts import Part
from headwise.search.scores import Scores, scale
from labelledtoys import labelled_treebank
from toyparsers import toy_search, toy_sentences
from toytreebank import SMALL, toy_treebank

DECODERS = ["projective", "non-projective"]
HOT = Temperatures(heads=3.0, trees=3.0)
SHORT = [sentence for sentence in toy_sentences() if len(sentence) <= 5]


def best_heads(search: TreeSearch, sentences: list[Sentence]) -> list[list[int]]:
    return [list(sentence.heads) for sentence in search.parse_many(sentences)]


def heads_of(sentence: Sentence) -> np.ndarray:
    return np.array([-1, *sentence.heads])


@pytest.mark.parametrize("decoder", DECODERS)
def test_best_trees_of_many_are_those_of_each_alone(decoder):
    search = toy_search(decoder)
    found = best_heads(search, toy_sentences())
    for sentence, heads in zip(toy_sentences(), found, strict=True):
        scores = search.scores(sentence)
        assert heads == search.decoder.best(scores).heads[1:].tolist()
        assert heads == search.kbest(scores, 1)[0].heads[1:].tolist()


@pytest.mark.parametrize("name", [*DECODERS, "joint labels", "guided"])
def test_fused_kernels_find_what_the_decoder_finds_through_scores(name):
    sentences, guides = toy_sentences(), None
    if name == "joint labels":
        sentences = labelled_treebank(30, 3)
        parser = DependencyParser(labels="joint", tables=SMALL, epochs=2)
        search = parser.fit(sentences, sentences[:10]).search()
    elif name == "guided":
        search, guides = toy_search(guided=True), sentences
    else:
        search = toy_search(name)
    encoded = search.encode(sentences, guides)
    found, expected = search.best_encoded(encoded), Searcher.best_encoded(search, encoded)
    assert found.tolist() == expected.tolist()


@pytest.mark.parametrize("decoder", DECODERS)
def test_trees_and_scores_are_those_of_the_enumeration(decoder):
    search = toy_search(decoder)
    for sentence in SHORT[:3]:
        scores = search.scores(sentence)
        trees = oracle.trees(
            len(sentence), projective=search.projective, single_root=search.single_root
        )
        totals = sorted(
            (oracle.score(tree, {Part.ARC: scores.arc}) for tree in trees), reverse=True
        )
        found = search.kbest(scores, 7)
        logarithms = [total / search.temperatures.heads for total in totals[:7]]
        assert [tree.score for tree in found] == pytest.approx(logarithms)
        assert len({tuple(tree.heads) for tree in found}) == 7


def test_the_search_is_the_one_of_the_model():
    scores = Scores(np.zeros((4, 4)))
    crossing = toy_search("non-projective")
    assert isinstance(crossing.decoder, NonProjectiveDecoder)
    assert isinstance(toy_search().decoder, ProjectiveDecoder)
    assert len(crossing.kbest(scores, 100)) > len(toy_search().kbest(scores, 100))


@pytest.mark.parametrize("decoder", DECODERS)
def test_probabilities_of_heads_sum_to_one(decoder):
    search = toy_search(decoder)
    for sentence in toy_sentences()[:20]:
        arc = search.marginals(search.scores(sentence)).arc
        assert arc[:, 1:].sum(axis=0) == pytest.approx(np.ones(len(sentence)))


def test_probabilities_are_those_at_the_temperature_of_the_model():
    plain = toy_search()
    hot = TreeSearch(plain.encoder, plain.scorer, True, plain.single_root, HOT)
    scores = plain.scores(toy_sentences()[0])
    expected = hot.decoder.marginals(scale(scores, 1 / 3)).arc
    np.testing.assert_array_equal(hot.marginals(scores).arc, expected)


@pytest.mark.parametrize("decoder", DECODERS)
def test_all_scores_of_trees_are_logarithms_of_their_probabilities(decoder):
    search = replace(toy_search(decoder), temperatures=HOT)
    scores = search.scores(SHORT[0])
    found = search.marginals(scores)
    for tree in [*search.kbest(scores, 5), *search.sample(scores, 5)]:
        (likely,) = search.tree_probabilities(scores, [tree.heads])
        assert np.exp(tree.score - found.log_partition) == pytest.approx(likely)


@pytest.mark.parametrize("decoder", DECODERS)
def test_given_heads_are_kept(decoder):
    search = toy_search(decoder)
    sentence = toy_sentences()[-1]
    for word in range(1, len(sentence) + 1):
        for head in {0, 1, len(sentence)} - {word}:
            given = [None] * len(sentence)
            given[word - 1] = head
            asked = sentence.with_tree(given, ["_"] * len(sentence))
            scores = search.scores_under(
                search.encode([asked]).sentence(0), given_constraints(asked)
            )
            assert search.kbest(scores, 3)[-1].heads[word] == head
            assert search.marginals(scores).arc[head, word] == pytest.approx(1)


def test_heads_that_no_tree_has_are_refused():
    search = toy_search()
    asked = Sentence.from_words(["a", "b", "c"], heads=[2, 1, None])
    with pytest.raises(ConstraintError, match="the head of word 1 is 2; the head of word 2 is 1"):
        search.scores_under(search.encode([asked]).sentence(0), given_constraints(asked))


def test_nothing_is_asked_of_no_sentence():
    assert toy_search().parse_many([]) == []


@pytest.mark.parametrize("decoder", DECODERS)
@pytest.mark.parametrize("arcs", [1, 100, 1000])
def test_how_many_arcs_are_scored_at_a_time_does_not_matter(decoder, arcs, monkeypatch):
    search = toy_search(decoder)
    expected = best_heads(search, toy_sentences())
    monkeypatch.setattr(atoms_module, "ARCS_OF_A_PIECE", arcs)
    encoded = search.encode(toy_sentences())
    pieces = list(in_pieces(encoded))
    assert sum(map(len, pieces)) == len(toy_sentences())
    assert len(pieces) > 1
    sizes = [int((np.diff(piece.starts) ** 2).sum()) for piece in pieces]
    assert all(size <= arcs or len(piece) == 1 for size, piece in zip(sizes, pieces, strict=True))
    assert best_heads(search, toy_sentences()) == expected


@pytest.mark.parametrize("decoder", ["projective", "non-projective"])
def test_sentences_without_words_are_refused(decoder):
    with pytest.raises(UsageError, match="without words"):
        toy_search(decoder).encode([Sentence.from_words([])])


def test_sentences_beyond_the_limit_are_refused():
    location = SourceLocation("f.conllu", 7)
    longest = Sentence.from_words(["w"] * (LONGEST + 1), location=location)
    for work in (toy_search().scores, lambda one: toy_search().parse_many([one])):
        with pytest.raises(LimitError, match=r"^f\.conllu:7: a sentence of 2001 words"):
            work(longest)


@pytest.mark.parametrize("order", [1, 2])
def test_crossing_arcs_have_a_probability(order):
    parser = DependencyParser(order=order, epochs=1, tables=SMALL).fit(toy_treebank(20))
    search = parser.search()
    (sentence,) = toy_treebank(1, seed=3)
    tokens = search.encode([sentence]).sentence(0)
    over_all = search.over_all_trees()
    assert not over_all.projective
    arc = over_all.marginals(over_all.scores_of(tokens)).arc
    assert (arc[1:, 1:] > 0).sum() == len(sentence) * (len(sentence) - 1)
    assert arc[:, 1:].sum(axis=0) == pytest.approx(1)
    assert over_all.over_all_trees() is None
