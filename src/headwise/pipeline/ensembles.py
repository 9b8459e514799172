"""Ensembles of whole models: the committee itself as a pipeline."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from headwise.corpus.formats import read_sentences
from headwise.corpus.sentence import Sentence
from headwise.errors import UsageError
from headwise.parsers.ensemble.member import Member
from headwise.parsers.ensemble.parser import EnsembleParser
from headwise.pipeline.models import as_pipeline, model_path
from headwise.pipeline.pipeline import Pipeline
from headwise.storage.modelfile import check_model_path


def ensemble_of(
    models: Sequence[str | Path | Pipeline], dev: Sequence[Sentence] | None = None
) -> Pipeline:
    """The models as one: averaged probabilities of heads, relations and tags.

    Tokeniser and lemmatiser are those of the first model that has them. With `dev`, the
    temperature of probabilities of heads is fitted to its trees.
    """
    if not models:
        raise UsageError("an ensemble has one member or more")
    pipelines = [one if isinstance(one, Pipeline) else as_pipeline(one) for one in models]
    parser = EnsembleParser(members=[member_of(one) for one in pipelines])
    parser.check()
    if dev is not None:
        parser.calibrate(dev)
    tokenisers = [one.tokeniser for one in pipelines if one.tokeniser is not None]
    lemmatisers = [one.lemmas for one in pipelines if one.lemmas is not None]
    return Pipeline(
        tokeniser=next(iter(tokenisers), None),
        lemmas=next(iter(lemmatisers), None),
        parser=parser,
        name="+".join(one.name for one in pipelines),
        version="+".join(one.version for one in pipelines),
    )


def save_ensemble(
    models: Sequence[str | Path],
    output: str | Path,
    *,
    dev: str | Path | None = None,
    format_name: str | None = None,
    force: bool = False,
) -> tuple[Pipeline, dict[str, Any]]:
    """Save models as one; with `dev`, what it scores there."""
    from headwise.pipeline.training.pipelinescores import pipeline_scores

    if len(models) < 2:
        raise UsageError(
            f"an ensemble is made of two models or more, not of {len(models)}; to copy a model, "
            "copy its folder"
        )
    paths = [model_path(one).resolve() for one in models]
    if repeated := next((one for one in paths if paths.count(one) > 1), None):
        raise UsageError(f"{repeated.name} is given twice: each member has one vote")
    check_model_path(output, force=force)
    gold = None if dev is None else list(read_sentences(dev, format_name))
    pipeline = ensemble_of(models, gold)
    report = {} if gold is None else {"dev": pipeline_scores(pipeline, gold)}
    about = {"members": ", ".join(one.name for one in paths)}
    if dev is not None:
        about["development data"] = Path(dev).name
    pipeline.save(output, about=about, report=report, force=force)
    return pipeline, report


def member_of(pipeline: Pipeline) -> Member:
    """A pipeline as a member: its parser, and the stages that give it tags and lemmas."""
    if pipeline.parser is None:
        raise UsageError(f"{pipeline.name}: has no parser, and cannot be a member of an ensemble")
    if pipeline.parser.finds_tags():
        return Member(pipeline.parser)
    return Member(pipeline.parser, pipeline.tagger, pipeline.lemmas)
