"""Classifiers by name: a module stands in the place of scikit-learn, which need not be here."""

import sys
from types import ModuleType

import pytest
from boostingtoys import DEV, TRAIN, NaiveBayes, Softmax, boosted

from headwise.errors import UsageError
from headwise.parsers.base import TrainingInputs
from headwise.parsers.boosting.namedclassifier import call_of, classifier_of
from headwise.parsers.boosting.parser import BoostedParser


@pytest.fixture
def named(monkeypatch):
    package, module = ModuleType("sklearn"), ModuleType("sklearn.toys")
    module.Softmax, module.NaiveBayes = Softmax, NaiveBayes
    monkeypatch.setitem(sys.modules, "sklearn", package)
    monkeypatch.setitem(sys.modules, "sklearn.toys", module)


def test_a_name_has_arguments():
    assert call_of("sklearn.a.B") == ("sklearn.a", "B", {})
    arguments = {"C": 0.5, "penalty": "l2", "seed": None}
    assert call_of("sklearn.B(C=.5, penalty='l2', seed=None)") == ("sklearn", "B", arguments)


@pytest.mark.parametrize(
    "text",
    ["os.system", "sklearn", "sklearn.B(1)", "sklearn.B(C=exit())", "sklearn.B(", "sklearn.B(**{})",
     "sklearn.a.B().fit(C=1)", "(" * 5000],
)  # fmt: skip
def test_anything_else_is_refused_and_not_imported(text):
    with pytest.raises(UsageError, match="must be a class of scikit-learn"):
        BoostedParser(base=text).check()


def test_classifiers_are_made_and_mistakes_named(named):
    assert classifier_of("sklearn.toys.Softmax(tilt=0.25)").tilt == 0.25
    for text in ("sklearn.toys.Softmax(title=1)", "sklearn.toys.Hardmax"):
        with pytest.raises(UsageError, match="base 'sklearn.toys"):
            classifier_of(text)
    with pytest.raises(UsageError, match="needs scikit-learn"):
        classifier_of("sklearn.nothing.Softmax")


def test_a_linear_one_is_trained_by_its_name_saved_and_loaded_without_it(named, tmp_path):
    inputs = TrainingInputs(sentences=TRAIN, checkpoint=tmp_path / "checkpoint")
    text = "sklearn.toys.Softmax()"
    trained = BoostedParser(rounds=2, cutoff=1, base=text).fit_from(inputs)
    assert trained.predict(DEV) == boosted(base=Softmax()).predict(DEV)
    assert trained.score(DEV) > 0.9
    trained.save(tmp_path / "model")
    del sys.modules["sklearn"], sys.modules["sklearn.toys"]
    again = BoostedParser.load(tmp_path / "model")
    assert again.predict(DEV) == trained.predict(DEV)
    assert again.base == text


def test_one_that_cannot_be_saved_is_refused_before_it_is_trained(named):
    for text in ("sklearn.toys.NaiveBayes()", "sklearn.toys.Softmax(tilt=0.1)"):
        with pytest.raises(UsageError, match="cannot be saved"):
            BoostedParser(base=text).fit_from(TrainingInputs(sentences=TRAIN))
