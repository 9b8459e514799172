"""Teaching: which models parse which text for a student, and what of it is learnt from."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from headwise.corpus.projectivise import plain
from headwise.corpus.sentence import MISSING, Sentence
from headwise.errors import UsageError, listed, warn
from headwise.parsers.ensemble.parser import EnsembleParser
from headwise.pipeline.ensembles import ensemble_of
from headwise.pipeline.inputs import PLAIN, TOKENIZED, Input, kind_of, path_exists
from headwise.pipeline.models import as_pipeline, model_path
from headwise.pipeline.pipeline import Pipeline
from headwise.storage.settings import check_counts, check_types

TextKind = Literal["raw", "presegmented", "tokenized"]

FEW_KNOWN = 0.45
"""Treebanks of 300 sentences and more know a larger share of the words of their own language: 0.52
to 0.93 in nine treebanks, 0.43 at most of another's."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Teaching:
    """How a student is taught by other models.

    teachers: models that parse the text, together by the average of their probabilities.
    text: files of text for them to parse.
    kind: what the files hold: `raw` text, a sentence per line (`presegmented`) or tokens with
        spaces between them (`tokenized`); by default as their names say.
    unknown: what happens if teachers know relations or UPOS that the treebank does not have:
        `error`, or `skip`: words with them are not learnt from.
    gold_weight: how often the treebank is learnt from in an epoch; the text is once.
    min_head: probability of a head below which the word is not learnt from.
    min_tag: the same for UPOS.
    min_tree: probability of a tree below which its sentence is left out.
    longest: words of the longest sentence of the text that is parsed.
    max_sentences: number of sentences of the text to parse; by default all.
    cache: folder to keep the parsed text in; by default it is beside the model until that is saved.
    """

    teachers: tuple[str, ...] = ()
    text: tuple[str, ...] = ()
    kind: TextKind | None = None
    unknown: Literal["error", "skip"] = "error"
    gold_weight: int = 3
    min_head: float = 0.0
    min_tag: float = 0.0
    min_tree: float = 0.0
    longest: int = 100
    max_sentences: int | None = None
    cache: str | None = None

    def check(self) -> None:
        check_types(self)
        if not self.teachers:
            raise UsageError("there is text, but no teacher to parse it: give --teacher MODEL")
        if not self.text:
            raise UsageError("there is a teacher, but no text to parse: give --text FILE")
        check_counts(self, {"gold_weight": (1, 1000), "longest": (1, 400)})
        check_counts(self, {"max_sentences": (1, 1 << 40)})
        for name in ("min_head", "min_tag", "min_tree"):
            if not 0 <= getattr(self, name) <= 1:
                raise UsageError(f"{name} must be from 0 to 1, not {getattr(self, name)}")

    def inputs(self) -> list[Input]:
        """The files of text."""
        for name in self.text:
            if not path_exists(Path(name)):
                raise UsageError(f"there is no file {name}")
        return [Input(self.kind or kind_of(Path(name)), Path(name)) for name in self.text]

    def check_student(self, model: Path) -> None:
        """Raise if the student would take the place of its teacher."""
        for name in self.teachers:
            if model_path(name).resolve() == model.resolve():
                raise UsageError(f"the teacher {name} is the student: choose another --output")

    def load_teacher(self) -> Pipeline:
        """The teachers as one model."""
        pipelines = [as_pipeline(name) for name in self.teachers]
        for name, one in zip(self.teachers, pipelines, strict=True):
            if one.parser is None:
                raise UsageError(f"the teacher {name} has no parser")
        found = ensemble_of(pipelines)
        if found.tokeniser is None and any(
            one.kind in PLAIN and one.kind != TOKENIZED for one in self.inputs()
        ):
            raise UsageError(
                "the teachers have no tokeniser: give tokenised text (--text-kind tokenized)"
            )
        return found


@dataclass(frozen=True, slots=True)
class Names:
    """What the names of a teacher are in a treebank.

    relations, upos: from the teacher's names to those of the treebank.
    columns: which of XPOS and FEATS the treebank has.
    """

    relations: Mapping[str, str]
    upos: Mapping[str, str]
    columns: frozenset[str]

    @classmethod
    def of(
        cls, teacher: Pipeline, sentences: Sequence[Sentence], *, skipping: bool = False
    ) -> "Names":
        """Those of a treebank; raise if the relations or tags of the teacher are others."""
        return cls(
            relation_names(teacher, sentences, skipping=skipping),
            tag_names(teacher, sentences, skipping=skipping),
            frozenset(name for name in ("xpos", "feats") if tags_in(sentences, name)),
        )


def relation_names(
    teacher: Pipeline, sentences: Sequence[Sentence], *, skipping: bool
) -> dict[str, str]:
    """What the relations of a teacher are called in a treebank; raise if they are others.

    A subtype that the treebank does not have is cut off.
    """
    labeller = teacher.search().labeller
    known = {name for one in sentences for name in one.relations if name != MISSING}
    if labeller is None and known:
        raise UsageError("the teacher finds no relations, but the treebank has some")
    names = [] if labeller is None or not known else labeller.names
    return mapped("relations", [plain(name) for name in names], known, skipping=skipping)


def mapped(
    what: str, names: Iterable[str], known: set[str], *, skipping: bool = False
) -> dict[str, str]:
    """Names of a teacher and those of a treebank that are the same.

    Where some are not, raise; or, `skipping` them, if none are.
    """
    found: dict[str, str] = {}
    unknown: list[str] = []
    folded = {name.casefold(): name for name in sorted(known, reverse=True)}
    for name in names:
        for candidate in (name, name.partition(":")[0]):
            own = candidate if candidate in known else folded.get(candidate.casefold())
            if own is not None:
                found[name] = own
                break
        else:
            unknown.append(name)
    if unknown and (not skipping or not found):
        raise UsageError(
            f"the teacher has {what} that the treebank does not have: {listed(sorted(unknown))}; "
            "choose a teacher that was trained on a treebank of the same guidelines, or leave out "
            "words with them (--set teaching.unknown=skip)"
        )
    return found


def tag_names(
    teacher: Pipeline, sentences: Sequence[Sentence], *, skipping: bool
) -> dict[str, str]:
    """What the UPOS of a teacher are called in a treebank; raise if they are others, or lacking.

    XPOS and FEATS have rare values, which are not learnt from where the treebank has them not.
    """
    assert isinstance(teacher.parser, EnsembleParser)
    for column in ("upos", "xpos"):
        known = tags_in(sentences, column)
        names = set(teacher.parser.tag_names(column)) - {MISSING}
        if known and not names and (column == "upos" or not tags_in(sentences, "upos")):
            raise UsageError(
                f"the teachers find no {column.upper()}, but the treebank has it: give models "
                "that tag"
            )
        if column == "xpos" and known and names and not known & names:
            raise UsageError(
                f"the teacher has XPOS that the treebank does not have: {listed(sorted(names))}"
            )
    known = tags_in(sentences, "upos")
    names = set(teacher.parser.tag_names("upos")) - {MISSING}
    return mapped("UPOS", sorted(names), known, skipping=skipping) if known else {}


def tags_in(sentences: Sequence[Sentence], column: str) -> set[str]:
    """The values of a column of tags."""
    return {tag for one in sentences for tag in getattr(one, column) if tag != MISSING}


def warn_of_language(counts: Mapping[str, int], sentences: Sequence[Sentence]) -> None:
    """Warn if the treebank knows few of the words of a text, which are counted."""
    known = {form.lower() for one in sentences for form in one.forms}
    total = sum(counts.values())
    share = sum(count for form, count in counts.items() if form in known) / max(total, 1)
    if total and share < FEW_KNOWN:
        warn(
            f"the treebank knows only {share:.0%} of the words of the text: is it of another "
            "language?"
        )
