"""Training: it learns, goes on bit by bit, and says what is wrong."""

import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("jax", reason="training needs JAX (the extra neural)")

from headwise.corpus.sentence import Sentence
from headwise.errors import HeadwiseWarning, InputError, ModelError, TreeError, UsageError
from headwise.inference.neuralsearch import NeuralSearch
from headwise.learners.callbacks import TrainingCallback
from headwise.learners.neural.development import (
    NeuralDevelopment,
    dev_scores,
    encoded_without_tags,
    pieces,
)
from headwise.learners.neural.quantising import float_network
from headwise.learners.neural.settings import NetworkSizes
from headwise.parsers.neural.parser import NeuralParser, learnt_from
from headwise.scoring.neural.network import Network
from headwise.scoring.neural.vocabulary import ABSENT
from toynetworks import TINY, random_parameters, toy_numbers, toy_vectors, toy_vocabulary
from toytreebank import toy_treebank


def small(**settings):
    base = {"sizes": TINY, "epochs": 4, "batch_words": 200, "device": "cpu"}
    return NeuralParser(**(base | settings))


@pytest.fixture(scope="module")
def fitted():
    sizes = NetworkSizes(words=16, hashed=8, tags=8, layers=1, units=24, arcs=16, relations=12,
                         tagging=16)  # fmt: skip
    parser = NeuralParser(sizes=sizes, epochs=14, batch_words=200, learning_rate=0.02, device="cpu")
    return parser.fit(toy_treebank(200), toy_treebank(40, 1))


def test_it_learns_heads_relations_and_tags(fitted):
    gold = toy_treebank(40, 2)
    found = fitted.predict([one.forms for one in gold])
    pairs = [
        (h == g, r == s, t == u)
        for one, own in zip(gold, found, strict=True)
        for h, g, r, s, t, u in zip(one.heads, own.heads, one.relations, own.relations, one.upos,
                                    own.upos, strict=True)
    ]  # fmt: skip
    heads, relations, tags = np.mean(pairs, axis=0)
    assert heads > 0.9
    assert relations > 0.9
    assert tags > 0.95
    assert fitted.scores(gold)["uas"] >= heads - 0.05


def test_the_report_says_how_good_it_is(fitted):
    report = fitted.report_
    assert report["dev_uas"] == pytest.approx(report["dev_uas_floats"], abs=3)
    assert set(report["calibration"]) == {"heads", "trees", "labels", "tags"}
    assert len(report["history"]) == 14
    assert "dev UAS" in fitted.summary()


@pytest.fixture
def random_development():
    """Data to compare with, and a network of random floats at work."""
    vocabulary, data = toy_vocabulary(), toy_numbers(40, 7)
    network = float_network(random_parameters(), toy_vectors())
    search = NeuralSearch(network, vocabulary, projective=True, single_root=True)
    floats = toy_vectors().as_floats()
    return search, NeuralDevelopment.of(data, floats, vocabulary, 300, True, True)


def test_scores_of_the_log_are_those_of_the_parser_with_floats(random_development):
    search, development = random_development
    found = dev_scores(search, development.data)
    logged = development.scores(random_parameters())
    assert found["dev_uas"] > 0
    assert {name: logged[name] for name in found} == found
    # There is one relation of roots and one of others: under the right heads both are right.
    data = development.data
    heads = search.best_encoded(encoded_without_tags(search, data, 0, len(data)))
    heads = np.where(data.heads == ABSENT, ABSENT, heads).astype(np.int32)
    root, other = map(search.vocabulary.relations.index, ("root", "dep"))
    relations = np.select([heads == ABSENT, heads == 0], [ABSENT, root], other).astype(np.int32)
    development.data = replace(data, heads=heads, relations=relations)
    del development.batches
    assert development.scores(random_parameters())["dev_las"] == 100


def test_development_data_are_encoded_piece_by_piece(random_development, monkeypatch):
    search, development = random_development
    at_once = dev_scores(search, development.data)
    sizes = []
    encode = Network.encode

    def noting(self, starts, features, tags):
        sizes.append(len(features))
        return encode(self, starts, features, tags)

    monkeypatch.setattr(Network, "encode", noting)
    monkeypatch.setattr("headwise.learners.neural.development.TOKENS_AT_A_TIME", 50)
    assert dev_scores(search, development.data) == at_once
    assert sum(sizes) == len(development.data.features)
    assert max(sizes) <= 50
    assert list(pieces(np.array([0, 70, 80, 90, 200]))) == [(0, 1), (1, 3), (3, 4)]


class StopAfter(TrainingCallback):
    """Interrupts training in the middle of an epoch."""

    def __init__(self, steps):
        self.left = steps

    def progress(self, report):
        self.left -= 1
        if not self.left:
            signal.raise_signal(signal.SIGINT)


@pytest.mark.parametrize("steps", [1, 2, 5])
def test_an_interrupted_training_goes_on_to_the_same_weights(tmp_path, steps):
    train, dev = toy_treebank(80), toy_treebank(10, 1)
    whole = small().fit(train, dev)
    parser = small()
    with pytest.raises(KeyboardInterrupt):
        parser.fit(train, dev, checkpoint=tmp_path / "c", callback=StopAfter(steps))
    parser = small().fit(train, dev, checkpoint=tmp_path / "c", resume=True)
    for name, array in whole.arrays_.items():
        assert (array == parser.arrays_[name]).all(), name
    assert parser.report_ == whole.report_


KILLED = """
import os, sys
sys.path.insert(0, sys.argv[2])
from headwise.learners import checkpoint
checkpoint.BETWEEN_CHECKPOINTS = checkpoint.TIMES_ITS_COST = 0.0
from test_parser import small, toy_treebank, TrainingCallback
class Kill(TrainingCallback):
    steps = 0
    def progress(self, report):
        Kill.steps += 1
        if Kill.steps == 6:
            os.kill(os.getpid(), 9)
small().fit(toy_treebank(80), toy_treebank(10, 1), checkpoint=sys.argv[1], callback=Kill())
"""


def test_a_killed_training_goes_on_to_the_same_weights(tmp_path):
    here = Path(__file__).parent
    code = KILLED.replace("sys.path.insert(0, sys.argv[2])",
                          "sys.path[:0] = sys.argv[2].split(':')")  # fmt: skip
    paths = f"{here}:{here.parents[1]}"
    died = subprocess.run([sys.executable, "-c", code, str(tmp_path / "c"), paths], check=False)
    assert died.returncode == -signal.SIGKILL
    train, dev = toy_treebank(80), toy_treebank(10, 1)
    parser = small().fit(train, dev, checkpoint=tmp_path / "c", resume=True)
    whole = small().fit(train, dev)
    for name, array in whole.arrays_.items():
        assert (array == parser.arrays_[name]).all(), name


def test_a_checkpoint_of_another_training_is_refused(tmp_path):
    train = toy_treebank(80)
    with pytest.raises(KeyboardInterrupt):
        small().fit(train, checkpoint=tmp_path / "c", callback=StopAfter(2))
    with pytest.raises(ModelError, match="other settings"):
        small(learning_rate=0.1).fit(train, checkpoint=tmp_path / "c", resume=True)
    with pytest.raises(ModelError, match="other development data"):
        small().fit(train, toy_treebank(5), checkpoint=tmp_path / "c", resume=True)
    with pytest.raises(ModelError, match="other data"):
        small().fit(toy_treebank(80, 7), checkpoint=tmp_path / "c", resume=True)


@pytest.mark.parametrize(("loss", "decoder"), [("crf", "projective"), ("hinge", "non-projective")])
def test_losses_over_trees_learn(loss, decoder):
    train = toy_treebank(80, crossing=0.3)
    parser = small(loss=loss, decoder=decoder, epochs=6, learning_rate=0.02).fit(
        train, toy_treebank(20, 1)
    )
    losses = [one["loss"] for one in parser.report_["history"]]
    assert losses[-1] < losses[0]
    assert parser.projective_ == (decoder == "projective")


def test_search_is_non_projective_where_many_trees_cross():
    assert small().is_projective(toy_treebank(30))
    assert not small().is_projective(toy_treebank(30, crossing=0.5))
    assert small(decoder="projective").is_projective(toy_treebank(30, crossing=0.5))


def test_vectors_are_read_and_kept(tmp_path):
    (tmp_path / "v.txt").write_text("tree 1 0 1\nthe 0 1 0\nunused 1 1 1\n")
    parser = small(epochs=1, max_vectors=1).fit(toy_treebank(30), vectors=tmp_path / "v.txt")
    assert parser.vocabulary_.vectors == ("tree", "the")
    assert parser.arrays_["vectors"].shape == (3, 3)
    (tmp_path / "w.txt").write_text("qwertz 1 0 1\n")
    with pytest.warns(HeadwiseWarning, match="no word of the treebank has a vector"):
        small().vectors_for(toy_treebank(30), tmp_path / "w.txt")


def test_dev_data_may_have_unknown_tags_and_relations():
    dev = [Sentence.from_words(["a", "b"], upos=["NEW", "NOUN"], heads=[2, 0],
                               relations=["new", "root"])]  # fmt: skip
    assert small(epochs=1).fit(toy_treebank(30), dev).report_["dev_las"] <= 100


def test_treebanks_without_tags_or_relations():
    bare = [Sentence.from_words(one.forms, heads=one.heads) for one in toy_treebank(30)]
    parser = small().fit(bare, bare[:5])
    scores = [one["dev_uas"] for one in parser.report_["history"]]
    assert scores[parser.report_["epoch"] - 1] == max(scores)  # by UAS, as there is no LAS
    assert parser.report_["dev_las"] == parser.report_["dev_uas"]
    assert parser.found_tags == ()
    found = parser.parse(["the", "tree"])
    assert set(found.upos) == {"_"}
    assert set(found.relations) <= {"root", "dep"}


def test_a_training_that_goes_astray_is_stopped():
    with pytest.raises(UsageError, match=r"the loss is not finite in epoch \d"):
        small(learning_rate=1e30).fit(toy_treebank(80), toy_treebank(10, 1))


def test_bad_calls():
    with pytest.raises(InputError, match="no sentence in the development data"):
        small().fit(toy_treebank(5), [])
    with pytest.raises(UsageError, match="read_sentences"):
        small().fit("train.conllu")
    with pytest.raises(InputError, match="no sentence"):
        small().fit([])
    with pytest.raises(UsageError, match="not fitted"):
        small().parse(["a"])
    wide = NetworkSizes(words=500, hashed=64)
    with pytest.raises(UsageError, match="1,?[0-9]+ inputs, 0 of them by its vector"):
        small(sizes=wide).fit(toy_treebank(5))
    with pytest.raises(UsageError, match="JAX finds no such device"):
        small(device="cuda").fit(toy_treebank(5))
    long = Sentence.from_words(["a"] * 401, heads=[0, *[1] * 400])
    with pytest.warns(HeadwiseWarning, match="1 sentences of more than 400 words"):
        assert len(learnt_from([long, *toy_treebank(20)])) == 20
    with pytest.raises(InputError, match="more than 400 words"):
        learnt_from([long])


def half_known(sentence: Sentence) -> Sentence:
    """A sentence in which every other word has no head, relation or tag."""
    known = [number % 2 == 0 for number in range(len(sentence))]

    def some(column, other):
        return tuple(v if ok else other for v, ok in zip(column, known, strict=True))

    return replace(sentence, heads=some(sentence.heads, None), upos=some(sentence.upos, "_"),
                   relations=some(sentence.relations, "_"))  # fmt: skip


@pytest.mark.parametrize("loss", ["local", "crf"])
def test_parsed_text_is_learnt_from_besides(loss):
    train, dev = toy_treebank(20), toy_treebank(10, 1)
    text = [*toy_treebank(30, 2), *map(half_known, toy_treebank(5, 3))]
    parser = small(loss=loss).fit(train, dev, text=text, gold_weight=2)
    used = 35 if loss == "local" else 30  # trees must be whole
    assert parser.report_["text"]["sentences"] == used
    assert parser.report_["sentences"] == 20
    assert "text parsed by teachers" in parser.to_model().card


@pytest.mark.parametrize("loss", ["local", "crf", "hinge"])
def test_partial_trees_are_learnt_from(loss):
    treebank = [*toy_treebank(20), *map(half_known, toy_treebank(40, 3))]
    with pytest.raises(TreeError, match="--partial"):
        small().fit(treebank)
    parser = small(loss=loss, partial=True, decoder="projective").fit(treebank)
    assert parser.report_["sentences"] == 60
    assert parser.single_root_
    known = small(loss=loss).fit(treebank[:20])
    assert parser.score(toy_treebank(20, 9)) > known.score(toy_treebank(20, 9)) - 0.05


def test_words_of_text_count_and_its_names_do_not():
    train = toy_treebank(20)
    odd = Sentence.from_words(["zebra", "zebra"], upos=["ODD", "NOUN"], heads=[0, 1],
                              relations=["root", "odd"])  # fmt: skip
    parser = small(epochs=1).fit(train, text=[odd])
    assert "zebra" in parser.vocabulary_.words
    assert "odd" not in parser.vocabulary_.relations
    assert "ODD" not in parser.vocabulary_.upos


def test_a_training_on_text_goes_on_to_the_same_weights(tmp_path):
    train, text = toy_treebank(40), toy_treebank(30, 2)
    whole = small().fit(train, text=text)
    parser = small()
    with pytest.raises(KeyboardInterrupt):
        parser.fit(train, text=text, checkpoint=tmp_path / "c", callback=StopAfter(4))
    with pytest.raises((UsageError, ModelError), match="data"):
        small().fit(train, text=text, gold_weight=2, checkpoint=tmp_path / "c", resume=True)
    parser = small().fit(train, text=text, checkpoint=tmp_path / "c", resume=True)
    for name, array in whole.arrays_.items():
        assert (array == parser.arrays_[name]).all(), name
