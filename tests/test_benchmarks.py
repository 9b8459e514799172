"""The scripts of benchmarks: each says how it is called."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

BENCHMARKS = Path(__file__).parents[1] / "benchmarks"
SCRIPTS = sorted(
    path for path in BENCHMARKS.glob("*.py") if "\ndef main(" in path.read_text("utf-8")
)

EVERY_HELP = """
import runpy, sys
for path in sys.argv[1:]:
    sys.argv = [path, "--help"]
    try:
        runpy.run_path(path, run_name="__main__")
    except SystemExit as end:
        assert not end.code, path
    else:
        raise AssertionError(f"{path} did something")
"""
"""Asks all scripts in one process, as what they import takes most of the time."""


def test_all_are_found():
    assert len(SCRIPTS) >= 14


def test_every_script_has_help():
    done = subprocess.run(
        [sys.executable, "-c", EVERY_HELP, *map(str, SCRIPTS)],
        capture_output=True,
        text=True,
        timeout=120,
        env=os.environ | {"PYTHONPATH": os.pathsep.join([str(BENCHMARKS), *sys.path])},
    )
    assert done.returncode == 0, done.stderr
    for path in SCRIPTS:
        assert f"usage: {path.name}" in done.stdout


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.stem)
def test_every_script_is_run_by_its_name(path):
    assert '\nif __name__ == "__main__":\n' in path.read_text("utf-8")
