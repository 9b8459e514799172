"""Jobs: everything is done once, whatever is lost, bad, full or interrupted."""

import gzip
import json
import random

import pytest
from inlineexecutor import InlineExecutor, running_text

from headwise.errors import UsageError
from headwise.integrations.ray import driver as module
from headwise.integrations.ray.driver import MOST_TRIES, PARTS, Driver, Summary
from headwise.integrations.ray.job import Recipe, paired
from headwise.integrations.ray.manifest import NAME, Manifest
from headwise.integrations.ray.work import Result, cut, join_pieces, parse_file, parse_piece
from headwise.text import reading

SENTENCES = "The dogs see a cat. The king finds a stone.\n\n"
PIECE = 600


@pytest.fixture
def corpus(tmp_path, monkeypatch):
    """Small and big files, one of them damaged."""
    monkeypatch.setattr(reading, "USUAL_BYTES", 200)
    folder = tmp_path / "corpus"
    folder.mkdir()
    for number in range(4):
        (folder / f"small{number}.txt").write_text(SENTENCES * (number + 1))
    (folder / "big.txt").write_text(running_text(120))
    (folder / "packed.txt.gz").write_bytes(gzip.compress(running_text(150, 1).encode()))
    return folder


def run_job(corpus, executor, pattern="*.txt*", recipe=None):
    output = corpus.parent / "out"
    output.mkdir(exist_ok=True)
    seen = []
    recipe = recipe or Recipe()
    pairs = paired([f"{corpus}/{pattern}"], output, recipe.to_format)
    manifest = Manifest(output, recipe.described("toy"))
    driver = Driver(
        executor, recipe, manifest, output, piece_bytes=PIECE,
        progress=lambda done, words: seen.append((done, words)),
    )  # fmt: skip
    return driver.run(pairs), seen


def outputs(corpus):
    out = corpus.parent / "out"
    assert not (out / PARTS).exists()
    return {one.name: one.read_bytes() for one in out.iterdir() if one.name != NAME}


@pytest.fixture
def expected(corpus):
    run_job(corpus, InlineExecutor())
    found = outputs(corpus)
    for one in (corpus.parent / "out").iterdir():
        one.unlink()
    assert len(found) == 6
    return found


def words_in(conllu):
    return sum(line.split(b"\t")[0].isdigit() for line in conllu.splitlines())


def kinds(executor):
    return [work.func for work in executor.works]


def test_each_file_becomes_one(corpus, expected):
    executor = InlineExecutor()
    summary, seen = run_job(corpus, executor)
    assert outputs(corpus) == expected
    assert (summary.files, summary.skipped, summary.retries, summary.failures) == (6, 0, 0, {})
    assert summary.words == sum(words for _, words in seen) == sum(map(words_in, expected.values()))
    assert kinds(executor).count(parse_file) == 4
    assert kinds(executor).count(cut) == kinds(executor).count(join_pieces) == 2
    assert kinds(executor).count(parse_piece) > 6
    total = sum(one.stat().st_size for one in corpus.iterdir())
    assert total - 20 <= sum(done for done, _ in seen) <= total  # pieces are rounded


def test_finished_files_are_not_done_again(corpus, expected):
    run_job(corpus, InlineExecutor())
    again = InlineExecutor()
    summary, _ = run_job(corpus, again)
    assert again.works == []
    assert summary.skipped == 6
    assert "(6 were finished before)" in str(summary)
    (corpus.parent / "out" / "big.conllu").unlink()
    (corpus / "small1.txt").write_text(SENTENCES)
    summary, _ = run_job(corpus, again)
    assert summary.skipped == 4
    found = outputs(corpus)
    assert found["big.conllu"] == expected["big.conllu"]
    assert found["small1.conllu"] != expected["small1.conllu"]


@pytest.mark.parametrize("seed", range(6))
def test_lost_workers_lose_nothing(corpus, expected, seed):
    dice, left = random.Random(seed), 3  # fewer than would give up on a work

    def is_lost(work, number):
        nonlocal left
        left -= (lost := left > 0 and dice.random() < 0.3)
        if lost and work.func is not parse_piece:  # it was writing
            target = work.args[1].target
            target.with_name(f".{target.name}.{number}.part").touch()
        return lost

    summary, _ = run_job(corpus, InlineExecutor(is_lost))
    assert not list((corpus.parent / "out").glob(".*.part"))
    assert summary.retries == 3
    assert summary.failures == {}
    assert outputs(corpus) == expected


def test_work_that_kills_its_workers_fails_alone(corpus, expected):
    def is_lost(work, number):
        return work.args[1].source.name == "small2.txt"

    executor = InlineExecutor(is_lost)
    summary, _ = run_job(corpus, executor)
    assert list(summary.failures) == [corpus / "small2.txt"]
    assert f"lost {MOST_TRIES} times" in summary.failures[corpus / "small2.txt"]
    assert summary.retries == MOST_TRIES - 1
    assert outputs(corpus) == {k: v for k, v in expected.items() if k != "small2.conllu"}


def test_bad_files_do_not_stop_the_rest(corpus, expected):
    (corpus / "bad.txt.gz").write_bytes(b"\x1f\x8bdamaged")
    whole = (corpus / "packed.txt.gz").read_bytes()
    (corpus / "cut.txt.gz").write_bytes(whole[: len(whole) // 2] + b"x" * 400)
    summary, _ = run_job(corpus, InlineExecutor())
    assert {path.name for path in summary.failures} == {"bad.txt.gz", "cut.txt.gz"}
    assert "damaged" in summary.failures[corpus / "bad.txt.gz"]
    assert outputs(corpus) == expected
    rows = [json.loads(line) for line in (corpus.parent / "out" / NAME).read_text().splitlines()]
    assert sum("error" in row for row in rows) == 2
    (corpus / "bad.txt.gz").write_bytes(whole)
    summary, _ = run_job(corpus, InlineExecutor())
    assert {path.name for path in summary.failures} == {"cut.txt.gz"}


class Killed(BaseException):
    """The driver ends here."""


@pytest.mark.parametrize("after", range(0, 20, 2))
def test_a_killed_job_goes_on_where_it_was(corpus, expected, after):
    """Killed after some of its works, then run to the end: the same files."""

    def is_lost(work, number):
        if number >= after:
            raise Killed
        return False

    first = InlineExecutor(is_lost)
    with pytest.raises(Killed):
        run_job(corpus, first)
    out = corpus.parent / "out"
    done = Manifest(out, Recipe().described("toy")).rows
    (out / ".small0.conllu.abc.part").write_text("what a killed worker left")
    second = InlineExecutor()
    run_job(corpus, second)
    assert outputs(corpus) == expected or after == 0
    parsed = {work.args[1].source for work in second.works}
    assert not parsed & set(map(type(corpus), done))
    lines = [json.loads(line)["input"] for line in (out / NAME).read_text().splitlines()[1:]]
    assert len(lines) == len(set(lines)) == 6


def test_a_full_disk_stops_the_job_and_it_goes_on_later(corpus, expected, monkeypatch):
    calls = []

    def full(work, pipeline):
        calls.append(work)
        if len(calls) > 7:
            return Result(error="cannot write big.conllu: No space left on device", stops=True)
        return original(work, pipeline)

    import inlineexecutor

    original = inlineexecutor.outcome
    monkeypatch.setattr(inlineexecutor, "outcome", full)
    with pytest.raises(UsageError, match="No space left.*run the same command again"):
        run_job(corpus, InlineExecutor())
    monkeypatch.setattr(inlineexecutor, "outcome", original)
    run_job(corpus, InlineExecutor())
    assert outputs(corpus) == expected


def test_a_full_disk_of_the_manifest_stops_the_job(corpus, expected, monkeypatch):
    def full(self, row):
        raise OSError(28, "No space left on device", str(self.path))

    original = Manifest._add
    run_job(corpus, InlineExecutor(), "small0.txt")
    monkeypatch.setattr(Manifest, "_add", full)
    with pytest.raises(OSError, match="No space left"):
        run_job(corpus, InlineExecutor())
    monkeypatch.setattr(Manifest, "_add", original)
    run_job(corpus, InlineExecutor())
    assert outputs(corpus) == expected


def test_a_summary_is_one_line():
    summary = Summary(files=1, words=1200, seconds=2.0, retries=3)
    assert str(summary) == "1 file, 1,200 words in 2.0 s, 600 words/s; 3 retries, 0 failures"
    assert str(Summary(retries=1)).endswith("; 1 retry, 0 failures")
    assert module.MOST_TRIES > 1
