"""Sentences without trees: which of them are learnt from."""

import pytest

from headwise import DependencyParser, Sentence
from headwise.errors import HeadwiseWarning, InputError, UsageError
from headwise.learners.settings import TrainingSettings
from headwise.learners.unlabelled import check_unlabelled, unlabelled_data
from headwise.scoring.linear.atoms import AtomEncoder
from headwise.scoring.linear.tables import TableSizes
from headwise.scoring.linear.templates import FeatureSet
from toytreebank import toy_treebank

SIZES = TableSizes(wide=10, narrow=14, filters=12, labels=8)
TRAIN, DEV, UNLABELLED = toy_treebank(15, 1), toy_treebank(20, 2), toy_treebank(20, 3)


def fitted(unlabelled=UNLABELLED, **settings) -> DependencyParser:
    given = {"epochs": 4, "features": "pairs", "labels": "none", "bits": 32, **settings}
    files = {
        name: given.pop(name) for name in ("checkpoint", "resume", "callback") if name in given
    }
    parser = DependencyParser(learner="semisupervised", tables=SIZES, **given)
    return parser.fit(TRAIN, DEV, unlabelled=unlabelled, **files)


def test_other_learners_want_no_unlabelled_sentences():
    with pytest.raises(UsageError, match="mira learns from trees only"):
        DependencyParser(tables=SIZES).fit(TRAIN, unlabelled=UNLABELLED)
    with pytest.raises(UsageError, match="no guide"):
        DependencyParser(tables=SIZES, learner="semisupervised").fit(
            TRAIN, guides=TRAIN, unlabelled=UNLABELLED
        )


few_epochs = pytest.mark.filterwarnings("ignore:the programme is not solved")


@few_epochs
def test_single_words_are_left_out_and_said():
    short = [Sentence.from_words(["Yes"], upos=["INTJ"])]
    parser = fitted([*short, *UNLABELLED, *short])
    assert parser.report_["unlabelled"] == {"sentences": 20, "left_out": 2}
    with pytest.raises(InputError, match="none of 1 unlabelled sentences can be learnt from"):
        fitted(short)


@few_epochs
def test_sentences_without_tags_are_refused_or_told():
    bare = [Sentence.from_words(one.forms) for one in UNLABELLED]
    with pytest.raises(InputError, match="have no tags"):
        fitted(bare)
    assert fitted(bare, tags="none", epochs=1).report_["unlabelled"]["sentences"] == 20
    with pytest.warns(HeadwiseWarning, match="1 of 20 unlabelled sentences have no tags"):
        fitted([bare[0], *UNLABELLED[1:]], epochs=1)


def test_words_and_places_are_those_of_the_sentences():
    kept = [Sentence.from_words(["a"] * size, upos=["X"] * size) for size in (3, 2, 5)]
    settings = TrainingSettings(learner="semisupervised", longest=4)
    features = FeatureSet.parse(["plain h.tag m.tag"])
    found = unlabelled_data(kept, settings, AtomEncoder(), features)
    assert (len(found), found.words) == (2, 5)
    assert [found.words_of(number) for number in range(2)] == [3, 2]
    assert found.arc_starts.tolist() == [0, 16, 25]
    assert len(found.sentence(1).tags) == 3


def test_what_is_missing_or_too_much_is_said():
    semisupervised = TrainingSettings(learner="semisupervised", lam=0.1)
    check_unlabelled(semisupervised, guided=False, given=True)
    check_unlabelled(TrainingSettings(), guided=True, given=False)
    with pytest.raises(UsageError, match="needs unlabelled sentences"):
        check_unlabelled(semisupervised, guided=False, given=False)
    with pytest.raises(UsageError, match="mira learns from trees only"):
        check_unlabelled(TrainingSettings(), guided=False, given=True)
