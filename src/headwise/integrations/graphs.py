"""Trees for NLTK, NetworkX and displaCy.

Each function takes a sentence or a document. Words without heads have no arcs; NLTK needs heads.
"""

from typing import Any

from headwise.corpus.documents import Sentences, all_sentences
from headwise.corpus.sentence import MISSING, Sentence
from headwise.errors import InputError
from headwise.integrations.libraries import library

COLUMNS = ("form", "lemma", "upos", "xpos", "feats", "relation")
"""What nodes of NetworkX know of a word."""


def to_nltk(given: Sentences) -> Any:
    """A DependencyGraph of NLTK for a sentence; a list of them for a document or sentences."""
    graph = library("nltk.parse.dependencygraph").DependencyGraph
    if isinstance(given, Sentence):
        return nltk_graph(graph, given)
    return [nltk_graph(graph, one) for one in all_sentences(given)]


def nltk_graph(graph: Any, sentence: Sentence) -> Any:
    """A sentence as a graph of NLTK, which calls the relation of its root ROOT."""
    if not sentence.has_tree:
        raise InputError("NLTK needs a head for every word: parse the sentence", sentence.location)
    made = graph(top_relation_label="root")
    rows = zip(
        sentence.forms, sentence.lemmas, sentence.upos, sentence.xpos, sentence.feats,
        sentence.heads, sentence.relations, strict=True,
    )  # fmt: skip
    for address, (form, lemma, upos, xpos, feats, head, relation) in enumerate(rows, 1):
        made.nodes[address].update(
            address=address, word=form, lemma=form if lemma == MISSING else lemma, ctag=upos,
            tag=upos if xpos == MISSING else xpos, feats=feats, head=head, rel=relation,
        )  # fmt: skip
        made.nodes[head]["deps"][relation].append(address)
    roots = made.nodes[0]["deps"]
    made.root = made.nodes[next(iter(roots.values()))[0]] if roots else None
    return made


def to_networkx(given: Sentences) -> Any:
    """A directed graph: a node (sentence, word) for each word, an edge from its head.

    Words and sentences are counted from 1. Nodes have the columns of their word, edges its
    relation and, where it is known, the probability of the head.
    """
    graph = library("networkx").DiGraph()
    for number, sentence in enumerate(all_sentences(given), 1):
        for word in sentence.words:
            columns = {name: getattr(word, name) for name in COLUMNS}
            graph.add_node((number, word.id), **columns)
            if word.head_id:
                graph.add_edge(
                    (number, word.head_id),
                    (number, word.id),
                    relation=word.relation,
                    probability=word.head_probability,
                )
    return graph


def to_displacy(given: Sentences) -> Any:
    """What `displacy.render(…, style="dep", manual=True)` takes: one for each sentence."""
    if isinstance(given, Sentence):
        return displacy_tree(given)
    return [displacy_tree(one) for one in all_sentences(given)]


def displacy_tree(sentence: Sentence) -> dict[str, Any]:
    """Words and arcs of a sentence, from left to right."""
    words = [
        {"text": word.form, "tag": "" if word.tag == MISSING else word.tag, "lemma": None}
        for word in sentence.words
    ]
    arcs = [
        {
            "start": min(head, word) - 1,
            "end": max(head, word) - 1,
            "label": relation,
            "dir": "left" if word < head else "right",
        }
        for word, (head, relation) in enumerate(
            zip(sentence.heads, sentence.relations, strict=True), 1
        )
        if head
    ]
    return {"words": words, "arcs": arcs, "settings": {}, "title": sentence.id}
