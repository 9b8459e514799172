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
