"""A browser, and the page of a server that corrects a file; only tests of the page need them."""

import pytest

from editedfiles import TEXT, written


@pytest.fixture(scope="session")
def server(tmp_path_factory):
    """The address of a server with two models, and the file that it corrects."""
    from servers import other_model, running

    folder = tmp_path_factory.mktemp("page") / "<b>&'\""
    folder.mkdir()
    path = written(folder).rename(folder / "<i onclick=x>.conllu")
    with running("--model", other_model(), "--edit", str(path)) as (address, _):
        yield address, path


@pytest.fixture(scope="module")
def browser():
    """A browser."""
    from browsers import chromium

    with chromium() as found:
        yield found


@pytest.fixture
def page(browser, server):
    """The page, with the file as it was in the beginning."""
    address, path = server
    found = browser.new_page(viewport={"width": 1280, "height": 900})
    mistakes: list[str] = []
    found.on("pageerror", lambda error: mistakes.append(str(error)))
    found.on("request", lambda request: foreign(request.url, address, mistakes))
    path.write_bytes(TEXT.encode())
    found.request.post(f"{address}/v1/edit/load", data={})
    found.request.post(f"{address}/v1/edit/propose", data={"kind": "all"})
    found.goto(address)
    found.wait_for_selector("body[data-ready]")
    yield found
    hacked = found.evaluate("document.body.dataset.hacked")
    found.close()
    assert mistakes == []
    assert hacked is None


def foreign(url: str, address: str, mistakes: list[str]) -> None:
    """Note a request to anywhere else."""
    if not url.startswith((address, "blob:", "data:")):
        mistakes.append(f"a request to {url}")
