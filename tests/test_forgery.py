"""Forged models: what is altered, and that victims which die or hang are seen."""

import random
import sys
from pathlib import Path

import numpy as np
import pytest

from headwise.storage.modelfile import ModelFile, load_model, save_model

BENCHMARKS = Path(__file__).parents[1] / "benchmarks"

MODEL = ModelFile(
    "parser",
    {"scale": 1.0, "names": ["a", "b"], "training": {"epochs": 3}},
    {
        "starts": np.arange(4, dtype=np.int32),
        "weights": np.ones(3),
        "flags": np.ones(2, np.bool_),
        "empty": np.empty(0, np.uint8),
    },
    "",
)


@pytest.fixture
def forgery(monkeypatch):
    monkeypatch.syspath_prepend(BENCHMARKS)
    before = set(sys.modules)
    from faults import forgery

    yield forgery
    for name in set(sys.modules) - before:
        if name.partition(".")[0] == "faults":
            del sys.modules[name]


def test_alterations_can_be_saved_and_are_many(forgery, tmp_path):
    told = set()
    for seed in range(300):
        changed, what = forgery.altered(MODEL, random.Random(seed))
        save_model(tmp_path / "m", changed, force=True)
        load_model(tmp_path / "m")
        told.add(what.partition(";")[0])
    assert {"array starts shuffled", "array weights removed"} <= told
    assert {"setting training.epochs replaced", "setting names.1 moved"} <= told
    assert MODEL.settings["training"] == {"epochs": 3}
    assert MODEL.arrays["starts"].tolist() == [0, 1, 2, 3]


def test_a_model_may_lose_all_its_arrays(forgery):
    few = ModelFile("parser", MODEL.settings, {"weights": np.ones(1)}, "")
    left = {len(forgery.altered(few, random.Random(seed))[0].arrays) for seed in range(300)}
    assert left == {0, 1}


def test_the_same_seed_makes_the_same_alteration(forgery):
    one, other = (forgery.altered(MODEL, random.Random(7)) for _ in range(2))
    assert one[1] == other[1]
    assert one[0].settings == other[0].settings


def test_every_kind_of_parser_is_forged(forgery):
    from faults.tinymodels import KINDS
    from headwise.parsers.registry import PARSERS

    assert set(PARSERS) <= set(KINDS)


@pytest.mark.parametrize(
    ("code", "outcome"),
    [
        ("import os, signal; input(); os.kill(os.getpid(), signal.SIGSEGV)", "died"),
        ("import time; input(); time.sleep(60)", "hung"),
        ('input(); print(\'["used", "all"]\', flush=True); input()', "used"),
    ],
)
def test_victims_are_watched(forgery, tmp_path, monkeypatch, code, outcome):
    monkeypatch.setattr(forgery, "PATIENCE", 5.0 if outcome != "hung" else 0.5)
    monkeypatch.setattr(forgery, "VICTIM", ("-c", code))
    with forgery.Victim(tmp_path) as victim:
        found, told = victim.try_out("parser", "1")
    assert found == outcome
    assert outcome != "died" or "exit code -11" in told
