"""The probabilities of a whole pipeline: calibrated, and how far they can be trusted."""

from collections.abc import Sequence

from headwise.corpus.sentence import Sentence
from headwise.errors import UsageError
from headwise.evaluate.calibration import Calibration
from headwise.learners.calibrating import reliability
from headwise.parsers.calibrated import CalibratedParser, bare
from headwise.pipeline.ensembles import member_of
from headwise.pipeline.pipeline import Pipeline
from headwise.pipeline.training.pipelinescores import GOLD_TAGS, OWN_TAGS
from headwise.text.annotating import has_tags


def calibrate(pipeline: Pipeline, dev: Sequence[Sentence]) -> None:
    """Fit what makes scores probabilities to gold trees that nothing has learnt from.

    Nothing else of the pipeline is changed. Where it finds tags, there is one set for sentences
    without tags and one for sentences with them.
    """
    conditions = given_to(pipeline, dev)
    tagged = conditions.get(GOLD_TAGS) if OWN_TAGS in conditions else None
    given = conditions.get(OWN_TAGS) or conditions[GOLD_TAGS]
    calibrated_parser(pipeline).calibrate(dev, given, tagged=tagged)


def calibrate_if_possible(pipeline: Pipeline, dev: Sequence[Sentence]) -> None:
    """The same, for kinds of parsers whose scores become probabilities."""
    if isinstance(pipeline.parser, CalibratedParser):
        calibrate(pipeline, dev)


def trust(pipeline: Pipeline, gold: Sequence[Sentence]) -> dict[str, dict[str, Calibration]]:
    """How far probabilities can be trusted, by condition and kind."""
    search = calibrated_parser(pipeline).search()
    return {
        name: reliability(search.for_given_tags() if name == GOLD_TAGS else search, gold, given)
        for name, given in given_to(pipeline, gold).items()
    }


def calibrated_parser(pipeline: Pipeline) -> CalibratedParser:
    """The parser of a pipeline; raise if its probabilities are not calibrated."""
    if not isinstance(pipeline.parser, CalibratedParser):
        raise UsageError(f"{pipeline.name} has no parser whose probabilities can be calibrated")
    return pipeline.parser


def given_to(pipeline: Pipeline, gold: Sequence[Sentence]) -> dict[str, Sequence[Sentence]]:
    """Gold sentences as the parser is given them, under own tags and under those they have."""
    member, found = member_of(pipeline), dict[str, Sequence[Sentence]]()
    if pipeline.found_tags or not any(map(has_tags, gold)):
        found[OWN_TAGS] = member.prepared(list(map(bare, gold)))
    if any(map(has_tags, gold)):
        found[GOLD_TAGS] = member.prepared(gold)
    return found
