from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st
from tree_samples import any_heads, drawable, plain_sentence, tree_heads

from headwise.draw.arcs import arcs_to_draw
from headwise.draw.spines import spines


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
