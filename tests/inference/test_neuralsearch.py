"""Every question about trees, asked of a network: by enumeration, and in any batch."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import pytest

import oracle
from headwise.corpus.sentence import Sentence
from headwise.errors import LimitError, UsageError
from headwise.inference.answers import ParseOptions, analyse
from headwise.inference.given import given_constraints
from headwise.inference.neuralsearch import log_softmax
from headwise.inference.searcher import Searcher
from headwise.search.decoders.decoding import Decoding
from toynetworks import random_parser
from toytreebank import toy_treebank

FORMS = ["the", "old", "tree", "grows"]


def bare(sentence: Sentence) -> Sentence:
    return Sentence.from_words(sentence.forms)


@pytest.mark.parametrize("projective", [True, False])
@pytest.mark.parametrize("single_root", [True, False])
def test_marginals_kbest_and_mbr_are_those_of_enumeration(projective, single_root):
    search = random_parser(projective=projective, single_root=single_root).search()
    sentence = Sentence.from_words(FORMS)
    encoded = search.encode([sentence])
    scores = search.scores_of(encoded.sentence(0))
    trees = oracle.trees(4, projective=projective, single_root=single_root)
    words = np.arange(1, 5)
    totals = np.array([scores.arc[list(t[1:]), words].sum() for t in trees])
    totals /= search.temperatures.heads
    chances = np.exp(totals - totals.max())
    chances /= chances.sum()
    expected = np.zeros((5, 5))
    for tree, chance in zip(trees, chances, strict=True):
        expected[list(tree[1:]), words] += chance
    assert search.marginals(scores).arc == pytest.approx(expected, abs=1e-7)
    order = np.argsort(-totals)
    found = search.kbest(scores, 5)
    assert [tree.score for tree in found] == pytest.approx(totals[order][:5].tolist())
    assert tuple(found[0].heads[1:]) == trees[order[0]][1:]
    best = search.best_encoded(encoded)
    assert tuple(best[1:]) == trees[order[0]][1:]
    risk = search.decoded(scores, Decoding("mbr"))
    gains = [expected[list(tree[1:]), words].sum() for tree in trees]
    assert expected[risk[1:], words].sum() == pytest.approx(max(gains))
    likely = search.tree_probabilities(scores, [found[0].heads], search.temperatures.heads)[0]
    assert likely == pytest.approx(chances[order[0]])


def test_a_batch_is_parsed_chunk_by_chunk(monkeypatch):
    search = random_parser().search()
    sentences = [bare(one) for one in toy_treebank(30, 9)]
    at_once = Searcher.parse_many(search, sentences)
    monkeypatch.setattr("headwise.scoring.neural.encoder.TOKENS_AT_A_TIME", 20)
    sizes: list[int] = []
    run = search.network.encode

    def encode(self, starts, features, tags):
        sizes.append(int(starts[-1]))
        return run(starts, features, tags)

    monkeypatch.setattr(type(search.network), "encode", encode)
    assert search.parse_many(sentences) == at_once
    assert len(sizes) > 5
    assert max(sizes) <= max(20, *(1 + len(one) for one in sentences))


def test_batches_change_nothing():
    search = random_parser().search()
    sentences = [bare(one) for one in toy_treebank(20, 3)]
    together = search.parse_many(sentences)
    for one, alone in zip(together, (search.parse_many([s])[0] for s in sentences), strict=True):
        assert (one.heads, one.relations, one.upos) == (alone.heads, alone.relations, alone.upos)


def test_threads_may_share_it():
    search = random_parser().search()
    batches = [[bare(one) for one in toy_treebank(8, seed)] for seed in range(12)]
    wanted = [[one.heads for one in search.parse_many(batch)] for batch in batches]
    fresh = random_parser().search()
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(fresh.parse_many, batches))
    assert [[one.heads for one in batch] for batch in found] == wanted


def test_tags_are_found_where_there_are_none():
    search = random_parser().search()
    found = search.parse_many([Sentence.from_words(FORMS)])[0]
    assert set(found.upos) <= set(search.vocabulary.upos)
    given = Sentence.from_words(FORMS, upos=["DET", "_", "NOUN", "VERB"])
    tagged = search.parse_many([given])[0]
    assert (tagged.upos[0], *tagged.upos[2:]) == ("DET", "NOUN", "VERB")
    assert tagged.upos[1] in search.vocabulary.upos


def test_given_tags_are_used():
    search = random_parser().search()
    one = Sentence.from_words(FORMS, upos=["DET", "ADJ", "NOUN", "VERB"])
    other = Sentence.from_words(FORMS, upos=["VERB", "VERB", "VERB", "VERB"])
    a, b = (search.scores(sentence).arc for sentence in (one, other))
    assert (a != b).any()


def test_roots_have_relations_of_roots_alone():
    search = random_parser().search()
    for sentence in search.parse_many([bare(one) for one in toy_treebank(30, 9)]):
        for head, relation in zip(sentence.heads, sentence.relations, strict=True):
            assert relation in (search.vocabulary.inner if head else search.vocabulary.roots)


def test_answers_have_probabilities_of_heads_relations_and_tags():
    search = random_parser().search()
    sentence = Sentence.from_words(FORMS)
    encoded = search.encode([sentence])
    (tagged,) = search.tagged([sentence], encoded)
    (answer,) = analyse(search, encoded, tagged, 1, ParseOptions(marginals=True))
    for misc in answer.misc:
        values = dict(item.split("=") for item in misc.split("|"))
        assert set(values) == {"HeadProb", "TagProb", "LabelProb"}
        assert all(0 <= float(value) <= 1 for value in values.values())
    labeller = search.labeller
    heads = np.array([-1, *answer.heads])
    labels = labeller.label_many(encoded, heads)
    chances = labeller.chances(encoded, heads, labels)
    logs = log_softmax(labeller.scores(encoded, heads), labeller.temperature)
    assert chances.words[1:] == pytest.approx(np.exp(logs.max(axis=1))[1:])
    assert chances.log_trees[0] == pytest.approx(np.log(chances.words[1:]).sum())


def test_given_tags_are_sure_though_the_network_does_not_know_them():
    search = random_parser().search()
    upos = ["STRANGE", "_", search.vocabulary.upos[0], "_"]
    for many in ([upos], [["_"] * 4, upos, ["STRANGE"] * 4]):  # alone, and among others
        sentences = [Sentence.from_words(FORMS, upos=one) for one in many]
        chances = search.tag_chances(search.encode(sentences))
        given = np.concatenate([[False, *(tag != "_" for tag in one)] for one in many])
        is_word = np.concatenate([[False, *(True for _ in one)] for one in many])
        assert (chances[given] == 1.0).all()
        assert (chances[is_word & ~given] < 1.0).all()


def test_heads_that_are_given_are_kept():
    search = random_parser().search()
    sentence = Sentence.from_words(FORMS, heads=[4, None, None, None])
    scores = search.scores_under(search.encode([sentence]).sentence(0), given_constraints(sentence))
    assert all(tree.heads[1] == 4 for tree in search.kbest(scores, 5))


def test_one_word_and_very_long_sentences():
    search = random_parser().search()
    assert search.parse_many([Sentence.from_words(["tree"])])[0].heads == (0,)
    long = Sentence.from_words(["tree", "x" * 10_000] * 1000)
    assert len(search.parse_many([long])[0]) == 2000
    with pytest.raises(LimitError, match="2001 words"):
        search.parse_many([Sentence.from_words(["tree"] * 2001)])
    with pytest.raises(UsageError, match="without words"):
        search.encode([Sentence.from_words([])])
    with pytest.raises(UsageError, match="uses no guides"):
        search.encode([long], [long])


def test_temperatures_scale_scores_of_trees():
    search = random_parser().search()
    twice = replace(search.temperatures, heads=2 * search.temperatures.heads)
    hot = replace(search, temperatures=twice)
    sentence = Sentence.from_words(FORMS)
    a, b = (one.kbest(one.scores(sentence), 1)[0].score for one in (search, hot))
    assert a == pytest.approx(2 * b)
