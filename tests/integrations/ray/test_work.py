"""What workers do, without a cluster."""

import errno
import pickle
import warnings
from functools import partial

import pytest

from headwise.cli.app import run
from headwise.errors import FormatError, HeadwiseWarning, UsageError
from headwise.integrations.ray.job import EXTENSIONS, FilePair, Recipe
from headwise.integrations.ray.work import (
    Result,
    cut,
    has_no_room,
    join_pieces,
    outcome,
    parse_file,
    parse_piece,
)
from headwise.text import reading
from toypipelines import toy_pipeline

TEXT = "The dogs see a cat. The dog doesn't see a tree.\n\nThe kings like a stone.\n\n" * 30


@pytest.fixture
def pair(tmp_path) -> FilePair:
    (tmp_path / "a.txt").write_text(TEXT)
    return FilePair(tmp_path / "a.txt", tmp_path / "out" / "a")


@pytest.mark.filterwarnings("ignore:CoNLL-X has no multiword rows")
@pytest.mark.parametrize("to_format", EXTENSIONS)
def test_files_and_pieces_are_what_one_process_writes(
    to_format, pair, tmp_path, toy_model, monkeypatch
):
    if to_format == "parquet":
        pytest.importorskip("pyarrow", reason="headwise[data]")
    monkeypatch.setattr(reading, "USUAL_BYTES", 300)
    recipe, nlp, parts = Recipe(to_format), toy_pipeline(), tmp_path / "parts"
    alone = tmp_path / f"alone{EXTENSIONS[to_format]}"
    call = ["parse", str(pair.source), "-o", str(alone), "--model", str(toy_model)]
    assert run([*call, "--to", to_format]) == 0
    whole = parse_file(recipe, pair, nlp)
    assert pair.target.read_bytes() == alone.read_bytes()
    pair.target.unlink()
    pieces = cut(recipe, pair, parts, 700, nlp).pieces
    assert len(pieces) >= 3
    works = [partial(parse_piece, recipe, pair, parts, piece) for piece in pieces]
    found = [pickle.loads(pickle.dumps(work))(nlp) for work in reversed(works)]
    assert [work(nlp) for work in reversed(works)] == found  # it was done before
    assert sum(one.words for one in found) == whole.words
    done = pieces[1].done_path(parts)
    kept = done.read_bytes()
    for damaged in (b"{", b"[]", b'{"words": "5"}'):
        done.write_bytes(damaged)
        with pytest.raises(UsageError, match="is damaged: remove"):
            works[1](nlp)
    done.write_bytes(kept)
    join_pieces(recipe, pair, parts, pieces, nlp)
    assert pair.target.read_bytes() == alone.read_bytes()


def failing(error):
    def work(pipeline):
        raise error

    return work


def test_errors_are_results():
    assert outcome(failing(FormatError("bad")), toy_pipeline()) == Result(error="bad")
    assert outcome(failing(KeyError("x")), toy_pipeline()).error == "KeyError: 'x'"
    full = OSError(errno.ENOSPC, "No space left on device")
    assert outcome(failing(full), toy_pipeline()).stops
    assert not outcome(failing(OSError(errno.EIO, "broken")), toy_pipeline()).stops
    wrapped = UsageError("cannot write")
    wrapped.__cause__ = full
    assert has_no_room(wrapped)
    assert outcome(failing(wrapped), toy_pipeline()).stops


def test_warnings_are_handed_on():
    def work(pipeline):
        warnings.warn("take care", HeadwiseWarning, stacklevel=1)
        return Result(3)

    assert outcome(work, toy_pipeline()) == Result(3, warnings=["take care"])


def test_a_full_disk_stops_everything(pair, tmp_path):
    result = outcome(
        partial(parse_file, Recipe(), FilePair(pair.source, tmp_path / "out" / "x")), toy_pipeline()
    )
    assert result.words
    full = FilePair(pair.source, tmp_path / "full" / "a.conllu")
    full.target.parent.mkdir()
    full.target.symlink_to("/dev/full")
    result = outcome(partial(parse_file, Recipe(), full), toy_pipeline())
    assert result.stops
    assert "No space left" in result.error
