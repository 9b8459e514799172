"""Servers with a toy model, in this process or in one of their own."""

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from threading import Thread
from time import sleep

import pytest

httpx = pytest.importorskip("httpx", reason="the extra `serve` and httpx are not installed")
pytest.importorskip("starlette", reason="the extra `serve` is not installed")
pytest.importorskip("uvicorn", reason="the extra `serve` is not installed")

from headwise.parsers.graph.parser import DependencyParser
from headwise.pipeline.pipeline import Pipeline
from headwise.serve.app import create_app
from headwise.serve.server import Server, config_of, listening
from headwise.serve.service import Service
from headwise.serve.settings import ServeSettings
from toypipelines import toy_pipeline, toy_trees
from toytreebank import SMALL

TEXT = "A cat sat. The dog can't eat a cat!"


@cache
def toy_model() -> str:
    """The folder of a model of all stages, which is called `toy`."""
    folder = Path(mkdtemp()) / "toy"
    report = {"dev": {"raw text": {"uas": 91.5}}}
    toy_pipeline().save(folder, about={"language": "English", "licence": "CC0"}, report=report)
    return str(folder)


@cache
def other_model() -> str:
    """The folder of a model of all stages whose trees are others; it is called `other`."""
    toy = toy_pipeline()
    trees = [
        one.with_tree([n if n <= len(one) else 0 for n in range(2, len(one) + 2)], one.relations)
        for one in toy_trees(60)
    ]
    parser = DependencyParser(features="paper-000", epochs=2, tables=SMALL).fit(trees)
    other = Pipeline(tokeniser=toy.tokeniser, tagger=toy.tagger, lemmas=toy.lemmas, parser=parser)
    folder = Path(mkdtemp()) / "other"
    other.save(folder)
    return str(folder)


@cache
def served_pipeline() -> Pipeline:
    """The toy model as servers load it: with the weights that were stored."""
    return Pipeline.load(toy_model())


def settings_of(**others: object) -> ServeSettings:
    """Settings of a server with the toy model."""
    return ServeSettings(**{"models": (toy_model(),), "port": 0, **others})


@contextmanager
def served(**others: object) -> Iterator[tuple[httpx.Client, Service]]:
    """A client of a server in a thread, whose worker is a process of its own; and its inside."""
    settings = settings_of(**others)
    app = create_app(settings)
    with listening("127.0.0.1", 0) as taken:
        server = Server(config_of(app, settings), settings)
        thread = Thread(target=server.run, args=([taken],))
        thread.start()
        try:
            address = f"http://127.0.0.1:{taken.getsockname()[1]}"
            while not server.started:
                assert thread.is_alive()
                sleep(0.02)
            with httpx.Client(base_url=address, timeout=60, trust_env=False) as client:
                yield client, app.state.service
        finally:
            server.should_exit = True
            thread.join()


@contextmanager
def running(
    *options: str, environment: dict[str, str] | None = None
) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """A server of the command line, by its address, and its process."""
    call = [sys.executable, "-m", "headwise", "serve", "--port", "0", "--model", toy_model()]
    process = subprocess.Popen(
        [*call, *options],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONUNBUFFERED": "1", **(environment or {})},
    )
    try:
        line = process.stdout.readline()
        found = re.search(r"http://\S+", line)
        assert found, line + process.stderr.read()
        yield found[0].rstrip("/"), process
    finally:
        if process.poll() is None:
            process.send_signal(signal.SIGTERM)
        try:
            process.communicate(timeout=30)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
