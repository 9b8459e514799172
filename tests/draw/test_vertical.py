"""The drawing is read back: who follows the lines from an arrowhead must come to the head."""

import time
from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st
from tree_samples import any_heads, drawable, plain_sentence, projective_heads, tree_heads

from headwise.corpus.sentence import Sentence
from headwise.draw.arcs import arcs_to_draw
from headwise.draw.canvas import BOX
from headwise.draw.labels import WordTexts
from headwise.draw.vertical import spines, vertical_tree

MEETS_UP, MEETS_DOWN = "│┘┤└├┴┼", "│┐┤┌├┬┼"


def rows_of(sentence: Sentence, width: int) -> list[str]:
    words = WordTexts(sentence.forms, [""] * len(sentence))
    return vertical_tree(words, arcs_to_draw(sentence), width, BOX).render(False).splitlines()


def head_read(rows: list[str], row: int) -> int:
    column = rows[row].index("►") - 1
    while rows[row][column] in "─┬┴┼│":
        column -= 1
    if rows[row][column] == "●":
        return 0
    # On this spine, the head is the word whose own line goes on to the left of it.
    at = row
    while rows[at][column] in MEETS_UP:
        at -= 1
        if rows[at][column] in "┬┼┴":
            return at + 1
    at = row
    while rows[at][column] in MEETS_DOWN:
        at += 1
        if rows[at][column] in "┬┼┴":
            return at + 1
    raise AssertionError("the spine has no head")


@given(st.integers(1, 12).flatmap(tree_heads), st.sampled_from([60, 200]))
def test_every_head_can_be_read_from_the_drawing(heads: list[int], width: int) -> None:
    rows = rows_of(plain_sentence(heads), width)
    assert [head_read(rows, row) for row in range(len(rows))] == heads


@given(st.integers(1, 12).flatmap(projective_heads))
def test_lines_of_a_projective_tree_never_cross(heads: list[int]) -> None:
    for row in rows_of(plain_sentence(heads), 80):
        assert "─│" not in row


def test_lines_that_do_not_fit_become_the_number_of_the_head() -> None:
    rows = rows_of(plain_sentence(list(range(40))), 40)
    assert all(len(row) <= 40 for row in rows)
    assert rows[0].split() == ["1", "●" + "─" * 15 + "►", "wo001rd", "rel"]
    assert rows[1].split() == ["2", "►", "wo002rd", "←1", "rel"]
    assert rows[39].split() == ["40", "└►", "wo040rd", "rel"]


def test_a_long_word_takes_the_room_of_its_label_but_an_address_shares_it() -> None:
    words = ["short", "Rindfleischetikettierung", "x" * 50]
    sentence = Sentence.from_words(words, heads=[2, 0, 2], relations=["nsubj", "root", "obj"])
    rows = rows_of(sentence, 34)
    assert "nsubj" in rows[0]
    assert "Rindfleischetikettierung" in rows[1]
    assert rows[2].endswith("x…  obj")
    assert len(rows[2]) <= 34


def test_a_thousand_words_take_no_time() -> None:
    start = time.perf_counter()
    rows_of(plain_sentence([0, *[word // 2 for word in range(2, 1001)]]), 80)
    assert time.perf_counter() - start < 3


@given(st.integers(1, 12).flatmap(tree_heads))
def test_a_spine_is_nearer_to_the_words_than_the_one_its_word_hangs_on(heads: list[int]) -> None:
    placed = spines(arcs_to_draw(plain_sentence(heads)))
    for spine in placed.values():
        above = heads[spine.head - 1]
        if above:
            assert placed[above].column > spine.column


@given(st.integers(1, 12).flatmap(any_heads))
def test_spines_in_one_column_share_no_row(heads: list[int | None]) -> None:
    sentence = drawable(["w"] * len(heads), heads)
    for a, b in combinations(spines(arcs_to_draw(sentence)).values(), 2):
        if a.column == b.column:
            assert a.rows[-1] < b.rows[0] or b.rows[-1] < a.rows[0]


@given(st.integers(1, 12).flatmap(any_heads))
def test_every_arc_hangs_on_its_heads_spine(heads: list[int | None]) -> None:
    arcs = arcs_to_draw(drawable(["w"] * len(heads), heads))
    placed = spines(arcs)
    for arc in arcs:
        if not arc.is_pin:
            assert {arc.head, arc.modifier} <= set(placed[arc.head].rows)


def test_a_chain_of_a_thousand_words_needs_no_stack() -> None:
    placed = spines(arcs_to_draw(plain_sentence(list(range(1000)))))
    assert placed[1].column == 999
