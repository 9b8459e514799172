"""`headwise check` as a person uses it."""

import json
import os
import subprocess
import sys

from conllu_rows import TWO_WORDS, row

from commandcalls import call


def test_check(sample, tmp_path, capsys):
    assert call("check", sample, capsys=capsys)[0] == 0
    bad = tmp_path / "bad.conllu"
    bad.write_text(f"# sent_id = s1\n{row(1, head=1)}\n\n{row(1)}\nx\n\n")
    code, out, _ = call("check", sample, bad, capsys=capsys)
    assert code == 1
    assert f"{bad}:1 (sentence s1): error: word 1 is its own head" in out
    assert f"{bad}:5: error: 1 column instead of 10; is this a treebank?" in out
    assert "2 files: 3 errors, 0 warnings" in out
    code, out, _ = call("check", bad, "--json", capsys=capsys)
    assert code == 1
    assert json.loads(out)["problems"][0] == {
        "path": str(bad),
        "line": 1,
        "sentence_id": "s1",
        "message": "word 1 is its own head",
        "error": True,
    }


def test_check_counts_warnings_only_when_strict(tmp_path, capsys):
    path = tmp_path / "f.conllu"
    path.write_text(TWO_WORDS + "\n")
    assert call("check", path, capsys=capsys)[0] == 0
    assert call("check", path, "--strict", capsys=capsys)[0] == 1


def test_a_stream_is_answered_as_it_comes():
    """A sentence is written before the next one is sent."""
    with subprocess.Popen(
        [sys.executable, "-m", "headwise", "check", "-"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
    ) as running:
        assert running.stdin is not None
        assert running.stdout is not None
        running.stdin.write(f"{row(1, head=1)}\n\n".encode())
        running.stdin.flush()
        assert b"its own head" in running.stdout.readline()
        running.stdin.close()
        assert running.wait(30) == 1


def test_a_missing_file_does_not_keep_others_from_being_checked(sample, tmp_path, capsys):
    bad = tmp_path / "bad.conllu"
    bad.write_text("x\n\n")
    code, out, err = call("check", tmp_path / "no.conllu", bad, "--json", capsys=capsys)
    assert code == 2
    assert json.loads(out)["errors"] == 1
    assert "there is no file" in err
    out = call("check", tmp_path / "no.conllu", bad, capsys=capsys)[1]
    assert out.endswith("1 file: 1 error, 0 warnings\n")
    assert call("check", tmp_path / "no.conllu", capsys=capsys)[:2] == (2, "")


def test_a_file_of_nothing_but_problems_is_left(tmp_path, capsys):
    bad = tmp_path / "bad.conllu"
    bad.write_text(TWO_WORDS.replace("\n", " \n") * 9)
    code, out, _ = call("check", bad, "--max-problems", 2, capsys=capsys)
    assert code == 1
    assert "error: more than 2 problems: nothing is checked from here on (raise --max-" in out
    assert call("check", bad, "--most", 2, capsys=capsys)[1] == out  # as it was called before
