"""What `headwise parse` reads: columns of tables, large texts; and how quiet it is."""

import sys
from pathlib import Path

import pytest

from commandcalls import call
from headwise.cli import parseinputs
from headwise.pipeline.inputs import Input
from toypipelines import toy_pipeline


@pytest.fixture(scope="module")
def toy(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("toy") / "m"
    toy_pipeline().save(folder)
    return folder


def test_texts_of_json_lines_are_read_from_a_column(tmp_path, toy, capsys):
    path = tmp_path / "rows.jsonl"
    path.write_text('{"text": "The dogs see a cat.", "id": "x"}\n{"text": "The king.", "id": 7}\n')
    code, out, _ = call("parse", path, "--column", "text", "-m", toy, capsys=capsys)
    assert code == 0
    assert "# newdoc id = x\n# sent_id = 1\n" in out
    assert "# newdoc id = 7\n# sent_id = 2\n" in out
    code, out, _ = call(
        "parse", path, "--column", "text", "--id-column", "text", "-m", toy, capsys=capsys
    )
    assert "# newdoc id = The king.\n" in out
    code, _, errors = call("parse", path, "--column", "body", "-m", toy, capsys=capsys)
    assert code == 1
    assert "rows.jsonl:1: there is no column 'body'; there are text, id" in errors
    path.write_text('{"text": null}\n')
    code, out, errors = call("parse", path, "--column", "text", "-m", toy, capsys=capsys)
    assert (code, out) == (0, "")
    assert "1 row without text (null) in 'text'" in errors


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--id-column", "id"], "--id-column goes with --column"),
        (["--column", "text", "--tokenized"], "leave out the kind"),
        (["--column", "text"], "there is no file some text: --column reads"),
    ],
)
def test_columns_of_what_is_no_table_are_refused(options, message, toy, capsys):
    code, _, errors = call("parse", "some text", "-m", toy, *options, capsys=capsys)
    assert code == 2
    assert message in errors


def test_plain_text_has_no_columns(tmp_path, toy, capsys):
    (tmp_path / "a.txt").write_text("A cat.")
    code, _, errors = call(
        "parse", tmp_path / "a.txt", "--column", "text", "-m", toy, capsys=capsys
    )
    assert code == 2
    assert "a.txt is plain text, which has no columns: leave out --column" in errors


def test_parquet_in_and_out(tmp_path, toy, capsys):
    arrow = pytest.importorskip("pyarrow", reason="pyarrow is not installed (headwise[data])")
    from pyarrow import parquet

    source, target = tmp_path / "texts.parquet", tmp_path / "words.parquet"
    parquet.write_table(arrow.table({"id": [3, 5], "text": ["The dogs see.", "A cat."]}), source)
    options = ["-m", toy, "--marginals", "-o", target]
    assert call("parse", source, "--column", "text", *options, capsys=capsys)[0] == 0
    table = parquet.read_table(target)
    assert table.column("document").to_pylist() == ["3"] * 4 + ["5"] * 3
    assert table.column("start").to_pylist()[4:] == [0, 2, 5]
    assert table.column("head_probability").null_count == 0
    code, _, errors = call("parse", source, *options, capsys=capsys)
    assert code == 2
    assert "which column has the text? say --column NAME (there are id, text)" in errors
    for wrong in (["--to", "parquet"], ["--to", "parquet", "-o", target, "--flush"]):
        code, _, errors = call("parse", "A cat.", "-m", toy, *wrong, capsys=capsys)
        assert code == 2
        assert "Parquet is written to a file" in errors


def test_parquet_without_its_library_names_the_command(tmp_path, toy, capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    monkeypatch.delitem(sys.modules, "pyarrow.parquet", raising=False)
    options = ["-m", toy, "-o", tmp_path / "words.parquet"]
    code, _, errors = call("parse", "A cat.", *options, capsys=capsys)
    assert code == 2
    assert "pip install 'headwise[data]'" in errors


def test_processes_write_what_one_writes(tmp_path, toy, capsys, monkeypatch):
    monkeypatch.setattr(parseinputs, "LARGE", 1)
    path = tmp_path / "book.txt"
    path.write_text("The dogs see a cat. The king finds a stone.\n\n" * 900)
    for jobs in (1, 2):
        options = ["-m", toy, "-j", jobs, "-o", tmp_path / f"{jobs}.conllu"]
        assert call("parse", path, *options, capsys=capsys)[0] == 0
    assert (tmp_path / "1.conllu").read_bytes() == (tmp_path / "2.conllu").read_bytes()


def test_processes_are_for_large_plain_text(tmp_path):
    path = tmp_path / "book.txt"
    path.write_text("x" * parseinputs.LARGE)
    large, treebank = Input("raw", path), Input("conllu", path)
    assert parseinputs.use_processes([large], 2) == 2
    assert parseinputs.use_processes([large], 1) == 1
    assert parseinputs.use_processes([treebank, large], 2) == 1
    assert parseinputs.use_processes([Input("raw", text="x")], 2) == 1


def test_quiet_prints_errors_only(toy, capsys):
    loud = call("parse", "-m", toy, "Dogs", "see", capsys=capsys)
    assert "note: each of the 2 arguments" in loud[2]
    assert call("parse", "-m", toy, "Dogs", "see", "--quiet", capsys=capsys) == (0, loud[1], "")
    code, _, errors = call("parse", "-q", "-m", "no-such-model", "Dogs see", capsys=capsys)
    assert code == 2
    assert "no model 'no-such-model'" in errors
