"""The drawing is read back: who follows the lines from an arrowhead must come to the head."""

from hypothesis import given
from hypothesis import strategies as st
from tree_samples import any_heads, plain_sentence, projective_heads, tree_heads

from headwise.corpus.sentence import Sentence
from headwise.draw.arcs import arcs_to_draw
from headwise.draw.canvas import BOX
from headwise.draw.horizontal import horizontal_tree
from headwise.draw.labels import WordTexts


def rows_of(sentence: Sentence, width: int = 2000) -> list[str]:
    words = WordTexts(sentence.forms, [""] * len(sentence))
    canvas = horizontal_tree(words, arcs_to_draw(sentence), width, BOX)
    assert canvas is not None
    lines = canvas.render(colour=False).splitlines()
    longest = max(map(len, lines))
    return [line.ljust(longest) for line in lines]


def word_at(rows: list[str], column: int) -> int:
    """The word whose text is in a column: `wo012rd` is word 12."""
    start = rows[-1].rindex("wo", 0, column + 2)
    return int(rows[-1][start + 2 : start + 5])


def heads_read(rows: list[str]) -> dict[int, int]:
    foot = len(rows) - 2
    arrows = [column for column, cell in enumerate(rows[foot]) if cell == "▼"]
    return {word_at(rows, column): head_read(rows, column, foot) for column in arrows}


def head_read(rows: list[str], column: int, foot: int) -> int:
    row = foot - 1
    while rows[row][column] == "│":
        row -= 1
    step, corners = {"┌": (1, "┐┤"), "┐": (-1, "┌├")}.get(rows[row][column], (0, ""))
    if step == 0:
        return 0  # it came to a label: the root's
    column += step
    while rows[row][column] not in corners:
        column += step
    return word_at(rows, column)


@given(st.integers(1, 12).flatmap(tree_heads))
def test_every_head_can_be_read_from_the_drawing_of_a_tree(heads: list[int]) -> None:
    read = heads_read(rows_of(plain_sentence(heads)))
    assert read == dict(enumerate(heads, start=1))


@given(st.integers(1, 8).flatmap(any_heads))
def test_every_head_can_be_read_even_if_it_is_no_tree(heads: list[int | None]) -> None:
    n = len(heads)
    heads = [None if head in (m, n + 1) else head for m, head in enumerate(heads, start=1)]
    read = heads_read(rows_of(plain_sentence(heads)))
    assert read == {m: head for m, head in enumerate(heads, start=1) if head is not None}


@given(st.integers(1, 12).flatmap(projective_heads))
def test_lines_of_a_projective_tree_never_cross(heads: list[int]) -> None:
    rows = rows_of(plain_sentence(heads))
    for row in rows:
        assert "─│" not in row


def test_what_does_not_fit_is_not_drawn() -> None:
    sentence = plain_sentence([2, 0])
    words, arcs = WordTexts(sentence.forms, ["", ""]), arcs_to_draw(sentence)
    assert horizontal_tree(words, arcs, 15, BOX) is not None
    assert horizontal_tree(words, arcs, 14, BOX) is None
