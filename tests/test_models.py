"""Models of every kind are loaded by one function."""

import subprocess
import sys

import pytest

import headwise
from headwise import DependencyParser
from headwise.errors import ModelError, UsageError
from headwise.storage.modelfile import ModelFile, save_model
from toytreebank import SMALL, toy_treebank


def test_models_load_without_compiled_code():
    """Nothing is compiled, or loaded from where it was kept, before there is a text."""
    code = (
        "from numba.core.dispatcher import Dispatcher\n"
        "def refuse(self, signature): raise AssertionError(self.py_func.__name__)\n"
        "Dispatcher.compile = refuse\n"
        "import headwise\n"
        "print(headwise.load().name)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("en\n", "")


def test_a_parser_is_loaded_as_one(tmp_path):
    DependencyParser(tables=SMALL, epochs=1).fit(toy_treebank(5)).save(tmp_path / "m")
    assert isinstance(headwise.load(tmp_path / "m"), DependencyParser)


def test_what_does_not_parse_is_refused(tmp_path):
    save_model(tmp_path / "m", ModelFile("checkpoint", {}, {}, ""))
    with pytest.raises(ModelError, match="is a checkpoint: no dependency parser"):
        headwise.load(tmp_path / "m")
    with pytest.raises(UsageError, match="there is no model"):
        headwise.load(tmp_path / "nothing")
