"""`headwise rerank` as a person uses it."""

import pytest
from bracketbank import LINES

from candidatelists import TREES, candidate, ranked
from headwise.cli.app import run
from headwise.corpus.conllu import read_conllu
from headwise.corpus.formats import write_sentences
from toytreebank import toy_treebank

SMALL = """
epochs = 2
features = "paper-000"
tables = { wide = 10, narrow = 10, filters = 8 }
"""


def call(capsys, *arguments):
    capsys.readouterr()
    code = run(list(map(str, arguments)))
    found = capsys.readouterr()
    return code, found.out, found.err


@pytest.fixture
def folder(tmp_path, monkeypatch):
    for name, heads in zip("abc", TREES, strict=True):
        write_sentences(
            tmp_path / f"{name}.conllu", [candidate(heads, comments=["# sent_id = s1"])]
        )
    lists = [ranked(heads, rank, -rank) for rank, heads in enumerate(TREES, 1)]
    write_sentences(tmp_path / "lists.conllu", lists)
    write_sentences(tmp_path / "short.conllu", [])
    write_sentences(tmp_path / "nan.conllu", [ranked(TREES[0], 1, "nan")])
    write_sentences(tmp_path / "other.conllu", [candidate([0, 1], forms=("I", "see"))])
    write_sentences(tmp_path / "bare.conllu", [candidate(TREES[0], ["_"] * 4)])
    write_sentences(tmp_path / "headless.conllu", [candidate([None] * 4, ["_"] * 4)])
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("learner", ["log-linear", "voted"])
def test_reranking_dependencies_from_treebank_to_trees(tmp_path, capsys, learner):
    gold, lists, model = (tmp_path / name for name in ("gold.conllu", "lists.conllu", "model"))
    write_sentences(gold, toy_treebank(30))
    (tmp_path / "small.toml").write_text(SMALL)
    options = ("--folds", 2, "--kbest", 4, "--config", tmp_path / "small.toml")
    code, _, err = call(capsys, "rerank", "jackknife", gold, "-o", lists, *options)
    assert code == 0
    assert "fold 2 of 2" in err
    more = ("--learner", learner, "--least", 2)
    if learner != "voted":
        more = (*more, "--dev", lists, "--dev-gold", gold)
    code, out, _ = call(capsys, "rerank", "train", lists, gold, "-o", model, *more)
    assert code == 0
    assert "30 lists" in out
    assert ("scale" in out) == (learner != "voted")
    apply = ("rerank", "apply", lists, "--model", model)
    assert call(capsys, *apply, "-o", tmp_path / "again.conllu")[0] == 0
    assert call(capsys, "mbr", tmp_path / "again.conllu", "-o", tmp_path / "a.conllu")[0] == 0
    best = tmp_path / "b.conllu"
    assert call(capsys, *apply, "--decode", "mbr", "-o", best)[0] == 0
    a, b = (list(read_conllu(tmp_path / name)) for name in ("a.conllu", "b.conllu"))
    assert [one.heads for one in a] == [one.heads for one in b]
    assert "reranker" in call(capsys, "info", model)[1]
    (tmp_path / "x.conllu").write_text(lists.read_text().replace("\tdep\t", "\tdepends\t"))
    code, _, err = call(capsys, "rerank", "apply", tmp_path / "x.nbest", "--model", model)
    assert code == 2
    assert "has constituency trees" in " ".join(err.split())
    again = ("rerank", "apply", tmp_path / "x.conllu", "--model", model, "-o", tmp_path / "y")
    code, _, err = call(capsys, *again)
    assert code == 0
    assert err.count("'depends' is not in the reranker's training data") == 1
    code, _, err = call(capsys, *again, "--strict")
    assert code == 1
    assert "x.conllu:" in err
    assert "the label 'depends' is not in the reranker's training data (most similar: 'dep')" in err


@pytest.mark.parametrize("learner", ["large-margin", "svm", "tree-kernel"])
def test_reranking_constituents_from_trees_to_trees(tmp_path, capsys, learner):
    gold, lists, model = (tmp_path / name for name in ("gold.mrg", "lists.nbest", "model"))
    gold.write_text("\n".join(LINES * 3) + "\n")
    options = ("--folds", 3, "--kbest", 4)
    assert call(capsys, "rerank", "jackknife", gold, "-o", lists, *options)[0] == 0
    more = ("--learner", learner)
    if learner != "tree-kernel":
        more = (*more, "--least", 1, "--dev", lists, "--dev-gold", gold)
    assert call(capsys, "rerank", "train", lists, gold, "-o", model, *more)[0] == 0
    apply = ("rerank", "apply", lists, "-m", model)
    assert call(capsys, *apply, "-o", tmp_path / "again.nbest")[0] == 0
    mbr = ("constituency", "mbr", tmp_path / "again.nbest", "-o", tmp_path / "a.mrg")
    assert call(capsys, *mbr)[0] == 0
    assert call(capsys, *apply, "--decode", "mbr", "-o", tmp_path / "b.mrg")[0] == 0
    assert (tmp_path / "a.mrg").read_text() == (tmp_path / "b.mrg").read_text()
    for decode in ("map", "mbr-rerank"):
        assert call(capsys, *mbr, "--decode", decode)[0] == 0
    (tmp_path / "x.nbest").write_text(lists.read_text().replace("(VP ", "(VERB "))
    again = ("rerank", "apply", tmp_path / "x.nbest", "--model", model, "-o", tmp_path / "y")
    code, _, err = call(capsys, *again)
    assert code == 0
    assert err.count("'VERB' is not in the reranker's training data") == 1
    code, _, err = call(capsys, *again, "--strict")
    assert code == 1
    assert "x.nbest:2 (sentence 1): " in err
    assert "the label 'VERB' is not in the reranker's training data (most similar: 'VP')" in err


def test_wrong_calls_of_rerank(folder, capsys):
    def failing(*arguments):
        return call(capsys, "rerank", *arguments)

    wrong = ("train", "lists.conllu", "a.conllu", "-o", "m")
    assert "requires --dev-gold" in failing(*wrong, "--dev", "x")[2]
    assert "unknown features 'colour'" in failing(*wrong, "--features", "colour")[2]
    assert "unknown learner" in failing(*wrong, "--learner", "tree-kernel")[2]
    assert (
        "--c requires --learner large-margin or svm"
        in failing(*wrong, "--learner", "perceptron", "--c", 1)[2]
    )
    voted = failing(*wrong, "--learner", "voted", "--dev", "x", "--dev-gold", "y")[2]
    assert "--dev requires --learner log-linear" in voted
    assert "--loss requires --decode" in failing("apply", "x", "-m", "y", "--loss", "labelled")[2]
    empty = ("train", "lists.conllu", "short.conllu", "-o", "m")
    assert "1 candidate lists, but 0" in failing(*empty)[2]
    code, _, err = failing("apply", "lists.conllu", "-m", "nothing")
    assert (code, "there is no model nothing" in err) == (2, True)
    assert "'--model'" in failing("apply", "lists.conllu")[2]
    assert "'--output'" in failing("train", "lists.conllu", "a.conllu")[2]
    for wrong in (("mbr", "a.conllu"), ("rerank", "apply", "lists.conllu", "-m", "nothing")):
        code, _, err = call(capsys, *wrong, "--decode", "predict")
        assert (code, "unknown decoding 'predict'; choose from map, mbr, mbr-rerank" in err) == (
            2,
            True,
        )
    assert "2 parts" in failing("jackknife", "a.conllu", "-o", "x.conllu", "--folds", "2")[2]
