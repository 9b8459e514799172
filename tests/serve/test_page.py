"""The page in a real browser: what people see and touch, and what the file holds after it."""

import json
import re
from pathlib import Path

import pytest

from browsers import (
    AXE,
    correct,
    labels,
    needs_axe,
    needs_browser,
    overlap,
    saved,
    wait,
    words,
)
from editedfiles import OPEN, TEXT, written
from headwise.review.ranking import Ranking, Suspicion
from servers import running

pytestmark = needs_browser

HOSTILE = "<img src=x onerror=\"document.body.dataset.hacked='yes'\">"


def test_trees_appear_as_one_types(page):
    page.click("#tab-parse")
    page.fill("#text", "A cat sat. The dog can't eat a cat!")
    wait(page, "document.querySelectorAll('#panel-parse .sentence').length === 2")
    assert words(page, "parse")[:3] == ["A", "cat", "sat"]
    page.click("#panel-parse .word[data-id='2'] >> nth=0")
    assert "Candidate heads" in page.inner_text("#panel-parse .inspector")
    page.click("#panel-parse .arc[data-word='1'] .label >> nth=0")
    assert page.locator("#panel-parse .word.selected").get_attribute("data-id") == "1"
    assert page.locator("#panel-parse .arc.selected").get_attribute("data-word") == "1"
    assert "the other tree" not in page.inner_text("#panel-parse .legend")
    page.click("#panel-parse [aria-label='Next best tree'] >> nth=0")
    page.wait_for_selector("text=/tree 2 of/")
    page.fill("#text", "")
    wait(page, "document.querySelectorAll('#panel-parse .sentence').length === 0")


def test_a_long_sentence_scrolls_and_arabic_runs_from_the_right(page):
    page.click("#tab-parse")
    page.fill("#text", "the cat " * 60)
    wait(page, "document.querySelectorAll('#panel-parse .word').length > 100")
    assert page.evaluate(
        "(() => { const box = document.querySelector('#panel-parse .scroll');"
        "return box.scrollWidth > box.clientWidth && document.body.scrollWidth <= innerWidth })()"
    )
    page.fill("#text", "قرأ الولد الكتاب")
    wait(page, "document.querySelectorAll('#panel-parse .word').length < 10")
    places = [one.bounding_box()["x"] for one in page.locator("#panel-parse .word").all()]
    assert places == sorted(places, reverse=True)


def test_downloads(page):
    page.click("#tab-parse")
    page.fill("#text", "A cat sat.")
    page.wait_for_selector("#panel-parse .word[data-id='4']")
    for name, start in (
        ("CoNLL-U", b"# "),
        ("JSON", b"["),
        ("SVG", b"<svg"),
        ("PNG", b"\x89PNG"),
    ):
        with page.expect_download() as waiting:
            page.click(f"#panel-parse button:text-is('{name}') >> nth=0")
        assert Path(waiting.value.path()).read_bytes().startswith(start), name


def test_a_head_is_fixed_the_rest_changes_and_undo_brings_back_every_byte(page, server):
    _, path = server
    correct(page)
    before = labels(page)
    page.click("#panel-correct .word[data-id='1']")
    head = "4" if "of ." not in before["1"] else "3"
    page.keyboard.type(head)
    page.keyboard.press("Enter")
    page.wait_for_selector("#panel-correct .word[data-id='1'][aria-label*='fixed']")
    saved(page)
    after = labels(page)
    assert ", fixed, relation proposed" in after["1"]
    assert all(", proposed" in after[word] for word in ("2", "3", "4"))
    own = f"1\tA\t_\t_\t_\t_\t{head}\t_\t_\tGloss=ein"
    expected = TEXT.replace("1\tA\t_\t_\t_\t_\t_\t_\t_\tGloss=ein", own)
    assert path.read_bytes() == expected.encode()
    page.reload()
    page.wait_for_selector("body[data-ready]")
    correct(page)
    assert labels(page) == after
    page.keyboard.press("z")
    page.wait_for_selector("#panel-correct .word[data-id='1'][aria-label*=', proposed']")
    saved(page)
    assert path.read_bytes() == TEXT.encode()
    assert labels(page) == before


def test_a_word_is_dragged_to_its_head(page, server):
    _, path = server
    correct(page)
    box = {
        word: page.locator(f"#panel-correct .word[data-id='{word}'] .hit").bounding_box()
        for word in ("2", "4")
    }
    middle = {word: (b["x"] + b["width"] / 2, b["y"] + b["height"] / 2) for word, b in box.items()}
    page.mouse.move(*middle["2"])
    page.mouse.down()
    page.mouse.move(*middle["4"], steps=8)
    page.mouse.up()
    page.wait_for_selector("#panel-correct .word[data-id='2'][aria-label*='of ., fixed']")
    saved(page)
    assert "2\tcat\t_\t_\t_\t_\t4\t_\t_\t_" in path.read_text()


def test_a_tree_scrolls_to_a_word_that_is_dragged_to_its_edge(page, server):
    _, path = server
    page.set_viewport_size({"width": 400, "height": 900})
    correct(page)
    for _ in range(5):
        page.click("[aria-label='Larger tree']")
    start = page.locator("#panel-correct .word[data-id='1'] .hit").bounding_box()
    tree = page.locator("#panel-correct .scroll").bounding_box()
    page.mouse.move(start["x"] + 9, start["y"] + 9)
    page.mouse.down()
    for up in range(12):
        page.mouse.move(tree["x"] + tree["width"] - 20, start["y"] - up)
    assert page.evaluate("document.querySelector('#panel-correct .scroll').scrollLeft") > 100
    page.mouse.move(200, tree["y"] + 5)
    page.mouse.up()
    assert path.read_bytes() == TEXT.encode(), "it was let go where no word is"


def test_a_clash_is_named_and_can_be_released(page, server):
    _, path = server
    correct(page)
    for word, head in (("1", "2"), ("2", "1")):
        page.click(f"#panel-correct .word[data-id='{word}']")
        page.keyboard.type(head)
        page.keyboard.press("Enter")
        page.wait_for_timeout(50)
    page.wait_for_selector(".message.bad")
    assert "Nothing was changed" in page.inner_text(".message.bad")
    for width in (1280, 400):
        page.set_viewport_size({"width": width, "height": 420})
        assert not overlap(page, ".message", "#panel-correct .tree"), width
    saved(page)
    assert "1\tA\t_\t_\t_\t_\t2\t_" in path.read_text()
    assert "2\tcat\t_\t_\t_\t_\t_\t_" in path.read_text()
    page.click(".message button:has-text('and try again')")
    page.wait_for_selector("#panel-correct .word[data-id='2'][aria-label*='fixed']")
    saved(page)
    assert "2\tcat\t_\t_\t_\t_\t1\t_" in path.read_text()


def test_a_sentence_is_corrected_by_keyboard_alone(page, server):
    _, path = server
    correct(page)
    page.focus("#panel-correct .word[data-id='1']")
    page.keyboard.press("ArrowRight")
    page.wait_for_selector("#panel-correct .word[data-id='2'].selected")
    page.keyboard.press("t")
    page.keyboard.type("PROPN")
    page.keyboard.press("Enter")
    wait(
        page,
        "document.querySelector('#panel-correct .word[data-id=\"2\"] .tag:not(.open)') !== null",
    )
    page.keyboard.press("Escape")
    page.keyboard.press("?")
    page.wait_for_selector("#shortcuts")
    page.keyboard.press("Escape")
    page.wait_for_selector("#shortcuts", state="hidden")
    page.keyboard.press("c")
    page.wait_for_selector("#counts:has-text('1 of 3 checked')")
    saved(page)
    text = path.read_text()
    assert "# checked = yes" in text
    assert re.search(r"^2\tcat\t\S+\tPROPN\t\S+\t\S+\t\d\t\w", text, re.MULTILINE)
    assert text.endswith(TEXT.removeprefix(OPEN)), "other sentences are as they were"


def test_texts_are_never_markup(page, server):
    _, path = server
    page.click("#tab-parse")
    page.fill("#text", HOSTILE)
    page.wait_for_selector("#panel-parse .word")
    assert page.locator("#panel-parse img").count() == 0
    correct(page)
    assert page.inner_text("#panel-correct h2 >> nth=0") == path.name
    page.fill("#note", HOSTILE)
    page.keyboard.press("Enter")
    saved(page)
    wait(page, "document.getElementById('note').value.includes('onerror')")
    page.fill("#relation", HOSTILE.replace(" ", "/"))
    page.keyboard.press("Enter")
    page.wait_for_selector(".tree .label:has-text('onerror')")
    page.keyboard.press("Escape")
    page.keyboard.press("j")
    page.keyboard.press("j")
    page.wait_for_selector(".tree .form:text-is('<b>&amp;')")
    assert page.locator("#panel-correct img, #panel-correct b, #panel-correct i").count() == 0
    assert f"# note = {HOSTILE}" in path.read_text()


def test_a_file_that_another_program_changes_is_noticed(page, server):
    _, path = server
    correct(page)
    path.write_bytes(TEXT.replace("cat", "cow").encode())
    page.click("#panel-correct .word[data-id='1']")
    page.keyboard.press("o")
    page.wait_for_selector(".message.bad >> text=another program")
    assert "Not saved" in page.inner_text("#saved")
    page.click("text=Load the file again")
    page.wait_for_selector(".tree .form:text-is('cow')")
    assert path.read_bytes() == TEXT.replace("cat", "cow").encode()


@pytest.mark.parametrize("width", [1280, 400])
def test_nothing_opens_over_a_tree(page, width):
    page.set_viewport_size({"width": width, "height": 700})
    assert page.locator("select, datalist").count() == 0, "browsers open their lists over the page"
    correct(page)
    page.focus("#panel-correct .word[data-id='1']")
    page.keyboard.press("?")
    page.wait_for_selector("#shortcuts")
    assert not overlap(page, "#shortcuts", "#panel-correct .tree")
    page.keyboard.press("ArrowRight")
    page.wait_for_selector("#panel-correct .word[data-id='2'].selected")


@needs_axe
@pytest.mark.parametrize("width", [1280, 400])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_is_accessible(page, width, scheme):
    page.set_viewport_size({"width": width, "height": 800})
    page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    page.evaluate(Path(AXE).read_text("utf-8"))
    for tab in ("parse", "correct", "model"):
        page.click(f"#tab-{tab}")
        page.wait_for_timeout(300)
        found = page.evaluate("axe.run(document).then((found) => found.violations)")
        assert [(one["id"], [node["target"] for node in one["nodes"]]) for one in found] == []
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), tab


def test_suspicious_sentences_come_first_and_their_words_are_marked(browser, tmp_path):
    path, ranking = written(tmp_path), tmp_path / "ranking.json"
    head = Suspicion(2, "s2", 2, "dog", "head", "5", 0.01, "3", 0.9)
    tag = Suspicion(2, "s2", 6, ".", "upos", "PUNCT", 0.2, "SYM", 0.7)
    ranking.write_text(json.dumps(Ranking("corpus.conllu", {}, (head, tag)).to_json()))
    with running("--edit", str(path), "--ranking", str(ranking)) as (address, _):
        page = browser.new_page(viewport={"width": 1280, "height": 900})
        page.goto(address)
        page.wait_for_selector("body[data-ready]")
        correct(page)
        assert words(page, "correct")[:2] == ["The", "dog"]
        page.wait_for_selector("#panel-correct .word.selected[data-id='2']")
        marked = page.locator("#panel-correct .word.suspicious")
        assert [one.get_attribute("data-id") for one in marked.all()] == ["2", "6"]
        page.click("text=Take 3 ca (90 %)")
        wait(page, "document.querySelectorAll('#panel-correct .word.suspicious').length === 1")
        saved(page)
        assert "2\tdog\tdog\tNOUN\tNN\tNumber=Sing\t3\t" in path.read_text()
        page.close()
