"""Whole pipelines: calibrated under own and given tags, saved and used."""

import pytest

from headwise.corpus.sentence import Sentence
from headwise.errors import UsageError
from headwise.inference.answers import ParseOptions
from headwise.inference.temperatures import ModelTemperatures, Temperatures, reported
from headwise.parsers.lexical.parser import LexicalParser
from headwise.pipeline.calibrating import calibrate, calibrate_if_possible, trust
from headwise.pipeline.pipeline import Pipeline
from toyensembles import linear_pipeline
from toynetworks import random_parser
from toytreebank import toy_treebank

DEV = toy_treebank(24, 5)
MARGINALS = ParseOptions(marginals=True)
CURVE = ((0.2, 0.1), (0.6, 0.7), (0.9, 0.8))


@pytest.fixture(params=[linear_pipeline, lambda: Pipeline(parser=random_parser())])
def pipeline(request):
    """A pipeline whose parser may be changed."""
    made = request.param()
    parser = made.parser
    before, report = parser.temperatures_, dict(parser.report_)
    yield made
    parser.temperatures_, parser.report_ = before, report


def bare(sentence: Sentence) -> Sentence:
    return Sentence.from_words(sentence.forms)


def test_own_and_given_tags_have_sets_of_their_own(pipeline):
    calibrate(pipeline, DEV)
    found = pipeline.parser.temperatures_
    assert found.given_tags is not None
    assert found.trees != 1.0 != found.given_tags.trees
    measured = trust(pipeline, DEV[1::2])
    assert list(measured) == ["own tags", "gold tags"]
    report = pipeline.parser.report_
    for name, key in (("own tags", "calibration"), ("gold tags", "calibration_given_tags")):
        own = {kind: one.to_json() for kind, one in measured[name].items()}
        assert own == report[key]


def test_what_is_saved_is_as_good_and_has_the_same_weights(pipeline, tmp_path):
    pipeline.save(tmp_path / "a")
    calibrate(pipeline, DEV)
    pipeline.save(tmp_path / "b")
    again = Pipeline.load(tmp_path / "b")
    assert again.parser.temperatures_ == pipeline.parser.temperatures_
    weights = [(tmp_path / name / "weights.safetensors").read_bytes() for name in "ab"]
    assert weights[0] == weights[1]
    assert "under given tags" in (tmp_path / "b" / "README.md").read_text()
    assert list(again.annotate(DEV, MARGINALS)) == list(pipeline.annotate(DEV, MARGINALS))


def test_sentences_are_answered_by_the_set_for_their_tags(pipeline):
    given = Temperatures(heads=5.0, relations=3.0, tags=2.0, trees=4.0, tree_curve=CURVE)
    own = Temperatures(heads=2.0, relations=0.7, trees=1.5, head_curve=CURVE)
    alone = {}
    for name, chosen in (("own", own), ("given", given)):
        parts = {one: getattr(chosen, one) for one in Temperatures.__dataclass_fields__}
        pipeline.parser.temperatures_ = ModelTemperatures(**parts)
        alone[name] = list(pipeline.annotate(DEV if name == "given" else map(bare, DEV), MARGINALS))
        if name == "own":
            asked = list(pipeline.annotate(DEV, MARGINALS, own_tags=True))
            marginals = pipeline.parser.marginals(DEV[0]).arc
    parts = {one: getattr(own, one) for one in Temperatures.__dataclass_fields__}
    pipeline.parser.temperatures_ = ModelTemperatures(**parts, given_tags=given)
    mixed = [one if n % 2 else bare(one) for n, one in enumerate(DEV)]
    found = list(pipeline.annotate(mixed, MARGINALS))
    assert found == [alone["given" if n % 2 else "own"][n] for n in range(len(DEV))]
    assert list(pipeline.annotate(DEV, MARGINALS, own_tags=True)) == asked
    assert (pipeline.parser.marginals(DEV[0]).arc != marginals).any()


def test_reported_probabilities_follow_the_curves(pipeline):
    parser = pipeline.parser
    parser.temperatures_ = ModelTemperatures(heads=2.0, trees=1.5)
    plain = list(pipeline.annotate(DEV, MARGINALS))
    parser.temperatures_ = ModelTemperatures(
        heads=2.0, trees=1.5, head_curve=CURVE, tree_curve=CURVE
    )
    for one, other in zip(plain, pipeline.annotate(DEV, MARGINALS), strict=True):
        before = [word.head_probability for word in one.words]
        after = [word.head_probability for word in other.words]
        assert after == pytest.approx(reported(before, CURVE), abs=2e-3)
        trees = [float(sentence.comment("tree_prob")) for sentence in (one, other)]
        assert trees[1] == pytest.approx(reported(trees[:1], CURVE)[0], rel=5e-3)
    options = ParseOptions(marginals=True, constraints=True)
    assert all(
        word.head_probability == 1.0
        for sentence in pipeline.annotate(DEV, options)
        for word in sentence.words
    )


def test_parsers_without_temperatures_are_left_alone():
    other = Pipeline(parser=LexicalParser())
    calibrate_if_possible(other, DEV)
    with pytest.raises(UsageError, match="calibrated"):
        calibrate(other, DEV)
