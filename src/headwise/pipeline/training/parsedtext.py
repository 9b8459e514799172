"""Text that teachers have parsed, kept on disk in shards: parsed once, read as a stream.

    CACHE/KEY/index.json       what it is of, and the shards that are finished
    CACHE/KEY/00001.conllu.gz  sentences under the teachers' trees, with their probabilities

KEY is a checksum of teachers, text and settings. Each shard is written whole or not at all, so a
run that is cut short goes on after the last one.
"""

import hashlib
import json
import re
import shutil
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field, replace
from itertools import islice
from pathlib import Path
from typing import Any

from headwise.corpus.conllu import format_conllu, read_conllu
from headwise.corpus.output import write_text
from headwise.corpus.sentence import MISSING, Sentence
from headwise.errors import HeadwiseError, InputError, SourceLocation, UsageError
from headwise.inference.answers import ParseOptions
from headwise.parsers.neural.parser import word_counts
from headwise.pipeline.inputs import read_inputs
from headwise.pipeline.models import model_path
from headwise.pipeline.parsing import in_batches
from headwise.pipeline.pipeline import Pipeline
from headwise.pipeline.training.teaching import Names, Teaching, warn_of_language
from headwise.progress import Progress
from headwise.storage.jsonfile import read_json_file
from headwise.storage.modelfile import CONFIG, file_checksum
from headwise.storage.settings import check_not_negative, from_mapping

FORMAT = "headwise-parsed-text-1"
INDEX = "index.json"
SHARD_WORDS = 50_000
"""Words of a shard: what is lost at most when a run is killed."""

NOT_SURE = "?"
"""In the place of FEATS that are not sure: `_` says that a word has none."""

MARGINALS = ParseOptions(marginals=True)


SHARD_NAME = re.compile(r"[0-9]{5,9}\.conllu\.gz")


@dataclass(frozen=True, slots=True)
class Shard:
    """A file of parsed sentences."""

    name: str
    sentences: int
    words: int
    bytes: int

    def check(self) -> None:
        """Raise if this is no shard: anyone may have written the index."""
        if not SHARD_NAME.fullmatch(self.name):
            raise UsageError("name: a shard is a file beside the index")
        check_not_negative(self, "sentences", "words", "bytes")


@dataclass(eq=False)
class ParsedText:
    """Parsed text on disk.

    shards: the finished ones; is_whole: whether they are all.
    """

    folder: Path
    identity: Mapping[str, Any]
    shards: list[Shard] = field(default_factory=list)
    is_whole: bool = False

    @classmethod
    def at(cls, cache: Path, identity: Mapping[str, Any]) -> "ParsedText":
        """What is there already of a text that was parsed under the same conditions."""
        key = hashlib.sha256(json.dumps(identity, sort_keys=True).encode()).hexdigest()[:12]
        found = cls(cache / key, identity)
        index = found.folder / INDEX
        if index.is_file():
            found.read_index(index)
        return found

    def read_index(self, index: Path) -> None:
        """Take over what an earlier run has finished; a damaged index is begun anew."""
        try:
            saved = read_json_file(index)
            shards = [from_mapping(Shard, one) for one in saved["shards"]]
            if saved["format"] != FORMAT or saved["identity"] != self.identity:
                return
            whole = saved["is_whole"] is True
        except (HeadwiseError, LookupError, TypeError):
            return
        there = [one for one in shards if self.has(one)]
        self.shards = there if there == shards[: len(there)] else []
        self.is_whole = whole and len(self.shards) == len(shards)

    def has(self, shard: Shard) -> bool:
        """Whether the file of a shard is there as it was written."""
        path = self.folder / shard.name
        return path.is_file() and path.stat().st_size == shard.bytes

    @property
    def sentences(self) -> int:
        """The number of sentences."""
        return sum(one.sentences for one in self.shards)

    @property
    def words(self) -> int:
        """The number of words."""
        return sum(one.words for one in self.shards)

    @property
    def bytes(self) -> int:
        """The disk space that it takes."""
        return sum(one.bytes for one in self.shards)

    def add(self, sentences: list[Sentence]) -> None:
        """Write a shard, down to the disk, and note it."""
        path = self.folder / f"{len(self.shards) + 1:05d}.conllu.gz"
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise UsageError(f"cannot write {self.folder}: {error.strerror}") from error
        write_text(path, format_conllu(sentences))
        words = sum(map(len, sentences))
        self.shards.append(Shard(path.name, len(sentences), words, path.stat().st_size))
        self.note()

    def note(self) -> None:
        """Write the index."""
        contents = {
            "format": FORMAT,
            "identity": self.identity,
            "shards": [asdict(one) for one in self.shards],
            "is_whole": self.is_whole,
        }
        write_text(self.folder / INDEX, iter([json.dumps(contents, indent=1)]))

    def __iter__(self) -> Iterator[Sentence]:
        """The parsed sentences, shard by shard."""
        for shard in self.shards:
            yield from read_conllu(self.folder / shard.name)

    def remove(self) -> None:
        """Remove it, and its folder if nothing else is in there."""
        shutil.rmtree(self.folder, ignore_errors=True)
        if self.folder.parent.is_dir() and not any(self.folder.parent.iterdir()):
            self.folder.parent.rmdir()


@dataclass(frozen=True, eq=False)
class TaughtText:
    """Parsed text as a student learns from it: a stream that can be read again and again."""

    parsed: ParsedText
    teaching: Teaching
    names: Names

    def __iter__(self) -> Iterator[Sentence]:
        """The sentences that are sure enough; words that are not lack heads or tags."""
        for sentence in self.parsed:
            if probability(sentence.comment("tree_prob")) >= self.teaching.min_tree:
                yield self.named(sentence)

    def named(self, sentence: Sentence) -> Sentence:
        """A sentence with the names of the treebank, and without what is not sure."""
        probabilities = [items(misc) for misc in sentence.misc]
        sure = [
            one.get("HeadProb", 1.0) >= self.teaching.min_head
            and (name in self.names.relations or not self.names.relations)
            for one, name in zip(probabilities, sentence.relations, strict=True)
        ]
        tagged = [one.get("TagProb", 1.0) >= self.teaching.min_tag for one in probabilities]
        relations = [
            self.names.relations.get(name, MISSING) if ok else MISSING
            for name, ok in zip(sentence.relations, sure, strict=True)
        ]
        upos = [
            self.names.upos.get(tag, MISSING) if ok else MISSING
            for tag, ok in zip(sentence.upos, tagged, strict=True)
        ]
        return replace(
            sentence,
            upos=tuple(upos),
            xpos=self.column(sentence, "xpos", tagged, MISSING),
            feats=self.column(sentence, "feats", tagged, NOT_SURE),
            heads=tuple(h if ok else None for h, ok in zip(sentence.heads, sure, strict=True)),
            relations=tuple(relations),
            misc=(MISSING,) * len(sentence),
            comments=(),
        )

    def column(
        self, sentence: Sentence, name: str, sure: list[bool], other: str
    ) -> tuple[str, ...]:
        """XPOS or FEATS, if the treebank has them, in which what is not sure is replaced."""
        if name not in self.names.columns:
            return (MISSING,) * len(sentence)
        values: tuple[str, ...] = getattr(sentence, name)
        return tuple(one if ok else other for one, ok in zip(values, sure, strict=True))

    @property
    def whole(self) -> Iterator[Sentence]:
        """The sentences with whole trees, for parsers that can learn from no others."""
        for one in self:
            if one.has_tree and not (self.names.relations and MISSING in one.relations):
                yield one

    def identity(self) -> dict[str, Any]:
        """What a training that was cut short must have been of, to go on."""
        settings = self.teaching
        names = ("gold_weight", "min_head", "min_tag", "min_tree")
        return {**self.parsed.identity, **{name: getattr(settings, name) for name in names}}


def items(misc: str) -> dict[str, float]:
    """The probabilities in MISC."""
    found = {}
    for item in misc.split("|"):
        name, sign, value = item.partition("=")
        if sign and name.endswith("Prob"):
            found[name] = probability(value)
    return found


def probability(text: str | None) -> float:
    """A probability that was written; 1 where there is none."""
    try:
        return 1.0 if text is None else float(text)
    except ValueError:
        return 0.0


def identity_of(teaching: Teaching) -> dict[str, Any]:
    """What parsed text depends on: teachers, files, and what is read of them."""
    inputs = [one for one in teaching.inputs() if one.path is not None]
    return {
        "teachers": [file_checksum(model_path(one) / CONFIG) for one in teaching.teachers],
        "text": [f"{one.kind} {file_checksum(one.path)}" for one in inputs if one.path],
        "longest": teaching.longest,
        "max_sentences": teaching.max_sentences,
    }


def text_sentences(teacher: Pipeline, teaching: Teaching) -> Iterator[Sentence]:
    """The sentences of the text as bare words: what else they have does not count."""
    found = (
        Sentence.from_words(one.forms)
        for one in read_inputs(teaching.inputs(), teacher.need_tokeniser)
        if 0 < len(one) <= teaching.longest
    )
    return islice(found, teaching.max_sentences)


def parse_text(
    teacher: Pipeline,
    teaching: Teaching,
    cache: Path,
    treebank: list[Sentence],
    *,
    jobs: int = 1,
    progress: Progress,
) -> ParsedText:
    """Parse a text, from where an earlier run was cut short."""
    parsed = ParsedText.at(cache, identity_of(teaching))
    if parsed.is_whole:
        return parsed
    waiting = islice(text_sentences(teacher, teaching), parsed.sentences, None)
    for batch in in_batches(waiting, SHARD_WORDS, len):
        if not parsed.shards:
            warn_of_language(word_counts(batch), treebank)
        add_shard(parsed, teacher.annotate(batch, MARGINALS, jobs=jobs))
        progress(f"parsing text ({told(parsed)})", parsed.sentences, parsed.sentences + 1)
    if not parsed.sentences:
        raise InputError("there is no sentence to parse", SourceLocation(teaching.text[0]))
    parsed.is_whole = True
    parsed.note()
    progress(f"parsing text ({told(parsed)})", 1, 1)
    return parsed


def add_shard(parsed: ParsedText, sentences: Iterable[Sentence]) -> None:
    """Write a shard; a disk that is full keeps what was written before."""
    answers = list(sentences)
    try:
        parsed.add(answers)
    except UsageError as error:
        raise UsageError(
            f"{error}; {parsed.sentences:,} sentences that were parsed before are kept in "
            f"{parsed.folder}: free disk space, or name another folder (--set teaching.cache=…), "
            "and call again with --resume"
        ) from error


def told(parsed: ParsedText) -> str:
    """How much text is parsed, and what it takes."""
    return (
        f"{parsed.sentences:,} sentences, {parsed.words:,} words, "
        f"{parsed.bytes / 1e6:,.1f} MB on disk"
    )
