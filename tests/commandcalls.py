"""Calling the command line: in this process, or as a process of its own."""

import subprocess
import sys

import pytest

from headwise.cli.app import run


def call(*arguments: object, capsys: pytest.CaptureFixture[str]) -> tuple[int, str, str]:
    """The exit code, standard output and standard error of a call in this process."""
    capsys.readouterr()
    code = run([str(argument) for argument in arguments])
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def quick(arguments: list[str]) -> list[str]:
    """A command of a page; the parser is the one trained fast where the page leaves it open."""
    chosen = {"--fast", "--scorer", "--learner", "--order", "--config"}.intersection(arguments)
    return [*arguments, *(["--fast"] if arguments[0] == "train" and not chosen else [])]


def process(*arguments: object, **options) -> subprocess.CompletedProcess:
    """What a call in a process of its own has come to."""
    return subprocess.run(
        [sys.executable, "-m", "headwise", *map(str, arguments)],
        capture_output=True,
        timeout=60,
        **options,
    )
