"""`headwise parse` as a person uses it."""

import json
import os
import random
import select
import signal
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path

import pytest

from headwise.cli.app import run
from headwise.cli.parse import note_words
from headwise.corpus.conllu import read_conllu
from headwise.corpus.formats import read_sentences, write_sentences
from headwise.corpus.sample import read_sample
from headwise.corpus.sentence import Sentence
from headwise.pipeline.inputs import Input, input_of
from headwise.pipeline.models import embedded_names
from headwise.scoring.neural import jaxdevice
from headwise.text.rawtext import running_text
from toynetworks import pretend_accelerator, random_parser
from toyparsers import toy_parser, toy_sentences
from toypipelines import toy_pipeline


@pytest.fixture(scope="module")
def model(tmp_path_factory) -> Path:
    path = tmp_path_factory.mktemp("models") / "toy"
    toy_parser().save(path)
    return path


@pytest.fixture(scope="module")
def guided(tmp_path_factory) -> Path:
    path = tmp_path_factory.mktemp("models") / "guided"
    toy_parser(guided=True).save(path)
    return path


@pytest.fixture(scope="module")
def pipeline_model(tmp_path_factory) -> Path:
    path = tmp_path_factory.mktemp("models") / "pipeline"
    toy_pipeline().save(path)
    return path


@pytest.fixture
def gold(tmp_path) -> Path:
    path = tmp_path / "gold.conllu"
    write_sentences(path, toy_sentences())
    return path


def call(capsys, *arguments: object) -> tuple[int, str, str]:
    code = run(["parse", *map(str, arguments)])
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def rows(*forms: str) -> str:
    blank = "\t_" * 8
    return "".join(f"{at}\t{form}{blank}\n" for at, form in enumerate(forms, 1)) + "\n"


def process(*arguments: object, **options) -> subprocess.Popen:
    command = [sys.executable, "-m", "headwise", "parse", *map(str, arguments)]
    return subprocess.Popen(command, **options)


@pytest.fixture(scope="module")
def neural(tmp_path_factory) -> Path:
    path = tmp_path_factory.mktemp("models") / "neural"
    random_parser().save(path)
    return path


def test_a_file_is_parsed_into_another(model, gold, tmp_path, capsys):
    target = tmp_path / "parsed.conllu"
    assert call(capsys, "--model", model, gold, "-o", target) == (0, "", "")
    parsed = list(read_conllu(target))
    assert parsed == toy_parser().predict(toy_sentences())
    assert parsed[0].extras
    code, out, _ = call(capsys, "--model", model, gold)
    assert (code, out) == (0, target.read_text())


def test_files_come_one_after_the_other_in_any_format(model, gold, tmp_path, capsys):
    text = tmp_path / "a.txt"
    text.write_text("the dog sees\n\na tree\n")
    table = tmp_path / "b.conllx"
    write_sentences(table, [Sentence.from_words(["cat"], upos=["NOUN"])])
    objects = tmp_path / "c.jsonl"
    objects.write_text('{"words": [{"form": "x", "upos": "NOUN"}]}\n')
    code, out, _ = call(capsys, "--model", model, table, objects, gold, "--to", "tokens")
    assert code == 0
    assert out.splitlines()[:2] == ["cat", "x"]
    assert len(out.splitlines()) == 2 + len(toy_sentences())
    code, out, _ = call(capsys, "--model", model, "--tokenized", text, "--to", "tokens")
    assert (code, out.splitlines()) == (0, ["the dog sees", "a tree"])


@pytest.mark.parametrize("name", ["out.jsonl", "out.conllx.gz", "out.conllu.xz"])
def test_the_ending_says_how_to_write(model, gold, tmp_path, capsys, name):
    target = tmp_path / name
    assert call(capsys, "--model", model, gold, "-o", target)[0] == 0
    expected = [one.heads for one in toy_parser().predict(toy_sentences())]
    assert [one.heads for one in read_sentences(target)] == expected


def test_trees_can_be_drawn(model, tmp_path, capsys):
    text = tmp_path / "a.txt"
    text.write_text("the dog sees a tree\n")
    arguments = ["--tokenized", text, "--to", "tree", "--kbest", 2]
    code, out, _ = call(capsys, "--model", model, *arguments)
    assert code == 0
    assert out.startswith("1/1 the dog sees a tree\n")
    assert out.count("tree") == 4
    assert "root" in out


def test_all_questions_together(model, tmp_path, capsys):
    source = tmp_path / "a.conllu"
    asked = Sentence.from_words(["the", "dog", "sees"], heads=[None, 3, None])
    write_sentences(source, [asked, asked])
    options = ["--kbest", 2, "--marginals", "--constraints", "--jobs", 2, "--to", "jsonl"]
    code, out, _ = call(capsys, "--model", model, source, *options)
    assert code == 0
    answers = [json.loads(line) for line in out.splitlines()]
    assert [one["id"] for one in answers] == ["1/1", "1/2", "2/1", "2/2"]
    assert all(one["words"][1]["head"] == 3 for one in answers)
    misc = [one["words"][1]["misc"] for one in answers]
    assert all(text.startswith("HeadProb=1.0000|LabelProb=") for text in misc)
    assert answers[0]["comments"][-1].startswith("# score = ")


def test_a_guide(model, guided, gold, tmp_path, capsys):
    code, out, err = call(capsys, "--model", guided, gold, "--guide", gold)
    assert (code, err) == (0, "")
    assert out
    assert "none is given" in call(capsys, "--model", guided, gold)[2]
    code, _, err = call(capsys, "--model", model, gold, "--guide", gold)
    assert code == 2
    assert "not trained with a guide" in err
    short = tmp_path / "short.conllu"
    write_sentences(short, toy_sentences()[:2])
    code, _, err = call(capsys, "--model", guided, gold, "--guide", short)
    assert code == 1
    assert f"{gold}:" in err
    assert "(sentence sample-3): there is no guiding tree" in err


def test_bad_data_says_where_and_leaves_nothing(model, tmp_path, capsys):
    source, target = tmp_path / "a.conllu", tmp_path / "b.conllu"
    write_sentences(source, [Sentence.from_words(["a", "b"], heads=[2, 1])])
    code, _, err = call(capsys, "--model", model, "--constraints", source, "-o", target)
    assert code == 1
    assert (
        f"{source}:1: no projective tree satisfies all of these, remove one: "
        "the head of word 1 is 2" in err
    )
    with source.open("a") as stream:
        stream.write("broken\n\n")
    code, _, err = call(capsys, "--model", model, source, "-o", target)
    assert code == 1
    assert f"{source}:4: 1 column instead of 10; is this a treebank?" in err
    assert list(tmp_path.iterdir()) == [source]


@pytest.mark.parametrize(
    "arguments",
    [
        ["--model", "MODEL", "nothing.conllu"],
        ["--model", "MODEL", "-", "-"],
        ["--model", "MODEL", "-", "--guide", "-"],
        ["--model", "MODEL", "GOLD", "--to", "brackets"],
        ["--model", "MODEL", "GOLD", "--to", "word"],
        ["--model", "MODEL", "GOLD", "-o", "a.doc"],
        ["--model", "MODEL", "GOLD", "--kbest", "0"],
        ["--model", "MODEL", "GOLD", "--kbest", "100000"],
        ["--model", "MODEL", "GOLD", "--jobs", "0"],
        ["--model", "MODEL", "GOLD", "--errors", "ignore"],
        ["--model", "MODEL", "GOLD", "--errors", "replace"],
        ["--model", "MODEL", "GOLD", "--tokenized", "--presegmented"],
        ["--model", "MODEL", "--from", "conllu", "some words"],
        ["--model", "MODEL", "Some raw text."],
        ["--model", "MODEL", "GOLD", "--own-tags"],
        ["--model", "MODEL", "--tokenized", "Some words .", "--constraints"],
    ],
)
def test_wrong_calls_leave_with_2(model, gold, capsys, arguments):
    names = {"MODEL": model, "GOLD": gold}
    code, out, err = call(capsys, *(names.get(argument, argument) for argument in arguments))
    assert (code, out) == (2, "")
    assert err


def test_no_model_is_a_wrong_call_and_a_part_of_one_bad_data(gold, tmp_path, capsys):
    code, _, err = call(capsys, "--model", tmp_path / "no", gold)
    assert (code, f"there is no model '{tmp_path / 'no'}'" in err) == (2, True)
    assert call(capsys, "--model", gold, gold)[0] == 2
    code, _, err = call(capsys, "--model", tmp_path, gold)
    assert (code, "config.json: is missing" in err) == (1, True)


def test_standard_input_is_the_default(model, gold):
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with process("--model", model, **pipes) as running:
        out, _ = running.communicate(gold.read_bytes(), timeout=60)
    assert running.returncode == 0
    assert out.decode().count("# sent_id") == len(toy_sentences())


def test_empty_input_gives_empty_output(model, tmp_path, capsys):
    empty = tmp_path / "empty.conllu"
    empty.write_text("")
    note = "headwise: note: there are no words in the input: nothing was parsed\n"
    assert call(capsys, "--model", model, empty) == (0, "", note)


def test_a_closed_pipe_is_no_error(model, gold, tmp_path):
    big = tmp_path / "big.conllu"
    big.write_bytes(gold.read_bytes() * 100)
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with process("--model", model, "--jobs", 2, big, **pipes) as running:
        assert running.stdout is not None
        assert running.stderr is not None
        running.stdout.read(10)
        running.stdout.close()
        assert running.wait(60) == 0
        assert running.stderr.read() == b""


@pytest.mark.parametrize("jobs", [1, 2])
def test_an_interrupt_leaves_nothing_behind(model, gold, tmp_path, jobs):
    target = tmp_path / "out" / "parsed.conllu"
    target.parent.mkdir()
    pipes = {"stdin": subprocess.PIPE, "stderr": subprocess.PIPE}
    with process("--model", model, "--jobs", jobs, "-o", target, **pipes) as running:
        assert running.stdin is not None
        assert running.stderr is not None
        running.stdin.write(gold.read_bytes() * 100)
        running.stdin.flush()
        deadline = time.monotonic() + 60
        while not list(target.parent.iterdir()) and time.monotonic() < deadline:
            time.sleep(0.05)
        running.send_signal(signal.SIGINT)
        assert running.wait(60) == 130
        assert running.stderr.read().endswith(b"headwise: error: interrupted\n")
    assert list(target.parent.iterdir()) == []


def test_trees_of_minimum_risk(model, gold, capsys):
    for options in (["mbr"], ["mbr", "--kbest", 4], ["mbr-rerank"], ["mbr", "--samples", 9]):
        code, out, _ = call(capsys, "--model", model, gold, "--decode", *options, "--marginals")
        assert code == 0
        assert out.count("# sent_id") == sum(one.id is not None for one in toy_sentences())
        assert "HeadProb=" in out


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--decode", "best"], "unknown decoding"),
        (["--samples", "3", "--kbest", "2"], "give one of kbest and samples"),
        (["--decode", "mbr", "--samples", "3", "--kbest", "2"], "give either kbest or samples"),
        (["--decode", "mbr", "--kbest", "2000"], "kbest must be"),
    ],
)
def test_wrong_ways_to_decode(model, gold, capsys, options, message):
    code, _, err = call(capsys, "--model", model, gold, *options)
    assert code == 2
    assert message in err


def test_a_text_that_looks_like_a_path(model, capsys):
    code, _, err = call(capsys, "--model", model, "and/or")
    assert code == 2
    assert "there is no file and/or; to parse it as text: headwise parse --text and/or" in err
    code, out, _ = call(capsys, "--model", model, "--tokenized", "and/or")
    assert (code, "and/or" in out) == (0, True)


@contextmanager
def coprocess(*arguments: object):
    """A parser that waits for sentences; whatever happens, it does not stay behind."""
    with process(*arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as running:
        try:
            yield running
        finally:
            running.kill()


def answer(running: subprocess.Popen, question: str, seconds: float = 60, end: str = "\n\n") -> str:
    """What is answered to a question, up to a blank line, while more could be asked."""
    running.stdin.write(question.encode())
    running.stdin.flush()
    found, deadline = b"", time.monotonic() + seconds
    while not found.endswith(end.encode()):
        left = deadline - time.monotonic()
        assert select.select([running.stdout], [], [], max(0.0, left))[0], found
        some = os.read(running.stdout.fileno(), 1 << 16)
        assert some, found
        found += some
    return found.decode()


@pytest.mark.parametrize(
    ("kind", "first", "second"),
    [
        (["--tokenized"], "the dog\n", "it sees a tree\n"),
        (["--presegmented"], "the dog\n", "it sees a tree\n"),
        (["--text"], "the dog\n\n", "it sees\na tree\n\n"),
        (["--from", "conllu"], rows("the", "dog"), rows("it", "sees", "a", "tree")),
        (["--tokenized", "--to", "tree"], "the dog\n", "it sees a tree\n"),
        (["--tokenized", "--kbest", "1", "--marginals"], "the dog\n", "it sees a tree\n"),
    ],
)
def test_a_coprocess_is_answered_sentence_by_sentence(pipeline_model, kind, first, second):
    with coprocess("--model", pipeline_model, *kind, "--flush", "-") as running:
        assert "dog" in answer(running, first)
        found = answer(running, second)
        assert "tree" in found
        assert "dog" not in found
        running.stdin.close()
        assert running.wait(60) == 0


@pytest.mark.parametrize(
    ("kind", "empty", "sentence"),
    [
        (["--tokenized"], "\n", "the dog\n"),
        (["--presegmented"], "  \t\n", "the dog\n"),
        (["--text"], "\n\n", "the dog\n\n"),
        (["--from", "jsonl"], "\n", '{"words": [{"form": "the"}, {"form": "dog"}]}\n'),
        (["--from", "jsonl"], '{"words": []}\n', '{"words": [{"form": "the"}, {"form": "dog"}]}\n'),
    ],
)
def test_a_line_without_words_is_answered_too(pipeline_model, kind, empty, sentence):
    with coprocess("--model", pipeline_model, *kind, "--flush", "-") as running:
        for _ in range(2):
            assert "dog" in answer(running, sentence)
            assert answer(running, empty, end="\n") == "\n"
        running.stdin.close()
        assert running.wait(60) == 0


def test_without_flush_blank_lines_say_nothing(pipeline_model, tmp_path, capsys):
    path = tmp_path / "a.tok"
    path.write_text("\nthe dog\n\n\nit sees\n")
    out = call(capsys, "--model", pipeline_model, path)[1]
    assert "\n\n\n" not in out
    assert not out.startswith("\n")


def test_flush_has_limits(model, gold, capsys):
    code, _, err = call(capsys, "--model", model, gold, "--flush", "--jobs", 2)
    assert (code, "in one thread" in err) == (2, True)
    code, _, err = call(capsys, "--model", model, gold, "--flush", "--to", "svg")
    assert (code, "SVG" in err) == (2, True)
    flushed = call(capsys, "--model", model, gold, "--flush")
    assert flushed == call(capsys, "--model", model, gold)


def test_few_trees_are_said_once(model, tmp_path, capsys):
    source = tmp_path / "a.tok"
    source.write_text("dogs see\n\ndogs\nthe dogs see a tree\n")
    code, out, err = call(capsys, "--model", model, source, "--kbest", 3)
    assert code == 0
    assert err.count("\n") == 2  # the words have no tags, and the model has learnt with them
    assert "note: 2 of 3 sentences have fewer than 3 trees" in err
    assert len(read_written(tmp_path, out)) == 2 + 1 + 3
    assert "note:" not in call(capsys, "--model", model, source, "--kbest", 1)[2]
    err = call(capsys, "--model", model, "--tokenized", "dogs", "--kbest", 3)[2]
    assert "note: 1 of 1 sentence has fewer than 3 trees: there are no others" in err


def test_that_there_was_nothing_to_parse_is_noted(model, tmp_path, capsys):
    (tmp_path / "a.tok").write_text("\n \n")
    for nothing in ("", " ", tmp_path / "a.tok"):
        code, out, err = call(capsys, "--model", model, "--tokenized", nothing)
        assert (code, out) == (0, "")
        assert "note: there are no words in the input" in err


def read_written(folder: Path, text: str) -> list[Sentence]:
    (folder / "out.conllu").write_text(text)
    return list(read_conllu(folder / "out.conllu"))


def test_words_without_quotes_are_noted(model, gold, capsys):
    code, out, err = call(capsys, "--model", model, "--tokenized", "We", "read", "it")
    assert (code, "note:" in err) == (0, False)  # it was said that these are texts
    assert err.count("\n") == err.count("the words have no UPOS or XPOS tags") == 1
    assert out.count("root") == 3
    text = input_of("We", None)
    note_words([text, input_of("read", None), input_of("it's", None)])
    err = capsys.readouterr().err
    assert err.count("\n") == 1
    assert "each of the 3 arguments was parsed as a separate text" in err
    assert """headwise parse 'We read it'"'"'s'""" in err
    note_words([text, Input("conllu", gold)])
    assert "note: no such file: We; parsed as text" in capsys.readouterr().err
    note_words([text])
    note_words([input_of("We read.", None), input_of("They wrote.", None)])
    assert capsys.readouterr().err == ""


def test_a_terminal_that_closes_leaves_no_partial_file(model, tmp_path):
    target = tmp_path / "out" / "parsed.conllu"
    target.parent.mkdir()
    arguments = ("--model", model, "--tokenized", "-", "-o", target)
    with process(*arguments, stdin=subprocess.PIPE) as running:
        deadline = time.monotonic() + 30
        while not list(target.parent.iterdir()) and time.monotonic() < deadline:
            time.sleep(0.05)
        running.send_signal(signal.SIGHUP)
        assert running.wait(30) == 143
    assert list(target.parent.iterdir()) == []


@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 143), (signal.SIGINT, 130)])
def test_nobody_waits_for_a_kernel_that_is_being_compiled(
    model, gold, tmp_path, number, code, jobs
):
    """Compiling all of them takes 20 s and more; unwinding takes a moment."""
    target, cache = tmp_path / "out" / "parsed.conllu", tmp_path / "cache"
    target.parent.mkdir()
    pipes = {"stderr": subprocess.PIPE, "env": {**os.environ, "NUMBA_CACHE_DIR": str(cache)}}
    with process("--model", model, "--jobs", jobs, gold, "-o", target, **pipes) as running:
        assert running.stderr is not None
        assert b"compiling kernels" in running.stderr.readline()
        deadline = time.monotonic() + 60
        while not list(cache.rglob("*.nbc")) and time.monotonic() < deadline:
            time.sleep(0.05)  # until some are done
        start = time.monotonic()
        running.send_signal(number)
        assert running.wait(60) == code
        assert time.monotonic() - start < 3
    assert list(target.parent.iterdir()) == []
    assert not list(cache.rglob("*.part"))


@pytest.mark.parametrize("options", [[], ["--jobs", "2"], ["--flush"], ["--kbest", "2"]])
def test_the_device_computes_the_same(neural, tmp_path, capsys, monkeypatch, options):
    path = tmp_path / "a.conllu"
    path.write_text(rows("the", "dog", "sees", "a", "tree") * 3)
    own = [] if options == ["--jobs", "2"] else options
    wanted = call(capsys, "--model", neural, path, *own)
    assert wanted[0] == 0
    pretend_accelerator(monkeypatch)
    assert call(capsys, "--model", neural, path, "--device", "cuda", *options) == wanted


@pytest.mark.parametrize("device", ["cuda", "auto"])
def test_without_jax_only_auto_is_a_device(neural, gold, capsys, monkeypatch, device):
    monkeypatch.setattr(jaxdevice, "has_jax", lambda: False)
    code, out, errors = call(capsys, "--model", neural, gold, "--device", device)
    if device == "auto":
        assert (code, errors) == (0, "")
        assert "dog" in out
    else:
        assert (code, out) == (2, "")
        assert "pip install 'headwise[neural]' 'jax[cuda13]'; or use device=cpu" in errors


@pytest.mark.parametrize(
    ("device", "message"),
    [("cuda", "for neural parsers, and this is none: use device=cpu"),
     ("gpu", "device must be cpu, cuda or auto, not 'gpu'")],
)  # fmt: skip
def test_devices_that_cannot_be_used(model, gold, capsys, device, message):
    code, out, errors = call(capsys, "--model", model, gold, "--device", device)
    assert (code, out) == (2, "")
    assert message in errors


MOST_MEGABYTES = 300
"""At most, of a long stream with either model; there are some 20 less."""


@pytest.mark.skipif(not Path("/proc/self/maps").exists(), reason="memory is given back on Linux")
@pytest.mark.parametrize("model", ["en", "en-fast"])
def test_memory_of_a_stream(model, tmp_path, monkeypatch):
    if model not in embedded_names():
        pytest.skip("this copy comes without its models")
    monkeypatch.syspath_prepend(Path(__file__).parents[2] / "benchmarks")
    monkeypatch.delitem(sys.modules, "wholecommand", raising=False)
    from wholecommand import cost_of

    paragraphs = [running_text([sentence]).text for sentence in read_sample()]
    rng, words = random.Random(1), 0
    with (tmp_path / "long.txt").open("w") as stream:
        while words < 40_000:  # all words new here and there, and seldom a blank line
            text = rng.choice(paragraphs).replace("the", f"th{rng.randrange(10**6)}e")
            words += len(text.split())
            stream.write(text + ("\n\n" if rng.random() < 0.0005 else "\n"))
    (tmp_path / "short.txt").write_text(paragraphs[0])
    call = ("parse", "--model", model, "-o", tmp_path / "out.conllu", "-q")
    cost_of(*call, tmp_path / "short.txt")  # compiles kernels if they are missing
    assert cost_of(*call, tmp_path / "long.txt").megabytes <= MOST_MEGABYTES
