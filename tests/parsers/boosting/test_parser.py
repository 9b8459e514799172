"""BoostedParser as its users meet it."""

from dataclasses import replace

import numpy as np
import pytest
from boostingtoys import DEV, NOISY, TRAIN, Cut, NaiveBayes, boosted, parser

from headwise import Sentence
from headwise.errors import HeadwiseWarning, InputError, ModelError, TreeError, UsageError
from headwise.parsers.boosting.parser import BoostedParser
from headwise.parsers.boosting.reweighting import RULES
from headwise.storage.modelfile import load_model, save_model


@pytest.mark.parametrize("keep", ["last", "ensemble"])
@pytest.mark.parametrize("update", list(RULES))
def test_every_way_of_boosting_learns_the_toy_treebank(update, keep):
    parser = boosted(NOISY, update=update, keep=keep, rounds=3)
    assert parser.report_["rounds"] == 3
    heeds_noise = keep == "last" and update != "additive"
    assert parser.score(DEV) > (0.5 if heeds_noise else 0.85)
    assert parser.scores(DEV)["undirected"] >= parser.score(DEV)


def test_a_single_classifier_learns_and_is_saved(tmp_path):
    parser = boosted(partition=False)
    assert parser.report_["tag_pairs"] == 1
    assert parser.score(DEV) > 0.85
    parser.save(tmp_path / "single")
    assert BoostedParser.load(tmp_path / "single").predict(DEV) == parser.predict(DEV)


@pytest.mark.parametrize(
    ("base", "settings", "message"),
    [
        (object(), {}, "no method fit"),
        (NaiveBayes(), {"grandchildren": ("ADP",), "link_score": "odds"}, "grandchildren need"),
    ],
)
def test_base_learners_that_cannot_serve_are_refused(base, settings, message):
    with pytest.raises(UsageError, match=message):
        boosted(base=base, **settings)


def test_training_is_deterministic_in_any_number_of_threads():
    one = boosted(NOISY, update="m2")
    other = BoostedParser(rounds=2, cutoff=1, update="m2").fit(NOISY, jobs=3)
    assert np.array_equal(one.hypothesis_.weights, other.hypothesis_.weights)
    assert np.array_equal(one.index_.keys, other.index_.keys)


def test_answers_do_not_depend_on_company():
    parser = boosted()
    alone = [parser.predict([sentence])[0] for sentence in DEV]
    assert alone == parser.predict(DEV)
    assert parser.predict([Sentence.from_words([])])[0].heads == ()
    with pytest.warns(HeadwiseWarning, match="no UPOS or XPOS tags"):  # nothing is known
        (one,) = parser.predict([["the", "tree", "grows", "."]])
    assert sorted(one.relations).count("root") == 1


def test_bad_data_is_refused():
    with pytest.raises(InputError, match="no sentence to learn from"):
        boosted([])
    with pytest.raises(TreeError, match="word 1 has no head"):
        boosted([Sentence.from_words(["a"])])
    bare = [Sentence.from_words(["a", "b"], heads=[2, 0])]
    with pytest.raises(InputError, match="no UPOS or XPOS tags"):
        boosted(bare)
    with pytest.raises(TreeError, match="word 1 has no head"):
        boosted(dev=[Sentence.from_words(["a"])])
    with pytest.raises(UsageError, match="not fitted"):
        BoostedParser().predict(DEV)


def test_training_that_does_not_come_to_rest_is_said_so_and_kept():
    with pytest.warns(HeadwiseWarning, match=r"round 1: .* did not come to rest in 1 steps"):
        parser = boosted(steps=1, rounds=1)
    assert parser.score(DEV) > 0


def test_a_checkpoint_of_another_training_is_refused(tmp_path):
    with pytest.raises(KeyboardInterrupt):
        parser().fit(NOISY, checkpoint=tmp_path / "c", callback=Cut(after=2))
    with pytest.raises(ModelError, match=r"other settings \(update: additive, now m1\)"):
        parser(update="m1").fit(NOISY, checkpoint=tmp_path / "c", resume=True)
    with pytest.raises(ModelError, match="other sentences"):
        parser().fit(TRAIN, checkpoint=tmp_path / "c", resume=True)
    with pytest.raises(UsageError, match="has 2 rounds already"):
        parser(rounds=1).fit(NOISY, checkpoint=tmp_path / "c", resume=True)
    with pytest.raises(UsageError, match="cannot be saved"):
        parser().fit(NOISY, base=NaiveBayes(), checkpoint=tmp_path / "c")


def test_a_checkpoint_that_was_altered_is_refused(tmp_path):
    path = tmp_path / "c"
    with pytest.raises(KeyboardInterrupt):
        parser().fit(NOISY, DEV, checkpoint=path, callback=Cut(after=2))
    model = load_model(path)
    altered = {
        "votes.0: expected a number": {"settings": {**model.settings, "votes": ["x"]}},
        "examples": {"arrays": {**model.arrays, "examples": np.zeros(3)}},
    }
    for message, change in altered.items():
        save_model(path, replace(model, **change), force=True)
        with pytest.raises(ModelError, match=f"c: .*{message}"):
            parser().fit(NOISY, DEV, checkpoint=path, resume=True)
