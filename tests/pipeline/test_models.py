"""Models of every kind are loaded by one function."""

import subprocess
import sys
import time

import numpy as np
import pytest

import headwise
from headwise import DependencyParser
from headwise.corpus.sentence import Sentence
from headwise.errors import ModelError, UsageError
from headwise.parsers.neural.parser import NeuralParser
from headwise.pipeline.parsing import parse_stream
from headwise.pipeline.pipeline import Pipeline
from headwise.storage.modelfile import ModelFile, save_model
from headwise.storage.sparse import pack_sparse
from toynetworks import pretend_accelerator, random_parser
from toypipelines import toy_pipeline
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


def test_the_device_computes_the_same(tmp_path, monkeypatch):
    random_parser().save(tmp_path / "m")
    sentences = [Sentence.from_words(one.forms) for one in toy_treebank(20, 3)]
    wanted = list(parse_stream(random_parser().search(), sentences))
    pretend_accelerator(monkeypatch)
    for name in ("cuda", "auto"):
        parser = headwise.load(tmp_path / "m", device=name)
        assert parser.search().on_accelerator
        assert list(parse_stream(parser.search(), sentences, jobs=2)) == wanted
        with pytest.raises(UsageError, match=r"use threads \(jobs=…\), not processes"):
            list(Pipeline(parser=parser).annotate(sentences, processes=2))
    parser.use_device("cpu")
    assert not parser.search().on_accelerator
    assert list(parse_stream(parser.search(), sentences, processes=2)) == wanted


def test_devices_that_cannot_be_used(tmp_path):
    linear = toy_pipeline()
    with pytest.raises(UsageError, match=r"device must be cpu, cuda or auto, not 'gpu'"):
        linear.use_device("gpu")
    with pytest.raises(UsageError, match="for neural parsers, and this is none: use device=cpu"):
        linear.use_device("cuda")
    with pytest.raises(UsageError, match="for parsers, and this model has none: use device=cpu"):
        Pipeline(tokeniser=linear.tokeniser).use_device("cuda")
    with pytest.raises(UsageError, match=r"not fitted; call fit\(\) first"):
        NeuralParser().use_device("cpu")
    linear.save(tmp_path / "m")
    assert not headwise.load(tmp_path / "m", device="auto").search().on_accelerator


def test_what_does_not_parse_is_refused(tmp_path):
    save_model(tmp_path / "m", ModelFile("checkpoint", {}, {}, ""))
    with pytest.raises(ModelError, match="is a checkpoint: no dependency parser"):
        headwise.load(tmp_path / "m")
    with pytest.raises(UsageError, match="there is no model"):
        headwise.load(tmp_path / "nothing")


@pytest.mark.parametrize("name", ["en_core_web_sm", "", " "])
def test_a_model_that_is_not_there_names_those_that_are(name):
    with pytest.raises(
        UsageError, match=rf"there is no model '{name}'.*headwise train.*\(en, en-fast\)"
    ):
        headwise.load(name)


def test_a_table_that_cannot_be_unpacked_is_refused_with_its_place(tmp_path):
    broken = pack_sparse("t", np.ones(3, np.int8)) | {"t.shape": np.array([2])}
    save_model(tmp_path / "m", ModelFile("parser", {}, broken, ""))
    with pytest.raises(ModelError, match=r"m: array 't\.values' is missing"):
        headwise.load(tmp_path / "m")


INTERRUPTED = """
import time
from headwise.pipeline import models
models.read_unpacked = lambda folder: time.sleep(60)
models.begin_reading()
raise KeyboardInterrupt
"""


def test_nobody_waits_for_a_model_that_is_no_longer_wanted():
    begun = time.monotonic()
    call = [sys.executable, "-c", INTERRUPTED]
    done = subprocess.run(call, capture_output=True, text=True, timeout=50, check=False)
    assert "KeyboardInterrupt" in done.stderr
    assert time.monotonic() - begun < 40


@pytest.mark.parametrize("wrong", [5, b"en", ["en"]])
def test_what_is_no_name_is_a_wrong_call(wrong):
    with pytest.raises(UsageError, match=f"a folder or a name, not {type(wrong).__name__}"):
        headwise.load(wrong)
