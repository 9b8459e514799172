from unittest import mock

import numpy as np
import pytest

from headwise.corpus.sentence import Sentence
from headwise.errors import HeadwiseError, InputError, SourceLocation, UsageError
from headwise.learners.callbacks import TrainingCallback
from headwise.parsers.graph.parser import DependencyParser
from headwise.parsers.neural.parser import NeuralParser
from headwise.parsers.neuralparts.parser import NeuralPartsParser
from toynetworks import random_parser
from toyneuralparts import parts_parser
from toytreebank import SMALL, toy_treebank


def test_parts_mend_what_a_network_gets_wrong():
    parser = parts_parser()
    report = parser.report_
    assert report["dev_uas"] > report["network_dev_uas"] + 10
    assert report["history"][0]["dev_uas"] > 0
    assert 0 < report["pruner"]["oracle_uas"] <= 100
    assert "the network alone" in parser.summary()


def test_it_is_learnt_again_to_the_bit():
    a = parts_parser()
    b = NeuralPartsParser(epochs=2, size=10, share=0.001)
    b.fit(toy_treebank(40), toy_treebank(20, 7), base=random_parser())
    assert (a.tables_.weights == b.tables_.weights).all()
    assert (a.feature_spec_.factor, a.temperatures_) == (b.feature_spec_.factor, b.temperatures_)


def test_no_template_looks_at_lemmas():
    assert parts_parser().feature_spec_.parts is not None
    assert "lemma" not in parts_parser().feature_spec_.parts.atoms


def test_without_dev_the_last_epoch_is_kept_and_scores_are_not_scaled():
    parser = NeuralPartsParser(order=2, epochs=1, size=8, factor=0.5)
    parser.fit(toy_treebank(10), base=random_parser())
    assert (parser.report_["epoch"], parser.report_["factor"]) == (1, 1.0)
    assert "dev_uas" not in parser.report_
    assert parser.parse(["the", "tree", "grows"]).has_tree


def test_its_tags_are_the_networks():
    parser, base = parts_parser(), random_parser()
    assert NeuralPartsParser.finds_tags()
    assert parser.found_tags == base.found_tags
    assert set(parser.tag_names("upos")) == set(base.tag_names("upos"))
    assert NeuralPartsParser().found_tags == ()
    assert NeuralPartsParser().tag_names("upos") == ()


def test_its_network_may_compute_elsewhere():
    jax = pytest.importorskip("jax", reason="accelerators need JAX (the extra neural)")
    parser = NeuralPartsParser(order=2, epochs=1, size=8)
    parser.fit(toy_treebank(10), base=NeuralParser.storage().of_model(*stored_network()))
    expected = [one.heads for one in parser.predict(toy_treebank(5, 3))]
    with mock.patch(
        "headwise.parsers.neural.parser.accelerator", return_value=jax.devices("cpu")[0]
    ):
        parser.use_device("cuda")
    assert parser.search().on_accelerator
    assert [one.heads for one in parser.predict(toy_treebank(5, 3))] == expected
    parser.use_device("cpu")
    assert not parser.search().on_accelerator


def stored_network():
    return random_parser().to_model(), SourceLocation("toy")


def test_it_answers_like_other_parsers():
    parser, words = parts_parser(), ["the", "tree", "grows"]
    best = parser.kbest(words, 2)
    assert best[0][0].heads == parser.parse(words).heads
    assert best[0][1] >= best[1][1]
    assert parser.marginals(words).arc[:, 1:].sum(axis=0) == pytest.approx(np.ones(3))
    assert len(parser.sample(words, 2)) == 2


def test_networks_that_have_not_seen_a_fold_score_it(monkeypatch):
    seen = []

    def fit(self, sentences, dev=None, *, vectors=None, **_):
        seen.append(([one.forms for one in sentences], vectors))
        base = random_parser()
        for name in (
            "vocabulary_", "arrays_", "steps_", "projective_", "single_root_", "temperatures_",
        ):  # fmt: skip
            setattr(self, name, getattr(base, name))
        return self

    monkeypatch.setattr(NeuralParser, "fit", fit)
    sentences = toy_treebank(9)
    parser = NeuralPartsParser(order=2, epochs=1, size=8, folds=3)
    parser.fit(sentences, base=random_parser(), vectors="v.txt")
    forms = [one.forms for one in sentences]
    assert seen == [(forms[3:], "v.txt"), (forms[:3] + forms[6:], "v.txt"), (forms[:6], "v.txt")]
    with pytest.raises(UsageError, match="folds"):
        NeuralPartsParser().fit(sentences, base=random_parser(), vectors="v.txt")
    with pytest.raises(UsageError, match="3 sentences"):
        NeuralPartsParser(folds=4).fit(sentences[:3], base=random_parser())


def test_training_goes_on_from_a_checkpoint(tmp_path):
    class Stop(TrainingCallback):
        def epoch(self, record):
            if record["epoch"] == 1:
                raise KeyboardInterrupt

    settings = {"epochs": 2, "size": 10, "share": 0.001}
    given = {"base": random_parser(), "checkpoint": tmp_path / "c"}
    with pytest.raises(KeyboardInterrupt):
        NeuralPartsParser(**settings).fit(
            toy_treebank(40), toy_treebank(20, 7), callback=Stop(), **given
        )
    again = NeuralPartsParser(**settings)
    again.fit(toy_treebank(40), toy_treebank(20, 7), resume=True, **given)
    assert (again.tables_.weights == parts_parser().tables_.weights).all()


def test_bad_input_is_refused():
    sentences = toy_treebank(5)
    with pytest.raises(UsageError, match="base model"):
        NeuralPartsParser().fit(sentences)
    linear = DependencyParser(epochs=1, tables=SMALL, labels="none").fit(sentences)
    with pytest.raises(UsageError, match="must be neural"):
        NeuralPartsParser().fit(sentences, base=linear)
    with pytest.raises(UsageError, match="not fitted"):
        NeuralPartsParser().fit(sentences, base=NeuralParser())
    with pytest.raises(UsageError, match="not fitted"):
        NeuralPartsParser().parse(["a"])
    with pytest.raises(UsageError, match="of a file"):
        NeuralPartsParser().fit("train.conllu", base=random_parser())
    with pytest.raises(InputError):
        NeuralPartsParser().fit([], base=random_parser())
    with pytest.raises(InputError):
        NeuralPartsParser(epochs=1, size=8).fit(sentences, [], base=random_parser())
    with pytest.raises(HeadwiseError, match="no head"):
        NeuralPartsParser().fit([Sentence.from_words(["a"])], base=random_parser())
