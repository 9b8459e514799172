"""Trees for NLTK, NetworkX and displaCy, against these libraries."""

import pytest

from headwise.corpus.sample import read_sample
from headwise.corpus.sentence import Sentence
from headwise.errors import InputError
from headwise.inference.answers import ParseOptions
from headwise.integrations.graphs import to_displacy, to_networkx, to_nltk
from toypipelines import toy_pipeline

SENTENCES = list(read_sample())
EMPTY = Sentence.from_words([])


def plain_conllu(sentence: Sentence) -> str:
    """Rows of words alone, as NLTK reads them: an empty column is not a value there."""
    rows = [line for line in sentence.conllu().splitlines() if line and line[0] != "#"]
    words = [row.split("\t") for row in rows if row.split("\t")[0].isdigit()]
    return "\n".join("\t".join(row) for row in words)


@pytest.mark.parametrize("sentence", SENTENCES, ids=lambda one: one.id)
def test_a_graph_of_nltk_is_what_nltk_reads(sentence):
    module = pytest.importorskip("nltk.parse.dependencygraph", reason="headwise[graphs]")
    read = module.DependencyGraph(
        plain_conllu(sentence), cell_separator="\t", top_relation_label="root"
    )
    made = to_nltk(sentence)
    assert set(made.nodes) == set(read.nodes)
    for address, node in read.nodes.items():
        own = made.nodes[address]
        for key in ("address", "word", "lemma", "ctag", "tag", "feats", "head", "rel", "deps"):
            assert own[key] == node[key], (address, key)
    assert made.root["address"] == read.root["address"]
    assert made.tree() == read.tree()
    assert list(made.triples()) == list(read.triples())


def test_documents_give_a_graph_of_nltk_for_each_sentence():
    pytest.importorskip("nltk", reason="headwise[graphs]")
    document = toy_pipeline()("The dogs see a cat. The king.")
    assert [len(one.nodes) - 1 for one in document.to_nltk()] == [6, 3]
    assert document.sentences[0].to_nltk().tree() == document.to_nltk()[0].tree()
    assert to_nltk(EMPTY).root is None
    with pytest.raises(InputError, match="parse the sentence"):
        to_nltk(Sentence.from_words(["Dogs", "bark"]))


def test_a_graph_of_networkx_has_the_arcs():
    networkx = pytest.importorskip("networkx", reason="headwise[graphs]")
    document = toy_pipeline()("The dogs see a cat. The king.", ParseOptions(marginals=True))
    graph = document.to_networkx()
    assert networkx.is_forest(graph)
    assert networkx.number_weakly_connected_components(graph) == 2
    for number, sentence in enumerate(document.sentences, 1):
        for word in sentence:
            node = graph.nodes[number, word.id]
            assert (node["form"], node["upos"]) == (word.form, word.upos)
            heads = [head for _, head in graph.predecessors((number, word.id))]
            assert heads == ([word.head_id] if word.head_id else [])
            if word.head_id:
                edge = graph.edges[(number, word.head_id), (number, word.id)]
                assert edge == {"relation": word.relation, "probability": word.head_probability}
    assert len(to_networkx(Sentence.from_words(["Dogs", "bark"])).edges) == 0
    assert len(to_networkx(EMPTY)) == 0


def test_displacy_draws_what_spacy_would_draw():
    pytest.importorskip("spacy", reason="headwise[spacy]")
    from spacy import displacy

    for sentence in SENTENCES:
        mine = to_displacy(sentence)
        theirs = displacy.parse_deps(sentence.to_spacy(), options={"collapse_punct": False})
        for arcs in (mine["arcs"], theirs["arcs"]):
            arcs.sort(key=lambda arc: (arc["start"], arc["end"]))
        assert mine["arcs"] == theirs["arcs"]
        picture = displacy.render(mine, style="dep", manual=True, jupyter=False)
        assert picture.count('class="displacy-arrow"') == len(sentence) - 1
    document = toy_pipeline()("The dogs see a cat. The king.")
    pictures = displacy.render(document.to_displacy(), style="dep", manual=True, jupyter=False)
    assert pictures.count("<svg") == 2


def test_words_without_heads_have_no_arcs():
    drawn = to_displacy(Sentence.from_words(["Dogs", "bark"]))
    assert [word["text"] for word in drawn["words"]] == ["Dogs", "bark"]
    assert drawn["arcs"] == []
