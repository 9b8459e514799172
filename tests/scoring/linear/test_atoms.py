import pickle

import numpy as np

from headwise.corpus.sample import read_sample
from headwise.corpus.sentence import Sentence
from headwise.scoring.linear.atoms import ATOMS, AtomEncoder
from headwise.scoring.linear.tagreduction import TagReduction
from headwise.scoring.linear.templates import FeatureSet
from headwise.scoring.linear.words import WordRules


def value(encoded, sentence, token, atom):
    return encoded.sentence(sentence).atoms[ATOMS.index(atom), token]


def test_sentences_stand_one_after_the_other_with_their_roots():
    sentences = list(read_sample())
    encoded = AtomEncoder().encode(sentences)
    assert len(encoded) == len(sentences)
    assert np.diff(encoded.starts).tolist() == [len(sentence) + 1 for sentence in sentences]
    assert encoded.tokens.atoms.shape == (len(ATOMS), sum(map(len, sentences)) + len(sentences))


def test_equal_values_have_equal_atoms_and_others_do_not():
    first = Sentence.from_words(["the", "tree", "the"], upos=["DET", "NOUN", "NOUN"])
    second = Sentence.from_words(["the"], upos=["DET"], xpos=["DT"])
    encoded = AtomEncoder().encode([first, second])
    assert value(encoded, 0, 1, "word") == value(encoded, 0, 3, "word")
    assert value(encoded, 0, 1, "word") == value(encoded, 1, 1, "word")
    assert value(encoded, 0, 1, "word") != value(encoded, 0, 2, "word")
    assert value(encoded, 0, 1, "upos") == value(encoded, 1, 1, "upos")
    assert value(encoded, 0, 1, "tag") != value(encoded, 1, 1, "tag")
    assert value(encoded, 0, 1, "tag") != value(encoded, 0, 3, "tag")
    assert value(encoded, 0, 1, "lemma") != value(encoded, 0, 1, "feats")  # both are `_`
    for atom in ATOMS:
        assert value(encoded, 0, 0, atom) == value(encoded, 1, 0, atom)
        assert value(encoded, 0, 0, atom) != value(encoded, 0, 1, atom)


def test_prefixes_and_lemmas_as_backoff():
    sentence = Sentence.from_words(["houses", "housed", "mice"], lemmas=["house", "house", "_"])
    prefixes = AtomEncoder().encode([sentence])
    assert prefixes.tokens.backed_off.tolist() == [False, True, True, False]
    assert value(prefixes, 0, 1, "backoff") == value(prefixes, 0, 2, "backoff")
    lemmas = AtomEncoder(WordRules(backoff="lemma")).encode([sentence])
    assert lemmas.tokens.backed_off.tolist() == [False, True, True, False]
    assert value(lemmas, 0, 1, "backoff") == value(lemmas, 0, 2, "backoff")
    nothing = AtomEncoder(WordRules(backoff="none")).encode([sentence])
    assert not nothing.tokens.backed_off.any()


def test_counted_words():
    sentence = Sentence.from_words(["a"] * 5, upos=["VERB", "PUNCT", "CCONJ", "CONJ", "NOUN"])
    counted = AtomEncoder().encode([sentence]).tokens.counted
    assert counted.tolist() == [[0, 1, 0, 0, 0, 0], [0, 0, 1, 0, 0, 0], [0, 0, 0, 1, 1, 0]]


def test_batches_do_not_matter():
    sentences = list(read_sample())
    encoder = AtomEncoder()
    whole = encoder.encode(sentences)
    for number, sentence in enumerate(sentences):
        alone = encoder.encode([sentence])
        np.testing.assert_array_equal(alone.tokens.atoms, whole.sentence(number).atoms)


def test_atoms_that_nobody_looks_at_are_left_out():
    sentences = list(read_sample())
    paper = FeatureSet.load("paper-000").atoms
    assert paper == {"word", "backoff", "tag"}
    assert FeatureSet.load("default").atoms >= {"lemma", "feats", "upos", "tag"}
    whole, some = AtomEncoder().encode(sentences), AtomEncoder(atoms=paper).encode(sentences)
    for name in ATOMS:
        row = some.tokens.atoms[ATOMS.index(name)]
        if name in ("lemma", "feats"):
            assert not row.any()
        else:
            np.testing.assert_array_equal(row, whole.tokens.atoms[ATOMS.index(name)])


def test_an_encoder_can_be_sent_to_another_process():
    sentences = list(read_sample())
    encoder = AtomEncoder(WordRules(lowercase=True), "upos", {"word"})
    encoder.encode(sentences)
    again = pickle.loads(pickle.dumps(encoder))
    np.testing.assert_array_equal(
        again.encode(sentences).tokens.atoms, encoder.encode(sentences).tokens.atoms
    )


def test_sent_elsewhere_atoms_keep_the_layout_that_kernels_are_compiled_for():
    encoded = AtomEncoder().encode(list(read_sample()))
    again = pickle.loads(pickle.dumps(encoded))
    for own, other in zip(encoded.tokens, again.tokens, strict=True):
        assert np.array_equal(own, other)
        assert own.flags.c_contiguous == other.flags.c_contiguous
    assert not again.tokens.atoms.flags.c_contiguous
    assert np.array_equal(again.starts, encoded.starts)


def test_where_there_is_no_upos_the_fine_tag_is_made_coarse():
    words, verbs = ["we", "read", ",", "and"], ["PRP", "VBD", ",", "CC"]
    fine = Sentence.from_words(words, xpos=verbs)
    both = Sentence.from_words(words, xpos=verbs, upos=["PR", "VB", ",", "CC"])
    found, expected = (AtomEncoder().encode([one]).tokens for one in (fine, both))
    assert np.array_equal(found.atoms, expected.atoms)
    assert np.array_equal(found.counted, expected.counted)
    assert found.counted[:, 1:].tolist() == [[0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]
    alone = AtomEncoder(tags="xpos").encode([fine]).tokens
    assert len(set(alone.atoms[ATOMS.index("upos"), 1:].tolist())) == 1


def test_reduced_tags_are_the_same_atoms():
    words = ["dům", "města", "a"]
    fine = ["NNIS1-----A----", "NNNS2-----A----", "J^-------------"]
    reduced = [TagReduction.load("collins").reduced(tag) for tag in fine]
    upos = ["NOUN", "NOUN", "CCONJ"]
    encoder = AtomEncoder(reduction=TagReduction.load("collins"))
    found = pickle.loads(pickle.dumps(encoder)).encode(
        [Sentence.from_words(words, upos=upos, xpos=fine)]
    )
    expected = AtomEncoder().encode([Sentence.from_words(words, upos=upos, xpos=reduced)])
    assert np.array_equal(found.tokens.atoms, expected.tokens.atoms)
    assert np.array_equal(found.tokens.tags, expected.tokens.tags)


def test_coarse_tags_are_those_of_whole_fine_ones():
    fine = [Sentence.from_words(["we", "read"], xpos=["PRP", "VBD"])]
    reduced = AtomEncoder(reduction=TagReduction.load("upos")).encode(fine).tokens
    upos = ATOMS.index("upos")
    assert np.array_equal(reduced.atoms[upos], AtomEncoder().encode(fine).tokens.atoms[upos])
