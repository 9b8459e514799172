"""Probabilities and other trees of spaCy's sentences."""

import gc

import pytest

spacy = pytest.importorskip("spacy", reason="spaCy is not installed (headwise[spacy])")

from spacy import displacy
from spacy.tokens import DocBin

from headwise.errors import UsageError
from headwise.inference.answers import ParseOptions
from headwise.integrations.spacy.documents import from_spacy
from toypipelines import toy_pipeline

TEXT = "The dogs see a cat.\n\nThe king finds a stone."


def test_the_best_trees_are_those_of_headwise(nlp):
    doc = nlp(TEXT)
    for sentence, bare in zip(doc.sents, from_spacy(doc).sentences, strict=True):
        trees = sentence._.kbest(3)
        options = ParseOptions(kbest=3, marginals=True)
        alone = list(toy_pipeline().annotate([bare], options))
        assert [from_spacy(tree).sentences[0].heads for tree in trees] == [a.heads for a in alone]
        likely = [next(iter(tree.sents))._.tree_probability for tree in trees]
        assert likely == [float(one.comment("tree_prob")) for one in alone]
        assert likely == sorted(likely, reverse=True)
        assert [token.text for token in trees[0]] == [token.text for token in sentence]
        assert [t.head.i for t in trees[0]] == [t.head.i - sentence.start for t in sentence]
        assert displacy.render(trees, jupyter=False).count("<svg") == 3


def test_docs_of_elsewhere_say_that_they_have_no_parser(nlp, toy_model):
    doc = nlp(TEXT)
    (bare,) = DocBin(docs=[doc]).get_docs(nlp.vocab)
    with pytest.raises(UsageError, match="store_user_data"):
        next(iter(bare.sents))._.kbest(2)
    (kept,) = DocBin(store_user_data=True, docs=[doc]).get_docs(nlp.vocab)
    assert len(next(iter(kept.sents))._.kbest(2)) == 2
    nlp.remove_pipe("headwise")
    gc.collect()
    with pytest.raises(UsageError, match="not in this process"):
        next(iter(kept.sents))._.kbest(2)


def test_numbers_of_trees_are_checked(nlp):
    with pytest.raises(UsageError, match="kbest must be from 1"):
        next(iter(nlp(TEXT).sents))._.kbest(0)
