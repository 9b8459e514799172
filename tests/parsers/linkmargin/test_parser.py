"""LinkMarginParser: learns, parses, is saved and loaded, goes on where it was; and bad input."""

import math
import os
import signal
from dataclasses import replace

import numpy as np
import pytest
from lexicaltoys import made_similarity
from margintoys import DEV, SIMILAR, TRAIN

from headwise import Sentence
from headwise.errors import HeadwiseWarning, InputError, ModelError, UsageError
from headwise.learners.callbacks import TrainingCallback
from headwise.parsers.linkmargin.links import Association, count_association
from headwise.parsers.linkmargin.parser import LinkMarginParser
from headwise.storage.modelfile import load_model, save_model

WORDS_ALONE = {"neighbours": 0}


def fitted(train=TRAIN, dev=None, similarity=None, **settings) -> LinkMarginParser:
    files = {n: settings.pop(n) for n in ("checkpoint", "resume", "callback") if n in settings}
    given = {**WORDS_ALONE, **settings}
    return LinkMarginParser(**given).fit(train, dev, similarity=similarity, **files)


@pytest.mark.parametrize("loss", ["local", "global"])
def test_it_learns(loss):
    parser = fitted(dev=DEV, loss=loss, tolerance=0.02, epochs=500)
    found = parser.scores(DEV)
    assert found["undirected"] >= found["uas"] > 0.5
    assert parser.scores(TRAIN)["undirected"] > 0.9
    assert parser.report_["dev_uas"] == 100 * found["uas"]
    assert parser.temperature_ != 1.0
    assert parser.report_["history"][-1]["gap"] <= 0.02


def test_what_is_like_seen_links_is_found():
    """A word that was never seen hangs where similar words hang."""
    similar = {**SIMILAR, "wood": {"forest": 0.9, "tree": 0.8}}
    parser = fitted(similarity=made_similarity(similar), neighbours=2)
    known = parser.predict([["the", "forest", "grows", "."]])[0].heads
    assert parser.predict([["the", "wood", "grows", "."]])[0].heads == known
    weights = parser.model_.scores(["the", "wood", "grows", "."])
    alone = fitted().model_.scores(["the", "wood", "grows", "."])
    assert weights[1, 2] != 0.0
    numbers = fitted().model_.of_numbers(["the", "wood", "grows", "."])
    assert np.allclose(alone[2], numbers[2])


def test_links_have_no_direction():
    scores = fitted().model_.scores(["the", "old", "tree", "grows"])
    assert np.array_equal(scores, scores.T)


def test_a_saved_parser_is_the_same(tmp_path):
    parser = fitted(dev=DEV, similarity=made_similarity(SIMILAR), neighbours=3, laplacian=1.0)
    parser.save(tmp_path / "m", about={"treebank": "toys"})
    again = LinkMarginParser.load(tmp_path / "m")
    assert again.predict(DEV) == parser.predict(DEV)
    words = DEV[0].forms
    assert np.array_equal(again.model_.scores(words), parser.model_.scores(words))
    assert again.report_ == parser.report_
    assert again.get_params() == parser.get_params()


def test_a_damaged_model_is_said_so(tmp_path):
    parser = fitted()
    parser.model_.table.keys[0] = parser.model_.table.keys[1]
    parser.save(tmp_path / "m")
    with pytest.raises(ModelError, match="array 'pairs' is out of order"):
        LinkMarginParser.load(tmp_path / "m")


class Interrupting(TrainingCallback):
    """Presses Ctrl-C in the third pass."""

    def epoch(self, record) -> None:
        if record["epoch"] == 3:
            os.kill(os.getpid(), signal.SIGINT)


@pytest.mark.parametrize("loss", ["local", "global"])
def test_interrupted_and_resumed_is_as_if_nothing_had_happened(loss, tmp_path):
    settings = {"loss": loss, "epochs": 8, "tolerance": 1e-9}
    with pytest.raises(KeyboardInterrupt):
        fitted(checkpoint=tmp_path / "c", callback=Interrupting(), **settings)
    with pytest.warns(HeadwiseWarning, match="not solved after 8 epochs"):
        resumed = fitted(checkpoint=tmp_path / "c", resume=True, **settings)
    with pytest.warns(HeadwiseWarning, match="not solved"):
        whole = fitted(**settings)
    assert np.array_equal(resumed.model_.weights.pair, whole.model_.weights.pair)
    assert [one["gap"] for one in resumed.report_["history"]] == [
        one["gap"] for one in whole.report_["history"]
    ]
    with pytest.raises(ModelError, match=r"other settings \(beta: 1.0, now 3.0\)"):
        fitted(checkpoint=tmp_path / "c", resume=True, beta=3.0, **settings)


def test_a_checkpoint_that_was_altered_is_refused(tmp_path):
    path = tmp_path / "c"
    with pytest.raises(KeyboardInterrupt):
        fitted(checkpoint=path, callback=Interrupting(), epochs=8, tolerance=1e-9)
    model = load_model(path)
    save_model(path, replace(model, settings={**model.settings, "history": 3}), force=True)
    with pytest.raises(ModelError, match="c: .*history: expected a list"):
        fitted(checkpoint=path, resume=True, epochs=8, tolerance=1e-9)


def test_beta_is_chosen_by_cross_validation(tmp_path):
    parser = fitted(betas=(0.1, 1000.0), folds=3, checkpoint=tmp_path / "c", epochs=500)
    found = parser.report_["validation"]
    assert {key: len(own) for key, own in found.items()} == {"0.1": 3, "1000.0": 3}
    assert parser.report_["beta"] == 0.1
    assert np.mean(found["0.1"]) > np.mean(found["1000.0"])
    again = fitted(betas=(0.1, 1000.0), folds=3, checkpoint=tmp_path / "c", resume=True, epochs=500)
    assert again.report_["validation"] == found


def test_a_treebank_smaller_than_the_folds_is_refused():
    with pytest.raises(InputError, match="2 sentences .* too few for a cross-validation with 5"):
        fitted(TRAIN[:2], betas=(1.0, 2.0))


def test_similar_words_of_another_language_are_refused():
    other = made_similarity({"Baum": {"Wald": 0.5}})
    with pytest.raises(InputError, match="knows no word of the treebank"):
        fitted(similarity=other, neighbours=5)
    some = made_similarity({"the": {"a": 0.5}, "a": {"the": 0.5}})
    with pytest.warns(HeadwiseWarning, match="covers .* of the treebank's tokens"):
        fitted(similarity=some, neighbours=5)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"neighbours": 5}, "give a similarity model"),
        ({"laplacian": 1.0}, "give a similarity model"),
        ({"features": ("pmi",)}, "pairs must be among"),
        ({"features": ("pairs", "tags")}, "not 'tags'"),
        ({"loss": "heads"}, "not 'heads'"),
        ({"beta": 0.0}, "beta must be above 0"),
        ({"betas": (1.0, -1.0)}, "beta must be above 0"),
        ({"folds": 1}, "folds must be 2"),
        ({"laplacian": math.nan}, "laplacian: expected a finite number"),
        ({"tolerance": 0.0}, "tolerance must be"),
    ],
)
def test_what_cannot_be_is_refused(settings, message):
    with pytest.raises(UsageError, match=message):
        fitted(**settings)
    with pytest.raises(UsageError, match="no similar words"):
        fitted(similarity=made_similarity(SIMILAR))


def test_treebanks_without_anything_to_learn_are_refused():
    with pytest.raises(InputError, match="no sentence"):
        fitted([])
    with pytest.raises(InputError, match="more than 1 words"):
        fitted(longest=1)
    with pytest.raises(UsageError, match="not fitted"):
        LinkMarginParser().search()


def test_one_word_is_a_tree_and_no_word_is_none():
    parser = fitted()
    assert parser.predict([["Yes"]])[0].heads == (0,)
    assert parser.predict([Sentence.from_words([])])[0].heads == ()


def test_association_is_pmi_of_windows():
    text = [["a", "b"], ["a", "b"], ["c", "d"], ["c", "d"]]
    found = count_association([*text, [], ["a"]]).matrix(["a", "b", "c", "e"])
    assert np.isclose(found[1, 2], math.log(4))  # P(a, b) = 1/4, P(a) = P(b) = 1/4
    assert found[1, 2] == found[2, 1]
    assert found[0].any() == found[1, 3] == found[1, 4] == 0
    nothing = Association((), np.empty(0, np.int64), np.empty(0, np.float32))
    assert not nothing.matrix(["a"]).any()
