"""The command line as a person uses it: output, exit codes, and nothing raw on a terminal."""

import gzip
import json
import os
import shlex
import subprocess
import sys
import time
from pathlib import Path
from xml.etree import ElementTree

import pytest
from conllu_rows import TWO_WORDS, row

import headwise
from headwise.cli.app import run
from headwise.corpus.conllu import read_conllu
from headwise.corpus.formats import write_sentences
from headwise.corpus.sample import read_sample
from headwise.corpus.sentence import Sentence

COMMANDS = [
    "train", "parse", "show", "check", "stats", "convert", "evaluate", "compare", "features",
    "plot", "info",
]  # fmt: skip


@pytest.fixture
def sample(tmp_path) -> Path:
    path = tmp_path / "sample.conllu"
    write_sentences(path, read_sample())
    return path


@pytest.fixture
def other(tmp_path) -> Path:
    """The sample with the last word's head wrong in every sentence."""
    path = tmp_path / "other.conllu"
    write_sentences(
        path,
        (
            s.with_tree([*s.heads[:-1], 1 if s.heads[-1] != 1 else 2], s.relations)
            for s in read_sample()
        ),
    )
    return path


def call(*arguments: object, capsys: pytest.CaptureFixture[str]) -> tuple[int, str, str]:
    code = run([str(argument) for argument in arguments])
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def process(*arguments: object, **options) -> subprocess.CompletedProcess:
    return subprocess.run(
        [sys.executable, "-m", "headwise", *map(str, arguments)],
        capture_output=True,
        timeout=60,
        **options,
    )


@pytest.mark.parametrize("command", COMMANDS)
def test_help_has_an_example(command, capsys):
    code, out, _ = call(command, "--help", capsys=capsys)
    assert code == 0
    assert f"headwise {command}" in out.partition("Example:")[2]


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


def test_bad_data_leaves_with_1_and_says_where(tmp_path, capsys):
    path = tmp_path / "bad.conllu"
    path.write_text(f"# sent_id = s1\n{row(1, head=7)}\n\n")
    for arguments in (["stats", path], ["evaluate", path, path], ["convert", path, "-"]):
        code, _, err = call(*arguments, capsys=capsys)
        assert code == 1
        assert f"{path}:2 (sentence s1): HEAD 7 is beyond the last word, 1" in err


def test_check(sample, tmp_path, capsys):
    assert call("check", sample, capsys=capsys)[0] == 0
    bad = tmp_path / "bad.conllu"
    bad.write_text(f"# sent_id = s1\n{row(1, head=1)}\n\n{row(1)}\nx\n\n")
    code, out, _ = call("check", sample, bad, capsys=capsys)
    assert code == 1
    assert f"{bad}:1 (sentence s1): error: words 1 → 1 form a cycle" in out
    assert f"{bad}:5: error: 1 columns instead of 10" in out
    assert "2 files: 4 errors, 0 warnings" in out
    code, out, _ = call("check", bad, "--json", capsys=capsys)
    assert code == 1
    assert json.loads(out)["problems"][0] == {
        "path": str(bad),
        "line": 1,
        "sentence_id": "s1",
        "message": "words 1 → 1 form a cycle",
        "error": True,
    }


def test_check_counts_warnings_only_when_strict(tmp_path, capsys):
    path = tmp_path / "f.conllu"
    path.write_text(TWO_WORDS + "\n")
    assert call("check", path, capsys=capsys)[0] == 0
    assert call("check", path, "--strict", capsys=capsys)[0] == 1


def test_stats(sample, capsys):
    code, out, _ = call("stats", sample, "--json", capsys=capsys)
    assert code == 0
    assert json.loads(out)[str(sample)]["words"] == 62
    assert "62" in call("stats", sample, capsys=capsys)[1]
    assert "UPOS (1 most frequent of 11)" in call("stats", sample, "--top", 1, capsys=capsys)[1]


def test_stats_of_many_files_have_a_row_each(sample, tmp_path, capsys):
    copies = [tmp_path / f"copy{i}.conllu" for i in range(6)]
    for copy in copies:
        copy.write_bytes(sample.read_bytes())
    out = call("stats", *copies, capsys=capsys)[1]
    assert [line.split()[0] for line in out.splitlines() if "copy" in line] == [
        copy.name for copy in copies
    ]


def test_convert_between_formats(sample, tmp_path, capsys):
    packed, text, back = tmp_path / "a.conllu.gz", tmp_path / "a.txt", tmp_path / "b.conllu"
    assert call("convert", sample, packed, capsys=capsys)[0] == 0
    assert gzip.decompress(packed.read_bytes()) == sample.read_bytes()
    assert call("convert", packed, text, capsys=capsys)[0] == 0
    assert text.read_text().splitlines()[4] == "我们 用 树 理解 句子 。"
    assert call("convert", text, back, capsys=capsys)[0] == 0
    assert [s.forms for s in read_conllu(back)] == [s.forms for s in read_sample()]
    code, _, err = call("convert", sample, tmp_path / "a.conllx", capsys=capsys)
    assert code == 0
    assert "headwise: warning: CoNLL-X has no multiword rows" in err


def test_convert_brackets(tmp_path, capsys):
    source, target = tmp_path / "a.mrg", tmp_path / "a.conllu"
    source.write_text("( (S (NP-SBJ (DT The) (NN dog)) (VP (MD can) (VP (VB bark))) (. .)) )")
    last = tmp_path / "last.txt"
    last.write_text("@default right\nS right\n")
    first = tmp_path / "first.txt"
    first.write_text("@default left\nS left\n")
    expected = {
        "yamada-matsumoto": (2, 3, 0, 3, 3),
        "collins": (2, 3, 0, 3, 3),
        last: (2, 5, 4, 5, 0),
        first: (0, 1, 1, 3, 1),
    }
    for rules, heads in expected.items():
        assert call("convert", source, target, "--head-rules", rules, capsys=capsys)[0] == 0
        (sentence,) = read_conllu(target)
        assert sentence.forms == ("The", "dog", "can", "bark", ".")
        assert sentence.heads == heads, rules
    assert call("convert", source, target, "--head-rules", "nothing", capsys=capsys)[0] == 2


def test_convert_chinese_brackets(tmp_path, capsys):
    source, target = tmp_path / "a.mrg", tmp_path / "a.conllu"
    source.write_text("( (IP (NP (NN 狗)) (VP (ADVP (AD 大声)) (VP (VV 叫))) (PU 。)) )")
    assert call("convert", source, target, "--head-rules", "chinese", capsys=capsys)[0] == 0
    (sentence,) = read_conllu(target)
    assert sentence.heads == (3, 3, 0, 3)


def test_features_can_be_listed_and_read_back(tmp_path, capsys):
    code, out, _ = call("features", capsys=capsys)
    assert code == 0
    assert "distance h.tag m.tag counts" in out.splitlines()
    mine = tmp_path / "mine.txt"
    mine.write_text(out)
    assert call("features", mine, capsys=capsys)[1] == out
    assert len(json.loads(call("features", "--json", capsys=capsys)[1])) == len(out.splitlines())
    mine.write_text("plain h.tga\n")
    code, _, err = call("features", mine, capsys=capsys)
    assert code == 1
    assert f"{mine}:1: 'h.tga' is not an atom" in err
    assert call("features", "nothing", capsys=capsys)[0] == 2


def test_nothing_half_written(tmp_path, capsys):
    source, target = tmp_path / "a.conllu", tmp_path / "b.conllu"
    source.write_text(TWO_WORDS * 20_000 + "broken\n\n")
    target.write_text("old")
    assert call("convert", source, target, capsys=capsys)[0] == 1
    assert target.read_text() == "old"
    assert sorted(tmp_path.iterdir()) == [source, target]


def test_evaluate(sample, other, capsys):
    code, out, _ = call("evaluate", sample, other, "--json", capsys=capsys)
    assert code == 0
    found = json.loads(out)
    assert {"uas", "las", "undirected", "ucm", "lcm", "root", "root_f1"} <= set(found)
    assert {"uas", "las", "undirected", "ucm", "lcm", "root", "root_f1"} <= set(
        found["without_punctuation"]
    )
    assert found["uas"] == pytest.approx(100 * (62 - 6) / 62)
    assert found["without_punctuation"]["uas"] == 100.0
    assert found["ucm"] == 0.0
    out = call("evaluate", sample, other, "--by", "relation", capsys=capsys)[1]
    assert "90.32" in out
    assert "punct" in out


def test_evaluate_chooses_what_is_punctuation(tmp_path, capsys):
    source, target = tmp_path / "a.mrg", tmp_path / "a.conllu"
    source.write_text("( (S (NP (NN Dog)) (VP (VBZ barks)) (. .)) )")
    call("convert", source, target, capsys=capsys)
    found = json.loads(call("evaluate", target, target, "--json", capsys=capsys)[1])
    assert found["punctuation"] == "penn"
    assert found["without_punctuation"]["words"] == 2
    out = call("evaluate", target, target, "--by", "tag", capsys=capsys)[1]
    assert "VBZ" in out
    assert call("evaluate", target, target, "--tags", "x", capsys=capsys)[0] == 2
    rules = ["--head-rules", "collins"]
    assert call("evaluate", source, target, *rules, capsys=capsys)[0] == 0


def test_evaluate_refuses_other_sentences(sample, tmp_path, capsys):
    path = tmp_path / "short.conllu"
    path.write_text(TWO_WORDS)
    code, _, err = call("evaluate", sample, path, capsys=capsys)
    assert code == 1
    assert "sample-1" in err


def test_compare(sample, other, capsys):
    code, out, _ = call("compare", sample, other, sample, "--json", capsys=capsys)
    assert code == 0
    found = json.loads(out)
    assert found["measures"]["uas"]["difference"] > 0
    assert found["mcnemar"]["heads"]["p"] == pytest.approx(2 / 2**6)
    assert "McNemar" in call("compare", sample, other, sample, capsys=capsys)[1]


def test_show_in_the_terminal(sample, other, capsys):
    assert "searches" in call("show", "-n", 1, capsys=capsys)[1]
    out = call("show", sample, "--sentence", "sample-4", "--width", 60, capsys=capsys)[1]
    assert "gelesen" in out
    assert "Headwise" not in out
    assert max(map(len, out.splitlines())) <= 60
    assert "gelesen" in call("show", sample, "--sentence", 4, capsys=capsys)[1]
    assert call("show", sample, "--sentence", 99, capsys=capsys)[0] == 2
    out = call("show", sample, "--diff", other, "-n", 1, capsys=capsys)[1]
    assert "sample-1" in out
    code, out, _ = call("show", sample, "--diff", sample, "--only-different", capsys=capsys)
    assert (code, out) == (0, "no trees differ\n")
    out = call("show", sample, "--diff", other, "--only-different", capsys=capsys)[1]
    assert "sample-1" in out


def test_show_says_where_a_sentence_without_a_name_is(tmp_path, capsys):
    path = tmp_path / "a.conllu"
    path.write_text(TWO_WORDS * 2)
    out = call("show", path, "--sentence", 2, capsys=capsys)[1]
    assert out.replace("\n", "").startswith(f"{path}:4")  # a long path is wrapped


def test_show_counts_the_sentences_of_the_file(tmp_path, capsys):
    """Also where only some of them are drawn."""
    gold, changed = tmp_path / "gold.conllu", tmp_path / "changed.conllu"
    gold.write_text(TWO_WORDS * 2)
    changed.write_text(TWO_WORDS + TWO_WORDS.replace("\tdep\t", "\tobj\t"))
    differing = ["show", gold, "--diff", changed, "--only-different", "--sentence"]
    code, out, _ = call(*differing, 2, capsys=capsys)
    assert (code, "obj" in out) == (0, True)
    assert call(*differing, 1, capsys=capsys)[:2] == (0, "the trees of 1 do not differ\n")


def test_show_as_svg(sample, other, tmp_path, capsys):
    for options in ([], ["-n", 1], ["--diff", other]):
        path = tmp_path / "tree.svg"
        assert call("show", sample, *options, "--svg", path, capsys=capsys)[0] == 0
        assert ElementTree.parse(path).getroot().tag.endswith("svg")
        path.unlink()


def test_show_refuses_files_that_do_not_match(sample, tmp_path, capsys):
    path = tmp_path / "short.conllu"
    path.write_text("")
    assert call("show", sample, "--diff", path, capsys=capsys)[0] == 1


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


def test_standard_input_and_output(sample):
    result = process("convert", "-", "-", input=sample.read_bytes())
    assert result.returncode == 0
    assert result.stdout == sample.read_bytes()


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
        assert b"cycle" in running.stdout.readline()
        running.stdin.close()
        assert running.wait(30) == 1


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


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no full device here")
def test_a_warning_that_cannot_be_written_is_no_error(tmp_path):
    source, target = tmp_path / "a.conllu", tmp_path / "b.conllu"
    source.write_text(TWO_WORDS.rstrip("\n"))
    call = [sys.executable, "-m", "headwise", "convert"]
    with Path("/dev/full").open("w") as full:
        assert subprocess.call([*call, source, target], stderr=full) == 0
        assert target.read_text() == source.read_text()
        assert subprocess.call([*call, tmp_path / "none.conllu", target], stderr=full) == 2


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


def test_a_missing_file_does_not_keep_others_from_being_checked(sample, tmp_path, capsys):
    bad = tmp_path / "bad.conllu"
    bad.write_text("x\n\n")
    code, out, err = call("check", tmp_path / "no.conllu", bad, "--json", capsys=capsys)
    assert code == 2
    assert json.loads(out)["errors"] == 2
    assert "there is no file" in err
    out = call("check", tmp_path / "no.conllu", bad, capsys=capsys)[1]
    assert out.endswith("1 file: 2 errors, 0 warnings\n")


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


def test_tables_keep_their_figures_on_narrow_terminals(sample, other, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "40")
    out = call("compare", sample, other, sample, capsys=capsys)[1]
    assert "90.32" in out
    assert "…" not in out.replace(" … ", "")


def test_a_full_disk_is_said_and_leaves_nothing(sample):
    result = process("convert", sample, "/dev/full", "--to", "conllu")
    assert result.returncode == 2
    assert b"cannot write /dev/full: No space left on device" in result.stderr


@pytest.mark.shared
def test_commands_on_shared_treebanks(treebanks, tmp_path, capsys):
    dev = treebanks / "ptb-sample/ptb-sample-dev.mrg.gz"
    target = tmp_path / "dev.conllu"
    assert call("convert", dev, target, capsys=capsys)[0] == 0
    assert call("check", target, dev, capsys=capsys)[0] == 0
    assert (
        json.loads(call("stats", target, "--json", capsys=capsys)[1])[str(target)]["words"] == 6327
    )
    rules = ["--head-rules", "collins", "--json"]
    found = json.loads(call("evaluate", target, dev, *rules, capsys=capsys)[1])
    assert 80 < found["without_punctuation"]["uas"] < 100  # other rules, other heads


def test_evaluate_raw_takes_other_tokens(tmp_path, capsys):
    paths = []
    for name, tokens in (("gold", ["ab", "c"]), ("system", ["a", "b", "c"])):
        rows = [row(i, form, head=i - 1) for i, form in enumerate(tokens, 1)]
        paths.append(tmp_path / f"{name}.conllu")
        paths[-1].write_text("\n".join(rows) + "\n\n")
    code, out, _ = call("evaluate", "--raw", "--json", *paths, capsys=capsys)
    assert code == 0
    assert json.loads(out)["words"] == 40.0
    code, out, _ = call("evaluate", "--raw", *paths, capsys=capsys)
    assert code == 0
    assert "BLEX" in out
    assert call("evaluate", *paths, capsys=capsys)[0] == 1
    code, _, err = call("evaluate", "--raw", "--seed", 3, "--by", "tag", *paths, capsys=capsys)
    assert code == 2
    assert "cannot be combined with --by or --seed" in " ".join(err.split())


def test_numbers_of_sentences_come_before_names(tmp_path, capsys):
    path, names = tmp_path / "named.conllu", ["3", "b", "c", "77"]
    write_sentences(
        path,
        [
            Sentence.from_words([f"word{n}"], heads=[0], comments=[f"# sent_id = {name}"])
            for n, name in enumerate(names, 1)
        ],
    )
    for wanted, word in (("3", "word3"), ("b", "word2"), ("77", "word4"), ("1", "word1")):
        assert word in call("show", path, "--sentence", wanted, capsys=capsys)[1]
    assert call("show", path, "--sentence", "78", capsys=capsys)[0] == 2


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


def test_raw_scores_tell_of_gold_words_that_lack_columns(tmp_path, capsys):
    gold, system = tmp_path / "gold.conllu", tmp_path / "system.conllu"
    gold.write_text(f"{row(1)}\n{row(2, head=1)}\n\n".replace("dep", "_"))
    system.write_text(f"{row(1)}\n{row(2, head=1)}\n\n")
    code, _, err = call("evaluate", gold, system, "--raw", capsys=capsys)
    assert (code, "note: 1 words of the gold data have no DEPREL" in err) == (0, True)
