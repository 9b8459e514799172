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
from headwise.parsers.base import Parser
from headwise.pipeline.models import as_pipeline
from headwise.pipeline.pipeline import Pipeline
from headwise.pipeline.training.pipelinescores import without_tree
from headwise.pipeline.training.recipe import Recipe
from headwise.pipeline.training.trainfiles import (
    TrainingFiles,
    beside,
    check_call,
    read_all,
    train_files,
)

SIGNIFICANT = 0.05


@dataclass(frozen=True, slots=True)
class Choice:
    """Which of two scorers is kept, and why."""

    kept: str
    other: str
    score: float
    other_score: float
    p: float
    measure: str = "las"

    def __str__(self) -> str:
        """The choice in a line."""
        verdict = "significant" if self.p < SIGNIFICANT else "not significant"
        return (
            f"kept {self.kept}: dev {self.measure.upper()} {self.score:.2f} under own tags, "
            f"{self.other} {self.other_score:.2f}; the difference of "
            f"{self.score - self.other_score:.2f} is {verdict} (p = {self.p:.4f}, randomisation "
            "test)"
        )


def checkpoints(files: TrainingFiles, candidates: Collection[str]) -> list[Path]:
    """Where the checkpoints of a call are: those of several candidates have names of their own."""
    if len(candidates) == 1:
        return [files.checkpoint]
    return [replace(files, model=beside(files.model, f".{name}")).checkpoint for name in candidates]


def train_best(
    files: TrainingFiles,
    candidates: Mapping[str, tuple[Parser, Recipe]],
    callback: TrainingCallback,
    *,
    jobs: int = 1,
    resume: bool = False,
) -> tuple[Pipeline, dict[str, Any], Choice | None]:
    """Train each candidate; save the one of the higher LAS on dev, and say how sure that is.

    With one candidate this is `train_files`. Of several, each is trained beside the model; one
    that is finished is not trained again on `resume`.
    """
    if len(candidates) == 1:
        ((parser, recipe),) = candidates.values()
        pipeline, report = train_files(
            files, parser, callback, recipe=recipe, jobs=jobs, resume=resume
        )
        return pipeline, report, None
    if files.dev is None:
        raise UsageError("--scorer auto keeps what is better on development data: give --dev")
    check_call(files, resume=resume)
    trained: dict[str, Pipeline] = {}
    reports: dict[str, dict[str, Any]] = {}
    for name, (parser, recipe) in candidates.items():
        own = replace(files, model=beside(files.model, f".{name}"), log=None)
        own = replace(own, vectors=files.vectors if "vectors" in parser.uses else None)
        if resume and own.model.is_dir():
            trained[name], reports[name] = as_pipeline(own.model), {}
            continue
        trained[name], reports[name] = train_files(
            own, parser, callback, recipe=recipe, jobs=jobs, resume=resume
        )
    choice = better(trained, read_all(files, files.dev))
    keep(files, choice)
    return trained[choice.kept], reports[choice.kept], choice


def better(trained: Mapping[str, Pipeline], dev: Sequence[Sentence]) -> Choice:
    """Compare two pipelines under their own tags."""
    (a, first), (b, second) = trained.items()
    bare = [without_tree(sentence) for sentence in dev]
    found = compare(
        dev,
        list(first.annotate(bare, own_tags=bool(first.found_tags))),
        list(second.annotate(bare, own_tags=bool(second.found_tags))),
    )
    measure = "uas" if isnan(found.all_tokens["las"].a) else "las"
    score = found.all_tokens[measure]
    if score.a >= score.b:
        return Choice(a, b, score.a, score.b, score.randomisation_p, measure)
    return Choice(b, a, score.b, score.a, score.randomisation_p, measure)


def keep(files: TrainingFiles, choice: Choice) -> None:
    """Give the model that is kept its name; the other one is removed."""
    kept, other = (beside(files.model, f".{name}") for name in (choice.kept, choice.other))
    if files.model.exists():  # asked for by --force
        shutil.rmtree(files.model)
    kept.rename(files.model)
    shutil.rmtree(other)
    for name, path in ((choice.kept, files.log_path), (choice.other, None)):
        log = Path(f"{beside(files.model, f'.{name}')}.log.jsonl")
        if path is None:
            log.unlink(missing_ok=True)
        elif log.exists():
            log.replace(path)
