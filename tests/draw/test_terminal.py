import re
import unicodedata
from itertools import islice
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from tree_samples import (
    GOLDEN,
    agrees_with_golden,
    arriving_parser,
    no_tree,
    right_to_left_words,
    second_opinion,
    two_trees,
    wide_words,
)

from headwise.corpus.conllu import read_conllu
from headwise.corpus.sentence import Sentence
from headwise.draw.terminal import draw_tree
from headwise.draw.width import display_width
from headwise.errors import UsageError
from headwise.pipeline.document import Document

COLOURS = re.compile(r"\x1b\[[0-9;]*m")
TREEBANKS = Path(__file__).parents[2] / "../shared/treebanks"
widths = st.integers(20, 100)


@given(two_trees(), widths, st.booleans())
def test_no_line_is_wider_than_the_terminal(
    trees: tuple[Sentence, Sentence | None], width: int, ascii_only: bool
) -> None:
    drawing = draw_tree(trees[0], width=width, other=trees[1], ascii_only=ascii_only)
    for line in drawing.split("\n"):
        assert display_width(line) <= width
        assert cell_len(line) <= width
        assert not line.endswith(" ")


@given(two_trees(), widths)
def test_nothing_from_the_data_reaches_the_terminal_raw(
    trees: tuple[Sentence, Sentence | None], width: int
) -> None:
    drawing = COLOURS.sub("", draw_tree(trees[0], width=width, other=trees[1], colour=True))
    unsafe = {"Cc", "Cs", "Zl", "Zp", "Cn"}
    assert not [c for c in drawing if c != "\n" and unicodedata.category(c) in unsafe]
    assert not set(drawing) & set("\u202a\u202b\u202d\u202e\u2066\u2067\u2068")


@given(two_trees(), widths)
def test_colour_changes_nothing_but_colour(
    trees: tuple[Sentence, Sentence | None], width: int
) -> None:
    plain = draw_tree(trees[0], width=width, other=trees[1])
    coloured = draw_tree(trees[0], width=width, other=trees[1], colour=True)
    assert "\x1b" not in plain
    stripped = COLOURS.sub("", coloured).split("\n")
    assert [line.rstrip(" ") for line in stripped] == plain.split("\n")


@given(two_trees(), widths)
def test_ascii_is_ascii(trees: tuple[Sentence, Sentence | None], width: int) -> None:
    assert draw_tree(trees[0], width=width, other=trees[1], ascii_only=True).isascii()


@pytest.mark.parametrize("width", [30, 80, 120])
def test_words_tags_and_labels_are_there(width: int) -> None:
    sentence = arriving_parser()
    drawing = draw_tree(sentence, width=width)
    for text in (*sentence.forms, *(sentence.relations if width > 30 else ())):
        assert text in drawing
    assert ("PUNCT" in drawing) == (width > 30)


def test_right_to_left_words_have_lines_of_their_own() -> None:
    drawing = draw_tree(right_to_left_words(), width=200)
    assert len(drawing.splitlines()) == 5


def test_no_words_no_drawing() -> None:
    assert draw_tree(Sentence.from_words([]), width=80) == ""


def test_a_sentence_without_a_tree_shows_its_words() -> None:
    sentence = Sentence.from_words(["just", "words"])
    assert draw_tree(sentence, width=80) == "just  words"
    assert draw_tree(sentence, width=80, other=sentence).startswith("just  words")


def test_equal_trees_differ_in_nothing() -> None:
    drawing = draw_tree(arriving_parser(), width=100, other=arriving_parser())
    assert drawing == draw_tree(arriving_parser(), width=100) + "\n\n▼ both"


DRAWINGS = {
    "row": (arriving_parser, None, 100, False),
    "row-tight": (arriving_parser, None, 66, False),
    "row-ascii": (arriving_parser, None, 100, True),
    "row-two-trees": (arriving_parser, second_opinion, 100, False),
    "column": (arriving_parser, None, 40, False),
    "column-narrow": (arriving_parser, None, 20, False),
    "column-two-trees": (arriving_parser, second_opinion, 60, False),
    "column-two-trees-ascii": (arriving_parser, second_opinion, 60, True),
    "wide-words": (wide_words, None, 80, False),
    "wide-words-column": (wide_words, None, 30, False),
    "right-to-left": (right_to_left_words, None, 80, False),
    "no-tree": (no_tree, None, 80, False),
    "no-tree-column": (no_tree, None, 26, False),
}


@pytest.mark.parametrize("name", DRAWINGS)
def test_drawings_are_as_they_were(name: str) -> None:
    sentence, other, width, ascii_only = DRAWINGS[name]
    drawing = draw_tree(
        sentence(), width=width, other=other() if other else None, ascii_only=ascii_only
    )
    assert agrees_with_golden(GOLDEN / f"{name}.txt", drawing + "\n")


def test_colours_are_as_they_were() -> None:
    drawing = draw_tree(arriving_parser(), width=100, other=second_opinion(), colour=True)
    assert agrees_with_golden(GOLDEN / "row-two-trees-colour.txt", drawing + "\n")


@pytest.mark.shared
@pytest.mark.skipif(not TREEBANKS.exists(), reason="no treebanks beside the repository")
@pytest.mark.parametrize("treebank", ["en_ewt", "la_udante", "zh_gsd", "ar_padt"])
def test_sentences_of_treebanks_fit(treebank: str) -> None:
    path = min((TREEBANKS / treebank).glob("*.conllu*"))
    for sentence in islice(read_conllu(path), 60):
        for width in (20, 40, 80, 120):
            lines = draw_tree(sentence, width=width).split("\n")
            assert max(map(display_width, lines)) <= width


def test_trees_of_a_document_are_below_each_other():
    one = Sentence.from_words(["Dogs", "bark"], heads=[2, 0], relations=["nsubj", "root"])
    document = Document("Dogs bark Dogs bark", (one, one))
    assert draw_tree(document, width=40) == "\n\n".join([draw_tree(one, width=40)] * 2)
    with pytest.raises(UsageError, match=r"draw_tree\(doc\.sentences\[0\]\)"):
        draw_tree(document, other=document)
    with pytest.raises(UsageError, match="draws a sentence, not list"):
        draw_tree(["Dogs", "bark"])


@pytest.mark.parametrize("options", [{"width": "x"}, {"width": -1}, {"colour": "no"}])
def test_options_of_a_drawing_have_their_types(options):
    with pytest.raises(UsageError, match=f"{next(iter(options))} must be"):
        draw_tree(arriving_parser(), **options)
