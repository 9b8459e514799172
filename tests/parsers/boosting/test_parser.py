"""BoostedParser as its users meet it."""

import numpy as np
import pytest
from boostingtoys import DEV, NOISY, TRAIN, NaiveBayes, boosted

import headwise
from headwise import Pipeline, Sentence
from headwise.errors import HeadwiseWarning, InputError, ModelError, TreeError, UsageError
from headwise.learners.crossing import projective_heads
from headwise.parsers.boosting.classifier import LinkClassifier
from headwise.parsers.boosting.examples import link_examples
from headwise.parsers.boosting.parser import BoostedParser
from headwise.parsers.boosting.reweighting import RULES
from headwise.parsers.boosting.search import encoder_of
from headwise.storage.modelfile import ModelFile, load_model, save_model


@pytest.mark.parametrize("keep", ["last", "ensemble"])
@pytest.mark.parametrize("update", list(RULES))
def test_every_way_of_boosting_learns_the_toy_treebank(update, keep):
    parser = boosted(NOISY, update=update, keep=keep, rounds=3)
    assert parser.report_["rounds"] == 3
    heeds_noise = keep == "last" and update != "additive"
    assert parser.score(DEV) > (0.5 if heeds_noise else 0.85)
    assert parser.scores(DEV)["undirected"] >= parser.score(DEV)


@pytest.mark.parametrize("update", list(RULES))
def test_one_round_is_the_base_classifier(update):
    parser = boosted(rounds=1, update=update, keep="ensemble", dynamic=False)
    encoder = encoder_of(parser)
    heads = [np.array(projective_heads(one)) for one in TRAIN]
    examples = link_examples(encoder.encode(TRAIN), heads, parser)
    for part in range(examples.parts):
        pairs, rows = examples.pairs(part), examples.matrix(part)
        alone = LinkClassifier().fit(rows, examples.labels[pairs])
        features = examples.keys[examples.features(part)]
        own = parser.hypothesis_.weights[parser.index_.look_up(features)]
        assert np.array_equal(own, alone.coef_.T.astype(np.float32))


def test_pairs_that_the_parser_got_wrong_weigh_more_in_the_next_round():
    met = []

    class Remembering(NaiveBayes):
        def fit(self, X, y, sample_weight):  # noqa: N803
            met.append(sample_weight.copy())
            return super().fit(X, y, sample_weight)

    boosted(NOISY, base=Remembering(), rounds=2, step=0.5, dynamic=False)
    weights = np.concatenate(met[len(met) // 2 :])
    assert set(np.unique(weights)) == {1.0, 1.5}
    assert (np.concatenate(met[: len(met) // 2]) == 1).all()


def test_the_base_learner_that_is_given_is_not_changed():
    base = NaiveBayes()
    parser = boosted(base=base, keep="ensemble", update="m1")
    assert base.fitted == 0
    assert parser.score(DEV) > 0.8
    with pytest.raises(UsageError, match="cannot be saved"):
        parser.save("nowhere")


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


def test_the_best_round_on_dev_is_kept():
    parser = boosted(NOISY, DEV, rounds=3)
    scores = [record["dev_uas"] for record in parser.report_["history"]]
    assert len(scores) == 3
    assert parser.report_["round"] == 1 + int(np.argmax(scores))
    assert 100 * parser.score(DEV) == pytest.approx(max(scores))
    assert parser.report_["dev_undirected"] == pytest.approx(100 * parser.scores(DEV)["undirected"])


def test_boosting_ends_where_there_is_nothing_wrong():
    parser = boosted(TRAIN[:3], rounds=50, strength=0.01)
    assert parser.report_["rounds"] < 50
    assert parser.score(TRAIN[:3]) == 1


def test_a_saved_parser_parses_the_same(tmp_path):
    parser = boosted()
    parser.save(tmp_path / "m", about={"trained on": "toys"})
    again = headwise.load(tmp_path / "m")
    assert isinstance(again, BoostedParser)
    assert again.get_params() == parser.get_params()
    assert again.predict(DEV) == parser.predict(DEV)
    assert again.report_ == parser.report_
    assert "| trained on | toys |" in (tmp_path / "m" / "README.md").read_text()
    Pipeline(parser=parser).save(tmp_path / "p")
    assert list(Pipeline.load(tmp_path / "p").annotate(DEV)) == parser.predict(DEV)


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


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"update": "m3"}, "expected one of 'additive', 'm1', 'm2', 'logistic', not 'm3'"),
        ({"keep": "some"}, "expected one of 'last', 'ensemble', not 'some'"),
        ({"prior": "flat"}, "expected one of 'exponential', 'l2', not 'flat'"),
        ({"tags": "none"}, "expected one of 'both', 'upos', 'xpos', not 'none'"),
        ({"rounds": 0}, "rounds must be 1 or more"),
        ({"strength": 0.0}, "strength must be above 0"),
        ({"step": -1.0}, "step must be above 0"),
        ({"longest": 0}, "longest must be 1 or more"),
        ({"grandchildren": ("ADP",)}, "choose the link score odds"),
        ({"grandchildren": ("ADP",), "dynamic": False}, "choose dynamic"),
    ],
)
def test_settings_without_meaning_are_refused(settings, message):
    with pytest.raises(UsageError, match=message):
        boosted(**settings)


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


@pytest.mark.parametrize("what", ["keys", "unseen", "weights.values", "weights.shape"])
def test_a_model_that_does_not_hold_together_is_refused(what, tmp_path):
    boosted(TRAIN[:5]).save(tmp_path / "m")
    model = load_model(tmp_path / "m")
    broken = {
        "keys": model.array("keys")[::-1],
        "unseen": model.array("unseen")[:1],
        "weights.values": np.full_like(model.array("weights.values"), np.nan),
        "weights.shape": np.array([2, 3]),
    }[what]
    save_model(
        tmp_path / "bad",
        ModelFile("boosting", model.settings, {**model.arrays, what: broken}, ""),
    )
    with pytest.raises(ModelError, match="bad"):
        headwise.load(tmp_path / "bad")
