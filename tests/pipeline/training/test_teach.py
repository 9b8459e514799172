"""Students of every kind: taught from Python and on the command line."""

from pathlib import Path

import pytest

import headwise
from commandcalls import call
from headwise import write_sentences
from headwise.learners.callbacks import TrainingCallback
from headwise.pipeline.training import trainfiles
from headwise.pipeline.training.best import train_best
from headwise.pipeline.training.config import read_trainings
from headwise.pipeline.training.teach import teach
from headwise.pipeline.training.teaching import Teaching
from headwise.pipeline.training.trainfiles import TrainingFiles
from toyensembles import linear_pipeline, with_spaces
from toynetworks import TINY
from toytreebank import toy_treebank

SMALL = {"tables": {"wide": 10, "narrow": 10, "filters": 8, "labels": 12}}
LINEAR = {"scorer": "linear", "order": 1, "epochs": 1, "features": "paper-000", **SMALL}
SIZES = {name: getattr(TINY, name) for name in TINY.__slots__}
NEURAL = {"scorer": "neural", "epochs": 2, "sizes": SIZES, "batch_words": 200, "device": "cpu"}


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch) -> Path:
    monkeypatch.chdir(tmp_path)
    write_sentences("train.conllu", [with_spaces(one) for one in toy_treebank(30, 1)])
    write_sentences("dev.conllu", [with_spaces(one) for one in toy_treebank(8, 2)])
    lines = [" ".join(one.forms) for one in toy_treebank(40, 3)]
    Path("text.tok").write_text("\n".join(lines) + "\n")
    linear_pipeline().save("teacher")
    return tmp_path


def taught(settings, **more):
    return teach("train.conllu", "m", ["teacher"], ["text.tok"], dev="dev.conllu",
                 settings=settings, **more)  # fmt: skip


@pytest.mark.parametrize("tags", ["gold", "jackknife", "both"])
def test_a_linear_student_learns_from_both(tags):
    folds = {} if tags == "gold" else {"folds": 2}
    pipeline = taught({**LINEAR, "pipeline": {"tags": tags, **folds}})
    copies = 2 if tags == "both" else 1
    assert pipeline.parser.report_["sentences"] == 3 * copies * 30 + 40
    assert pipeline.parser.score(toy_treebank(10, 5)) > 0.8
    assert not Path("m.text").exists()
    assert not Path("m.checkpoint").exists()
    assert "| taught by | teacher |" in Path("m/README.md").read_text()


@pytest.mark.parametrize("learner", ["lexical", "perceptron"])
def test_other_kinds_of_students(learner):
    settings = {"learner": learner, "pipeline": {"stages": ["parser"]}}
    settings |= {"variant": "joint-tags"} if learner == "lexical" else {"epochs": 1, **SMALL}
    pipeline = taught(settings | {"teaching": {"gold_weight": 1}})
    assert pipeline.parser.report_["sentences"] == 70


def test_a_neural_student_learns_from_both():
    pytest.importorskip("jax", reason="training needs JAX (the extra neural)")
    pipeline = taught(NEURAL | {"teaching": {"gold_weight": 2, "cache": "kept"}})
    text = pipeline.parser.report_["text"]
    assert (text["sentences"], text["gold_weight"]) == (40, 2)
    assert "40 sentences" in Path("m/README.md").read_text()
    assert list(Path("kept").glob("*/index.json"))


def test_two_candidates_share_what_is_parsed(monkeypatch):
    pytest.importorskip("jax", reason="training needs JAX (the extra neural)")
    found, parse = [], trainfiles.parse_text

    def counted(*arguments, **options):
        found.append(arguments[2])
        return parse(*arguments, **options)

    monkeypatch.setattr(trainfiles, "parse_text", counted)
    files = TrainingFiles(
        train=Path("train.conllu"), dev=Path("dev.conllu"), model=Path("m"),
        teaching=Teaching(teachers=("teacher",), text=("text.tok",), max_sentences=5),
    )  # fmt: skip
    candidates = {
        name: read_trainings(None, settings)[name]
        for name, settings in (("neural", NEURAL), ("linear", LINEAR))
    }
    train_best(files, candidates, TrainingCallback())
    assert found == [Path("m.text"), Path("m.text")]
    assert not Path("m.text").exists()
    assert headwise.load("m") is not None


def test_the_command(capsys):
    Path("teach.toml").write_text('[teaching]\ngold_weight = 2\nteachers = ["teacher"]\n')
    sizes = [f"--set=tables.{name}={size}" for name, size in SMALL["tables"].items()]
    code, out, err = call(
        "train", "train.conllu", "-o", "m", "--fast", "--epochs", "1", *sizes,
        "--config", "teach.toml", "--text", "text.tok", "text.tok", capsys=capsys,
    )  # fmt: skip
    assert code == 0, err
    assert "parsing text (80 sentences" in out
    assert "learning from 140 sentences" in out


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--teacher", "teacher"], "no text"),
        (["--text", "text.tok"], "no teacher"),
        (["--teacher", "teacher", "--text", "none.txt"], "no file none.txt"),
        (["--teacher", "none", "--text", "text.tok"], "no model 'none'"),
        (["--teacher", "teacher", "--text", "text.tok", "--text-kind", "x"], "kind"),
        (["--teacher", "teacher", "--text", "text.tok", "--guide", "train.conllu"], "--teacher"),
    ],
)
def test_calls_that_cannot_be_meant(options, message, capsys):
    call_of = ("train", "train.conllu", "-o", "m", "--fast", *options)
    code, _, err = call(*call_of, capsys=capsys)
    assert code == 2
    assert message in err


def test_the_teacher_is_not_overwritten(capsys):
    code, _, err = call("train", "train.conllu", "-o", "teacher", "--fast", "--force", "--teacher",
                        "teacher", "--text", "text.tok", capsys=capsys)  # fmt: skip
    assert (code, "is the student" in err) == (2, True)
    assert headwise.load("teacher").parser is not None
