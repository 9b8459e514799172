"""`Parser`: what all kinds of parsers share, and what each says of itself for training.

A parser is at once its settings (a dataclass, checked by `check`), the estimator (`fit`) and the
trained model. Parameters are stored as given; what is learnt ends in an underscore, as in
scikit-learn.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from inspect import signature
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Self

from headwise.corpus.sentence import Sentence
from headwise.errors import InputError, SourceLocation, UsageError
from headwise.inference.searcher import Searcher
from headwise.inference.tagged import noticing_tags
from headwise.learners.callbacks import TrainingCallback
from headwise.parameters import Parametrised
from headwise.parsers.stored import Storage
from headwise.storage.modelfile import ModelFile, load_model, save_model
from headwise.storage.settings import to_mapping
from headwise.storage.settingsdocs import Setting, settings_in

if TYPE_CHECKING:
    from headwise.text.similarity.words import WordSimilarity

Words = Sentence | Sequence[str]

DEVICES = ("cpu", "cuda", "auto")
"""Where scores can be computed."""

NOT_FITTED = "this parser is not fitted; call fit() first, or load a model"


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingInputs:
    """All that a parser may be trained from; `fit` of each kind takes what it uses.

    guides, dev_guides: the sentences of train and dev under another parser's trees.
    unlabelled: sentences without trees.
    vectors: a file of pretrained word vectors.
    base: a trained parser that this one builds on.
    text: sentences that other models have parsed, which can be read again and again; an epoch has
        them once, and sentences `gold_weight` times.
    checkpoint: a folder to resume from, should training be interrupted.
    """

    sentences: Sequence[Sentence]
    dev: Sequence[Sentence] | None = None
    guides: Sequence[Sentence] | None = None
    dev_guides: Sequence[Sentence] | None = None
    unlabelled: Iterable[Sentence] | None = None
    similarity: "WordSimilarity | None" = None
    vectors: Path | None = None
    base: "Parser | None" = None
    text: Iterable[Sentence] | None = None
    gold_weight: int = 1
    jobs: int = 1
    checkpoint: Path | None = None
    resume: bool = False
    callback: TrainingCallback = field(default_factory=TrainingCallback)


class Parser(Parametrised, ABC):
    """A parser of any kind.

    kind: what its models are called; a kind with a single learner is selected by it.
    uses: which extra files training reads or writes: guide, unlabelled, similarity,
        vectors, base_model, log; `text`: parsed text as a stream. Others have all of it in memory.
    streams_unlabelled: whether unlabelled sentences are read as they are needed, without tags.
    may_change: settings that may differ when training resumes from a checkpoint.
    report_: what training came to, for the card.
    """

    kind: ClassVar[str]
    uses: ClassVar[frozenset[str]] = frozenset()
    streams_unlabelled: ClassVar[bool] = False
    may_change: ClassVar[tuple[str, ...]] = ()

    report_: dict[str, Any]

    @abstractmethod
    def check(self) -> None:
        """Raise if a setting has no meaning."""

    @abstractmethod
    def fit(self, *args: Any, **kwargs: Any) -> Self:
        """Train, on what it has parameters for; they are called as in `TrainingInputs`."""

    def fit_from(self, inputs: TrainingInputs) -> Self:
        """Train on those of the inputs that `fit` takes."""
        return self.fit(**{name: getattr(inputs, name) for name in signature(self.fit).parameters})

    @abstractmethod
    def search(self) -> Searcher:
        """The trained model at work."""

    def use_device(self, name: str) -> None:
        """Compute scores on `cpu`, on `cuda`, or (`auto`) on an accelerator if there is one."""
        if check_device(name) == "cuda":
            raise UsageError("device=cuda is for neural parsers, and this is none: use device=cpu")

    @classmethod
    def storage(cls) -> Storage:
        """How it becomes a model, and comes back."""
        return Storage(cls.kind)

    @abstractmethod
    def summary(self) -> str:
        """What training came to, in a line."""

    @property
    def finds_relations(self) -> bool:
        """Whether its trees have relations that it has chosen."""
        return False

    @classmethod
    def finds_tags(cls) -> bool:
        """Whether parsers of this kind tag by themselves, so that there is no tagger before."""
        return False

    @property
    def found_tags(self) -> tuple[str, ...]:
        """The columns of tags that it finds: upos, xpos, feats."""
        return ()

    def tag_names(self, column: str) -> Iterable[str]:
        """All tags of a column that it may give."""
        del column
        return ()

    @property
    def learns_partial(self) -> bool | None:
        """Whether words may lack heads in training; None if this kind needs whole trees."""
        return None

    @property
    def has_jobs(self) -> bool:
        """Whether training can do several things at a time."""
        return False

    @classmethod
    def settings_by_group(cls, learner: str | None) -> dict[str, list[Setting]]:
        """The settings of this kind, of one learner or of all, under headings."""
        del learner
        return {f"--learner {cls.kind}": list(settings_in(cls))}

    @classmethod
    def elsewhere(cls, name: str) -> str | None:
        """Which other kinds of parsers have a setting that this one does not know."""
        from headwise.parsers.registry import DEFAULT, parser_class, trained_kinds

        kinds = [kind for kind in trained_kinds() if name in _names(parser_class(kind))]
        learners = [
            "mira and others (--scorer linear)" if kind == DEFAULT else kind for kind in kinds
        ]
        return f"is a setting of another learner: {', '.join(learners)}" if learners else None

    def check_given(self, names: Iterable[str]) -> None:
        """Raise if a setting that was named in a call has no effect under the others."""

    def check_similarity(self, similarity: "WordSimilarity | None") -> None:
        """Raise if similar words are missing, or not used."""

    def check_treebank(self, sentences: Sequence[Sentence], *, own_tags: bool) -> None:
        """Raise if a treebank lacks what is learnt from; `own_tags`: a tagger gives the tags."""

    def missing_columns(self, lacks: Mapping[str, bool]) -> list[str]:
        """What will not be learnt because a column is empty: `lacks` says which are."""
        del lacks
        return []

    def skipped_for_gaps(self) -> dict[str, str]:
        """What is not learnt from, words or sentences, if words lack a value of a column."""
        return {}

    def complete(self) -> dict[str, Any]:
        """All settings as JSON holds them."""
        return to_mapping(self)

    def identity(self, *, guided: bool) -> dict[str, Any]:
        """The settings that must be the same for training to resume from a checkpoint."""
        del guided
        return {name: one for name, one in self.complete().items() if name not in self.may_change}

    def check_progress(self, checkpoint: Path, done: Mapping[str, Any]) -> None:
        """Raise if a checkpoint, whose settings are given, is further than training shall go."""

    def to_model(self, about: dict[str, Any] | None = None) -> ModelFile:
        """The trained parser as a model; `about` is for its card (the treebank …)."""
        return self.storage().to_model(self, about)

    def save(
        self, path: str | Path, *, about: dict[str, Any] | None = None, force: bool = False
    ) -> None:
        """Save what was learnt as a model folder; `about` is for its card (the treebank …)."""
        save_model(path, self.to_model(about), force=force)

    @classmethod
    def load(cls, path: str | Path) -> Self:
        """A parser that was saved."""
        model, location = load_model(path, cls.kind), SourceLocation(str(path))
        parser: Self = cls.storage().of_model(model, location)
        return parser

    def predict(self, sentences: Iterable[Words]) -> list[Sentence]:
        """The sentences under their best trees."""
        search = self.search()
        given = [as_sentence(words) for words in sentences]
        return search.parse_many(list(noticing_tags(search, given)))

    def parse(self, words: Words) -> Sentence:
        """A sentence under its best tree."""
        return self.predict([words])[0]

    def score(self, sentences: Sequence[Sentence]) -> float:
        """The share of words with the right head, from 0 to 1."""
        return self.scores(sentences)["uas"]

    @abstractmethod
    def scores(self, sentences: Sequence[Sentence]) -> dict[str, float]:
        """Shares of words that are right, from 0 to 1: `uas`, and others by kind."""


def check_device(name: str) -> str:
    """The name of a device; raises if there is none of that name."""
    if name not in DEVICES:
        raise UsageError(f"device must be {', '.join(DEVICES[:-1])} or {DEVICES[-1]}, not {name!r}")
    return name


def as_sentence(words: Words) -> Sentence:
    """A sentence as it is, or one made of words."""
    return words if isinstance(words, Sentence) else Sentence.from_words(words)


def _names(cls: Any) -> set[str]:
    return {one.name for one in fields(cls) if one.init}


def check_gold(sentences: Sequence[Sentence]) -> None:
    """Raise unless there are sentences to score, all with trees."""
    from headwise.learners.data import check_tree

    if not sentences:
        raise InputError("there is no sentence to score")
    for sentence in sentences:
        check_tree(sentence)
