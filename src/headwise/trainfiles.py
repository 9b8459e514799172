"""From treebank files to a model folder: all that `headwise train` does but speak."""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from headwise.corpus.files import source_name
from headwise.corpus.formats import read_sentences
from headwise.corpus.sentence import Sentence
from headwise.errors import InputError, Place, UsageError
from headwise.learners.checkpoint import can_resume, remove_checkpoint
from headwise.learners.settings import TrainingSettings
from headwise.learners.watchers import Several, Watcher
from headwise.modelfile import check_model_path
from headwise.parser import DependencyParser
from headwise.settings import to_mapping
from headwise.traininglog import LogWriter


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingFiles:
    """What is read, and what is written.

    guide, dev_guide: the sentences of train and dev under another parser's trees.
    log: the training log; by default beside the model.
    force: a model that is there is replaced.
    """

    train: Path
    model: Path
    dev: Path | None = None
    guide: Path | None = None
    dev_guide: Path | None = None
    format_name: str | None = None
    head_rules: str | None = None
    log: Path | None = None
    force: bool = False

    @property
    def checkpoint(self) -> Path:
        """The folder to go on from: beside the model, until it is finished."""
        return beside(self.model, ".checkpoint")

    @property
    def log_path(self) -> Path:
        """Where the log is written."""
        return self.log or beside(self.model, ".log.jsonl")


def beside(path: Path, ending: str) -> Path:
    """A name beside a folder's, however that is written (`model/`, `.`)."""
    target = path.resolve()
    return (path.parent if path.name == target.name else target.parent) / (target.name + ending)


def train_files(
    files: TrainingFiles,
    settings: TrainingSettings,
    watcher: Watcher,
    *,
    jobs: int = 1,
    resume: bool = False,
) -> DependencyParser:
    """Train a parser and save it. Cut short, it can be called again with `resume`."""
    check_model_path(files.model, force=files.force)
    if can_resume(files.checkpoint) and not resume:
        if not files.force:
            raise UsageError(
                f"{files.checkpoint} is of a training that was cut short: go on with --resume, or "
                "begin anew with --force"
            )
        remove_checkpoint(files.checkpoint)
    if files.dev_guide is not None and files.dev is None:
        raise UsageError("a guide for dev needs dev")
    if files.dev is not None and (files.guide is None) != (files.dev_guide is None):
        raise UsageError("a guide for train needs one for dev, and the other way round")
    sentences = read_all(files, files.train)
    dev, guides, dev_guides = (
        None if path is None else read_all(files, path)
        for path in (files.dev, files.guide, files.dev_guide)
    )
    about = {
        "train": source_name(files.train),
        "dev": None if files.dev is None else source_name(files.dev),
        "settings": to_mapping(settings),
    }
    make_room(files)
    parser = DependencyParser(**{one.name: getattr(settings, one.name) for one in fields(settings)})
    parser.fit(
        sentences,
        dev,
        guides=guides,
        dev_guides=dev_guides,
        jobs=jobs,
        checkpoint=files.checkpoint,
        resume=resume,
        watcher=Several([LogWriter(files.log_path, about), watcher]),
    )
    parser.save(files.model, about=names_for_card(files), force=files.force)
    remove_checkpoint(files.checkpoint)
    return parser


def read_all(files: TrainingFiles, path: Path) -> Sequence[Sentence]:
    """The sentences of a file; there must be some."""
    sentences = list(read_sentences(path, files.format_name, head_rules=files.head_rules))
    if not sentences:
        raise InputError("there is no sentence", Place(source_name(path)))
    return sentences


def make_room(files: TrainingFiles) -> None:
    """Make the folders that the model and its log go into, before long work is done for them."""
    try:
        for path in (files.model, files.log_path):
            path.resolve().parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"cannot write {error.filename}: {error.strerror}") from error


def names_for_card(files: TrainingFiles) -> dict[str, Any]:
    """What the card says of the treebanks."""
    named = {
        "trained on": files.train,
        "development data": files.dev,
        "guided by": files.guide,
    }
    return {name: Path(path).name for name, path in named.items() if path is not None}
