"""What is finished of a job, whatever was cut short."""

import json

import pytest

from headwise.errors import UsageError
from headwise.integrations.ray.job import FilePair
from headwise.integrations.ray.manifest import NAME, Manifest

JOB = {"model": "m 1", "to": "conllu"}


@pytest.fixture
def pair(tmp_path) -> FilePair:
    (tmp_path / "a.txt").write_text("text")
    (tmp_path / "a.conllu").write_text("trees")
    return FilePair(tmp_path / "a.txt", tmp_path / "a.conllu")


def test_what_is_finished_is_known_afterwards(tmp_path, pair):
    manifest = Manifest(tmp_path, JOB)
    assert not manifest.is_done(pair)
    manifest.finished(pair, pair.state(), 12)
    for one in (manifest, Manifest(tmp_path, JOB)):
        assert one.is_done(pair)
        assert one.rows[str(pair.source)]["words"] == 12


def test_changes_undo_it(tmp_path, pair):
    manifest = Manifest(tmp_path, JOB)
    manifest.finished(pair, pair.state(), 12)
    pair.target.write_text("tree")
    assert not manifest.is_done(pair)
    pair.target.write_text("trees")
    assert manifest.is_done(pair)
    pair.source.write_text("texts")
    assert not manifest.is_done(pair)
    pair.target.unlink()
    assert not manifest.is_done(pair)


def test_failures_are_tried_again(tmp_path, pair):
    manifest = Manifest(tmp_path, JOB)
    manifest.finished(pair, pair.state(), 1)
    manifest.failed(pair, "bad")
    assert not Manifest(tmp_path, JOB).is_done(pair)


def test_another_job_is_refused(tmp_path):
    Manifest(tmp_path, JOB)
    with pytest.raises(UsageError, match=r"another job \(model 'm 1', now 'm 2'\)"):
        Manifest(tmp_path, JOB | {"model": "m 2"})
    (tmp_path / NAME).write_text('{"other": 1}\n')
    with pytest.raises(UsageError, match="another version"):
        Manifest(tmp_path, JOB)


def test_wherever_it_is_cut_it_can_be_read(tmp_path, pair):
    manifest = Manifest(tmp_path, JOB)
    manifest.finished(pair, pair.state(), 12)
    data = (tmp_path / NAME).read_bytes()
    first = data.index(b"\n") + 1
    for end in range(len(data) + 1):
        (tmp_path / NAME).write_bytes(data[:end])
        again = Manifest(tmp_path, JOB)
        assert again.is_done(pair) == (end == len(data))
        again.finished(pair, pair.state(), 12)
        lines = (tmp_path / NAME).read_bytes().splitlines()
        assert all(json.loads(line) for line in lines)
        assert len(lines) == (3 if end == len(data) else 2), (end, first)


@pytest.mark.parametrize(
    "text",
    [
        "{]", "[]", "5", "null", "[" * 100_000, "\0",
        *(f'{{"job": {json.dumps(JOB)}}}\n{row}' for row in (
            "[]", "{}", '{"input": []}', '{"input": "a"}', '{"input": 5, "error": "bad"}',
            '{"input": "a", "size": "1", "changed": 1, "output_size": 1}',
        )),
    ],
)  # fmt: skip
def test_damage_is_said(tmp_path, text):
    (tmp_path / NAME).write_text(f"{text}\n")
    with pytest.raises(UsageError, match="is damaged"):
        Manifest(tmp_path, JOB)
