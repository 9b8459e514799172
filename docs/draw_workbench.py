"""Draw docs/images/workbench.png: a sentence in the workbench, as a browser shows it.

    python docs/draw_workbench.py

Serves three sentences with the model of the package, fixes two heads and takes a picture. Needs the
extras `serve` and `test`, and Debian's chromium.
"""

import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import Page, sync_playwright

from headwise.corpus.conllu import format_conllu
from headwise.pipeline.models import as_pipeline

IMAGE = Path(__file__).parent / "images/workbench.png"
TEXT = """We read the letters from old friends twice. "Don't open it," she said. The committee of
ministers took note of the report before the summer."""
FIXED = ((6, 7), (8, 4))
"""Words and the heads that they are given."""


@contextmanager
def serving(path: Path) -> Iterator[str]:
    """The address of a server that corrects a file."""
    call = [sys.executable, "-u", "-m", "headwise", "serve", "--port", "0", "--edit", str(path)]
    with subprocess.Popen(call, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        found = re.search(r"http://\S+", process.stdout.readline())
        assert found is not None
        try:
            yield found[0]
        finally:
            process.send_signal(signal.SIGTERM)


def correct(page: Page) -> None:
    """Fix some heads by keyboard."""
    page.wait_for_selector("#panel-correct .word[role=button]")
    for word, head in FIXED:
        page.click(f"#panel-correct .word[data-id='{word}']")
        page.keyboard.type(str(head))
        page.keyboard.press("Enter")
        page.wait_for_selector(f"#panel-correct .word[data-id='{word}'][aria-label*=', fixed']")


def main() -> None:
    """Draw the picture."""
    with TemporaryDirectory() as folder, sync_playwright() as driver:
        path = Path(folder) / "letters.conllu"
        tokeniser = as_pipeline().need_tokeniser()
        path.write_text("".join(format_conllu(tokeniser.sentences(tokeniser.tokenise(TEXT)))))
        browser = driver.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox", "--disable-gpu"]
        )
        with serving(path) as address:
            page = browser.new_page(viewport={"width": 1280, "height": 760})
            page.set_default_timeout(120_000)
            page.goto(f"{address}#correct")
            correct(page)
            page.screenshot(path=IMAGE, animations="disabled")
        browser.close()


if __name__ == "__main__":
    main()
