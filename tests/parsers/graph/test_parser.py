"""DependencyParser: scikit-learn's manners, guides, and sentences of every kind."""

from dataclasses import dataclass, replace

import numpy as np
import pytest

import headwise
from headwise import DependencyParser, Sentence
from headwise.corpus.tree import is_tree
from headwise.errors import (
    HeadwiseWarning,
    InputError,
    MismatchError,
    TreeError,
    UsageError,
)
from headwise.inference.temperatures import UNFITTED
from headwise.learners.base import Learner
from headwise.scoring.linear.words import WordRules
from headwise.storage.modelfile import ModelFile, save_model
from toytreebank import SMALL, toy_treebank

TRAIN, DEV = toy_treebank(60, 1), toy_treebank(30, 2)


@pytest.fixture(scope="module")
def feature_file(tmp_path_factory) -> str:
    path = tmp_path_factory.mktemp("features") / "few.txt"
    path.write_text("distance h.tag m.tag\nplain h.word m.word\ndistance h.tag b.tag m.tag\n")
    return str(path)


@pytest.fixture
def untrained(feature_file) -> DependencyParser:
    return DependencyParser(features=feature_file, tables=SMALL, epochs=2)


@pytest.fixture(scope="module")
def trained(feature_file) -> DependencyParser:
    return DependencyParser(features=feature_file, tables=SMALL, epochs=2).fit(TRAIN, DEV)


def test_it_learns(trained):
    assert trained.score(DEV) > 0.98
    assert trained.report_["dev_uas"] == pytest.approx(100 * trained.score(DEV))
    assert trained.report_["sentences"] == 60
    assert trained.report_["words"] == sum(map(len, TRAIN))
    assert trained.report_["weights"] == np.count_nonzero(trained.tables_.weights)
    assert trained.report_["features"] > 20


@pytest.mark.parametrize("bits", [8, 16, 32])
def test_bits(bits, untrained):
    parser = untrained.set_params(bits=bits).fit(TRAIN, DEV)
    assert parser.tables_.weights.dtype.itemsize == bits // 8
    assert parser.score(DEV) > 0.98
    assert abs(parser.report_["dev_uas"] - parser.report_["dev_uas_32_bits"]) < 2


def test_predictions_are_sentences_under_trees(trained):
    blank = [replace(s, heads=(None,) * len(s)) for s in DEV]
    parsed = trained.predict(blank)
    for sentence, answer in zip(blank, parsed, strict=True):
        assert answer.forms == sentence.forms
        assert is_tree([-1, *answer.heads])
    assert trained.predict([]) == []
    assert trained.parse(blank[0]) == parsed[0]
    with pytest.warns(HeadwiseWarning, match="no UPOS or XPOS tags"):
        assert trained.predict([["the", "tree", "grows"]])[0].forms == ("the", "tree", "grows")
    with pytest.warns(HeadwiseWarning, match="no UPOS or XPOS tags"):
        assert trained.parse(["the", "tree", "grows"]).forms == ("the", "tree", "grows")


def test_k_best_trees_come_best_first(trained):
    found = trained.kbest(DEV[0], 4)
    assert found[0][0].heads == trained.predict([DEV[0]])[0].heads
    scores = [score for _, score in found]
    assert scores == sorted(scores, reverse=True)
    assert len({answer.heads for answer, _ in found}) == 4


def test_marginals_are_probabilities(trained):
    arc = trained.marginals(DEV[0]).arc
    np.testing.assert_allclose(arc[:, 1:].sum(axis=0), 1.0, atol=1e-9)


def test_parameters_are_stored_untouched():
    words = WordRules(lowercase=True)
    parser = DependencyParser(words=words, epochs=0)  # nonsense is found by fit
    assert parser.get_params()["words"] is words
    assert parser.epochs == 0
    assert not [name for name in vars(parser) if name.endswith("_")]
    with pytest.raises(UsageError, match="epochs must be 1 or more"):
        parser.fit(TRAIN)


def test_a_parser_made_of_parameters_learns_the_same(untrained, trained):
    twin = DependencyParser(**untrained.get_params())
    assert twin.get_params() == untrained.get_params()
    twin.fit(TRAIN, DEV)
    assert np.array_equal(twin.tables_.weights, trained.tables_.weights)


def test_set_params(untrained):
    assert untrained.set_params(k=3, seed=1) is untrained
    assert (untrained.k, untrained.seed) == (3, 1)
    with pytest.raises(UsageError, match="unknown parameter 'speed'"):
        untrained.set_params(speed=1)


def test_numbers_of_numpy_are_saved(untrained, tmp_path):
    untrained.set_params(epochs=np.int64(1), seed=np.int32(2), c=np.float32(0.5)).fit(TRAIN)
    untrained.save(tmp_path / "model")
    untrained.set_params(k=np.int64(3)).save(tmp_path / "another")
    assert DependencyParser.load(tmp_path / "another").get_params() == untrained.get_params()
    assert len(untrained.kbest(DEV[0], np.int64(2))) == 2


def test_the_numbers_of_trees_are_whole(trained):
    with pytest.raises(UsageError, match=r"k must be an integer .*, not 5\.0"):
        trained.kbest(DEV[0], 5.0)
    with pytest.raises(UsageError, match=r"count must be an integer of 0 or more, not 2\.5"):
        trained.sample(DEV[0], 2.5)


def test_scikit_learn_can_clone_it(trained):
    sklearn = pytest.importorskip("sklearn.base")
    twin = sklearn.clone(trained)
    assert twin.get_params() == trained.get_params()
    assert not hasattr(twin, "tables_")


def test_it_must_learn_before_it_parses(untrained):
    for question in (
        lambda: untrained.predict([["a"]]),
        lambda: untrained.score(DEV),
        lambda: untrained.kbest(["a"], 2),
        lambda: untrained.marginals(["a"]),
        lambda: untrained.save("nowhere"),
    ):
        with pytest.raises(UsageError, match="not fitted"):
            question()


def test_scoring_needs_trees(trained):
    with pytest.raises(TreeError, match="word 1 has no head"):
        trained.score([Sentence.from_words(["a"])])
    with pytest.raises(InputError, match="no sentence to score"):
        trained.score([])


def test_one_sentence_of_one_word(untrained):
    one = Sentence.from_words(["Yes"], heads=[0])
    parser = untrained.fit([one], [one])
    assert parser.score([one]) == 1.0
    assert parser.temperatures_ == UNFITTED


@dataclass
class OwnPerceptron(Learner):
    """A learner that is not in the table."""


@pytest.mark.parametrize("learner", ["mira", "factored-mira", "log-linear"])
def test_a_treebank_without_tags(learner, untrained):
    bare = [Sentence.from_words(s.forms, heads=s.heads) for s in TRAIN]
    parser = untrained.set_params(features="default", learner=learner, tags="none")
    assert parser.fit(bare[:40], bare[40:]).score(bare[40:]) > 0.6


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (OwnPerceptron, "not the class OwnPerceptron: call it"),
        (5, "expected a string or a Learner"),
    ],
)
def test_what_is_no_learner_is_told(given, message, untrained):
    with pytest.raises(UsageError, match=message):
        untrained.set_params(learner=given).fit(TRAIN[:5])


def test_tags_that_do_not_count_are_not_looked_at(untrained):
    parser = untrained.set_params(tags="none").fit(TRAIN[:20])
    changed = [replace(s, upos=("X",) * len(s), xpos=("Y",) * len(s)) for s in DEV]
    assert [s.heads for s in parser.predict(DEV)] == [s.heads for s in parser.predict(changed)]


def test_a_guide_lets_one_parser_correct_another(tmp_path):
    """The guide is right but for punctuation; the guided parser knows where that belongs."""

    def guides(sentences):
        return [s.with_tree([*s.heads[:-1], 1]) for s in sentences]

    weak = tmp_path / "weak.txt"
    weak.write_text("direction h.tag\n")
    parser = DependencyParser(features=str(weak), tables=SMALL, epochs=4)
    alone = parser.fit(TRAIN, DEV).score(DEV)
    wrong = [a.heads != b.heads for a, b in zip(guides(DEV), DEV, strict=True)]
    guide = 1 - sum(wrong) / sum(map(len, DEV))
    parser.fit(TRAIN, DEV, guides=guides(TRAIN), dev_guides=guides(DEV))
    assert parser.score(DEV, guides(DEV)) > max(alone, guide)
    assert parser.score(DEV, guides(DEV)) > 0.98
    assert parser.kbest(DEV[0], 2, guides(DEV)[0])[0][0].heads == DEV[0].heads
    assert parser.marginals(DEV[0], guides(DEV)[0]).arc.shape == (len(DEV[0]) + 1,) * 2


def test_guides_come_in_pairs_and_fit(untrained):
    with pytest.raises(UsageError, match="guides go with guides for dev"):
        untrained.fit(TRAIN, DEV, guides=TRAIN)
    with pytest.raises(UsageError, match="guides go with guides for dev"):
        untrained.fit(TRAIN, dev_guides=DEV)
    with pytest.raises(MismatchError):
        untrained.fit(TRAIN, DEV, guides=TRAIN[1:], dev_guides=DEV)


def test_jobs_are_checked(untrained):
    with pytest.raises(UsageError, match="jobs must be an integer of 1 or more"):
        untrained.fit(TRAIN, jobs=0)


def test_saved_and_loaded(trained, tmp_path):
    trained.save(tmp_path / "model", about={"trained on": "toys"})
    for loaded in (DependencyParser.load(tmp_path / "model"), headwise.load(tmp_path / "model")):
        assert np.array_equal(loaded.tables_.as_learnt(), trained.tables_.weights)
        assert [s.heads for s in loaded.predict(DEV)] == [s.heads for s in trained.predict(DEV)]


def test_sentences_may_come_one_by_one(untrained):
    untrained.fit(iter(TRAIN), iter(DEV))
    assert untrained.score(DEV) > 0.5
    with pytest.raises(UsageError, match=r"read_sentences\("):
        untrained.fit("train.conllu")
    with pytest.raises(UsageError, match="expected sentences or documents, not list"):
        untrained.fit([["a", 5]])


def prague(sentences: list[Sentence]) -> list[Sentence]:
    """The same with positional tags of so many values that none is seen often."""
    rng = np.random.default_rng(7)
    return [
        replace(s, xpos=tuple(f"{t[:1]}-{rng.integers(300):03}----------" for t in s.upos))
        for s in sentences
    ]


def test_many_tags_are_reduced_by_default_and_in_the_model(untrained, tmp_path):
    train, dev = prague(TRAIN), prague(DEV)
    parser = untrained.fit(train, dev)
    assert parser.reduction_.rows()[0] == "@length 15"
    whole = replace(untrained, tag_reduction="none").fit(train, dev)
    assert parser.score(dev) > whole.score(dev)
    parser.save(tmp_path / "m")
    loaded = DependencyParser.load(tmp_path / "m")
    assert [s.heads for s in loaded.predict(dev)] == [s.heads for s in parser.predict(dev)]
    assert loaded.calibrate(dev).temperatures_ == parser.temperatures_


def test_few_tags_stay_whole(trained):
    assert trained.reduction_.rows() == []


def test_models_without_a_reduction_are_those_of_before(trained, tmp_path):
    model = trained.to_model()
    settings = {**model.settings, "training": {**model.settings["training"]}}
    del settings["tag_reduction"], settings["training"]["tag_reduction"]
    save_model(tmp_path / "m", ModelFile(model.kind, settings, model.arrays, ""))
    loaded = DependencyParser.load(tmp_path / "m")
    assert loaded.reduction_.rows() == []
    assert [s.heads for s in loaded.predict(DEV)] == [s.heads for s in trained.predict(DEV)]


def test_an_unknown_reduction_is_refused_before_anything_is_learnt(untrained):
    with pytest.raises(UsageError, match="no tag reduction 'colins'"):
        untrained.set_params(tag_reduction="colins").fit(TRAIN)
