import time
from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st
from tree_samples import any_heads, drawable, plain_sentence, projective_heads

from headwise.draw.arcs import Arc, arcs_to_draw
from headwise.draw.layout import PlacedArc, RowLayout, RowSpacing, leg_steps, row_layout

CELLS = RowSpacing(word_gap=1, leg_step=1, label_margin=0, share_legs=True)
PIXELS = RowSpacing(word_gap=16, leg_step=7, label_margin=9, share_legs=False)


def layout_of(
    heads: list[int | None], measures: RowSpacing = CELLS, label: int = 3, word: int = 4
) -> RowLayout:
    sentence = drawable(["w"] * len(heads), heads, ["x"] * len(heads))
    arcs = arcs_to_draw(sentence)
    return row_layout(arcs, [word] * len(heads), lambda arc: label, measures)


def nesting_depth(arc: Arc, arcs: list[Arc]) -> int:
    """The longest chain of arcs inside each other that ends in `arc`, by brute force."""
    inside = [
        other
        for other in arcs
        if other is not arc and arc.left <= other.left and other.right <= arc.right
    ]
    return 1 + max((nesting_depth(other, inside) for other in inside), default=0)


@given(st.integers(1, 9).flatmap(projective_heads))
def test_arcs_that_nest_are_as_low_as_they_can_be(heads: list[int]) -> None:
    placed = [p for p in layout_of([*heads]).above if not p.arc.is_pin]
    arcs = [p.arc for p in placed]
    assert [p.level for p in placed] == [nesting_depth(arc, arcs) for arc in arcs]


def spans_meet(a: PlacedArc, b: PlacedArc) -> bool:
    return a.left <= b.right and b.left <= a.right


any_layout = st.builds(
    layout_of,
    st.integers(1, 9).flatmap(any_heads),
    st.sampled_from([CELLS, PIXELS]),
    label=st.integers(0, 30),
    word=st.integers(1, 12),
)


@given(any_layout)
def test_arcs_that_cross_or_overlap_have_levels_of_their_own(layout: RowLayout) -> None:
    arcs = [p for p in layout.above if not p.arc.is_pin]
    for a, b in combinations(arcs, 2):
        if spans_meet(a, b):
            assert a.level != b.level
    top = max((p.level for p in arcs), default=0)
    assert all(p.level == top + 1 for p in layout.above if p.arc.is_pin)


@given(
    st.integers(1, 9).flatmap(any_heads),
    st.sampled_from([CELLS, PIXELS]),
    st.integers(1, 30),
    st.integers(1, 12),
)
def test_no_label_leaves_its_arc_or_meets_another_label_or_a_leg(
    heads: list[int | None], measures: RowSpacing, label: int, word: int
) -> None:
    layout = layout_of(heads, measures, label, word)
    for p in layout.above:
        start, end = p.label_start, p.label_start + label
        assert start >= 0
        assert end <= layout.width
        if not p.arc.is_pin:
            assert p.left < start - measures.label_margin
            assert end + measures.label_margin <= p.right
        for q in layout.above:
            if q.level > p.level:
                assert not any(start <= leg < end for leg in (q.left, q.right))
            elif q is not p and q.level == p.level:
                assert q.label_start >= end or q.label_start + label <= start


@given(any_layout)
def test_words_keep_their_order(layout: RowLayout) -> None:
    assert layout.middles == sorted(set(layout.middles))


def test_words_do_not_overlap() -> None:
    layout = layout_of([2, 0, 2], word=10, label=1)
    assert layout.middles == [4, 15, 26]
    assert layout.width == 32


def test_long_labels_push_words_apart() -> None:
    narrow, wide = layout_of([2, 0], label=1), layout_of([2, 0], label=20)
    assert wide.middles[1] - wide.middles[0] > narrow.middles[1] - narrow.middles[0]


def test_the_side_a_word_is_entered_from_has_the_middle() -> None:
    assert leg_steps([True, False, False], share=False) == [0, 1, 2]
    assert leg_steps([True, False, False], share=True) == [0, 1, 1]
    assert leg_steps([False, True, False], share=True) == [0, 1, 2]
    assert leg_steps([False, False], share=False) == [1, 2]


def test_no_words() -> None:
    assert layout_of([]).width == 0


def test_a_thousand_words_take_no_time() -> None:
    heads = [0, *[max(1, word - 1 - word * word % 40) for word in range(2, 1001)]]
    arcs = arcs_to_draw(plain_sentence(heads))
    start = time.perf_counter()
    row_layout(arcs, [7] * 1000, lambda arc: 3, PIXELS)
    assert time.perf_counter() - start < 5
