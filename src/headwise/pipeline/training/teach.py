"""`headwise.teach`: a student of other models, from Python."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from headwise.learners.callbacks import TrainingCallback
from headwise.pipeline.pipeline import Pipeline
from headwise.pipeline.training.best import train_best
from headwise.pipeline.training.config import TEACHING, read_teaching, read_trainings
from headwise.pipeline.training.trainfiles import TrainingFiles


def teach(
    train: str | Path,
    model: str | Path,
    teachers: Sequence[str | Path],
    text: Sequence[str | Path],
    *,
    dev: str | Path | None = None,
    vectors: str | Path | None = None,
    settings: Mapping[str, Any] | None = None,
    jobs: int = 1,
    resume: bool = False,
    force: bool = False,
    callback: TrainingCallback | None = None,
) -> Pipeline:
    """Train a model on a treebank and on text that other models parse, and save it.

    train, dev: treebank files; model: the folder to write.
    teachers: models by folder or name; several average their probabilities.
    text: files of raw, presegmented or tokenised text.
    settings: as in a configuration file: `{"scorer": "linear", "teaching": {"gold_weight": 2}}`.
    """
    changes = dict(settings or {})
    named = {"teachers": list(map(str, teachers)), "text": list(map(str, text))}
    changes[TEACHING] = {**changes.get(TEACHING, {}), **named}
    files = TrainingFiles(
        train=Path(train),
        model=Path(model),
        dev=None if dev is None else Path(dev),
        vectors=None if vectors is None else Path(vectors),
        teaching=read_teaching(None, changes),
        force=force,
    )
    pipeline, _, _ = train_best(
        files,
        read_trainings(None, changes),
        callback or TrainingCallback(),
        jobs=jobs,
        resume=resume,
    )
    return pipeline
