from candidatelists import candidate
from headwise.corpus.sentence import Sentence
from headwise.reranking.features import TREE_FEATURES, branching, chains, coordination, valency


def sentence(tags, heads, relations=None):
    return Sentence.from_words(tags, upos=tags, heads=heads, relations=relations)


def test_valency():
    found = list(valency(sentence(["DET", "NOUN", "VERB", "NOUN"], [2, 3, 0, 3])))
    assert "v:VERB,1,1" in found
    assert "vtl:NOUN>DET" in found
    assert "vs:VERB>NOUN NOUN" in found


def test_chains():
    found = list(chains(sentence(["DET", "NOUN", "VERB"], [2, 3, 0], ["det", "nsubj", "root"])))
    assert "c2:VERB NOUN DET<<" in found
    assert "c3:ROOT VERB NOUN DET<<" in found
    assert "cr:NOUN nsubj det DET<" in found


def test_coordination_by_relation_or_conjunction():
    tags = ["NOUN", "CCONJ", "NOUN"]
    by_tag = list(coordination(sentence(tags, [0, 3, 1])))
    assert by_tag == ["o:NOUN NOUN", "ol:True,0", "os:1,2"]
    by_name = list(coordination(sentence(["NOUN", "X", "VERB"], [0, 3, 1], ["root", "x", "conj"])))
    assert by_name[:2] == ["o:NOUN VERB", "ol:False,0"]


def test_branching():
    found = list(branching(sentence(["A", "B", "C", "PUNCT"], [0, 1, 2, 1])))
    assert found.count("b:right") == 3
    assert "bd:3" in found
    crossing = list(branching(sentence(["A", "B", "C", "D"], [0, 4, 1, 1])))
    assert crossing.count("b:crossing") == 1


def test_tags_may_be_missing_and_sentences_long():
    plain = Sentence.from_words(["a", "b"], xpos=["N", "V"], heads=[2, 0])
    assert "v:V,1,0" in set(valency(plain))
    n = 3000
    deep = candidate(list(range(n)), forms=["w"] * n)
    for function in TREE_FEATURES.values():
        assert sum(1 for _ in function(deep)) > 0 or function is coordination
