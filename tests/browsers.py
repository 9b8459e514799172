"""A real browser for tests of the page: Debian's chromium, driven by Playwright."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
AXE = os.environ.get("HEADWISE_AXE", "")
"""The path of axe.min.js, which checks accessibility."""

FLAGS = (
    "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync"
)

needs_browser = pytest.mark.skipif(
    CHROMIUM is None, reason="there is no chromium: apt-get install chromium"
)
needs_axe = pytest.mark.skipif(
    not Path(AXE).is_file(),
    reason="HEADWISE_AXE does not name axe.min.js: npm install axe-core",
)


@contextmanager
def chromium() -> Iterator["playwright.Browser"]:
    """A browser with a profile of its own."""
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=FLAGS.split())
        try:
            yield browser
        finally:
            browser.close()


# ------------------------------------------------------------------ the page


def words(page, panel: str) -> list[str]:
    return page.locator(f"#panel-{panel} .tree .form").all_text_contents()


def wait(page, condition: str) -> None:
    """Wait for a condition; Playwright's own way needs `eval`, which the page forbids."""
    for _ in range(300):
        if page.evaluate(condition):
            return
        page.wait_for_timeout(50)
    raise AssertionError(f"waited in vain: {condition}")


def saved(page) -> None:
    wait(page, "document.getElementById('saved').textContent === 'Saved'")


def labels(page) -> dict[str, str]:
    """What each word of the tree says of itself."""
    nodes = page.locator("#panel-correct .word[role=button]")
    return {node.get_attribute("data-id"): node.get_attribute("aria-label") for node in nodes.all()}


def correct(page) -> None:
    page.click("#tab-correct")
    page.wait_for_selector("#panel-correct .word[role=button]")


def overlap(page, *selectors: str) -> bool:
    """Whether two things cover each other."""
    one, other = (page.locator(selector).bounding_box() for selector in selectors)
    return all(
        one[at] < other[at] + other[size] and other[at] < one[at] + one[size]
        for at, size in (("x", "width"), ("y", "height"))
    )
