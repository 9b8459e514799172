"""Arcs and labels learnt together: scores by enumeration, costs by counting."""

import numpy as np
import pytest

from headwise import DependencyParser
from headwise.corpus.sentence import Sentence
from headwise.errors import InputError, UsageError
from headwise.learners.base import Example
from headwise.learners.data import training_data
from headwise.learners.joint import JointMira, JointPerceptron
from headwise.learners.settings import TrainingSettings
from headwise.learners.weights import LearnedWeights
from headwise.scoring.linear.atoms import AtomEncoder
from headwise.scoring.linear.higher import FeatureSpec
from headwise.scoring.linear.templates import FeatureSet
from headwise.search.decoders.projective import ProjectiveDecoder
from labelledtoys import labelled_treebank
from toytreebank import SMALL

TRAIN, DEV = labelled_treebank(60, 1), labelled_treebank(30, 2)
ROWS = ["distance h.tag m.tag", "plain h.word m.word", "distance h.tag b.tag m.tag"]


def example(number=0, seed=0, crossing=0.0):
    """A sentence, its gold labels, and random weights."""
    chosen = TrainingSettings(labels="joint", tables=SMALL)
    train = labelled_treebank(60, 1, crossing=crossing)
    data = training_data(train, chosen, AtomEncoder())
    weights = LearnedWeights.empty(SMALL, with_labels=True)
    rng = np.random.default_rng(seed)
    weights.tables.weights[:] = rng.normal(0, 0.2, len(weights.tables.weights))
    scorer = FeatureSpec(FeatureSet.parse(ROWS), labels=data.inventory).scorer(weights.tables)
    tokens = data.encoded.sentence(number)
    scores = scorer.arcs.scores_of(tokens)
    one = Example(
        scorer, tokens, data.golds[number], data.costs[number], 0.0, scores, ProjectiveDecoder(),
        data.labels[number],
    )  # fmt: skip
    return one, weights, data


def labelled_score(one, heads, labels) -> float:
    """The score of a labelled tree, from the features of its difference to the gold tree."""
    rows = one.scorer.labelled_differences(
        one.tokens, one.gold, one.labels, heads[None], labels[None]
    )
    places = rows.slots & ~(np.int64(1) << 62)
    weights = one.scorer.arcs.tables.weights
    return -float(weights[places][rows.column] @ rows.value)


@pytest.mark.parametrize("k", [1, 3])
def test_after_a_step_of_mira_the_margin_is_kept(k):
    one, weights, _ = example(seed=3)
    learner = JointMira(k, "labelled", c=np.inf)
    assert learner.learn(one, weights) > 0
    for _ in range(30):
        again = Example(
            one.scorer, one.tokens, one.gold, one.costs, 0.0,
            one.scorer.arcs.scores_of(one.tokens), one.decoder, one.labels,
        )  # fmt: skip
        loss = learner.learn(again, weights)
    assert loss == 0


def test_wrong_labels_cost_under_the_labelled_loss_only():
    one, weights, data = example(seed=5)
    zeros = LearnedWeights.empty(SMALL, with_labels=True)
    spec = FeatureSpec(FeatureSet.parse(ROWS), labels=data.inventory)
    scorer = spec.scorer(zeros.tables)
    plain = Example(
        scorer,
        one.tokens,
        one.gold,
        one.costs,
        0.0,
        scorer.arcs.scores_of(one.tokens),
        one.decoder,
        one.labels,
    )
    words = len(one.gold) - 1
    assert JointMira(loss="labelled").learn(plain, zeros) <= words
    assert JointPerceptron().learn(one, weights) <= words


@pytest.mark.parametrize(
    "chosen", [{"loss": "labelled"}, {"loss": "heads"}, {"learner": "perceptron"}]
)
def test_joint_parsers_learn_heads_and_relations(chosen):
    parser = DependencyParser(labels="joint", tables=SMALL, epochs=3, **chosen).fit(TRAIN, DEV)
    scores = parser.scores(DEV)
    assert scores["las"] > 0.9
    assert parser.report_["dev_las"] == pytest.approx(100 * scores["las"])
    for one in parser.predict(DEV):
        assert [r == "root" for r in one.relations] == [h == 0 for h in one.heads]


@pytest.mark.filterwarnings("ignore:.*have crossing arcs")
def test_lifted_arcs_may_end_at_the_root():
    one, _, data = example(crossing=1.0)
    for heads, labels in zip(data.golds, data.labels, strict=True):
        assert (labels[heads == 0] == data.inventory.root).all()
    assert np.isfinite(labelled_score(one, one.gold, one.labels))


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"labels": "joint", "order": 2}, "first order"),
        ({"labels": "joint", "learner": "log-linear"}, "mira, or perceptron with k = 1"),
        ({"labels": "second-stage", "loss": "labelled"}, "needs joint labels"),
    ],
)
def test_what_does_not_go_together(wrong, message):
    with pytest.raises(UsageError, match=message):
        TrainingSettings(**wrong).check()


def test_a_treebank_without_relations():
    bare = [Sentence.from_words(["a", "b"], heads=[0, 1])]
    with pytest.raises(InputError, match="no relations"):
        DependencyParser(labels="joint", tables=SMALL).fit(bare)
