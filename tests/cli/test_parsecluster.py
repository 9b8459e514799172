"""`headwise parse --engine ray`: calls, summaries, exit codes."""

import sys

import pytest

from commandcalls import call
from headwise.cli import parsecluster
from headwise.cli.parsecluster import report
from headwise.errors import InputError
from headwise.integrations.ray.driver import Summary
from toypipelines import toy_pipeline


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--engine", "spark", "-o", "out"], "--engine must be local or ray, not 'spark'"),
        (["--address", "a:1"], "add --engine ray"),
        (["--engine", "ray", "-o", "out", "--flush"], "--flush does not go with --engine ray"),
        (["--engine", "ray", "-o", "out", "--generator"], "--generator does not go with"),
        (
            ["--engine", "ray", "-o", "out", "--device", "cuda"],
            "--device does not go with --engine ray: leave out one of them",
        ),
    ],
)
def test_wrong_calls_are_refused(options, message, capsys):
    code, _, errors = call("parse", "a.txt", *options, capsys=capsys)
    assert code == 2
    assert message in errors


def test_without_ray_the_command_that_installs_it_is_named(capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "ray", None)
    code, _, errors = call("parse", "a.txt", "--engine", "ray", "-o", "out", capsys=capsys)
    assert code == 2
    assert "pip install 'headwise[ray]'" in errors


def test_failures_are_listed_and_said_by_the_exit_code(tmp_path, capsys):
    many = [f"warning {number}" for number in range(30)]
    report(Summary(files=2, words=10, seconds=1.0, warnings=many))
    errors = capsys.readouterr().err
    assert "warning 19" in errors
    assert "warning 20" not in errors
    assert "and 10 more warnings" in errors
    assert "note: 2 files, 10 words in 1.0 s, 10 words/s; 0 retries, 0 failures" in errors
    failed = {tmp_path / "a": "it is bad", tmp_path / "b": f"{tmp_path / 'b'}:3: not UTF-8"}
    with pytest.raises(InputError, match="2 files of 2 could not be parsed"):
        report(Summary(files=2, failures=failed))
    errors = capsys.readouterr().err
    assert f"{tmp_path / 'a'}: it is bad" in errors
    assert errors.count(str(tmp_path / "b")) == 1


def test_files_are_parsed_on_this_machine(tmp_path, capsys, monkeypatch):
    pytest.importorskip("ray", reason="Ray is not installed (headwise[ray])")
    toy_pipeline().save(tmp_path / "m")
    for name in "ab":
        (tmp_path / f"{name}.txt").write_text("The dogs see a cat.\n")
    (tmp_path / "c.txt").write_bytes(b"\xff")
    asked = {}

    def parse_files(files, output, recipe, **options):
        asked.update(options, files=files, recipe=recipe, output=output)
        options["progress"](5, 2)
        return Summary(files=len(files), words=2)

    from headwise.integrations.ray import cluster

    monkeypatch.setattr(cluster, "parse_files", parse_files)
    options = ["-m", tmp_path / "m", "-o", tmp_path / "out", "--engine", "ray", "--jobs", 2]
    code, _, errors = call("parse", f"{tmp_path}/*.txt", *options, "--to", "tsv", capsys=capsys)
    assert code == 0
    assert "3 files, 2 words" in errors
    assert len(asked["files"]) == 3
    assert (asked["workers"], asked["address"]) == (2, None)
    assert asked["recipe"].to_format == "tsv"
    quiet = call("parse", f"{tmp_path}/*.txt", *options, "--quiet", capsys=capsys)
    assert quiet == (0, "", "")
    code, _, errors = call("parse", f"{tmp_path}/*.xml", *options, capsys=capsys)
    assert code == 2
    assert "no file matches" in errors
    code, _, errors = call("parse", "x", "--engine", "ray", "-o", "-", capsys=capsys)
    assert "name a folder (-o out/)" in errors
    assert parsecluster.MAX_WARNINGS == 20
