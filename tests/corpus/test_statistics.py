import pytest

from headwise.corpus import Sentence, read_sentences
from headwise.corpus.sample import read_sample
from headwise.corpus.statistics import Statistics


def test_the_sample():
    found = Statistics.of(read_sample()).to_json()
    assert found["sentences"] == 6
    assert found["words"] == 62
    assert found["multiword_tokens"] == 2
    assert found["empty_nodes"] == 1
    assert found["longest"] == 20
    assert found["median_length"] == 8
    assert found["trees"] == 6
    assert found["non_projective_sentences"] == pytest.approx(100 / 6)
    assert found["gap_degrees"] == {"0": 5, "1": 1}
    assert next(iter(found["upos"].items())) == ("NOUN", 13)


def test_sentences_that_are_no_trees():
    sentences = [
        Sentence.from_words(["a"]),
        Sentence.from_words(["a", "b"], heads=[2, 1]),
        Sentence.from_words(["a", "b"], heads=[0, 0]),
    ]
    found = Statistics.of(sentences).to_json()
    assert (found["without_heads"], found["not_trees"], found["trees"]) == (1, 1, 1)
    assert found["several_roots"] == 1


def test_nothing():
    found = Statistics.of([]).to_json()
    assert found["mean_length"] == 0
    assert found["median_length"] == 0


@pytest.mark.shared
def test_known_figures(treebanks):
    found = Statistics.of(read_sentences(treebanks / "la_udante/la_udante-ud-dev.conllu.gz"))
    figures = found.to_json()
    assert figures["sentences"] == 376
    assert figures["words"] == 11_616
    assert figures["multiword_tokens"] == 66
    assert round(figures["non_projective_sentences"], 1) == 50.3
    assert round(figures["non_projective_arcs"], 2) == 3.13
