"""All that the page can do besides what `test_page.py` tries, in a real browser."""

import re
from pathlib import Path

import pytest

from browsers import correct, needs_browser, overlap, saved, wait, words
from editedfiles import DONE, LAST, OPEN, TEXT
from headwise.corpus.conllu import read_conllu
from servers import running

pytestmark = needs_browser

GOLD = DONE.replace("2\tdog", "2\tcow").replace("\t5\tnsubj", "\t1\tobj")


def press(page, name: str) -> None:
    page.click(f"#panel-correct button:text-is('{name}')")


def choose(page, word: int) -> None:
    page.click(f"#panel-correct .word[data-id='{word}']")


def pick(page, field: str, text: str) -> None:
    """Choose one of a few."""
    page.click(f"#{field} label:has(span:text-is('{text}'))")


def text_has(page, path, part: str) -> None:
    """Wait until the file holds something."""
    for _ in range(200):
        if part in path.read_text():
            return
        page.wait_for_timeout(50)
    raise AssertionError(f"{part!r} is not in {path.read_text()!r}")


def test_two_models_are_compared_as_a_diff(page):
    page.click("#tab-parse")
    page.fill("#text", "A cat sat.")
    wait(page, "document.querySelector('#parse-state').textContent === '1 sentence, 4 words'")
    assert page.locator("#panel-parse .arc.other").count() == 0
    pick(page, "compare", "other")
    wait(page, "document.querySelector('#parse-state').textContent.includes('relations agree')")
    differing = page.locator("#panel-parse .word.differs")
    assert page.locator("#panel-parse .arc.other").count() == differing.count() > 0
    assert "the other tree" in page.inner_text("#panel-parse .legend")
    pick(page, "compare", "toy")
    wait(page, "document.querySelector('#parse-state').textContent.includes('100 %')")
    assert differing.count() == 0
    pick(page, "compare", "nothing")
    wait(page, "!document.querySelector('#parse-state').textContent.includes('agree')")


def test_a_gold_file_is_compared_as_a_diff(page, tmp_path):
    page.click("#tab-parse")
    pick(page, "compare", "a gold file …")
    path = tmp_path / "gold.conllu"
    path.write_text(GOLD)
    page.set_input_files("#gold", path)
    wait(page, "document.querySelector('#parse-state').textContent.includes('LAS')")
    assert words(page, "parse") == ["The", "cow", "ca", "n't", "eat", "."]
    assert page.locator("#panel-parse .word.differs").count() > 0
    other = tmp_path / "other.txt"
    other.write_text("no CoNLL-U at all")
    page.set_input_files("#gold", other)
    page.wait_for_selector(".message.bad >> text=has no sentences")
    (tmp_path / "bytes.conllu").write_bytes(b"1\t\xff")
    page.set_input_files("#gold", tmp_path / "bytes.conllu")
    page.wait_for_selector(".message.bad >> text=is not UTF-8")


def test_much_text_is_drawn_in_parts_and_too_much_is_refused(page):
    page.click("#tab-parse")
    page.fill("#text", "A cat sat. " * 100)
    page.wait_for_selector("text=70 sentences are not drawn")
    cards = page.locator("#panel-parse .sentence")
    assert cards.count() == 30
    page.click("#panel-parse .more")
    assert cards.count() == 60
    with page.expect_download() as waiting:
        page.click("#panel-parse button:text-is('CoNLL-U')")
    assert Path(waiting.value.path()).read_text().count("# sent_id") == 100, "all are saved"
    page.evaluate("document.getElementById('text').value = 'A cat sat. '.repeat(100_000)")
    page.evaluate("document.getElementById('text').dispatchEvent(new Event('input'))")
    page.wait_for_selector(".message.bad >> text=bytes")
    assert page.inner_text("#parse-state") == "Not parsed."
    page.fill("#text", "A cat sat.")
    wait(page, "document.querySelector('#parse-state').textContent === '1 sentence, 4 words'")


def test_trees_are_zoomed(page):
    correct(page)
    width = page.locator("#panel-correct .tree").bounding_box()["width"]
    page.click("[aria-label='Larger tree']")
    assert page.locator("#panel-correct .tree").bounding_box()["width"] > 1.1 * width
    page.keyboard.press("-")
    page.keyboard.press("-")
    assert page.locator("#panel-correct .tree").bounding_box()["width"] < width


def test_the_least_certain_sentence_comes_first(page):
    correct(page)
    pick(page, "order", "least certain")
    shares = page.locator("#panel-correct .list .share")
    wait(page, "[...document.querySelectorAll('.list .share')].every((one) => one.textContent)")
    found = [float(re.sub(r"[^\d.]", "", one)) for one in shares.all_text_contents()]
    assert len(found) == 3
    assert found == sorted(found)
    pick(page, "order", "unchecked")
    assert page.locator("#panel-correct .list [data-key]").first.get_attribute("data-key") == "0"


def test_words_are_split_and_merged(page, server):
    _, path = server
    correct(page)
    choose(page, 2)
    page.fill("#split", "c at")
    press(page, "Split")
    text_has(page, path, "2\tc\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No\n3\tat\t")
    page.wait_for_selector("#panel-correct .word[data-id='5']")
    press(page, "Merge with next word")
    text_has(page, path, "2\tcat\t")
    saved(page)
    page.fill("#split", "chat te")
    page.check("#multiword")
    page.press("#split", "Enter")
    text_has(page, path, "2-3\tcat\t_")
    page.wait_for_selector("text=Multiword tokens: cat (2–3)")
    press(page, "Undo")
    press(page, "Undo")
    press(page, "Undo")
    saved(page)
    text_has(page, path, TEXT)


def test_sentences_are_split_and_merged(page, server):
    _, path = server
    correct(page)
    choose(page, 3)
    press(page, "Begin sentence here")
    text_has(page, path, "# sent_id = s1-2")
    page.wait_for_selector("#counts:has-text('of 4')")
    assert words(page, "correct") == ["A", "cat"], "the first part stays in view"
    assert page.locator("#panel-correct .list [data-key]").count() == 4
    press(page, "Merge with next sentence")
    page.wait_for_selector("#counts:has-text('of 3')")
    assert words(page, "correct") == ["A", "cat", "sat", "."]
    assert page.locator("#panel-correct .list [data-key]").count() == 3
    press(page, "Undo")
    page.wait_for_selector("#counts:has-text('of 4')")
    press(page, "Undo")
    page.wait_for_selector("#counts:has-text('of 3')")
    saved(page)
    assert path.read_text() == TEXT


def test_arcs_are_forbidden_and_spans_bracketed(page, server):
    _, path = server
    correct(page)
    choose(page, 2)
    press(page, "Forbid this head")
    page.wait_for_selector("#panel-correct button:text('again')")
    assert re.search(r"# forbidden_arcs = \d>2", path.read_text())
    page.click("#panel-correct button:text('again')")
    wait(page, "document.querySelectorAll('#panel-correct .word.selected').length === 1")
    saved(page)
    page.fill("#bracket-first", "1")
    page.fill("#bracket-last", "2")
    press(page, "Bracket")
    page.wait_for_selector("#panel-correct .bracket", state="attached")
    text_has(page, path, "# brackets = 1-2")
    press(page, "Remove bracket 1–2")
    page.wait_for_selector("#panel-correct .bracket", state="detached")
    saved(page)
    assert path.read_text() == TEXT
    choose(page, 1)
    page.keyboard.press("b")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("b")
    text_has(page, path, "# brackets = 1-2")


def test_punctuation_is_attached_by_rule_and_trees_accepted_and_released(page, server):
    _, path = server
    correct(page)
    press(page, "Punctuation by rule")
    page.wait_for_selector("#panel-correct .word[data-id='4'][aria-label*='fixed']")
    assert "\tpunct\t" in path.read_text()
    press(page, "Accept tree")
    wait(page, "document.querySelectorAll('#panel-correct .arc.fixed').length === 4")
    press(page, "Propose anew")
    wait(page, "document.querySelectorAll('#panel-correct .arc.fixed').length === 0")
    saved(page)
    assert path.read_text() == TEXT


def test_only_tags_are_proposed_and_can_be_checked(page, server):
    _, path = server
    correct(page)
    pick(page, "kind", "only tags")
    wait(page, "document.querySelectorAll('#panel-correct .arc').length === 0")
    page.click("#check")
    page.wait_for_selector("#counts:has-text('1 of 3')")
    saved(page)
    assert re.search(r"1\tA\t\S+\t[A-Z]+\t\S+\t\S+\t_\t_\t_\tGloss=ein", path.read_text())
    pick(page, "kind", "tags and trees")


def test_a_part_of_speech_is_chosen_and_taken_back(page, server):
    _, path = server
    correct(page)
    choose(page, 2)
    press(page, "PROPN")
    text_has(page, path, "2\tcat\t_\tPROPN\t")
    press(page, "Release tags")
    text_has(page, path, TEXT)


def test_a_relation_is_told_apart_from_its_head(page):
    correct(page)
    choose(page, 1)
    marked = "#panel-correct .arc[data-word='1']"
    page.keyboard.type("4")
    page.keyboard.press("Enter")
    page.wait_for_selector(f"{marked}.fixed .label:not(.set)")
    page.keyboard.press("Alt+1")
    page.wait_for_selector(f"{marked}.fixed .label.set")
    for _ in range(2):
        press(page, "Undo")
    page.wait_for_selector(f"{marked}:not(.fixed) .label:not(.set)")


def test_the_file_is_downloaded_with_all_proposals(page, server):
    _, path = server
    correct(page)
    with page.expect_download() as waiting:
        press(page, "Download completed")
    completed = list(read_conllu(waiting.value.path()))
    assert [one.has_tree for one in completed] == [True, True, True]
    assert path.read_text() == TEXT
    page.wait_for_selector("#panel-correct button:text-is('Download completed'):enabled")


def test_fields_keep_the_focus_and_escape_leaves_them_unchanged(page, server):
    _, path = server
    correct(page)
    choose(page, 2)
    page.fill("#upos", "VERB")
    page.press("#upos", "Tab")
    page.keyboard.type("VBZ")
    text_has(page, path, "2\tcat\t_\tVERB\t")
    page.wait_for_timeout(300)
    assert page.evaluate("document.activeElement.id") == "xpos"
    page.press("#xpos", "Escape")
    page.wait_for_timeout(200)
    assert "VBZ" not in path.read_text()
    assert page.evaluate("document.activeElement.dataset.id") == "2"
    page.fill("#lemma", "meow")
    page.press("#lemma", "Enter")
    text_has(page, path, "2\tcat\tmeow\tVERB\t")
    assert page.evaluate("document.activeElement.dataset.id") == "2"


def test_two_windows_do_not_overwrite_each_other(page, browser, server):
    address, path = server
    correct(page)
    other = browser.new_page()
    other.goto(f"{address}/#correct")
    other.wait_for_selector("#panel-correct .word[data-id='4']")
    choose(other, 3)
    press(other, "Begin sentence here")
    other.wait_for_selector("#counts:has-text('of 4')")
    choose(page, 1)
    page.keyboard.press("o")
    page.wait_for_selector(".message.bad >> text=another window")
    wait(page, "document.querySelectorAll('#panel-correct .word[role=button]').length === 2")
    assert "root" not in path.read_text().split("# sent_id = s2")[0]
    page.click("#panel-correct .list [data-key='1']")
    page.wait_for_selector("#panel-correct .word[data-id='6']")
    page.keyboard.press("n")
    page.keyboard.type("seen")
    page.keyboard.press("Enter")
    text_has(page, path, "# note = seen")
    other.close()


@pytest.mark.parametrize("way", ["abort", "full"])
def test_what_could_not_be_saved_is_not_lost(page, server, way):
    _, path = server
    correct(page)

    def refuse(route) -> None:
        if route.request.method == "GET":
            route.continue_()
        elif way == "abort":
            route.abort()
        else:
            route.fulfill(status=507, json={"error": {"code": "not_saved", "message": "full"}})

    page.route("**/v1/edit/sentences/*", refuse)
    page.keyboard.press("n")
    page.keyboard.type("typed with care")
    page.keyboard.press("Enter")
    page.wait_for_selector(".message.bad >> text=Try again")
    assert page.inner_text("#saved") == "Not saved"
    page.click("#panel-correct .list [data-key='1']")
    page.wait_for_selector("#panel-correct .word[data-id='6']")
    page.unroute("**/v1/edit/sentences/*")
    page.click(".message button:text-is('Try again')")
    text_has(page, path, "# note = typed with care")
    wait(page, "!document.querySelector('.message')")
    assert page.input_value("#note") == "typed with care"
    assert path.read_text().index("# note") < path.read_text().index("# sent_id = s2")
    press(page, "Undo")
    text_has(page, path, TEXT)


@pytest.mark.parametrize("is_there", [True, False])
def test_a_note_outlives_loading_the_file_again(page, server, is_there):
    _, path = server
    correct(page)
    path.write_text(LAST + OPEN.replace("sat", "sat" if is_there else "ran") + DONE)
    page.keyboard.press("o")
    page.wait_for_selector(".message.bad >> text=another program")
    page.fill("#note", "typed with care")
    page.click("text=Load the file again")
    if is_there:
        text_has(page, path, "# text = A cat sat.\n# free comment\n# note = typed with care\n")
        page.wait_for_selector("#panel-correct .badge:has-text('s1')")
        wait(page, "document.getElementById('note').value === 'typed with care'")
    else:
        page.wait_for_selector(".message.bad >> text=The note: typed with care")
        assert "# note" not in path.read_text()


def test_a_note_that_is_being_written_outlives_a_reload(page, server):
    _, path = server
    correct(page)
    page.click("#note")
    page.keyboard.type("unfinished")
    page.reload()
    text_has(page, path, "# note = unfinished")


def test_a_large_file_is_listed_in_parts(page, server):
    address, path = server
    path.write_text("".join(OPEN.replace("s1", f"x{n}") for n in range(450)))
    page.request.post(f"{address}/v1/edit/load", data={})
    page.reload()
    page.wait_for_selector("body[data-ready]")
    correct(page)
    rows = page.locator("#panel-correct .list [data-key]")
    assert rows.count() == 200
    page.click("#panel-correct .list >> text=↓ 201–400")
    page.click("#panel-correct .list >> text=↓ 401–450")
    assert rows.count() == 50
    rows.last.click()
    page.wait_for_selector("#panel-correct .badge:has-text('x449')")
    page.set_viewport_size({"width": 400, "height": 800})
    page.click("#panel-correct button:text-is('Sentences')")
    assert not overlap(page, "#panel-correct .list", "#panel-correct .tree")
    rows.last.click()
    page.wait_for_selector("#panel-correct .list", state="hidden")
    page.click("[aria-label='Previous sentence']")
    page.wait_for_selector("#panel-correct .badge:has-text('x448')")
    page.keyboard.press("j")
    page.keyboard.press("j")
    page.wait_for_selector("text=This is the last sentence")


@pytest.mark.parametrize("width", [1280, 400])
def test_the_model_has_its_card_and_nothing_is_wider_than_the_window(page, width):
    page.set_viewport_size({"width": width, "height": 800})
    page.click("#tab-model")
    page.wait_for_selector("#panel-model .scores")
    assert page.inner_text("#panel-model .scores th[scope=col]") == "raw text"
    assert page.locator("#panel-model .document table").count() > 0
    for tab in ("model", "correct", "parse"):
        page.click(f"#tab-{tab}")
        page.wait_for_timeout(200)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), tab


def test_the_token_is_asked_for_until_it_is_right(browser):
    with running("--token", "secret") as (address, _):
        page = browser.new_page()
        page.goto(address)
        page.fill("dialog[open] input", "wrong")
        page.click("dialog >> text=Go on")
        page.fill("dialog[open] input", "secret")
        page.keyboard.press("Enter")
        page.wait_for_selector("body[data-ready]")
        page.wait_for_selector("#panel-parse .word")
        page.reload()
        page.wait_for_selector("#panel-parse .word")
        page.close()
