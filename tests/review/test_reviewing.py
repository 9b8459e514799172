"""Planted errors come first, whatever the number of processes and interruptions."""

import json
from dataclasses import replace

import pytest

from headwise.errors import InputError, TreeError, UsageError
from headwise.review import reviewing
from headwise.review.ranking import Suspicion
from headwise.review.reviewing import ReviewSettings, keep_fold, read_fold, review
from toytreebank import SMALL, toy_treebank

FAST = ReviewSettings(folds=2, fast=True)


@pytest.fixture(autouse=True)
def small(monkeypatch):
    """Parsers that are quick to train."""
    own = ReviewSettings.parser

    def parser(settings, sentences):
        return own(settings, sentences).set_params(epochs=2, tables=SMALL)

    monkeypatch.setattr(ReviewSettings, "parser", parser)


def planted() -> tuple[list, set]:
    treebank = toy_treebank(60)
    one = treebank[5]
    treebank[5] = one.with_tree([len(one), *one.heads[1:]], one.relations)
    two = treebank[40]
    treebank[40] = replace(two, upos=(*two.upos[:-1], "VERB"))
    return treebank, {(6, 1, "head"), (41, len(two), "upos")}


def test_planted_errors_come_first():
    treebank, errors = planted()
    ranking = review(treebank, FAST, file="toy.conllu")
    first = {(one.number, one.word, one.column) for one in ranking.suspicions[:8]}
    assert errors <= first
    assert ranking.file == "toy.conllu"
    assert ranking.judged["head"] == sum(map(len, treebank))
    likely = [one.probability for one in ranking.suspicions]
    assert likely == sorted(likely)


def test_an_interrupted_review_goes_on(tmp_path, monkeypatch):
    treebank, _ = planted()
    whole = review(treebank, FAST)
    done = []
    judge = reviewing.judge_fold

    def interrupted(settings, fold, *, callback):
        if done:
            raise KeyboardInterrupt
        done.append(fold.number)
        return judge(settings, fold, callback=callback)

    monkeypatch.setattr(reviewing, "judge_fold", interrupted)
    with pytest.raises(KeyboardInterrupt):
        review(treebank, FAST, cache=tmp_path / "folds")
    again = []

    def counted(settings, fold, *, callback):
        again.append(fold.number)
        return judge(settings, fold, callback=callback)

    monkeypatch.setattr(reviewing, "judge_fold", counted)
    assert review(treebank, FAST, cache=tmp_path / "folds") == whole
    assert (done, again) == ([1], [2])
    review(treebank[:-1], FAST, cache=tmp_path / "folds")  # of other sentences: nothing is kept
    assert again == [2, 1, 2]


def test_a_kept_fold_that_someone_has_altered_is_judged_again(tmp_path):
    one = Suspicion(1, "a", 1, "x", "upos", "A", 0.25, "B", 0.5)
    keep_fold(tmp_path, 1, "this", [one])
    assert read_fold(tmp_path, 1, "this") == [one]
    path = tmp_path / "fold-1.json"
    kept = json.loads(path.read_text())
    for change in ({"probability": "x"}, {"number": None}, {"more": 1}):
        path.write_text(json.dumps(kept | {"suspicions": [kept["suspicions"][0] | change]}))
        assert read_fold(tmp_path, 1, "this") is None
    for text in ("[" * 100_000, "5", "[]", '{"review": "this", "suspicions": 5}'):
        path.write_text(text)
        assert read_fold(tmp_path, 1, "this") is None


def test_progress_is_told():
    told = []
    review(toy_treebank(20), FAST, progress=lambda *what: told.append(what))
    assert told == [("fold", 1, 2), ("fold", 2, 2)]


def test_many_crossing_arcs_are_judged_among_all_trees():
    parser = FAST.parser(toy_treebank(20, crossing=0.5))
    assert parser.decoder == "non-projective"
    assert FAST.parser(toy_treebank(20)).decoder == "projective"
    assert replace(FAST, fast=False).parser(toy_treebank(20)).order == 3


@pytest.mark.parametrize(
    "settings",
    [{"columns": ("misc",)}, {"columns": ()}, {"scorer": "neural", "fast": True}, {"folds": "2"}],
)
def test_settings_without_a_meaning_are_refused(settings):
    with pytest.raises(UsageError):
        review(toy_treebank(4), ReviewSettings(**settings))


def test_there_must_be_trees_and_something_to_judge():
    treebank = toy_treebank(4)
    with pytest.raises(InputError, match="no sentence"):
        review([], FAST)
    with pytest.raises(TreeError, match="no head"):
        review(
            [*treebank, treebank[0].with_tree([None] * len(treebank[0]), ["_"] * len(treebank[0]))],
            FAST,
        )
    with pytest.raises(InputError, match="feats"):
        review(treebank, replace(FAST, columns=("feats",)))
    with pytest.raises(UsageError, match="cut into"):
        review(treebank[:1], FAST)
