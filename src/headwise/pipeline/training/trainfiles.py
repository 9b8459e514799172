"""From treebank files to a model folder: all that `headwise train` does but speak."""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from headwise.corpus.files import source_name
from headwise.corpus.formats import read_sentences
from headwise.corpus.sentence import Sentence
from headwise.errors import InputError, SourceLocation, UsageError
from headwise.learners.callbacks import CallbackList, TrainingCallback
from headwise.learners.checkpoint import can_resume, finish_removal, remove_checkpoint
from headwise.learners.data import check_tree
from headwise.parameters import flag
from headwise.parsers.base import Parser, TrainingInputs
from headwise.parsers.registry import learners_using
from headwise.pipeline.calibrating import calibrate_if_possible
from headwise.pipeline.models import as_pipeline
from headwise.pipeline.pipeline import Pipeline
from headwise.pipeline.training.columns import check_columns
from headwise.pipeline.training.parsedtext import INDEX, TaughtText, parse_text
from headwise.pipeline.training.pipelinescores import pipeline_scores
from headwise.pipeline.training.recipe import (
    Recipe,
    parser_sentences,
    text_for_parser,
    train_text_stages,
)
from headwise.pipeline.training.resuming import call_identity, check_can_go_on, noted_call
from headwise.pipeline.training.teaching import Names, Teaching
from headwise.pipeline.training.traininglog import LogWriter
from headwise.progress import Progress
from headwise.storage.filelock import only_one
from headwise.storage.modelfile import check_model_path
from headwise.storage.wholefolder import beside as hidden_beside
from headwise.text.similarity.words import WordSimilarity

ALONE = ("parser",)
"""The stages of a parser without a pipeline; its own report says how good it is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingFiles:
    """What is read, and what is written.

    guide, dev_guide: the sentences of train and dev under another parser's trees.
    unlabelled: sentences without trees, to learn from, or to count words in.
    log: the training log; by default beside the model.
    similarity: similar words, for parsers of words alone.
    vectors: pretrained word vectors, for neural parsers.
    base_model: model whose neural parser to build on, by name or path.
    force: a model that is there is replaced.
    teaching: models that parse text for this one to learn from, and how.
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
    vectors: Path | None = None
    base_model: str | None = None
    force: bool = False
    teaching: Teaching | None = None
    about: Mapping[str, Any] = field(default_factory=dict)

    @property
    def checkpoint(self) -> Path:
        """The folder to go on from: beside the model, until it is finished."""
        return beside(self.model, ".checkpoint")

    @property
    def text_cache(self) -> Path:
        """The folder of text that teachers have parsed: beside the model, or as chosen."""
        chosen = None if self.teaching is None else self.teaching.cache
        return beside(self.model, ".text") if chosen is None else Path(chosen)

    @property
    def log_path(self) -> Path:
        """Where the log is written."""
        return self.log or beside(self.model, ".log.jsonl")

    def of_candidate(self, name: str) -> "TrainingFiles":
        """The files of one of several trainings: its model is beside, under a name of its own."""
        return replace(self, model=beside(self.model, f".{name}"), log=None)


def beside(path: Path, ending: str) -> Path:
    """A name beside a folder's, however that is written (`model/`, `.`)."""
    target = path.resolve()
    return (path.parent if path.name == target.name else target.parent) / (target.name + ending)


def train_files(
    files: TrainingFiles,
    parser: Parser,
    callback: TrainingCallback,
    *,
    recipe: Recipe | None = None,
    jobs: int = 1,
    resume: bool = False,
    keep_note: bool = False,
) -> tuple[Pipeline, dict[str, Any]]:
    """Train a pipeline, its parser as given, and save it; what it scores on dev.

    Interrupted, call it with `resume`. A parser alone is saved as such. The stages before the
    parser are trained again on `resume`: the same treebank gives the same ones. With `keep_note`,
    what the call was of stays noted beside a finished model.
    """
    with only_training(files):
        return _trained(files, parser, callback, recipe or Recipe(), jobs, resume, keep_note)


def only_training(files: TrainingFiles) -> AbstractContextManager[None]:
    """Train within this: nobody else writes the same model and its checkpoints meanwhile."""
    taken = "is being trained by another process: wait for it, or choose another name"
    return only_one(hidden_beside(files.model.resolve(), "training"), f"{files.model} {taken}")


def _trained(
    files: TrainingFiles,
    parser: Parser,
    callback: TrainingCallback,
    recipe: Recipe,
    jobs: int,
    resume: bool,
    keep_note: bool,
) -> tuple[Pipeline, dict[str, Any]]:
    recipe, resume = check_settings(files, parser, recipe), flag("resume", resume)
    check_call(files, resume=resume)
    if files.teaching is not None:
        files.teaching.check()
        files.teaching.check_student(files.model)
        files.teaching.inputs()
    similarity = None if files.similarity is None else WordSimilarity.load(files.similarity)
    parser.check_similarity(similarity)
    given = recipe.reused_stages()
    base = None if files.base_model is None else as_pipeline(files.base_model).parser
    inputs = replace(
        read_inputs(files, parser), similarity=similarity, base=base, jobs=jobs, resume=resume
    )
    callback.stage("reading", 1, 1)
    check_columns(inputs.sentences, parser, recipe, source_name(files.train))
    if recipe.trains("parser"):
        for sentence in inputs.sentences:
            check_tree(sentence, partial=parser.learns_partial)
        for sentence in inputs.dev or ():
            check_tree(sentence)
    make_room(files)
    taught = None if files.teaching is None else learn_of(files, inputs, callback.stage)
    identity = call_identity(parser, recipe, inputs, taught)
    if resume and can_resume(files.checkpoint):
        check_can_go_on(files.checkpoint, parser, identity)
    with noted_call(files.checkpoint, parser, identity, files.model if keep_note else None):
        pipeline = train_text_stages(inputs.sentences, recipe, given, callback.stage, taught)
        if recipe.trains("parser"):
            watching = with_log(files, parser, callback) if "log" in parser.uses else callback
            seen = under_own_tags(inputs, pipeline, recipe, callback.stage)
            if taught is not None:
                seen = with_text(seen, taught, inputs.sentences, parser, pipeline, recipe, callback)
            seen = replace(seen, checkpoint=files.checkpoint, callback=watching)
            pipeline = replace(pipeline, parser=parser.fit_from(seen))
            if inputs.dev is not None and inputs.dev_guides is None and pipeline.tagger is not None:
                calibrate_if_possible(pipeline, inputs.dev)
            callback.stage("parser", 1, 1)
        report: dict[str, Any] = {}
        if inputs.dev is not None and recipe.stages != ALONE:
            report = {"dev": pipeline_scores(pipeline, inputs.dev)}
            callback.stage("scores on dev", 1, 1)
        save(files, pipeline, recipe, report)
        callback.stage("saving", 1, 1)
        remove_checkpoint(files.checkpoint)
        if taught is not None and taught.teaching.cache is None:
            taught.parsed.remove()
    return pipeline, report


def learn_of(files: TrainingFiles, inputs: TrainingInputs, progress: Progress) -> TaughtText:
    """The text, parsed by the teachers."""
    assert files.teaching is not None
    teaching, treebank = files.teaching, list(inputs.sentences)
    teacher = teaching.load_teacher()
    names = Names.of(teacher, treebank, skipping=teaching.unknown == "skip")
    parsed = parse_text(
        teacher, teaching, files.text_cache, treebank, jobs=inputs.jobs, progress=progress
    )
    return TaughtText(parsed, teaching, names)


def with_text(
    seen: TrainingInputs,
    taught: TaughtText,
    gold: Sequence[Sentence],
    parser: Parser,
    pipeline: Pipeline,
    recipe: Recipe,
    callback: TrainingCallback,
) -> TrainingInputs:
    """The inputs with parsed text: as a stream, or after the treebank, which is repeated."""
    weight = taught.teaching.gold_weight
    if "text" in parser.uses:
        return replace(seen, text=taught, gold_weight=weight)
    text = text_for_parser(taught, gold, pipeline, recipe, callback.stage)
    return replace(seen, sentences=[*seen.sentences] * weight + text)


def read_inputs(files: TrainingFiles, parser: Parser) -> TrainingInputs:
    """All sentences that are needed."""
    train = read_all(files, files.train)
    others = (files.dev, files.guide, files.dev_guide)
    dev, guides, dev_guides = (path if path is None else read_all(files, path) for path in others)
    unlabelled: Iterable[Sentence] | None = None
    if files.unlabelled is not None:
        sentences = read_sentences(files.unlabelled)
        unlabelled = sentences if parser.streams_unlabelled else some(sentences, files.unlabelled)
    return TrainingInputs(
        sentences=train,
        dev=dev,
        guides=guides,
        dev_guides=dev_guides,
        unlabelled=unlabelled,
        vectors=files.vectors,
    )


def under_own_tags(
    inputs: TrainingInputs, pipeline: Pipeline, recipe: Recipe, progress: Progress
) -> TrainingInputs:
    """The sentences as the parser shall see them: under the tags that the recipe says."""
    train = parser_sentences(inputs.sentences, pipeline, recipe, progress)
    copies = len(train) // len(inputs.sentences)
    dev, unlabelled = inputs.dev, inputs.unlabelled
    if dev is not None and pipeline.tagger is not None:  # which gives tags where there are none
        dev = list(pipeline.tag(dev, own_tags=recipe.learns_own_tags))
    if isinstance(unlabelled, Sequence):
        unlabelled = list(pipeline.tag(unlabelled))
    guides = inputs.guides and [*inputs.guides] * copies
    return replace(inputs, sentences=train, dev=dev, guides=guides, unlabelled=unlabelled)


def check_settings(files: TrainingFiles, parser: Parser, recipe: Recipe) -> Recipe:
    """Raise if settings or files do not go together; the recipe as it fits the parser."""
    recipe = recipe.fitting(parser)
    recipe.check()
    parser.check()
    refuse_needless_files(files, parser)
    return recipe


def refuse_needless_files(files: TrainingFiles, parser: Parser) -> None:
    """Raise if a file is given that this kind of parser does not use."""
    for name in ("guide", "unlabelled", "similarity", "vectors", "base_model", "log"):
        if getattr(files, name) is not None and name not in parser.uses:
            others = " or ".join(learners_using(name))
            chosen = "--scorer neural" if name == "vectors" else f"--learner {others}"
            hint = f": choose {chosen}, or leave it out" if others else ": leave it out"
            option = name.replace("_", "-")
            raise UsageError(f"--{option} is not used by this learner{hint}")


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
    if files.vectors is not None and not files.vectors.is_file():  # it is read more than once
        raise UsageError(f"there is no file of vectors {files.vectors}")
    if files.dev_guide is not None and files.dev is None:
        raise UsageError("a guide for dev (--dev-guide) needs dev (--dev)")
    if files.guide is not None and files.teaching is not None:
        raise UsageError("parsed text has no guides: give either --guide or --teacher")
    if files.dev is not None and (files.guide is None) != (files.dev_guide is None):
        raise UsageError(
            "a guide for train (--guide) needs one for dev (--dev-guide), and the other way round"
        )


def with_log(files: TrainingFiles, parser: Parser, callback: TrainingCallback) -> TrainingCallback:
    """A callback, and a log beside the model."""
    about = {
        "train": source_name(files.train),
        "dev": None if files.dev is None else source_name(files.dev),
        "settings": parser.complete(),
    }
    return CallbackList([LogWriter(files.log_path, about), callback])


def save(files: TrainingFiles, pipeline: Pipeline, recipe: Recipe, report: dict[str, Any]) -> None:
    """Save a pipeline, or a parser that is alone."""
    about = names_for_card(files)
    if recipe.stages == ALONE and pipeline.parser is not None:
        pipeline.parser.save(files.model, about=about, force=files.force)
        return
    if recipe.learns_own_tags:
        about["tags the parser learnt from"] = f"{recipe.tags}, {recipe.folds} folds"
    about |= {f"{name} of": Path(path).name for name, path in recipe.reuse.items()}
    pipeline.save(files.model, about=about, report=report, force=files.force)


def read_all(files: TrainingFiles, path: Path) -> Sequence[Sentence]:
    """The sentences of a treebank; there must be some."""
    return some(read_sentences(path, files.format_name, head_rules=files.head_rules), path)


def some(sentences: Iterable[Sentence], path: Path) -> Sequence[Sentence]:
    """The sentences of a file; raise if there are none."""
    found = list(sentences)
    if not found:
        raise InputError("there is no sentence", SourceLocation(source_name(path)))
    return found


def has_parsed_text(files: TrainingFiles) -> bool:
    """Whether there is text that teachers have parsed, to go on from."""
    return files.teaching is not None and any(files.text_cache.glob(f"*/{INDEX}"))


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
        "word vectors from": files.vectors,
        "built on": files.base_model,
    }
    names = {name: Path(path).name for name, path in named.items() if path is not None}
    if files.teaching is not None:
        names["taught by"] = ", ".join(Path(one).name for one in files.teaching.teachers)
        names["on the text of"] = ", ".join(Path(one).name for one in files.teaching.text)
    return names | dict(files.about)
