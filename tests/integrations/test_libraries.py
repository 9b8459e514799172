"""Missing libraries: the error names the command that installs them."""

import sys
import tomllib
from pathlib import Path

import pytest

from headwise.errors import UsageError
from headwise.integrations.libraries import EXTRAS, library

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("name", EXTRAS)
def test_a_missing_library_names_its_extra(name, monkeypatch):
    top = name.partition(".")[0]
    for module in list(sys.modules):
        if module == top or module.startswith(f"{top}."):
            monkeypatch.delitem(sys.modules, module)
    monkeypatch.setitem(sys.modules, top, None)
    with pytest.raises(
        UsageError, match=rf"needs {top}, .* pip install 'headwise\[{EXTRAS[name]}\]'"
    ):
        library(name)


def test_extras_have_their_libraries():
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"][
        "optional-dependencies"
    ]
    for name, extra in EXTRAS.items():
        assert any(one.startswith(name.partition(".")[0]) for one in extras[extra]), name
        assert extra in extras["all"][0]


def test_a_library_that_lacks_something_itself_says_so(tmp_path, monkeypatch):
    (tmp_path / "networkx.py").write_text("import nothing_of_this_name\n")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "networkx", raising=False)
    with pytest.raises(ModuleNotFoundError, match="nothing_of_this_name"):
        library("networkx")


def test_a_library_that_is_there_is_imported(monkeypatch):
    monkeypatch.setitem(EXTRAS, "json", "data")
    assert library("json").loads("1") == 1
