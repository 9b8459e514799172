"""Scores of a pipeline on gold data that lacks columns."""

from dataclasses import replace

import pytest

from headwise.cli.train import score_lines
from headwise.corpus.sentence import MISSING, Sentence
from headwise.errors import HeadwiseWarning
from headwise.evaluate import evaluate_raw
from headwise.pipeline.storage import NOT_SCORED, pipeline_card
from headwise.pipeline.training.pipelinescores import pipeline_scores, scores_of
from toypipelines import toy_pipeline, toy_trees


def without(column: str, count: int = 10) -> list[Sentence]:
    return [replace(one, **{column: (MISSING,) * len(one)}) for one in toy_trees(count, seed=1)]


@pytest.mark.parametrize(
    ("column", "measures"),
    [
        ("xpos", {"xpos"}),
        ("feats", {"ufeats", "mlas"}),
        ("lemmas", {"lemmas", "blex"}),
        ("relations", {"las", "clas", "mlas", "blex"}),
    ],
)
def test_what_the_gold_data_lacks_is_not_scored(column, measures):
    scores = pipeline_scores(toy_pipeline(), without(column))
    for own in scores.values():
        assert {name for name, value in own.items() if value is None} == measures & set(own)
    shown = [measure for line in score_lines(scores) for measure in line.split(", ")]
    assert any(measure.endswith(" –") for measure in shown)
    card = pipeline_card({"about": {}, "stages": {}, "report": {"dev": scores}}, "")
    assert "–" in card
    assert NOT_SCORED in card


def test_a_score_of_nothing_right_is_shown():
    assert score_lines({"own tags": {"upos": 0.0}}) == ["dev, own tags: UPOS 0.00"]


def test_what_no_stage_finds_is_not_scored():
    nlp, gold = toy_pipeline(), toy_trees(5, seed=1)
    with pytest.warns(HeadwiseWarning, match="no UPOS or XPOS tags"):  # of the raw text
        own = pipeline_scores(replace(nlp, tagger=None), gold)["own tags"]
    assert not {"upos", "xpos", "ufeats", "mlas"} & set(own)
    assert "lemmas" in own
    own = pipeline_scores(replace(nlp, parser=None), gold)["raw text"]
    assert not {"uas", "las", "clas"} & set(own)


def test_scores_are_rounded_once_when_they_are_shown():
    gold = [Sentence.from_words(list("abc"), heads=[0, 1, 1], relations=["root", "dep", "dep"])]
    system = [gold[0].with_tree([0, 1, 2])]
    (found,) = scores_of(gold, system, ["uas"]).values()
    assert found == evaluate_raw(gold, system)["uas"].f1 == 200 / 3
