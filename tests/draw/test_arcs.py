import pytest
from tree_samples import arriving_parser, no_tree, second_opinion

from headwise.corpus.sentence import Sentence
from headwise.draw.arcs import Arc, Mark, arcs_to_draw, shown_tag
from headwise.errors import MismatchError, SourceLocation


def test_one_tree_has_an_arc_for_every_head() -> None:
    arcs = arcs_to_draw(arriving_parser())
    assert [arc.modifier for arc in arcs] == list(range(1, 13))
    assert arcs[0] == Arc(2, 1, "det")
    assert arcs[3] == Arc(0, 4, "root", is_pin=True)


def test_heads_that_no_arc_can_show() -> None:
    arcs = {arc.modifier: arc for arc in arcs_to_draw(no_tree())}
    assert 3 not in arcs
    assert arcs[4] == Arc(9, 4, "d←9", is_pin=True)
    assert arcs[5].label == ""
    loop = Sentence.from_words(["a"], heads=[1], relations=["x"])
    assert arcs_to_draw(loop) == [Arc(1, 1, "x←1", is_pin=True)]


def test_two_trees_are_compared_word_by_word() -> None:
    arcs = arcs_to_draw(arriving_parser(), second_opinion())
    assert arcs[0] == Arc(2, 1, "det")
    assert arcs[4] == Arc(6, 5, "nsubj", Mark.BOTH, "mark")
    assert arcs[4].text == "nsubj≠mark"
    assert arcs[5:7] == [Arc(2, 6, "acl:relcl", Mark.FIRST), Arc(4, 6, "ccomp", Mark.SECOND)]


def test_a_head_only_one_tree_has() -> None:
    first = Sentence.from_words(["a", "b"], heads=[2, None], relations=["x", "_"])
    second = first.with_tree([None, 0], ["_", "root"])
    assert arcs_to_draw(first, second) == [
        Arc(2, 1, "x", Mark.FIRST),
        Arc(0, 2, "root", Mark.SECOND, is_pin=True),
    ]


@pytest.mark.parametrize(
    ("words", "message"),
    [(["a", "b"], "first has 1 words and the second 2"), (["b"], "word 1 is 'a' in the first")],
)
def test_trees_over_different_words_are_refused(words: list[str], message: str) -> None:
    other = Sentence.from_words(words, location=SourceLocation("b.conllu", 7))
    with pytest.raises(MismatchError, match=rf"b\.conllu:7: .*{message}"):
        arcs_to_draw(Sentence.from_words(["a"]), other)


def test_the_tag_shown_is_upos_or_else_xpos() -> None:
    sentence = Sentence.from_words(["a", "b", "c"], upos=["DET", "_", "_"], xpos=["DT", "NN", "_"])
    assert [shown_tag(sentence, word) for word in (1, 2, 3)] == ["DET", "NN", ""]
