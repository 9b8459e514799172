import re
import time
from itertools import combinations, pairwise
from xml.etree import ElementTree

import pytest
from hypothesis import given
from tree_samples import (
    GOLDEN,
    PICTURE,
    agrees_with_golden,
    any_sentence,
    arriving_parser,
    no_tree,
    plain_sentence,
    right_to_left_words,
    second_opinion,
    two_trees,
)

from headwise.corpus.sentence import Sentence
from headwise.draw.svg import STYLE, svg_page, svg_tree
from headwise.draw.svgtext import text_width
from headwise.errors import MismatchError, UsageError
from headwise.pipeline.document import Document
from headwise.safe import safe_text

SVG = "{http://www.w3.org/2000/svg}"


def texts_of(root: ElementTree.Element, kind: str) -> list[str]:
    return [e.text or "" for e in root.iter(f"{SVG}text") if e.get("class", "").split()[0] == kind]


@given(two_trees())
def test_any_text_gives_valid_xml(trees: tuple[Sentence, Sentence | None]) -> None:
    sentence, other = trees
    root = ElementTree.fromstring(svg_tree(sentence, other=other).encode("utf-8"))
    shown = texts_of(root, "word")
    assert [t.split() for t in shown] == [safe_text(form).split() for form in sentence.forms]


@given(any_sentence())
def test_any_title_gives_valid_xml(sentence: Sentence) -> None:
    title = "".join(sentence.forms)
    root = ElementTree.fromstring(svg_page([sentence], title=title).encode("utf-8"))
    assert root.findtext(f"{SVG}title") is not None


def test_markup_in_words_is_only_text() -> None:
    sentence = Sentence.from_words(
        ["<script>alert(1)</script>", "&amp;"], heads=[2, 0], relations=['"><x', "]]>"]
    )
    root = ElementTree.fromstring(svg_tree(sentence))
    assert texts_of(root, "word") == ["<script>alert(1)</script>", "&amp;"]
    assert texts_of(root, "relation") == ['"><x', "]]>"]
    assert root.findtext(f"{SVG}title") == "<script>alert(1)</script> &amp;"
    assert not [e for e in root.iter() if e.tag.endswith("script")]


def test_it_stands_alone_and_can_be_read_out() -> None:
    svg = svg_tree(arriving_parser(), title="An extraposed clause")
    root = ElementTree.fromstring(svg)
    assert root.get("role") == "img"
    assert root[0].tag == f"{SVG}title"
    assert root[0].text == "An extraposed clause"
    assert re.findall(r"(?:https?:|href|url\(|@import)[^\"]*", svg) == [
        "http://www.w3.org/2000/svg"
    ]
    assert "prefers-color-scheme:dark" in svg


def label_boxes(root: ElementTree.Element) -> list[tuple[float, float, float]]:
    return [
        (float(e.get("y", "")), float(e.get("x", "")), float(e.get("width", "")))
        for e in root.iter(f"{SVG}rect")
        if e.get("class", "").startswith("label")
    ]


@given(two_trees())
def test_labels_and_words_do_not_overlap(trees: tuple[Sentence, Sentence | None]) -> None:
    svg = svg_tree(trees[0])
    root = ElementTree.fromstring(svg.encode("utf-8"))
    for (y, x, width), (y2, x2, width2) in combinations(label_boxes(root), 2):
        assert y != y2 or x + width <= x2 or x2 + width2 <= x
    words = [
        (float(e.get("x", "")), text_width(e.text or "", 16))
        for e in root.iter(f"{SVG}text")
        if e.get("class") == "word"
    ]
    for (x, width), (x2, width2) in pairwise(words):
        assert x + width / 2 <= x2 - width2 / 2


def test_two_trees_are_told_apart_without_colour() -> None:
    root = ElementTree.fromstring(svg_tree(arriving_parser(), other=second_opinion()))
    classes = [e.get("class", "") for e in root.iter(f"{SVG}path")]
    assert classes.count("arc first") == 2 + 1  # two arcs and the legend's line
    assert classes.count("arc second") == 2 + 1
    assert "nsubj≠mark" in texts_of(root, "relation")
    assert texts_of(root, "caption") == ["both", "only first", "only second", "labels differ"]
    style = root.findtext(f"{SVG}style") or ""
    dashes = re.findall(r"\.arc\.(?:first|second){[^}]*stroke-dasharray:([^}]*)}", style)
    assert len(set(dashes)) == 2


def test_right_to_left_words_say_so() -> None:
    svg = svg_tree(right_to_left_words())
    root = ElementTree.fromstring(svg)
    words = [e for e in root.iter(f"{SVG}text") if e.get("class") == "word"]
    assert [e.get("direction") for e in words] == ["rtl"] * 5
    assert "unicode-bidi:isolate" in svg


def places_of(svg: str) -> tuple[list[float], list[tuple[float, float]]]:
    """Where words stand, and from where to where arcs that are no pins go."""
    root = ElementTree.fromstring(svg)
    words = [e for e in root.iter(f"{SVG}text") if e.get("class") == "word"]
    paths = [e.get("d", "") for e in root.iter(f"{SVG}path") if e.get("class") == "arc both"]
    ends = [re.findall(r"^M(\S+) .*Q(\S+) \S+ \S+ \S+V\S+$", path)[0] for path in paths]
    return [float(e.get("x", "")) for e in words], [(float(a), float(b)) for a, b in ends]


def nearest(place: float, words: list[float]) -> int:
    return min(range(len(words)), key=lambda word: abs(words[word] - place)) + 1


def test_right_to_left_sentences_begin_on_the_right() -> None:
    sentence = right_to_left_words()
    words, arcs = places_of(svg_tree(sentence))
    assert words == sorted(words, reverse=True)
    drawn = {(nearest(head, words), nearest(end, words)) for head, end in arcs}
    assert drawn == {(head, word) for word, head in enumerate(sentence.heads, 1) if head}


def test_most_words_decide_where_a_sentence_begins() -> None:
    latin = Sentence.from_words(["see", "البنت", ".", "12", "here"], heads=[0, 1, 1, 1, 1])
    words, _ = places_of(svg_tree(latin))
    assert words == sorted(words)
    arabic = Sentence.from_words(["البنت", "(", "IBM", ")", "كتبت"], heads=[0, 1, 1, 1, 1])
    svg = svg_tree(arabic)
    words, _ = places_of(svg)
    assert words == sorted(words, reverse=True)
    assert 'direction="rtl">(</text>' in svg
    assert 'direction="rtl">IBM</text>' not in svg


def test_a_page_holds_every_sentence_under_its_name() -> None:
    named = Sentence.from_words(["hm"], heads=[0], comments=["# sent_id = s<1"])
    root = ElementTree.fromstring(svg_page([arriving_parser(), named, no_tree()]))
    assert texts_of(root, "caption") == ["1", "2 · s<1", "3"]
    assert len(texts_of(root, "word")) == 12 + 1 + 6
    numbered = Sentence.from_words(["hm"], heads=[0], comments=["# sent_id = 1"])
    assert texts_of(ElementTree.fromstring(svg_page([numbered])), "caption") == ["1"]


def test_a_page_of_two_trees_each_needs_as_many_of_both() -> None:
    trees = [arriving_parser(), arriving_parser()]
    svg = svg_page(trees, others=[second_opinion(), arriving_parser()])
    assert svg.count('class="arc first"') == 3
    with pytest.raises(MismatchError, match="2 trees cannot be compared with 1"):
        svg_page(trees, others=[second_opinion()])


def test_no_words_and_no_sentences_are_pictures_too() -> None:
    ElementTree.fromstring(svg_tree(Sentence.from_words([])))
    ElementTree.fromstring(svg_page([]))


def test_a_thousand_words_take_no_time() -> None:
    heads = [0, *[max(1, word - 1 - word * word % 40) for word in range(2, 1001)]]
    start = time.perf_counter()
    svg_tree(plain_sentence(heads))
    assert time.perf_counter() - start < 5


def test_the_picture_of_the_readme_is_what_we_draw() -> None:
    assert agrees_with_golden(PICTURE, svg_tree(arriving_parser()))


def test_two_trees_are_drawn_as_they_were() -> None:
    svg = svg_tree(arriving_parser(), other=second_opinion())
    assert agrees_with_golden(GOLDEN / "two-trees.svg", svg)


def test_documents_and_words_are_refused():
    one = Sentence.from_words(["a"], heads=[0], relations=["root"])
    with pytest.raises(UsageError, match=r"doc\.sentences\[0\]\); doc\.svg\(\) draws all"):
        svg_tree(Document("a", (one,)))
    with pytest.raises(UsageError, match="draws a sentence, not str"):
        svg_tree(one, other="a")


def test_every_class_that_is_drawn_has_a_style():
    styled = set(re.findall(r"\.([a-z]+)", STYLE))
    drawn = svg_tree(arriving_parser(), other=second_opinion())
    drawn += svg_page([arriving_parser(), second_opinion()], title="two")
    used = {name for names in re.findall(r'class="([^"]+)"', drawn) for name in names.split()}
    assert {"word", "tag", "relation", "arc", "arrow", "first", "second"} <= used
    assert used - {"both"} <= styled  # arcs of both trees look like those of one


def test_every_colour_has_one_for_dark_mode():
    light, _, dark = STYLE.partition("@media (prefers-color-scheme:dark){")
    coloured = re.compile(r"^([^{}]+)\{[^}]*(?:fill|stroke):#", re.MULTILINE)

    def names(text: str) -> set[str]:
        return {one for found in coloured.findall(text) for one in found.strip().split(",")}

    assert names(light) == names(dark)
    assert STYLE.count("{") == STYLE.count("}")
