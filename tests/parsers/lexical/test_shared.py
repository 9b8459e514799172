"""The lexical parser on a real treebank."""

import pytest

from headwise import read_sentences
from headwise.parsers.lexical.parser import LexicalParser
from headwise.text.similarity.words import WordSimilarity

FILE = "en_ewt/en_ewt-ud-{}.conllu.gz"


@pytest.mark.shared
@pytest.mark.filterwarnings("ignore:the similarity model covers")
def test_words_and_tags_of_ewt_are_learnt(treebanks):
    train = [one for one in read_sentences(treebanks / FILE.format("train")) if len(one) <= 15]
    dev = [one for one in read_sentences(treebanks / FILE.format("dev")) if len(one) <= 15][:200]
    similar = WordSimilarity(least=2, neighbours=20, sides=True).fit(one.forms for one in train)
    words = LexicalParser(neighbours=20).fit(train, similarity=similar).scores(dev)
    bare = LexicalParser(neighbours=0).fit(train).scores(dev)
    tags = LexicalParser(variant="tags").fit(train).scores(dev)
    assert words["undirected"] > bare["undirected"] > 0.6
    assert tags["undirected"] > 0.7
