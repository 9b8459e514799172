"""How good a pipeline is on gold data: under gold tags, under its own, and from raw text."""

from collections.abc import Iterable, Sequence
from math import isnan

from headwise.corpus.sentence import MISSING, Sentence
from headwise.errors import InputError, warn
from headwise.evaluate.raw import evaluate_raw
from headwise.pipeline.pipeline import Pipeline
from headwise.text.annotating import has_tags
from headwise.text.rawtext import running_text

GOLD_TAGS, OWN_TAGS, RAW_TEXT = "gold tags", "own tags", "raw text"
TREES = ("uas", "las", "clas")
TAGGED_TREES = (*TREES, "mlas", "blex")
OF_RELATIONS = ("las", "clas", "mlas", "blex")
TAGS = ("upos", "xpos", "ufeats", "lemmas")
TOKENS = ("tokens", "words", "sentences")

Scores = dict[str, float | None]


def pipeline_scores(pipeline: Pipeline, gold: Sequence[Sentence]) -> dict[str, Scores]:
    """The scores of a pipeline in every condition that it and the data allow."""
    bare = [without_tree(sentence) for sentence in gold]
    found: dict[str, Scores] = {}
    if pipeline.parser is not None and any(map(has_tags, gold)):
        parsed = pipeline.annotate(bare)
        found[GOLD_TAGS] = scores_of(gold, parsed, found_by(pipeline, TREES))
    has_own = bool(pipeline.found_tags) or pipeline.lemmas is not None
    if has_own or not found:
        parsed = pipeline.annotate(bare, own_tags=has_own)
        found[OWN_TAGS] = scores_of(gold, parsed, found_by(pipeline, (*TAGS, *TAGGED_TREES)))
    if pipeline.tokeniser is not None and has_text(gold):
        text = running_text(gold).text
        parsed = pipeline.annotate(pipeline.tokeniser.split(text))
        names = found_by(pipeline, (*TOKENS, *TAGS, *TAGGED_TREES))
        found[RAW_TEXT] = scores_of(gold, parsed, names)
    return {condition: scores for condition, scores in found.items() if scores}


def found_by(pipeline: Pipeline, names: Sequence[str]) -> Sequence[str]:
    """The measures of what the stages find: no tags without a tagger, no trees without a parser."""
    absent: set[str] = set()
    absent |= {name for name in ("upos", "xpos") if name not in pipeline.found_tags}
    if "upos" not in pipeline.found_tags or "feats" not in pipeline.found_tags:
        absent |= {"ufeats", "mlas"}
    if pipeline.lemmas is None:
        absent |= {"lemmas", "blex"}
    if pipeline.parser is None:
        absent |= set(TAGGED_TREES)
    elif not pipeline.parser.finds_relations:
        absent |= set(OF_RELATIONS)
    return [name for name in names if name not in absent]


def scores_of(gold: Sequence[Sentence], system: Iterable[Sentence], names: Sequence[str]) -> Scores:
    """F1 of some measures in per cent; none of trees where there are none, or that mean nothing."""
    try:
        found = evaluate_raw(gold, system).scores
    except InputError as error:  # odd data are no reason to lose a trained model
        warn(f"no scores: {error}")
        return {}
    values = {name: found[name].f1 for name in names if name in found}
    return {name: None if isnan(value) else value for name, value in values.items()}


def without_tree(sentence: Sentence) -> Sentence:
    """A sentence as a parser gets it."""
    return sentence.with_tree([None] * len(sentence), [MISSING] * len(sentence))


def has_text(sentences: Sequence[Sentence]) -> bool:
    """Whether sentences say how their text looked, beyond its tokens."""
    return any(
        one.comment("text") is not None or "SpaceAfter=No" in "|".join(one.misc)
        for one in sentences
    )
