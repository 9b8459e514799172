"""The first parse after installation: another process compiles a part of the kernels."""

import subprocess
from pathlib import Path

import pytest
from numba import typeof

from headwise.inference import treesearch
from headwise.kernels.charts import higher_parse, order1
from headwise.kernels.labels import search as label_search
from headwise.kernels.runtime import elsewhere, jit
from headwise.kernels.runtime.kernelcache import KernelCache
from headwise.parsers.graph.parser import DependencyParser
from headwise.pipeline import warmup
from headwise.pipeline.warmup import KERNELS, compile_beside, compile_here, main
from headwise.scoring.linear import labeller
from toynetworks import random_parser
from toyparsers import TINY, toy_parser, toy_sentences


@pytest.fixture
def started(monkeypatch) -> list[list[str]]:
    calls = []

    class Process:
        def __init__(self, call, **streams):
            calls.append(call)

        def wait(self):
            calls.append(["waited"])

        def kill(self):
            pass

    monkeypatch.setattr(subprocess, "Popen", Process)
    monkeypatch.setattr(warmup.os, "cpu_count", lambda: 2)
    monkeypatch.setattr(warmup, "writable_folder", lambda: Path("kernels"))
    monkeypatch.setattr(elsewhere, "starts", [])
    monkeypatch.setattr(elsewhere, "waits", {})
    return calls


def test_kernels_are_called_so():
    kernels = (order1.best_trees, higher_parse.parse_unpruned, label_search.label_trees)
    assert {one.__name__ for one in kernels} == set(KERNELS)


def test_nothing_is_started_before_a_kernel_is_missing(started):
    compile_beside(None)
    assert started == []
    elsewhere.wait_for("some_kernel")
    elsewhere.wait_for("some_other")
    assert [call[1:3] for call in started] == [["-m", "headwise.pipeline.warmup"]]


def test_the_model_is_found_wherever_a_kernel_is_missing_later(started, tmp_path, monkeypatch):
    (tmp_path / "mine").mkdir()
    monkeypatch.chdir(tmp_path)
    compile_beside("mine")
    monkeypatch.chdir(tmp_path.parent)
    elsewhere.wait_for("some_kernel")
    assert started[0][-1] == str(tmp_path / "mine")


def test_nothing_is_started_where_no_code_can_be_saved(started, monkeypatch):
    monkeypatch.setattr(warmup, "writable_folder", lambda: None)
    compile_beside(None)
    elsewhere.wait_for("some_kernel")
    assert started == []
    assert not elsewhere.waits


def test_nothing_is_started_for_a_numba_without_our_cache(started, monkeypatch):
    monkeypatch.setenv("HEADWISE_PLAIN_NUMBA", "1")
    compile_beside(None)
    assert not elsewhere.starts


def test_a_kernel_waits_for_the_process_that_compiles_it(started, monkeypatch):
    compile_beside(None)
    monkeypatch.setattr(KernelCache, "has", lambda self, signature: False)

    def parse_unpruned(x):
        return x + 1

    parse_unpruned.__module__ = __name__
    assert jit.kernel(parse_unpruned)(1) == 2
    assert started[1:] == [["waited"]]
    assert set(elsewhere.waits) == set(KERNELS) - {"parse_unpruned"}


def test_a_kernel_in_the_cache_neither_starts_a_process_nor_waits(started, monkeypatch):
    compile_beside(None)
    monkeypatch.setattr(KernelCache, "has", lambda self, signature: True)

    def parse_unpruned(x):
        return x + 2

    parse_unpruned.__module__ = __name__
    assert jit.kernel(parse_unpruned)(1) == 3
    assert started == []


def recorded(monkeypatch, module, name: str) -> list[tuple[object, ...]]:
    """The types that a kernel is called with."""
    called, types = getattr(module, name), []

    def record(*arguments):
        types.append(tuple(map(typeof, arguments)))
        return called(*arguments)

    monkeypatch.setattr(module, name, record)
    return types


@pytest.mark.filterwarnings("ignore:.*have crossing arcs")
def test_what_is_compiled_is_what_parsing_calls(tmp_path, monkeypatch):
    sentences = toy_sentences()
    parser = DependencyParser(order=2, epochs=1, tables=TINY).fit(sentences)
    parser.save(tmp_path / "m")
    searched = recorded(monkeypatch, treesearch, "parse_unpruned")
    labelled = recorded(monkeypatch, labeller, "label_trees")
    compile_here(tmp_path / "m")
    parser.predict(sentences[:3])
    assert searched[0] == searched[1]
    assert labelled[0] == labelled[1]


def test_what_is_compiled_for_a_network_is_what_parsing_calls(tmp_path, monkeypatch):
    parser = random_parser()
    parser.save(tmp_path / "m")
    searched = recorded(monkeypatch, order1, "best_trees")
    compile_here(tmp_path / "m")
    parser.predict(toy_sentences()[:3])
    assert len(searched) == 2
    assert searched[0] == searched[1]


def test_a_model_of_the_first_order_has_nothing_to_compile(tmp_path, monkeypatch):
    toy_parser().save(tmp_path / "m")
    searched = recorded(monkeypatch, treesearch, "parse_unpruned")
    compile_here(tmp_path / "m")
    assert searched == []


def test_the_other_process_compiles_and_rarely_collects_garbage(monkeypatch):
    done = []
    monkeypatch.setattr(warmup, "collect_rarely", lambda: done.append("rarely"))
    monkeypatch.setattr(warmup, "compile_here", done.append)
    main(["m"])
    assert done == ["rarely", Path("m")]
