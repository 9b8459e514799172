"""The sample has what its docstring promises."""

from headwise.corpus.check import check_file
from headwise.corpus.formats import write_sentences
from headwise.corpus.sample import read_sample
from headwise.corpus.tree import heads_array, is_projective, is_tree


def test_the_sample_has_something_of_everything():
    sentences = list(read_sample())
    assert len(sentences) == 6
    assert len({one.id for one in sentences}) == 6
    assert all(is_tree(heads_array(one.heads)) for one in sentences)
    assert [is_projective(heads_array(one.heads)) for one in sentences].count(False) == 1
    assert any(one.multiwords for one in sentences)


def test_the_sample_is_sound(tmp_path):
    write_sentences(tmp_path / "sample.conllu", read_sample())
    assert list(check_file(tmp_path / "sample.conllu")) == []
