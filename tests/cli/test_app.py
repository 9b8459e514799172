"""The command line as a person uses it: output, exit codes, and nothing raw on a terminal."""

import errno
import os
import shlex
import subprocess
import sys
import time
from pathlib import Path

import pytest
import typer
from conllu_rows import TWO_WORDS, row

import headwise
from commandcalls import call, process
from headwise.cli.app import SUMMARIES, guarded, loaded

COMMANDS = [
    "train", "parse", "show", "check", "stats", "convert", "evaluate", "compare", "features",
    "plot", "info",
]  # fmt: skip


@pytest.mark.parametrize("command", COMMANDS)
def test_help_has_an_example(command, capsys):
    code, out, _ = call(command, "--help", capsys=capsys)
    assert code == 0
    assert f"headwise {command}" in out.partition("Example:")[2]


@pytest.mark.parametrize("name", SUMMARIES)
def test_the_list_of_commands_says_what_their_own_help_says(name):
    assert loaded(name).name == name
    assert " ".join(loaded(name).help.partition("\n\n")[0].split()) == SUMMARIES[name]


def test_version(capsys):
    assert headwise.__version__.startswith("0.")
    assert call("--version", capsys=capsys)[1] == f"headwise {headwise.__version__}\n"


@pytest.mark.parametrize(
    "arguments",
    [
        ["frobnicate"],
        ["show", "--frobnicate"],
        ["check"],
        ["show", "nothing.conllu"],
        ["convert", "a.doc", "b.conllu"],
        ["evaluate", "-", "-"],
        ["show", "--only-different"],
    ],
)
def test_wrong_calls_leave_with_2(arguments, capsys):
    code, out, err = call(*arguments, capsys=capsys)
    assert code == 2
    assert err
    assert "Traceback" not in out + err


def test_text_without_a_command(sample, capsys):
    code, _, err = call("We read it.", capsys=capsys)
    assert (code, "headwise parse 'We read it.'" in " ".join(err.split())) == (2, True), err
    code, _, err = call(sample, capsys=capsys)
    assert (code, "to parse it: headwise parse" in " ".join(err.split())) == (2, True), err


def test_bad_data_leaves_with_1_and_says_where(tmp_path, capsys):
    path = tmp_path / "bad.conllu"
    path.write_text(f"# sent_id = s1\n{row(1, head=7)}\n\n")
    for arguments in (["stats", path], ["evaluate", path, path], ["convert", path, "-"]):
        code, _, err = call(*arguments, capsys=capsys)
        assert code == 1
        assert f"{path}:2 (sentence s1): HEAD 7 is beyond the last word, 1" in err


def test_nothing_raw_from_the_data_reaches_the_output(tmp_path, capsys):
    evil = "a\x1b]0;owned\x07\x1b[31m\u202e"
    path = tmp_path / "evil.conllu"
    path.write_text(
        f"# sent_id = {evil}\n# text = {evil}\n1\t{evil}\t_\t{evil}\t{evil}\t_\t0\t{evil}\t_\t_\n\n"
    )
    for arguments in (
        ["show", path],
        ["show", path, "--svg", "-"],
        ["check", path],
        ["check", path, "--json"],
        ["stats", path],
        ["stats", path, "--json"],
        ["evaluate", path, path, "--by", "tag", "--by", "relation"],
        ["evaluate", path, path, "--by", "tag", "--json"],
        ["compare", path, path, path],
        ["show", path, "--sentence", evil],
        ["show", evil],
    ):
        _, out, err = call(*arguments, capsys=capsys)
        assert "\x1b" not in out + err, arguments
        assert "\x07" not in out + err, arguments
        assert "\u202e" not in out + err, arguments


def test_a_closed_pipe_is_no_error(sample, tmp_path):
    big = tmp_path / "big.conllu"
    big.write_bytes(sample.read_bytes() * 2000)
    with subprocess.Popen(
        [sys.executable, "-m", "headwise", "convert", str(big), "-"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as running:
        assert running.stdout is not None
        assert running.stderr is not None
        running.stdout.read(10)
        running.stdout.close()
        assert running.wait(30) == 0
        assert running.stderr.read() == b""


@pytest.mark.parametrize("call", [["--help"], ["parse", "--help"], ["--version"], ["settings"]])
def test_help_that_nobody_reads_is_no_error(call):
    reading, writing = os.pipe()
    os.close(reading)
    command = [sys.executable, "-m", "headwise", *call]
    done = subprocess.run(command, stdout=writing, stderr=subprocess.PIPE, timeout=60)
    os.close(writing)
    assert (done.returncode, done.stderr) == (0, b"")


def test_a_wrong_call_whose_message_nobody_reads_is_an_error():
    reading, writing = os.pipe()
    os.close(reading)
    command = [sys.executable, "-m", "headwise", "nonsense"]
    assert subprocess.run(command, stdout=writing, stderr=writing, timeout=60).returncode
    os.close(writing)


def test_an_interrupt_is_clean(tmp_path):
    with subprocess.Popen(
        [sys.executable, "-m", "headwise", "convert", "-", str(tmp_path / "out.conllu")],
        stdin=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as running:
        assert running.stdin is not None
        assert running.stderr is not None
        running.stdin.write(TWO_WORDS.encode() * 50_000)
        running.stdin.flush()
        deadline = time.monotonic() + 30
        while not list(tmp_path.iterdir()) and time.monotonic() < deadline:
            time.sleep(0.05)
        running.send_signal(2)
        assert running.wait(30) == 130
        assert running.stderr.read() == b"headwise: error: interrupted\n"
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "cp1252"])
def test_output_in_an_encoding_that_lacks_characters(sample, encoding):
    environment = {**os.environ, "PYTHONIOENCODING": encoding}
    for arguments in (["show", sample], ["evaluate", sample, sample], ["stats", sample]):
        result = process(*arguments, env=environment)
        assert result.returncode == 0, result.stderr
        assert result.stderr == b""


def test_a_termination_leaves_nothing_behind(tmp_path):
    with subprocess.Popen(
        [sys.executable, "-m", "headwise", "convert", "-", str(tmp_path / "out.conllu")],
        stdin=subprocess.PIPE,
    ) as running:
        assert running.stdin is not None
        running.stdin.write(TWO_WORDS.encode() * 50_000)
        running.stdin.flush()
        deadline = time.monotonic() + 30
        while not list(tmp_path.iterdir()) and time.monotonic() < deadline:
            time.sleep(0.05)
        running.terminate()
        assert running.wait(30) == 143
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("redirection", [">&-", ">/dev/full", "2>&-"])
def test_closed_or_full_outputs_give_no_traceback(sample, redirection):
    for arguments in (["stats", "--json"], ["show"], ["check"]):
        command = [sys.executable, "-m", "headwise", *arguments, str(sample)]
        done = subprocess.run(
            f"{shlex.join(command)} {redirection}", shell=True, capture_output=True, timeout=60
        )
        assert done.returncode in (0, 2)
        assert b"Traceback" not in done.stderr
        assert b"Exception ignored" not in done.stderr


def with_closed(stream: str, *arguments: object) -> subprocess.CompletedProcess:
    command = shlex.join([sys.executable, "-m", "headwise", *map(str, arguments)])
    return subprocess.run(f"{command} {stream}>&-", shell=True, capture_output=True, timeout=60)


def test_a_closed_standard_output_is_an_error(sample, tmp_path):
    for command in (["convert", sample, "-"], ["stats", sample], ["check", sample], ["--help"]):
        done = with_closed("1", *command)
        assert done.returncode == 2
        assert b"standard output" in done.stderr
        assert b"it is closed" in done.stderr
        assert done.stderr.count(b"\n") == 1
    assert with_closed("1", "convert", sample, tmp_path / "copy.conllu").returncode == 0
    assert (tmp_path / "copy.conllu").read_bytes() == sample.read_bytes()


def test_a_closed_standard_error_is_no_problem(sample):
    done = with_closed("2", "convert", sample, "-")
    assert (done.returncode, done.stdout) == (0, sample.read_bytes())
    assert with_closed("2", "check", "nothing.conllu").returncode == 2


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no full device here")
def test_a_warning_that_cannot_be_written_is_no_error(tmp_path):
    source, target = tmp_path / "a.conllu", tmp_path / "b.conllu"
    source.write_text(TWO_WORDS.rstrip("\n"))
    call = [sys.executable, "-m", "headwise", "convert"]
    with Path("/dev/full").open("w") as full:
        assert subprocess.call([*call, source, target], stderr=full) == 0
        assert target.read_text() == source.read_text()
        assert subprocess.call([*call, tmp_path / "none.conllu", target], stderr=full) == 2


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_shells_complete_commands_and_options(shell):
    environment = {**os.environ, "_HEADWISE_COMPLETE": f"source_{shell}"}
    command = [sys.executable, "-m", "headwise"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60)
    assert "_HEADWISE_COMPLETE=complete_" in done.stdout
    for typed, found in (("headwise pa", "parse"), ("headwise parse --engi", "--engine")):
        environment |= {
            "_HEADWISE_COMPLETE": f"complete_{shell}", "COMP_WORDS": typed,
            "COMP_CWORD": str(len(typed.split()) - 1), "_TYPER_COMPLETE_ARGS": typed,
            "_TYPER_COMPLETE_FISH_ACTION": "get-args",
        }  # fmt: skip
        done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60)
        assert found in done.stdout, done.stderr


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (OSError(errno.ENOSPC, "No space left"), "standard output: No space left"),
        (FileNotFoundError(errno.ENOENT, "Gone", "a.txt"), "a.txt: Gone"),
        (
            FileNotFoundError(errno.ENOENT, "No such file"),  # from os.getcwd
            "the current folder no longer exists: change to another one",
        ),
        (OSError(errno.EMFILE, "Too many open files"), "Too many open files"),
        (OSError("a library is missing"), "a library is missing"),
        (
            RuntimeError("can't start new thread"),
            "the system allows no further thread: use fewer (--jobs)",
        ),
    ],
)
def test_errors_of_the_system_are_told(error, message, capsys):
    def command():
        raise error

    with pytest.raises(typer.Exit):
        guarded(command)()
    assert capsys.readouterr().err == f"headwise: error: {message}\n"


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("NUMBA_DISABLE_JIT", "1", "NUMBA_DISABLE_JIT switches off the compiler: unset it"),
        ("NUMBA_NUM_THREADS", "0", "NUMBA_NUM_THREADS is '0', not 1 or more"),
        ("NUMBA_NUM_THREADS", "many", "NUMBA_NUM_THREADS is 'many', not 1 or more"),
    ],
)
def test_an_environment_that_keeps_numba_from_compiling(name, value, message):
    done = process("parse", "We read it.", text=True, env={**os.environ, name: value})
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"headwise: error: {message}")
