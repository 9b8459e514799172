"""Training with several scorers, of which the one that is better on dev is kept."""

import shutil
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from math import isnan
from pathlib import Path
from typing import Any

from headwise.corpus.sentence import Sentence
from headwise.errors import UsageError
from headwise.evaluate.comparison import compare
from headwise.learners.callbacks import TrainingCallback
from headwise.learners.checkpoint import call_path
from headwise.parsers.base import Parser
from headwise.pipeline.models import as_pipeline
from headwise.pipeline.pipeline import Pipeline
from headwise.pipeline.storage import stored_report
from headwise.pipeline.training.pipelinescores import without_tree
from headwise.pipeline.training.recipe import Recipe
from headwise.pipeline.training.resuming import call_identity, check_finished, read_call
from headwise.pipeline.training.trainfiles import (
    TrainingFiles,
    check_call,
    check_settings,
    learn_of,
    only_training,
    read_all,
    read_inputs,
    train_files,
)
from headwise.storage.modelfile import remove_model

SIGNIFICANT = 0.05


@dataclass(frozen=True, slots=True)
class Choice:
    """Which of two scorers is kept, and why; `tags` are those that they were compared under."""

    kept: str
    other: str
    score: float
    other_score: float
    p: float
    measure: str = "las"
    tags: str = "own"

    def __str__(self) -> str:
        """The choice in a line."""
        verdict = "significant" if self.p < SIGNIFICANT else "not significant"
        return (
            f"kept {self.kept}: dev {self.measure.upper()} {self.score:.2f} under {self.tags} "
            f"tags, {self.other} {self.other_score:.2f}; the difference of "
            f"{self.score - self.other_score:.2f} is {verdict} (p = {self.p:.4f}, randomisation "
            "test)"
        )


def checkpoints(files: TrainingFiles, candidates: Collection[str]) -> list[Path]:
    """Where the checkpoints of a call are: those of several candidates have names of their own."""
    if len(candidates) == 1:
        return [files.checkpoint]
    return [files.of_candidate(name).checkpoint for name in candidates]


def train_best(
    files: TrainingFiles,
    candidates: Mapping[str, tuple[Parser, Recipe]],
    callback: TrainingCallback,
    *,
    jobs: int = 1,
    resume: bool = False,
) -> tuple[Pipeline, dict[str, Any], Choice | None]:
    """Train each candidate; save the one of the higher LAS on dev, and say how sure that is.

    With one candidate this is `train_files`. Of several, each is trained beside the model, from the
    files that it uses; one that is finished is not trained again on `resume`.
    """
    if len(candidates) == 1:
        ((parser, recipe),) = candidates.values()
        pipeline, report = train_files(
            files, parser, callback, recipe=recipe, jobs=jobs, resume=resume
        )
        return pipeline, report, None
    if files.dev is None:
        raise UsageError("--scorer auto keeps what is better on development data: give --dev")
    with only_training(files):
        return _best(files, files.dev, candidates, callback, jobs, resume)


def _best(
    files: TrainingFiles,
    dev: Path,
    candidates: Mapping[str, tuple[Parser, Recipe]],
    callback: TrainingCallback,
    jobs: int,
    resume: bool,
) -> tuple[Pipeline, dict[str, Any], Choice]:
    check_call(files, resume=resume)
    own = {name: files_of(files, name, candidates) for name in candidates}
    for name, (parser, recipe) in candidates.items():  # before long work is done for the first
        check_settings(own[name], parser, recipe)
        if not resume:
            check_call(own[name], resume=False)
            remove_model(own[name].model)  # asked for by --force
    trained: dict[str, Pipeline] = {}
    reports: dict[str, dict[str, Any]] = {}
    for number, (name, (parser, recipe)) in enumerate(candidates.items(), 1):
        callback.training(name, number, len(candidates))
        if resume and own[name].model.is_dir():
            trained[name], reports[name] = finished(own[name], parser, recipe, callback)
            continue
        trained[name], reports[name] = train_files(
            own[name], parser, callback, recipe=recipe, jobs=jobs, resume=resume, keep_note=True
        )
    choice = better(trained, read_all(files, dev))
    keep(files, choice)
    if files.teaching is not None and files.teaching.cache is None:
        shutil.rmtree(files.text_cache, ignore_errors=True)
    return trained[choice.kept], reports[choice.kept], choice


def files_of(
    files: TrainingFiles, name: str, candidates: Mapping[str, tuple[Parser, Recipe]]
) -> TrainingFiles:
    """The files of one candidate; what only others use is left out."""
    used = frozenset[str]().union(*(parser.uses for parser, _ in candidates.values()))
    others = used - candidates[name][0].uses
    changed: dict[str, Any] = dict.fromkeys(others & {"vectors", "unlabelled"})
    if files.teaching is not None:  # candidates share what is parsed
        changed["teaching"] = replace(files.teaching, cache=str(files.text_cache))
    return replace(files.of_candidate(name), **changed)


def finished(
    files: TrainingFiles, parser: Parser, recipe: Recipe, callback: TrainingCallback
) -> tuple[Pipeline, dict[str, Any]]:
    """A candidate that was trained before, and what it scores; raise if it is of another call."""
    inputs = read_inputs(files, parser)
    taught = None if files.teaching is None else learn_of(files, inputs, callback.stage)
    identity = call_identity(parser, recipe.fitting(parser), inputs, taught)
    check_finished(files.model, read_call(files.checkpoint), parser, identity)
    return as_pipeline(files.model), stored_report(files.model)


def better(trained: Mapping[str, Pipeline], dev: Sequence[Sentence]) -> Choice:
    """Compare two pipelines under their own tags; under gold tags, if one of them finds none."""
    (a, first), (b, second) = trained.items()
    bare = [without_tree(sentence) for sentence in dev]
    own = bool(first.found_tags and second.found_tags)
    found = compare(
        dev,
        list(first.annotate(bare, own_tags=own)),
        list(second.annotate(bare, own_tags=own)),
    )
    tags = "own" if own else "gold"
    measure = "uas" if isnan(found.all_tokens["las"].a) else "las"
    score = found.all_tokens[measure]
    p = score.randomisation_p
    if score.a >= score.b:
        return Choice(a, b, score.a, score.b, p, measure, tags)
    return Choice(b, a, score.b, score.a, p, measure, tags)


def keep(files: TrainingFiles, choice: Choice) -> None:
    """Give the model that is kept its name; the other one is removed."""
    kept, other = files.of_candidate(choice.kept), files.of_candidate(choice.other)
    if files.model.exists():  # asked for by --force
        shutil.rmtree(files.model)
    kept.model.rename(files.model)
    shutil.rmtree(other.model)
    for own in (kept, other):
        call_path(own.checkpoint).unlink(missing_ok=True)
    if kept.log_path.exists():
        kept.log_path.replace(files.log_path)
    other.log_path.unlink(missing_ok=True)
