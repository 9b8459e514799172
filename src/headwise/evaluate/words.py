"""Batches of aligned sentences as flat integer arrays.

Scoring is vectorised over these arrays, one batch at a time, so that files of any size can be
scored.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice, zip_longest
from pathlib import Path

import numpy as np
import numpy.typing as npt

from headwise.corpus.documents import Sentences
from headwise.corpus.formats import sentences_of
from headwise.corpus.sentence import MISSING, Sentence
from headwise.errors import InputError, UsageError, warn
from headwise.evaluate.align import aligned
from headwise.evaluate.punctuation import AUTOMATIC, PunctuationRule, complaint, with_rule
from headwise.parameters import flag

Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]

NO_HEAD = -1
"""The head of a word that has none in the system output."""

NO_RELATION = 0
"""The code of a missing relation."""

BATCH_SENTENCES = 4096


class Codes(dict[str, int]):
    """Integer codes for names, in order of first occurrence."""

    def __init__(self, names: Iterable[str] = (), *, subtypes: bool = True) -> None:
        super().__init__()
        self.subtypes = subtypes
        self.names = list(names)
        self.update((name, code) for code, name in enumerate(self.names))

    def __missing__(self, label: str) -> int:
        """Assign a code to a new name."""
        name = label if self.subtypes else label.partition(":")[0]
        if name == label:
            self.names.append(name)
            code = len(self.names) - 1
        else:
            code = self[name]
        self[label] = code
        return code

    def encode(self, columns: Iterable[Sequence[str]]) -> Ints:
        """The codes of all entries of some columns, concatenated."""
        return np.fromiter(map(self.__getitem__, chain.from_iterable(columns)), dtype=np.int64)


@dataclass(frozen=True, slots=True, eq=False)
class Arcs:
    """The arcs of one file: head and relation code of every word of a batch."""

    heads: Ints
    relations: Ints


@dataclass(frozen=True, slots=True, eq=False)
class Batch:
    """The words of some sentences, concatenated."""

    bounds: Ints  # sentence s has the words bounds[s] to bounds[s + 1]
    gold: Arcs
    systems: tuple[Arcs, ...]
    tags: Ints
    punctuation: Bools

    @property
    def lengths(self) -> Ints:
        """For every sentence its number of words."""
        return np.diff(self.bounds)

    def for_words(self, values: Ints) -> Ints:
        """Values of sentences, repeated for each of their words."""
        return np.repeat(values, self.lengths)

    @property
    def labelled(self) -> Bools:
        """For every word whether it has a gold relation."""
        return np.asarray(self.gold.relations != NO_RELATION)

    @property
    def numbers(self) -> Ints:
        """For every word its index in the sentence, from 1."""
        return np.arange(1, len(self.tags) + 1) - self.for_words(self.bounds[:-1])

    def sums(self, marks: Bools) -> Ints:
        """The number of marked words in each sentence; `marks` may have leading axes."""
        running = np.zeros((*marks.shape[:-1], marks.shape[-1] + 1), dtype=np.int64)
        np.cumsum(marks, axis=-1, out=running[..., 1:])
        return np.asarray(np.diff(running[..., self.bounds], axis=-1))


class BatchReader:
    """Turns gold sentences and those of systems into batches, and warns about empty columns."""

    def __init__(
        self,
        gold: Sentences | str | Path,
        punctuation: PunctuationRule | str = AUTOMATIC,
        *,
        subtypes: bool = True,
        allow_missing: bool = False,
        tag_column: str | None = None,
    ) -> None:
        self.gold, self.rule = with_rule(sentences_of(gold), punctuation)
        self.allow_missing = flag("allow_missing", allow_missing)
        if tag_column not in (None, "upos", "xpos"):
            raise UsageError(f"tag_column must be upos or xpos, not {tag_column!r}")
        self.tag_column = tag_column
        self.relations = Codes([MISSING], subtypes=flag("subtypes", subtypes))
        self.tags = Codes()
        self.rule_column_given = False
        self.punctuation_found = False
        self.words = self.unlabelled = 0  # gold words, and those without a relation
        self.labelled: list[bool] = []  # for gold and systems, whether any word has a relation

    @property
    def has_gold_relations(self) -> bool:
        """Whether any gold word read so far has a relation; otherwise labels are not scored."""
        return bool(self.labelled) and self.labelled[0]

    def batches(self, *systems: Sentences | str | Path) -> Iterator[Batch]:
        """All sentences in batches; warns at the end about empty columns."""
        found = map(sentences_of, systems)
        rows = aligned(self.gold, found, allow_missing=self.allow_missing)
        sentences_read = 0
        while block := list(islice(rows, BATCH_SENTENCES)):
            sentences_read += len(block)
            yield self.batch(block)
        if not sentences_read:
            raise InputError(
                "there are no sentences to score: the gold file is empty, or all its sentences are "
                "longer than the limit"
            )
        self.warn()

    def tag_values(self, sentence: Sentence) -> tuple[str, ...]:
        """The tags of a sentence: of `tag_column`, or else of the first column that it has."""
        column = self.tag_column or ("xpos" if sentence.lacks("upos") else "upos")
        return sentence.xpos if column == "xpos" else sentence.upos

    def batch(self, rows: Sequence[tuple[Sentence, ...]]) -> Batch:
        """One batch from rows of a gold sentence and system sentences."""
        files = list(zip(*rows, strict=True))
        gold: tuple[Sentence, ...] = files[0]
        lengths = np.fromiter(map(len, gold), dtype=np.int64, count=len(gold))
        marks = chain.from_iterable(map(self.rule.marks, gold))
        punctuation = np.fromiter(marks, dtype=np.bool_)
        self.punctuation_found = self.punctuation_found or bool(punctuation.any())
        self.rule_column_given = self.rule_column_given or any(map(self.rule.is_given, gold))
        arcs = tuple(map(self.arcs, files))
        labelled = [bool((found.relations != NO_RELATION).any()) for found in arcs]
        self.labelled = [*map(any, zip_longest(self.labelled, labelled, fillvalue=False))]
        self.words += len(punctuation)
        self.unlabelled += int((arcs[0].relations == NO_RELATION).sum())
        return Batch(
            bounds=np.concatenate([[0], np.cumsum(lengths)]),
            gold=arcs[0],
            systems=arcs[1:],
            tags=self.tags.encode(map(self.tag_values, gold)),
            punctuation=punctuation,
        )

    def arcs(self, sentences: Sequence[Sentence]) -> Arcs:
        """Heads and relations of sentences of one file."""
        heads = chain.from_iterable(sentence.heads for sentence in sentences)
        return Arcs(
            heads=np.fromiter((NO_HEAD if head is None else head for head in heads), np.int64),
            relations=self.relations.encode(sentence.relations for sentence in sentences),
        )

    def warn(self) -> None:
        """Warn about required columns that are empty."""
        found = complaint(self.rule, given=self.rule_column_given, found=self.punctuation_found)
        if found is not None:
            warn(found)
        if self.has_gold_relations and self.unlabelled:
            warn(
                f"{self.unlabelled:,} of {self.words:,} words of the gold data have no relation; "
                "they are not counted in labelled scores"
            )
        if not all(self.labelled):
            warn(
                "no word of a system output has a relation: all its labels are wrong"
                if self.has_gold_relations
                else "no word of the gold data has a relation: labelled scores are not available"
            )
