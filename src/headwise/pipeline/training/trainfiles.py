"""From treebank files to a model folder: all that `headwise train` does but speak."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from headwise.corpus.files import source_name
from headwise.corpus.formats import read_sentences
from headwise.corpus.sentence import Sentence
from headwise.errors import InputError, SourceLocation, UsageError
from headwise.learners.callbacks import Several, TrainingCallback
from headwise.learners.checkpoint import can_resume, finish_removal, remove_checkpoint
from headwise.learners.data import check_tree
from headwise.learners.settings import TrainingSettings
from headwise.parameters import parameters_of
from headwise.parsers.boosting.settings import BoostingSettings
from headwise.parsers.graph.parser import DependencyParser
from headwise.parsers.lexical.settings import LexicalSettings
from headwise.parsers.linkmargin.settings import LinkMarginSettings
from headwise.pipeline.pipeline import Pipeline
from headwise.pipeline.training.columns import check_columns
from headwise.pipeline.training.pipelinescores import pipeline_scores
from headwise.pipeline.training.recipe import (
    Recipe,
    StageProgress,
    parser_sentences,
    train_text_stages,
)
from headwise.pipeline.training.resuming import call_identity, check_can_go_on, noted_call
from headwise.pipeline.training.traininglog import LogWriter
from headwise.pipeline.training.trainkinds import (
    AnySettings,
    read_similarity,
    train_boosted,
    train_lexical,
    train_links,
)
from headwise.scoring.linear.partsets import load_part_features
from headwise.scoring.linear.templates import FeatureSet
from headwise.storage.modelfile import check_model_path
from headwise.storage.settings import to_mapping
from headwise.text.similarity.words import WordSimilarity

if TYPE_CHECKING:
    from headwise.parsers.registry import Parser

ALONE = ("parser",)
"""The stages of a parser that is no pipeline; its own report says how good it is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingFiles:
    """What is read, and what is written.

    guide, dev_guide: the sentences of train and dev under another parser's trees.
    unlabelled: sentences without trees, to learn from, or to count words in.
    log: the training log; by default beside the model.
    similarity: similar words, for parsers of words alone.
    force: a model that is there is replaced.
    about: what the card shall say besides (a licence …).
    """

    train: Path
    model: Path
    dev: Path | None = None
    guide: Path | None = None
    dev_guide: Path | None = None
    unlabelled: Path | None = None
    format_name: str | None = None
    head_rules: str | None = None
    log: Path | None = None
    similarity: Path | None = None
    force: bool = False
    about: Mapping[str, Any] = field(default_factory=dict)

    @property
    def checkpoint(self) -> Path:
        """The folder to go on from: beside the model, until it is finished."""
        return beside(self.model, ".checkpoint")

    @property
    def log_path(self) -> Path:
        """Where the log is written."""
        return self.log or beside(self.model, ".log.jsonl")


@dataclass(frozen=True, slots=True)
class Treebanks:
    """Sentences to learn from and to compare with, and those under another parser's trees."""

    train: Sequence[Sentence]
    dev: Sequence[Sentence] | None
    guide: Sequence[Sentence] | None
    dev_guide: Sequence[Sentence] | None
    unlabelled: Sequence[Sentence] | None

    def by_name(self) -> dict[str, Sequence[Sentence] | None]:
        """The sentences of each file, under what it is for."""
        return {
            "training sentences": self.train,
            "development sentences": self.dev,
            "guide": self.guide,
            "guide of dev": self.dev_guide,
            "unlabelled sentences": self.unlabelled,
        }


def beside(path: Path, ending: str) -> Path:
    """A name beside a folder's, however that is written (`model/`, `.`)."""
    target = path.resolve()
    return (path.parent if path.name == target.name else target.parent) / (target.name + ending)


def train_files(
    files: TrainingFiles,
    settings: AnySettings,
    callback: TrainingCallback,
    *,
    recipe: Recipe | None = None,
    tell: StageProgress | None = None,
    jobs: int = 1,
    resume: bool = False,
) -> tuple[Pipeline, dict[str, Any]]:
    """Train a pipeline and save it; what it scores on dev. Cut short, call it with `resume`.

    A parser alone is saved as such. The stages before the parser are trained again on `resume`: the
    same treebank gives the same ones.
    """
    recipe, tell = recipe or Recipe(), tell or quiet
    recipe.check()
    settings.check()
    check_call(files, resume=resume)
    refuse_needless_files(files, settings)
    similarity = read_similarity(files.similarity, settings)
    given = recipe.given_stages()
    read = read_treebanks(files, settings)
    tell("reading", 1, 1)
    check_columns(read.train, settings, recipe, source_name(files.train))
    if recipe.trains("parser"):
        check_before_training(read, settings)
    identity = call_identity(settings, recipe, read.by_name())
    if resume and can_resume(files.checkpoint):
        check_can_go_on(files.checkpoint, settings, identity)
    make_room(files)
    with noted_call(files.checkpoint, identity):
        pipeline = train_text_stages(read.train, recipe, given, tell)
        if recipe.trains("parser"):
            seen = under_own_tags(read, pipeline, recipe, tell)
            parser = train_parser(
                files, settings, seen, similarity, callback, jobs=jobs, resume=resume
            )
            pipeline = replace(pipeline, parser=parser)
            tell("parser", 1, 1)
        report: dict[str, Any] = {}
        if read.dev is not None and recipe.stages != ALONE:
            report = {"dev": pipeline_scores(pipeline, read.dev)}
            tell("scores on dev", 1, 1)
        save(files, pipeline, recipe, report)
        tell("saving", 1, 1)
        remove_checkpoint(files.checkpoint)
    return pipeline, report


def read_treebanks(files: TrainingFiles, settings: AnySettings) -> Treebanks:
    """All sentences that are needed; who counts words in unlabelled ones reads these itself."""
    train = read_all(files, files.train)
    others = (files.dev, files.guide, files.dev_guide)
    dev, guide, dev_guide = (path if path is None else read_all(files, path) for path in others)
    unlabelled = None
    if files.unlabelled is not None and isinstance(settings, TrainingSettings):
        unlabelled = read_unlabelled(files.unlabelled)
    return Treebanks(train, dev, guide, dev_guide, unlabelled)


def check_before_training(read: Treebanks, settings: AnySettings) -> None:
    """Raise if trees or features are bad: better now than after other stages are trained."""
    if isinstance(settings, TrainingSettings):
        FeatureSet.load(settings.features)
        if settings.is_higher:
            load_part_features(settings.part_features)
    for sentence in (*read.train, *(read.dev or ())):
        check_tree(sentence)


def under_own_tags(
    read: Treebanks, pipeline: Pipeline, recipe: Recipe, tell: StageProgress
) -> Treebanks:
    """The sentences as the parser shall see them: under the tags that the recipe says."""
    train = parser_sentences(read.train, pipeline, recipe, tell)
    copies = len(train) // len(read.train)
    dev = read.dev
    if dev is not None and pipeline.tagger is not None:  # which gives tags where there are none
        dev = list(pipeline.tag(dev, own_tags=recipe.learns_own_tags))
    return Treebanks(
        train,
        dev,
        read.guide and [*read.guide] * copies,
        read.dev_guide,
        read.unlabelled and list(pipeline.tag(read.unlabelled)),
    )


def refuse_needless_files(files: TrainingFiles, settings: AnySettings) -> None:
    """Raise if a file is given that nobody would look at."""
    if not isinstance(settings, TrainingSettings) and files.guide is not None:
        raise UsageError("parsers of this learner have no guides")
    if isinstance(settings, LexicalSettings) and (files.log or files.unlabelled):
        raise UsageError("a lexical parser writes no log, and learns from trees only")
    if isinstance(settings, BoostingSettings) and files.unlabelled:
        raise UsageError("a boosted parser learns from trees only: give no --unlabelled")


def quiet(stage: str, done: int, total: int) -> None:
    """Tell nobody."""


def check_call(files: TrainingFiles, *, resume: bool) -> None:
    """Raise if files are missing, or in the way."""
    finish_removal(files.checkpoint)
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


def train_parser(
    files: TrainingFiles,
    settings: AnySettings,
    seen: Treebanks,
    similarity: WordSimilarity | None,
    callback: TrainingCallback,
    *,
    jobs: int,
    resume: bool,
) -> "Parser":
    """Train a parser of the kind that the settings are for.

    All but lexical ones have a log and checkpoints beside the model.
    """
    if isinstance(settings, LexicalSettings):
        return train_lexical(settings, seen.train, seen.dev, similarity)
    watching = with_log(files, settings, callback)
    if isinstance(settings, BoostingSettings):
        return train_boosted(
            settings,
            seen.train,
            seen.dev,
            jobs=jobs,
            checkpoint=files.checkpoint,
            resume=resume,
            callback=watching,
        )
    if isinstance(settings, LinkMarginSettings):
        return train_links(
            settings,
            seen.train,
            seen.dev,
            similarity,
            text=files.unlabelled,
            checkpoint=files.checkpoint,
            resume=resume,
            callback=watching,
        )
    return fitted(settings, seen, files.checkpoint, watching, jobs=jobs, resume=resume)


def fitted(
    settings: TrainingSettings,
    seen: Treebanks,
    checkpoint: Path,
    callback: TrainingCallback,
    *,
    jobs: int,
    resume: bool,
) -> DependencyParser:
    """Train a parser of the usual kind."""
    parser = DependencyParser(**parameters_of(settings))
    return parser.fit(
        seen.train,
        seen.dev,
        guides=seen.guide,
        dev_guides=seen.dev_guide,
        unlabelled=seen.unlabelled,
        jobs=jobs,
        checkpoint=checkpoint,
        resume=resume,
        callback=callback,
    )


def with_log(
    files: TrainingFiles, settings: AnySettings, callback: TrainingCallback
) -> TrainingCallback:
    """A callback, and a log beside the model."""
    about = {
        "train": source_name(files.train),
        "dev": None if files.dev is None else source_name(files.dev),
        "settings": to_mapping(settings),
    }
    return Several([LogWriter(files.log_path, about), callback])


def save(files: TrainingFiles, pipeline: Pipeline, recipe: Recipe, report: dict[str, Any]) -> None:
    """Save a pipeline, or a parser that is alone."""
    about = names_for_card(files)
    if recipe.stages == ALONE and pipeline.parser is not None:
        pipeline.parser.save(files.model, about=about, force=files.force)
        return
    if recipe.learns_own_tags:
        about["tags the parser learnt from"] = f"{recipe.tags}, {recipe.folds} folds"
    about |= {f"{name} of": Path(path).name for name, path in recipe.given.items()}
    pipeline.save(files.model, about=about, report=report, force=files.force)


def read_all(files: TrainingFiles, path: Path) -> Sequence[Sentence]:
    """The sentences of a treebank; there must be some."""
    return some(read_sentences(path, files.format_name, head_rules=files.head_rules), path)


def read_unlabelled(path: Path) -> Sequence[Sentence]:
    """Sentences without trees, of whatever format its name says; there must be some."""
    return some(read_sentences(path), path)


def some(sentences: Iterable[Sentence], path: Path) -> Sequence[Sentence]:
    """The sentences of a file; raise if there are none."""
    found = list(sentences)
    if not found:
        raise InputError("there is no sentence", SourceLocation(source_name(path)))
    return found


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
        "unlabelled sentences": files.unlabelled,
        "guided by": files.guide,
        "similar words from": files.similarity,
    }
    names = {name: Path(path).name for name, path in named.items() if path is not None}
    return names | dict(files.about)
