"""A real Ray cluster of several nodes on this machine: killed nodes, killed drivers, full disks."""

import gzip
import json
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

ray = pytest.importorskip("ray", reason="Ray is not installed (headwise[ray])")

from inlineexecutor import running_text

from headwise.errors import UsageError
from headwise.integrations.ray import cluster as module
from headwise.integrations.ray import parse_files
from headwise.integrations.ray.job import Recipe
from headwise.integrations.ray.manifest import NAME
from headwise.processes.garbage import OBJECTS_BEFORE_GARBAGE

SENTENCES = "The dogs see a cat. The king finds a stone. The boy likes a bird.\n\n"
PIECE = 1 << 16
COMMAND = [sys.executable, "-m", "headwise", "parse"]

pytestmark = pytest.mark.filterwarnings("ignore")  # of Ray, about files and processes of its own


@pytest.fixture(scope="module")
def nodes():
    """A cluster of a head without work and two nodes of one CPU each; all of it is ended."""
    from ray.cluster_utils import Cluster

    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RAY_USAGE_STATS_ENABLED", "0")
        patch.setenv("RAY_health_check_period_ms", "500")
        patch.setenv("RAY_health_check_failure_threshold", "3")
        patch.setenv("PYTHONPATH", os.pathsep.join(path for path in sys.path if path))
        made = Cluster(initialize_head=True, head_node_args={"num_cpus": 0})
        made.add_node(num_cpus=1)
        made.add_node(num_cpus=1)
        made.wait_for_nodes()
        yield made
        ray.shutdown()
        made.shutdown()


@pytest.fixture(scope="module")
def corpus(tmp_path_factory) -> Path:
    """Small files, one of them bad, and a big one."""
    folder = tmp_path_factory.mktemp("corpus")
    for number in range(3):
        (folder / f"small{number}.txt").write_text(SENTENCES * (number + 1))
    (folder / "big.txt.gz").write_bytes(gzip.compress(running_text(12_000).encode()))
    (folder / "bad.txt").write_bytes(b"\xff\xfe")
    return folder


@pytest.fixture(scope="module")
def alone(corpus, tmp_path_factory, toy_model) -> dict[str, bytes]:
    """What one process makes of each file."""
    folder = tmp_path_factory.mktemp("alone")
    for path in sorted(corpus.glob("[sb]*[0-9g].txt*")):
        target = folder / f"{path.name.partition('.')[0]}.conllu"
        subprocess.run([*COMMAND, path, "-o", target, "-m", toy_model], check=True, timeout=100)
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def outputs(folder: Path) -> dict[str, bytes]:
    """All outputs. A worker that has lost its machine may be at an unfinished one to the last."""
    found = [one for one in folder.iterdir() if one.name != NAME and one.suffix != ".part"]
    return {one.name: one.read_bytes() for one in found}


def finished(folder: Path) -> list[str]:
    path = folder / NAME
    lines = path.read_text().splitlines()[1:] if path.exists() else []
    return [row["input"] for row in map(json.loads, lines) if "error" not in row]


def test_a_killed_node_loses_nothing(nodes, corpus, alone, toy_model, tmp_path):
    extra = nodes.add_node(num_cpus=1)
    nodes.wait_for_nodes()
    done: list[int] = []

    def kill_after_first_piece():
        while len(done) < 2:
            time.sleep(0.05)
        nodes.remove_node(extra, allow_graceful=False)

    killer = threading.Thread(target=kill_after_first_piece)
    killer.start()
    summary = parse_files(
        [f"{corpus}/*.txt*"], tmp_path / "out", model=toy_model, address=nodes.address,
        piece_bytes=PIECE, progress=lambda size, words: done.append(words),
    )  # fmt: skip
    killer.join()
    assert not ray.is_initialized()
    assert outputs(tmp_path / "out") == alone
    assert [path.name for path in summary.failures] == ["bad.txt"]
    assert sorted(finished(tmp_path / "out")) == sorted(
        str(path) for path in corpus.iterdir() if path.name != "bad.txt"
    )


def test_a_killed_driver_goes_on_where_it_was(nodes, corpus, alone, toy_model, tmp_path):
    out = tmp_path / "out"
    code = (
        "import sys; from headwise.integrations.ray import parse_files; "
        f"parse_files([{str(corpus / '*.txt*')!r}], {str(out)!r}, model={str(toy_model)!r}, "
        f"address={nodes.address!r}, piece_bytes={PIECE})"
    )
    driver = subprocess.Popen([sys.executable, "-c", code], stderr=subprocess.DEVNULL)
    parts = out / ".headwise-parts" / "big.conllu"
    deadline = time.monotonic() + 60
    while not list(parts.glob("*.json")) or len(finished(out)) < 1:  # a piece, or more, is parsed
        assert time.monotonic() < deadline
        assert driver.poll() is None
        time.sleep(0.02)
    driver.send_signal(signal.SIGKILL)
    driver.wait(10)
    before = finished(out)
    kept = {one.name for one in parts.glob("*.json")}
    assert kept
    summary = parse_files(
        [f"{corpus}/*.txt*"], out, model=toy_model, address=nodes.address, piece_bytes=PIECE
    )
    assert summary.skipped == len(before)
    assert outputs(out) == alone
    lines = finished(out)
    assert len(lines) == len(set(lines)) == 4


def test_models_are_loaded_once_a_worker(nodes, toy_model):
    handler = signal.getsignal(signal.SIGTERM)
    with module.cluster(nodes.address, None):
        assert signal.getsignal(signal.SIGTERM) is handler
        executor = module.RayExecutor(module.as_pipeline(toy_model))
        assert executor.capacity() == 4
        handles = [executor.submit(loads) for _ in range(12)]
        found = [executor.result(executor.finished([handle])) for handle in handles]
    by_worker: dict[str, set[int]] = {}
    for result in found:
        name, address, objects = result.warnings
        assert int(objects) == OBJECTS_BEFORE_GARBAGE
        by_worker.setdefault(name, set()).add(address)
    assert all(len(addresses) == 1 for addresses in by_worker.values())
    assert len(by_worker) <= 4


def loads(pipeline):
    """The worker, which object its model is, and how rarely garbage is collected."""
    import gc

    from headwise.integrations.ray.work import Result

    return Result(warnings=[str(os.getpid()), str(id(pipeline)), str(gc.get_threshold()[0])])


def test_a_full_disk_ends_the_job(nodes, corpus, toy_model, tmp_path):
    out = tmp_path / "out"
    out.mkdir()
    (out / "small1.conllu").symlink_to("/dev/full")
    with pytest.raises(UsageError, match="No space left on device; make room and run the same"):
        parse_files([f"{corpus}/small*.txt"], out, model=toy_model, address=nodes.address)
    (out / "small1.conllu").unlink()
    summary = parse_files([f"{corpus}/small*.txt"], out, model=toy_model, address=nodes.address)
    assert not summary.failures
    assert len(finished(out)) == len(set(finished(out))) == 3


def test_a_ray_that_does_not_start_is_an_error(corpus, toy_model, tmp_path, monkeypatch):
    def late(**options):
        raise Exception("The current node timed out during startup.")

    monkeypatch.setattr(ray, "init", late)
    with pytest.raises(UsageError, match="Ray has not started: The current node timed out"):
        parse_files([f"{corpus}/small*.txt"], tmp_path / "out", model=toy_model)


def test_wrong_calls_are_errors(corpus, toy_model, tmp_path):
    with pytest.raises(UsageError, match="no Ray cluster at 127.0.0.1:1"):
        parse_files([f"{corpus}/small*.txt"], tmp_path, model=toy_model, address="127.0.0.1:1")
    (tmp_path / "file").write_text("")
    with pytest.raises(UsageError, match="results go to a folder"):
        parse_files([f"{corpus}/small*.txt"], tmp_path / "file", model=toy_model)
    with pytest.raises(UsageError, match="cannot be written as"):
        parse_files([f"{corpus}/small*.txt"], tmp_path, Recipe("svg"), model=toy_model)
