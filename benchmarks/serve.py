"""`headwise serve` under load, on loopback: every answer is compared with the library's.

python benchmarks/serve.py TEXT                 64 clients for two minutes
python benchmarks/serve.py TEXT --seconds 10    the same, shorter

Prints a table of both English models: the throughput against that of `nlp.pipe` on the same texts,
which is measured before, in the middle and after; latencies; the memory of the server; what a full
queue does, and a killed worker; and how long acts on a sentence of 40 words take in the workbench.
With `--into PAGE` it replaces the one between two marks in that page.
"""

import argparse
import asyncio
import gzip
import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from statistics import mean, median, quantiles
from tempfile import TemporaryDirectory
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

from headwise.corpus.sentence import Sentence
from headwise.pipeline.document import Document
from headwise.pipeline.models import as_pipeline
from headwise.pipeline.pipeline import Pipeline
from pages import head, put, row

CHARACTERS = 1000
"""The length of a request: some sentences."""

TEXTS = 400
WORDS_OF_ACTS = 40
SHORT = 10.0
"""How many seconds the load lasts that a queue or a worker breaks under, at most."""

PAGE = os.sysconf("SC_PAGE_SIZE")


@dataclass
class Tally:
    """What clients have seen."""

    statuses: Counter[int] = field(default_factory=Counter)
    seconds: list[float] = field(default_factory=list)
    words: int = 0
    wrong: int = 0
    lost: int = 0


@dataclass(frozen=True)
class Case:
    """A request, the answer of the library, and the number of words in it."""

    request: bytes
    answer: bytes
    words: int


def read_texts(path: str) -> list[str]:
    """Pieces of a text of about the same length."""
    opened = gzip.open if path.endswith(".gz") else open
    with opened(path, "rb") as stream:
        data = stream.read(2 * TEXTS * CHARACTERS).decode(errors="ignore")
    texts, lines = [], []
    for line in data.splitlines():
        lines.append(line)
        if sum(map(len, lines)) >= CHARACTERS:
            texts.append("\n".join(lines))
            lines = []
    return texts[:TEXTS]


def case_of(text: str, document: Document) -> Case:
    """A request for a text, and what the library says of it."""
    body = json.dumps({"text": text, "format": "conllu"}).encode()
    head = (
        "POST /v1/parse HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        f"Content-Length: {len(body)}\r\n\r\n"
    )
    return Case(head.encode() + body, document.conllu().encode(), len(document))


def pipe_speed(nlp: Pipeline, texts: Sequence[str]) -> float:
    """Words a second of `nlp.pipe`."""
    start = time.perf_counter()
    words = sum(len(document) for document in nlp.pipe(texts))
    return words / (time.perf_counter() - start)


# ------------------------------------------------------------------ clients


async def exchange(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter, request: bytes
) -> tuple[int, bytes]:
    """The status and the body of an answer."""
    writer.write(request)
    head = await reader.readuntil(b"\r\n\r\n")
    lines = head.decode("latin-1").lower().split("\r\n")
    length = next(int(one.split(":")[1]) for one in lines if one.startswith("content-length"))
    return int(lines[0].split()[1]), await reader.readexactly(length)


async def client(port: int, cases: Sequence[Case], first: int, until: float, tally: Tally) -> None:
    """Ask one thing after the other until the time is over."""
    number = first
    while time.perf_counter() < until:
        try:
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            while time.perf_counter() < until:
                case = cases[number % len(cases)]
                number += 1
                start = time.perf_counter()
                status, body = await exchange(reader, writer, case.request)
                tally.statuses[status] += 1
                if status == 200:
                    tally.seconds.append(time.perf_counter() - start)
                    tally.words += case.words
                    tally.wrong += body != case.answer
                else:
                    await asyncio.sleep(0.05)
            writer.close()
        except (OSError, asyncio.IncompleteReadError):
            tally.lost += 1
            await asyncio.sleep(0.05)


async def load(port: int, cases: Sequence[Case], clients: int, seconds: float) -> Tally:
    """What a number of clients see in this time."""
    tally, until = Tally(), time.perf_counter() + seconds
    step = max(len(cases) // clients, 1)
    await asyncio.gather(*(client(port, cases, n * step, until, tally) for n in range(clients)))
    return tally


# ------------------------------------------------------------------ servers


@contextmanager
def server(*options: str) -> Iterator[tuple[int, subprocess.Popen[str]]]:
    """A server, by its port and its process."""
    call = [sys.executable, "-u", "-m", "headwise", "serve", "--port", "0", *options]
    process = subprocess.Popen(call, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        assert process.stdout is not None
        yield int(process.stdout.readline().split("/ ")[0].rpartition(":")[2]), process
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait()


def children(pid: int) -> list[int]:
    """The processes that a process has started, and theirs."""
    own = [
        int(one)
        for task in Path(f"/proc/{pid}/task").iterdir()
        for one in (task / "children").read_text().split()
    ]
    return [*own, *(other for one in own for other in children(one))]


def worker_of(pid: int) -> int:
    """The process with the models: the one with most memory."""
    return max(children(pid), key=resident)


def resident(pid: int) -> int:
    """The bytes of memory that a process has."""
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * PAGE


def megabytes(pid: int) -> float:
    """The memory of a server and its workers."""
    return sum(map(resident, [pid, *children(pid)])) / 1e6


# ------------------------------------------------------------------ what is measured

Row = tuple[str, str]
"""What was measured, and the figure."""


def measure_load(
    model: str,
    nlp: Pipeline,
    texts: Sequence[str],
    cases: Sequence[Case],
    clients: int,
    seconds: float,
) -> Iterator[Row]:
    """Throughput, latency and memory."""
    with server("--model", model) as (port, process):
        asyncio.run(load(port, cases, clients, min(seconds / 4, 5.0)))  # until memory is settled
        speeds, served, memory = [pipe_speed(nlp, texts)], [], [megabytes(process.pid)]
        whole = Tally()
        for _ in range(2):
            tally = asyncio.run(load(port, cases, clients, seconds / 2))
            served.append(tally.words / (seconds / 2))
            whole.statuses += tally.statuses
            whole.seconds += tally.seconds
            whole.wrong, whole.lost = whole.wrong + tally.wrong, whole.lost + tally.lost
            memory.append(megabytes(process.pid))
            speeds.append(pipe_speed(nlp, texts))
    marks = quantiles(whole.seconds, n=100)
    yield "answers", by_status(whole)
    yield "wrong or mixed up, lost", f"{whole.wrong}, {whole.lost}"
    yield "words per second", f"{mean(served):,.0f}"
    yield "`nlp.pipe` on the same texts", f"{mean(speeds):,.0f}"
    yield "share of it", f"{100 * mean(served) / mean(speeds):.0f} %"
    yield "latency, p50 and p99", f"{marks[49]:.1f} s, {marks[98]:.1f} s"
    shown = ", ".join(f"{one:.0f}" for one in memory)
    yield "MB of server and worker at first, after one half, after all", shown


def by_status(tally: Tally) -> str:
    """The numbers of answers of every status."""
    return ", ".join(
        f"{count:,}" if status == 200 else f"{count:,} times {status}"
        for status, count in sorted(tally.statuses.items())
    )


def measure_overload(
    model: str, cases: Sequence[Case], clients: int, seconds: float
) -> Iterator[Row]:
    """What a queue does that is too short, and whether all is well after it."""
    with server("--model", model, "--queue", "8") as (port, _):
        tally = asyncio.run(load(port, cases, clients, seconds))
        after = asyncio.run(load(port, cases, 4, min(seconds, 2.0)))
    yield "a queue of 8: answers", by_status(tally)
    yield "… wrong, lost; then, to 4 clients", f"{tally.wrong}, {tally.lost}; {by_status(after)}"


def measure_kill(model: str, cases: Sequence[Case], clients: int, seconds: float) -> Iterator[Row]:
    """What clients see of a worker that is killed in the middle."""

    async def killing(pid: int) -> int:
        await asyncio.sleep(seconds / 4)
        worker = worker_of(pid)
        os.kill(worker, signal.SIGKILL)
        return worker

    async def both(port: int, pid: int) -> tuple[Tally, int]:
        return await asyncio.gather(load(port, cases, clients, seconds), killing(pid))

    with server("--model", model) as (port, process):
        tally, killed = asyncio.run(both(port, process.pid))
        if worker_of(process.pid) == killed:
            raise SystemExit("the worker that was killed has not been replaced")
    yield "a worker killed: answers", by_status(tally)
    longest = f"{tally.wrong}, {tally.lost}; {max(tally.seconds):.1f} s"
    yield "… wrong, lost; longest wait", longest


def measure_acts(model: str, sentence: Sentence) -> Iterator[Row]:
    """How long it takes to fix heads one after the other, each the least probable that is listed.

    The rest is parsed again each time. What clashes with heads before it is refused, which is not
    counted.
    """
    times = []
    with TemporaryDirectory() as folder:
        path = Path(folder) / "open.conllu"
        path.write_text(Sentence.from_words(sentence.forms).conllu())
        with server("--model", model, "--edit", str(path)) as (port, _):
            now = ask(port)
            for word in range(1, len(sentence) + 1):
                head = now["words"][word - 1]["heads"][-1][0]
                act = {"act": "head", "word": word, "head": head, "version": now["version"]}
                start = time.perf_counter()
                try:
                    (now,) = ask(port, act)["sentences"]
                except HTTPError as error:
                    if error.code != 422:
                        raise
                else:
                    times.append(1000 * (time.perf_counter() - start))
    name = f"{len(sentence)} words corrected: median and longest act"
    yield name, f"{median(times):.0f} ms, {max(times):.0f} ms"


def ask(port: int, act: dict[str, Any] | None = None) -> Any:
    """The sentence that is corrected, or what an act makes of it."""
    body = None if act is None else json.dumps(act).encode()
    address = f"http://127.0.0.1:{port}/v1/edit/sentences/0"
    with urlopen(Request(address, body, {"Content-Type": "application/json"})) as answer:
        return json.load(answer)


def rows(model: str, texts: Sequence[str], clients: int, seconds: float) -> Iterator[Row]:
    """All that is measured of a model."""
    nlp = as_pipeline(model)
    documents = list(nlp.pipe(texts))
    cases = [case_of(*pair) for pair in zip(texts, documents, strict=True)]
    yield "texts, words of each", f"{len(texts)}, {mean(one.words for one in cases):.0f}"
    yield from measure_load(model, nlp, texts, cases, clients, seconds)
    short = min(seconds, SHORT)
    yield from measure_overload(model, cases, clients, short)
    yield from measure_kill(model, cases, clients, short)
    sentences = (one for document in documents for one in document.sentences)
    yield from measure_acts(model, next(one for one in sentences if len(one) == WORDS_OF_ACTS))


def main() -> None:
    """Measure, and print a table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("text", help="file of plain text, also compressed")
    parser.add_argument("--clients", type=int, default=64, help="clients at a time [64]")
    parser.add_argument("--seconds", type=float, default=120.0, help="length of the load [120]")
    parser.add_argument("--models", nargs="+", default=["en", "en-fast"], help="[en en-fast]")
    parser.add_argument("--into", type=Path, metavar="PAGE", help="a page for the table")
    args = parser.parse_args()
    texts = read_texts(args.text)
    columns = [dict(rows(one, texts, args.clients, args.seconds)) for one in args.models]
    lines = [head("", *(f"`{model}`" for model in args.models))]
    lines += [row(name, *(column[name] for column in columns)) for name in columns[0]]
    print("\n".join(lines))
    if args.into is not None:
        put(lines, args.into, "load")


if __name__ == "__main__":
    main()
