"""Rounds of boosting."""

import numpy as np
import pytest
from boostingtoys import DEV, NOISY, TRAIN, NaiveBayes, boosted

from headwise.errors import UsageError
from headwise.learners.crossing import projective_heads
from headwise.parsers.boosting.classifier import LinkClassifier
from headwise.parsers.boosting.examples import link_examples
from headwise.parsers.boosting.reweighting import RULES
from headwise.parsers.boosting.search import encoder_of


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
