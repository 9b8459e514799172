"""`headwise train`, `plot` and `info` as a person uses them."""

import json
import os
import re
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from commandcalls import call
from headwise import DependencyParser, Sentence, load, write_sentences
from headwise.cli.trainingprogress import TrainingLines
from headwise.corpus.conllu import format_conllu
from headwise.learners import loop
from headwise.serve.editing import acts
from headwise.serve.editing.proposing import Proposal
from headwise.serve.editing.session import Session
from headwise.storage.modelfile import ModelFile, save_model
from toynetworks import random_parser
from toytreebank import SMALL as TINY
from toytreebank import toy_treebank

SIZES = ["--set", "tables.wide=10", "--set", "tables.narrow=10", "--set", "tables.filters=8"]
SMALL = ["--fast", *SIZES, "--set", "features=few.txt"]
TRAIN, DEV = toy_treebank(60, 1), toy_treebank(20, 2)


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("few.txt").write_text("distance h.tag m.tag\nplain h.word m.word\n")
    write_sentences("train.conllu", TRAIN)
    write_sentences("dev.conllu", DEV)
    return tmp_path


def train(*arguments: str, capsys, small: bool = True) -> tuple[int, str, str]:
    return call("train", "--only", "parser", *arguments, *(SMALL if small else ()), capsys=capsys)


def files_beside() -> set[str]:
    return {path.name for path in Path().iterdir()} - {"few.txt", "train.conllu", "dev.conllu"}


def test_a_treebank_becomes_a_model(capsys):
    code, out, err = train(
        "train.conllu", "--dev", "dev.conllu", "-o", "m", "--epochs", "2", capsys=capsys
    )
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert lines[0].startswith("reading: ")
    assert lines[1].startswith("labels: ")  # they are learnt first
    assert "learning from 60 sentences" in lines[2]
    assert re.search(r"about [1-9]\d* MB of memory will be needed|about [\d.]+ GB", lines[2])
    assert lines[3].startswith("epoch 1: loss ")
    assert "dev UAS" in lines[4]
    assert "words/s" in lines[4]
    assert lines[-1].startswith("wrote m: epoch ")
    assert load("m").score(DEV) > 0.95
    assert files_beside() == {"m", "m.log.jsonl"}
    records = [json.loads(line) for line in Path("m.log.jsonl").read_text().splitlines()]
    assert records[0]["settings"]["epochs"] == 2
    assert records[0]["train"] == "train.conllu"
    assert [record["epoch"] for record in records[1:]] == [1, 2]


def test_training_goes_on_where_nobody_reads_how_far_it_is():
    call = [sys.executable, "-m", "headwise", "train", "--only", "parser", "train.conllu", *SMALL]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen([*call, "--dev", "dev.conllu", "-o", "m"], **pipes) as running:
        assert running.stdout is not None
        assert running.stdout.readline().startswith(b"reading")
        running.stdout.close()
        assert running.wait(300) == 0
        assert running.stderr is not None
        assert b"error" not in running.stderr.read()
    assert files_beside() == {"m", "m.log.jsonl"}
    assert load("m").score(DEV) > 0.95


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no full device here")
def test_training_goes_on_where_its_lines_cannot_be_written():
    call = [sys.executable, "-m", "headwise", "train", "--only", "parser", "train.conllu", *SMALL]
    with Path("/dev/full").open("w") as full:
        ended = subprocess.run([*call, "-o", "m"], stdout=full, stderr=subprocess.PIPE, check=False)
    assert (ended.returncode, files_beside()) == (0, {"m", "m.log.jsonl"})
    assert ended.stderr.count(b"headwise: warning: standard output: No space left on device") == 1


def test_times_of_stages_are_that_of_the_whole(capsys):
    files = ["train.conllu", "--dev", "dev.conllu", "-o", "m"]
    begun = time.monotonic()
    code, out, _ = call("train", *files, "--epochs", "1", *SMALL, capsys=capsys)
    seconds = time.monotonic() - begun
    assert code == 0
    told = dict(re.findall(r"^([\w ]+): ([\d.]+) s$", out, re.MULTILINE))
    total = float(told.pop("total"))
    names = "reading tokeniser tagger lemmas labels parser"
    assert [*told] == [*names.split(), "scores on dev", "saving"]
    assert sum(map(float, told.values())) == pytest.approx(total, abs=0.05 * (len(told) + 1))
    assert total == pytest.approx(seconds, abs=0.5 + seconds / 10)


def test_options_go_before_the_file_and_the_file_before_defaults(capsys):
    Path("c.toml").write_text('learner = "perceptron"\nepochs = 5\n[words]\nlowercase = true\n')
    arguments = [
        "--config",
        "c.toml",
        "--epochs",
        "1",
        "--set",
        "words.length=3",
        "--set",
        "single_root=false",
    ]
    assert train("train.conllu", "-o", "m", *arguments, capsys=capsys)[0] == 0
    model = load("m")
    assert (model.learner, model.epochs, model.k) == ("perceptron", 1, None)
    assert (model.words.lowercase, model.words.length) == (True, 3)
    assert (model.single_root, model.single_root_) == (False, False)


def test_an_unknown_key_names_the_nearest(capsys):
    Path("c.toml").write_text("# mine\nepoch = 5\n")
    code, _, err = train("train.conllu", "-o", "m", "--config", "c.toml", capsys=capsys)
    assert code == 1
    assert "c.toml:2: epoch: unknown key; did you mean 'epochs'?" in err
    assert files_beside() == {"c.toml"}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--learner", "guess"], "there is no learner 'guess'; there are mira"),
        (["--epochs", "0"], "epochs must be 1 or more, not 0"),
        (["--set", "words.length=0"], "length must be at least 1"),
        (["--set", "bits=4"], "bits: expected one of 8, 16, 32"),
        (["--order", "5"], "order: expected one of 1, 2, 3, 4"),
        (["--only", "taggers"], "there is no stage 'taggers'; there are tokeniser, tagger"),
        (["--without", "tokeniser,tagger,lemmas,parser"], "no stage is left"),
        (["--only", "parser", "--train-tags", "jackknife"], "only a pipeline with a tagger"),
        (["--train-tags", "silver"], "pipeline.tags: expected one of 'gold', 'jackknife', 'both'"),
        (["--only", "parser", "--without", "tagger"], "give one of them"),
        (["--jobs", "0"], "--jobs"),
        (["--set", "k"], "--set takes name=value"),
        (["--set", "words=1", "--set", "words.length=3"], "words is a value and a table at once"),
        (["--set", "pipeline.fold=3"], "pipeline.fold: unknown key; did you mean 'folds'?"),
        (["--k", "5"], "--k is a setting: use --set k=VALUE"),
        (["--single-root"], "use --set single_root=VALUE"),
        (["--dev", "nothing.conllu"], "there is no file nothing.conllu"),
        (["--set", "features=none.txt"], "no feature set or file 'none.txt'"),
        (["--dev-guide", "dev.conllu"], "a guide for dev (--dev-guide) needs dev"),
        (["--guide", "train.conllu", "--dev", "dev.conllu"], "needs one for dev (--dev-guide)"),
        (["--config", "none.toml"], "there is no file none.toml"),
        (["--learner", "guess"], "semisupervised, boosting, lexical, link-margin"),
        (["--set", "alpha=3"], "mira has no alpha, which is of learner semisupervised"),
        (
            ["--learner", "perceptron", "--set", "c=1"],
            "which is of learner mira or factored-mira",
        ),
        (["--set", "part_features=paper-002"], "part_features is of higher orders"),
        (["--set", "pruner.share=0.1"], "pruner.share is of higher orders"),
        (["--set", "pruner.max_heads=3"], "pruner.max_heads is of higher orders"),
        (["--set", "tables.parts=10"], "tables.parts is of higher orders"),
        (["--learner", "perceptron", "--set", "loss=heads"], "perceptron has no loss"),
        (["--set", "lam=1"], "mira has no lam"),
        (["--learner", "arc-margin", "--set", "plausible=0.9"], "plausible is not of this learner"),
        (["--decoder", "non-projective", "--set", "crossing=lift"], "crossing is of projective"),
        (["--set", "tables.labels=9", "--set", "labels=none"], "tables.labels needs relations"),
        (
            ["--set", "words.length=3", "--set", "words.backoff=none"],
            "words.length needs words.backoff=prefix",
        ),
        (["--set", "pipeline.folds=3"], "pipeline.folds is of --train-tags jackknife or both"),
        (
            ["--learner", "lexical", "--set", "words.length=3"],
            ": is a setting of another learner: mira and others",
        ),
        (["--order", "2", "--set", "part_features=nope"], "nope"),
    ],
)
def test_wrong_calls(arguments, message, capsys):
    named = {"--learner", "--order"} & set(arguments)
    options = [*SIZES, *arguments, *([] if named else ["--fast"])]
    code, _, err = call("train", "train.conllu", "-o", "m", *options, capsys=capsys)
    assert code == 2
    assert message in err
    assert "m" not in files_beside()


def test_jobs_that_change_nothing_are_noted(capsys):
    code, _, err = train("train.conllu", "-o", "m", "--jobs", "2", capsys=capsys)
    assert (code, "--jobs: only bayes-point and boosting do" in err) == (0, True)


def test_where_the_model_cannot_be_is_known_before_training(capsys, monkeypatch):
    monkeypatch.setattr(
        "headwise.pipeline.training.trainfiles.read_all", None
    )  # nothing is even read
    Path("full").mkdir()
    Path("full/letter.txt").write_text("dear")
    assert "has other files" in train("train.conllu", "-o", "full", capsys=capsys)[2]
    Path("file").write_text("")
    assert "not a folder" in train("train.conllu", "-o", "file", capsys=capsys)[2]
    save_model("m", ModelFile("parser", {}, {}, ""))
    assert "already exists" in train("train.conllu", "-o", "m", capsys=capsys)[2]


def test_a_folder_that_cannot_be_made(capsys):
    Path("file").write_text("")
    code, _, err = train("train.conllu", "-o", "file/below/m", capsys=capsys)
    assert code == 2
    assert "cannot write" in err


def test_force_replaces_a_model(capsys):
    for extra in ([], ["--force"]):
        arguments = ["train.conllu", "-o", "m", "--epochs", "1", *extra]
        assert train(*arguments, capsys=capsys)[0] == 0


@pytest.mark.parametrize(
    ("train_text", "dev_text", "message"),
    [
        ("", None, "bad.conllu: there is no sentence"),
        ("1\ta\t_\t_\t_\t_\t_\t_\t_\t_\n\n", None, "bad.conllu: no word has a head"),
        (None, "", "bad.conllu: there is no sentence"),
        (
            None,
            "# sent_id = s1\n1\ta\t_\t_\t_\t_\t0\t_\t_\t_\n2\tb\t_\t_\t_\t_\t_\t_\t_\t_\n\n",
            "bad.conllu:1 (sentence s1): word 2 has no head",
        ),
    ],
)
def test_bad_data_is_told_with_its_place(train_text, dev_text, message, capsys):
    Path("bad.conllu").write_text(train_text if dev_text is None else dev_text)
    names = ["bad.conllu"] if dev_text is None else ["train.conllu", "--dev", "bad.conllu"]
    code, _, err = train(*names, "-o", "m", capsys=capsys)
    assert code == 1
    assert message in err


def test_other_formats(capsys):
    write_sentences("train.conllx", TRAIN)
    assert train("train.conllx", "-o", "m", "--epochs", "1", capsys=capsys)[0] == 0
    Path("wsj.mrg").write_text("( (S (NP (NN Dog)) (VP (VBZ barks)) (. .)) )\n" * 4)
    arguments = ["wsj.mrg", "-o", "m2", "--epochs", "1", "--head-rules", "collins"]
    assert train(*arguments, capsys=capsys)[0] == 0
    words = Sentence.from_words(["Dog", "barks", "."], xpos=["NN", "VBZ", "."])
    assert load("m2").predict(load("m2").predict([words]))


def test_a_bayes_point_machine_tells_of_its_members(capsys):
    arguments = ["--learner", "bayes-point", "--set", "members=2", "--epochs", "1"]
    code, out, _ = train(
        "train.conllu", "--dev", "dev.conllu", "-o", "m", *arguments, capsys=capsys
    )
    assert code == 0
    assert "member 2: epoch 1: loss " in out
    assert ", members " in out
    assert "| UAS of its 2 members | best " in call("info", "m", capsys=capsys)[1]
    assert files_beside() == {"m", "m.log.jsonl"}


def test_guided(capsys):
    write_sentences("guide.conllu", [s.with_tree([*s.heads[:-1], 1]) for s in TRAIN])
    write_sentences("dg.conllu", [s.with_tree([*s.heads[:-1], 1]) for s in DEV])
    arguments = ["--guide", "guide.conllu", "--dev-guide", "dg.conllu", "--epochs", "1"]
    assert (
        train("train.conllu", "--dev", "dev.conllu", "-o", "m", *arguments, capsys=capsys)[0] == 0
    )
    assert any("guide" in str(template) for template in load("m").feature_spec_.arcs.templates)
    write_sentences("guide.conllu", TRAIN[1:])
    code, _, err = train(
        "train.conllu", "--dev", "dev.conllu", "-o", "m2", *arguments, capsys=capsys
    )
    assert code == 1
    assert "guide.conllu" in err


def interrupted_once(monkeypatch, at: int) -> None:
    """Press Ctrl-C at one of the reports of the next training."""
    left = [at]

    def progress(self, report):
        left[0] -= 1
        if left[0] == 0:
            os.kill(os.getpid(), signal.SIGINT)

    monkeypatch.setattr(TrainingLines, "progress", progress)


def test_ctrl_c_saves_and_says_how_to_go_on(capsys, monkeypatch):
    monkeypatch.setattr(loop, "BLOCK", 8)
    arguments = ["train.conllu", "--dev", "dev.conllu", "--epochs", "3", "-o"]
    assert train(*arguments, "whole", capsys=capsys)[0] == 0
    interrupted_once(monkeypatch, 11)
    code, _, err = train(*arguments, "m", capsys=capsys)
    assert code == 130
    assert Path("m.checkpoint").is_dir()
    (line,) = [line for line in err.splitlines() if line.startswith("saved; to go on: ")]
    again = shlex.split(line.removeprefix("saved; to go on: "))
    assert again[0] == "headwise"
    assert again[-1] == "--resume"
    code, _, err = train(*arguments, "m", capsys=capsys)
    assert code == 2  # --resume is forgotten: nothing is lost
    assert "go on with --resume, or begin anew with --force" in err
    code, out, _ = call(*again[1:], capsys=capsys)
    assert code == 0
    assert "(going on after epoch 1)" in out
    weights = "weights.safetensors"
    assert (Path("m") / weights).read_bytes() == (Path("whole") / weights).read_bytes()
    assert files_beside() == {"m", "m.log.jsonl", "whole", "whole.log.jsonl"}
    logs = [Path(f"{name}.log.jsonl").read_text().splitlines() for name in ("m", "whole")]
    losses = [[json.loads(line)["loss"] for line in log[1:]] for log in logs]
    assert losses[0] == losses[1]


def test_a_learner_of_a_file_may_be_any(capsys):
    Path("c.toml").write_text('learner = "lexical"\nneighbours = 0\nunseen = 0.1\n')
    chosen = ["-o", "m", "--only", "parser", "--config", "c.toml"]
    assert call("train", "train.conllu", *chosen, capsys=capsys)[0] == 0
    data = json.loads(call("info", "m", "--json", capsys=capsys)[1])
    assert data["kind"] == "lexical"
    assert data["settings"]["learning"]["unseen"] == 0.1


def test_what_a_kill_left_of_a_checkpoint_is_removed(capsys):
    train("train.conllu", "-o", "m", "--epochs", "1", capsys=capsys)
    for name in ("m.checkpoint.2", "m.checkpoint.labels"):
        save_model(name, ModelFile("checkpoint", {}, {}, ""))
    Path("m.checkpoint.doomed").touch()
    code, _, err = train("train.conllu", "-o", "m", "--resume", capsys=capsys)
    assert code == 2
    assert "m" in err
    assert files_beside() == {"m", "m.log.jsonl"}


def test_force_begins_anew(capsys, monkeypatch):
    monkeypatch.setattr(loop, "BLOCK", 8)
    interrupted_once(monkeypatch, 2)
    assert train("train.conllu", "-o", "m", capsys=capsys)[0] == 130
    code, out, _ = train("train.conllu", "-o", "m", "--force", "--epochs", "1", capsys=capsys)
    assert code == 0
    assert "going on" not in out


def test_resuming_with_other_data_is_refused(capsys, monkeypatch):
    monkeypatch.setattr(loop, "BLOCK", 8)
    interrupted_once(monkeypatch, 2)
    train("train.conllu", "-o", "m", capsys=capsys)
    write_sentences("train.conllu", TRAIN[1:])
    code, _, err = train("train.conllu", "-o", "m", "--resume", capsys=capsys)
    assert code == 1
    assert "m.checkpoint: belongs to a training with other data (training sentences: 60 sen" in err


def test_one_sentence_of_one_word(capsys):
    write_sentences("one.conllu", [Sentence.from_words(["Yes"], heads=[0])])
    assert train("one.conllu", "--dev", "one.conllu", "-o", "m", capsys=capsys)[0] == 0


def test_what_the_workbench_saves_of_half_done_sentences_is_learnt_from(capsys):
    session = Session("train.conllu")
    for key in range(0, len(session.keys), 2):
        one = session.sentence(key)
        released = acts.release(one, [word for word in range(1, len(one) + 1) if word % 3])
        session.commit(session.prepare(key, 1, [released]), [Proposal(one)])  # which is shown
    assert Path("train.conllu").read_text() != "".join(format_conllu(TRAIN))
    code, _, err = train("train.conllu", "-o", "m", capsys=capsys)
    assert code == 1
    assert re.search(r"train.conllu:\d+.*word 1 has no head.*--partial", err)
    code, _, err = train("train.conllu", "-o", "m", "--partial", "--epochs", "4", capsys=capsys)
    assert code == 0
    assert "words have no DEPREL" in err
    assert load("m").score(DEV) > 0.95


@pytest.mark.parametrize("learner", ["lexical", "link-margin", "boosting"])
def test_kinds_that_need_whole_trees_say_so(learner, capsys):
    arguments = ["train.conllu", "-o", "m", "--learner", learner, "--partial"]
    code, _, err = train(*arguments, capsys=capsys, small=False)
    assert code == 2
    assert "partial" in err
    assert "--scorer linear" in err


@pytest.mark.parametrize("chosen", [["--only", "parser"], ["--without", "tagger"]])
def test_without_a_tagger_a_linear_parser_learns_from_gold_tags(chosen, capsys):
    own = ["train.conllu", "-o", "m", *chosen, *SIZES, "--set", "tables.parts=10"]
    own += ["--scorer", "linear", "--order", "2", "--epochs", "1"]
    code, out, err = call("train", *own, capsys=capsys)
    assert (code, err) == (0, "")
    assert "learning from 60 sentences" in out  # not from them under two sorts of tags


def test_stages_of_a_call_keep_what_a_file_takes_from_models(capsys):
    train("train.conllu", "-o", "m", "--epochs", "1", capsys=capsys)
    Path("c.toml").write_text('[pipeline]\nreuse = { parser = "m" }\n')
    chosen = ["--only", "lemmas", "--config", "c.toml", "--fast"]
    assert call("train", "train.conllu", "-o", "n", *chosen, capsys=capsys)[0] == 0
    assert load("n").parser is not None
    assert load("n").tagger is None


def test_parts_are_learnt_on_top_of_a_neural_model(capsys):
    random_parser().save("network")
    small = ["--epochs", "1", "--set", "size=8", "--order", "2"]
    arguments = ["train.conllu", "--dev", "dev.conllu", "-o", "m", "--base-model", "network"]
    code, out, _ = train(*arguments, *small, capsys=capsys, small=False)
    assert code == 0
    assert "the network alone" in out
    assert load("m").parse(["the", "tree", "grows"]).has_tree
    assert "built on" in Path("m", "README.md").read_text("utf-8")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--learner", "neural-parts"], "give a base model"),
        (["--base-model", "nowhere"], "nowhere"),
        (["--base-model", "linear"], "must be neural"),
        (["--base-model", "linear", "--learner", "mira"], "--base-model is not used"),
        (["--learner", "neural-parts", "--order", "1"], "order"),
        (["--learner", "neural-parts", "--scorer", "neural"], "does not go with"),
    ],
)
def test_a_base_model_that_does_not_fit_is_refused(capsys, arguments, message):
    DependencyParser(features="few.txt", epochs=1, tables=TINY, labels="none").fit(TRAIN[:5]).save(
        "linear"
    )
    code, _, err = train("train.conllu", "-o", "m", *arguments, capsys=capsys, small=False)
    assert code != 0
    assert message in err
    assert not Path("m").exists()
