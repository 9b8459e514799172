"""`headwise review`."""

import json

import pytest

from headwise.cli.app import run
from headwise.corpus.formats import write_sentences
from headwise.review import reviewing
from headwise.review.ranking import Suspicion, read_ranking
from toytreebank import toy_treebank

FOUND = [
    Suspicion(1, None, 1, "the", "head", "2", 0.001234, "0", 0.99),
    Suspicion(1, None, 2, "tree", "upos", "NOUN", 0.25, "VERB", 0.5),
]


@pytest.fixture
def treebank(tmp_path, monkeypatch):
    """A treebank, all folds of which are judged at once: what judges say is tested elsewhere."""

    def judged(settings, fold, *, callback):
        del settings, callback
        return FOUND if fold.start == 0 else []

    monkeypatch.setattr(reviewing, "judge_fold", judged)
    path = tmp_path / "toy.conllu"
    write_sentences(path, toy_treebank(6))
    return path


def test_a_table(treebank, capsys):
    assert run(["review", str(treebank), "--folds", "3", "--top", "1"]) == 0
    out, err = capsys.readouterr()
    assert "Suspicious values (1 of 2)" in out
    assert "0.123" in out
    assert "0 root" in out
    assert "VERB" not in out
    assert "fold 3 of 3" in err


def test_json(treebank, capsys):
    assert run(["review", str(treebank), "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["file"] == str(treebank)
    assert [one["column"] for one in data["suspicions"]] == ["head", "upos"]
    assert data["suspicions"][0]["probability"] == 0.001234


def test_a_ranking_is_written_and_what_was_kept_for_it_is_removed(treebank, tmp_path, capsys):
    output = tmp_path / "r.json"
    assert run(["review", str(treebank), "-o", str(output)]) == 0
    assert f"wrote {output}" in capsys.readouterr().out
    assert list(read_ranking(output).suspicions) == FOUND
    assert sorted(one.name for one in tmp_path.iterdir()) == ["r.json", "toy.conllu"]


def test_an_interrupted_review_says_how_to_go_on(treebank, tmp_path, monkeypatch, capsys):
    judge = reviewing.judge_fold

    def interrupted(settings, fold, *, callback):
        if fold.start:
            raise KeyboardInterrupt
        return judge(settings, fold, callback=callback)

    monkeypatch.setattr(reviewing, "judge_fold", interrupted)
    assert run(["review", str(treebank), "-o", str(tmp_path / "r.json")]) == 130
    assert "run the same command again" in capsys.readouterr().err
    assert (tmp_path / "r.json.folds" / "fold-1.json").exists()
    assert not (tmp_path / "r.json").exists()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--columns", "misc"), "no column 'misc'"),
        (("--scorer", "x"), "linear or neural"),
        (("--scorer", "neural", "--fast"), "--fast"),
        (("-o", "-"), "--json"),
    ],
)
def test_wrong_options_are_refused(treebank, options, message, capsys):
    assert run(["review", str(treebank), *options]) == 2
    assert message in capsys.readouterr().err
