"""Pipeline: raw text in, sentences with tags, lemmas and trees out.

    text → tokeniser → tagger → lemmas → parser

Each stage may be missing: what it would have found is taken from the input, or stays empty.
"""

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain, count
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Never, Self, TypeVar, overload

from headwise import __version__
from headwise.corpus.documents import Sentences, all_sentences
from headwise.corpus.sentence import MISSING, Sentence, with_columns
from headwise.corpus.wordsequence import unknown_attribute
from headwise.errors import UsageError
from headwise.inference.answers import ParseOptions
from headwise.inference.searcher import Searcher
from headwise.inference.tagged import noticing_tags
from headwise.parameters import flag, whole_number
from headwise.pipeline.arguments import (
    check_options,
    check_text,
    check_texts,
    refuse_unknown,
    untied,
)
from headwise.pipeline.document import Document
from headwise.pipeline.language import noticing_language
from headwise.pipeline.parsing import KILLED, batch_words, in_batches, parse_stream
from headwise.processes.pools import MAX_PROCESSES, streamed_in_processes
from headwise.text.annotating import Annotator, with_lemmas, with_tags
from headwise.text.cutting import CutNotice
from headwise.text.lemmas import Lemmatiser
from headwise.text.tagger import Tagger
from headwise.text.tokeniser import Tokeniser

if TYPE_CHECKING:
    from headwise.parsers.base import Parser

C = TypeVar("C")

CHARACTERS_AT_A_TIME = 50_000
"""Characters of texts that a process is given at a time: as many words as are in a batch."""

NO_PARSER = "this model has no parser: there are no trees to ask about"


class _AtWork:
    """Holds the parser at work outside the fields of a pipeline: it is made again in a copy."""

    __slots__ = ("_search",)
    _search: tuple[dict[str, Any], Searcher]

    def __new__(cls, *given: object, **stages: object) -> Self:
        """Name what loads a model: other libraries do so by `Pipeline("en")`."""
        if given or not stages.keys() <= set(cls.__slots__):
            raise UsageError("a Pipeline is made of stages; headwise.load(…) loads a model as one")
        return super().__new__(cls)

    def __getattr__(self, name: str) -> object:
        """Name the attribute that was probably meant."""
        raise unknown_attribute(self, name)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True, repr=False)
class Pipeline(_AtWork):
    """Stages that work one after the other. Threads may share it.

    name, version: what the model is called that it was loaded from.
    """

    tokeniser: Tokeniser | None = None
    tagger: Tagger | None = None
    lemmas: Lemmatiser | None = None
    parser: "Parser | None" = None
    name: str = ""
    version: str = ""

    def __repr__(self) -> str:
        """Its name and its stages; their weights would fill screens."""
        stages = ("tokeniser", "tagger", "lemmas", "parser")
        there = ", ".join(name for name in stages if getattr(self, name) is not None)
        return f"<Pipeline {self.name or 'without a name'}: {there or 'no stages'}>"

    def __call__(
        self, text: str, options: ParseOptions | None = None, **unknown: Never
    ) -> Document:
        """The document that the stages find in a text; `options` ask for more (probabilities …)."""
        refuse_unknown(unknown)
        check_options(options)
        return next(self.stream([text], options))

    @overload
    def pipe(
        self,
        texts: Iterable[str],
        options: ParseOptions | None = None,
        *,
        as_tuples: Literal[False] = False,
        batch_size: int | None = None,
        jobs: int = 1,
        processes: int = 1,
    ) -> Iterator[Document]: ...
    @overload
    def pipe(
        self,
        texts: Iterable[tuple[str, C]],
        options: ParseOptions | None = None,
        *,
        as_tuples: Literal[True],
        batch_size: int | None = None,
        jobs: int = 1,
        processes: int = 1,
    ) -> Iterator[tuple[Document, C]]: ...
    def pipe(
        self,
        texts: Iterable[Any],
        options: ParseOptions | None = None,
        *,
        as_tuples: bool = False,
        batch_size: int | None = None,
        jobs: int = 1,
        processes: int = 1,
        **unknown: object,
    ) -> Iterator[Any]:
        """The documents of many texts, as a stream, in their order.

        as_tuples: texts are pairs of a text and anything else, which comes back with its document.
        batch_size: the number of texts that are parsed together, and so read before the first
            document comes back. By default texts are read until there are 8,000 words.
        jobs: the number of threads; processes: the number of processes, each of which has these
            threads and a copy of the pipeline. Two batches wait for each of them.
        """
        refuse_unknown(unknown)
        check_options(options)
        jobs, processes = (
            whole_number("jobs", jobs),
            whole_number("processes", processes, maximum=MAX_PROCESSES),
        )
        if batch_size is not None:
            batch_size = whole_number("batch_size", batch_size)
        many = check_texts(texts)
        if flag("as_tuples", as_tuples):
            contexts: deque[Any] = deque()
            found = self._batches(untied(many, contexts), options, batch_size, jobs, processes)
            return ((document, contexts.popleft()) for document in found)
        return self._batches(many, options, batch_size, jobs, processes)

    def _batches(
        self,
        texts: Iterable[str],
        options: ParseOptions | None,
        batch_size: int | None,
        jobs: int,
        processes: int,
    ) -> Iterator[Document]:
        """The documents of texts: as one stream, or batch by batch where someone asks for it."""
        self.need_tokeniser()
        if processes == 1 and batch_size is None:
            return self.stream(texts, options, jobs)
        size_of = length_of if batch_size is None else (lambda _: 1)
        batches = in_batches(texts, batch_size or CHARACTERS_AT_A_TIME, size_of)
        work = partial(documents_of, self, options, jobs)
        if processes == 1:
            results: Iterator[list[Document]] = map(work, batches)
        else:
            results = streamed_in_processes(work, batches, processes, killed=KILLED)
        return chain.from_iterable(results)

    def stream(
        self, texts: Iterable[str], options: ParseOptions | None = None, jobs: int = 1
    ) -> Iterator[Document]:
        """The documents of texts; sentences of different texts are parsed together."""
        waiting: deque[tuple[str, int]] = deque()
        split = self._split(check_texts(texts), waiting)
        answers = self.annotate(split, options, jobs=jobs)
        return documents(answers, waiting)

    def _split(self, texts: Iterable[str], waiting: deque[tuple[str, int]]) -> Iterator[Sentence]:
        """The sentences of texts, and (OUT) how many each text has."""
        tokeniser, notice = self.need_tokeniser(), CutNotice()
        for number, text in enumerate(texts, 1):
            check_text(text)
            tokenised = tokeniser.tokenise(text)
            notice.source = f"text {number}"
            notice.tell_of_tokens(tokenised)
            own = list(tokeniser.sentences(tokenised, numbers=count(1)))
            waiting.append((text, len(own)))
            yield from own

    def need_tokeniser(self) -> Tokeniser:
        """The tokeniser, which raw text requires."""
        if self.tokeniser is None:
            raise UsageError(
                "this model has no tokeniser, so it cannot read raw text: give it tokenised text "
                "(--tokenized) or CoNLL-U"
            )
        return self.tokeniser

    def annotate(
        self,
        sentences: Sentences,
        options: ParseOptions | None = None,
        *,
        own_tags: bool = False,
        guides: Iterable[Sentence] | None = None,
        jobs: int = 1,
        processes: int = 1,
        at_once: bool = False,
    ) -> Iterator[Sentence]:
        """Tags, lemmas and trees for sentences, as a stream; the rest is as in `parse_stream`.

        Tags that a sentence has are kept, and its lemmas, unless `own_tags` asks for new ones.
        Where only some are there, the others are found so that they fit. With `processes`, these
        do the work in the place of threads.
        """
        given = noticing_language(all_sentences(sentences), self._knows)
        if self.parser is None:
            if guides is not None or (options is not None and not options.is_plain):
                raise UsageError(NO_PARSER)
            return self.tag(given, own_tags=own_tags, at_once=at_once)
        search, tag, finish = self.search(), self._tagging(own_tags), None
        if self.parser.finds_tags():
            tag = self._without_tags if own_tags else None
            finish = None if self.lemmas is None else partial(self._lemmatise, own_tags)
        elif tag is not None and self.tagger is None:  # it gives lemmas only
            given = noticing_tags(search, given)
        return parse_stream(
            search,
            given,
            options,
            guides=guides,
            jobs=jobs,
            processes=processes,
            at_once=at_once,
            tag=tag,
            finish=finish,
            own_tags=own_tags,
        )

    def use_device(self, name: str) -> None:
        """Have the parser compute on `cpu`, `cuda`, or (`auto`) an accelerator if there is one."""
        from headwise.parsers.base import check_device

        if self.parser is not None:
            self.parser.use_device(name)
        elif check_device(name) == "cuda":
            raise UsageError("device=cuda is for parsers, and this model has none: use device=cpu")

    def search(self) -> Searcher:
        """The parser at work, kept from one text to the next until the parser is fitted again."""
        if self.parser is None:
            raise UsageError(NO_PARSER)
        now = vars(self.parser)
        if hasattr(self, "_search"):
            before, search = self._search
            if before.keys() == now.keys() and all(now[key] is before[key] for key in now):
                return search
        object.__setattr__(self, "_search", (dict(now), self.parser.search()))
        return self._search[1]

    def tag(
        self,
        sentences: Sentences,
        *,
        own_tags: bool = False,
        at_once: bool = False,
    ) -> Iterator[Sentence]:
        """Tags and lemmas for sentences, as a stream; those that they have are kept by default."""
        tag = self._tagging(own_tags)
        if self.parser is not None and self.parser.finds_tags():
            tag = partial(self._tag_by_parser, own_tags)
        given = all_sentences(sentences)
        if tag is None:
            return given
        return chain.from_iterable(map(tag, in_batches(given, batch_words(at_once), len)))

    def _knows(self, forms: Sequence[str]) -> Sequence[bool] | None:
        """Which words occur in the treebank, if a stage remembers that."""
        if self.tagger is not None:
            return self.tagger.knows(forms)
        return None if self.parser is None else self.search().knows(forms)

    def _tagging(self, own_tags: bool) -> Annotator | None:
        """What gives a batch of sentences tags and lemmas, if there is a stage for either."""
        own_tags = flag("own_tags", own_tags)
        if self.tagger is not None or self.lemmas is not None:
            return partial(self._tag_batch, own_tags)
        if own_tags and not self.found_tags:
            raise UsageError("this model has no tagger: there are no tags of its own")
        return None

    @property
    def found_tags(self) -> tuple[str, ...]:
        """The columns of tags that its stages find: upos, xpos, feats."""
        if self.parser is not None and self.parser.finds_tags():
            return self.parser.found_tags
        if self.tagger is None:
            return ()
        return ("upos", "xpos", "feats") if self.tagger.feats else ("upos", "xpos")

    def _tag_by_parser(self, own: bool, batch: Sequence[Sentence]) -> Sequence[Sentence]:
        """Tags by a parser that finds them, then lemmas."""
        bare = self._without_tags(batch) if own else batch
        search = self.search()
        tagged = search.tagged(bare, search.encode(bare))
        return self._lemmatise(own, tagged)

    def _without_tags(self, batch: Sequence[Sentence]) -> Sequence[Sentence]:
        """The sentences without tags in the columns that the parser fills."""
        return [without_columns(one, self.found_tags) for one in batch]

    def _lemmatise(self, own: bool, batch: Sequence[Sentence]) -> Sequence[Sentence]:
        """Lemmas for tagged sentences, if there is a stage that finds them."""
        return batch if self.lemmas is None else with_lemmas(batch, self.lemmas, own=own)

    def _tag_batch(self, own: bool, batch: Sequence[Sentence]) -> Sequence[Sentence]:
        if self.tagger is not None:
            batch = with_tags(batch, self.tagger, own=own)
        return self._lemmatise(own, batch)

    def save(
        self,
        path: str | Path,
        *,
        about: dict[str, Any] | None = None,
        report: dict[str, Any] | None = None,
        force: bool = False,
    ) -> None:
        """Save all stages as one model folder; `about` and `report` (scores) are for its card."""
        from headwise.pipeline.storage import save_pipeline

        save_pipeline(path, self, about=about, report=report, force=force)

    @classmethod
    def load(cls, path: str | Path) -> "Pipeline":
        """A pipeline that was saved; a parser alone is one too."""
        from headwise.pipeline.storage import load_pipeline

        return load_pipeline(path)


def length_of(text: object) -> int:
    """The characters of a text; anything else is refused by `_split`."""
    return len(text) if isinstance(text, str) else 1


def documents_of(
    pipeline: Pipeline, options: ParseOptions | None, jobs: int, texts: list[str]
) -> list[Document]:
    """The documents of a batch of texts."""
    return list(pipeline.stream(texts, options, jobs))


def documents(answers: Iterator[Sentence], waiting: deque[tuple[str, int]]) -> Iterator[Document]:
    """Sentences put together again: `waiting` are texts with how many sentences they have."""
    found: list[Sentence] = []
    for answer in answers:
        while not waiting[0][1]:
            yield Document(waiting.popleft()[0], ())
        found.append(answer)
        if len(found) == waiting[0][1]:
            yield Document(waiting.popleft()[0], tuple(found))
            found = []
    for text, _ in waiting:  # only texts without sentences are left
        yield Document(text, ())


def without_columns(sentence: Sentence, names: Sequence[str]) -> Sentence:
    """A sentence without what it has in some columns of tags."""
    if all(sentence.lacks(name) for name in names):
        return sentence
    empty = (MISSING,) * len(sentence)
    columns = [
        empty if name in names else getattr(sentence, name) for name in ("upos", "xpos", "feats")
    ]
    return with_columns(sentence, sentence.lemmas, *columns)


def signed(pipeline: Pipeline, sentences: Iterable[Sentence]) -> Iterator[Sentence]:
    """The sentences, the first one with comments that name the Headwise version and the model."""
    made_by = (
        f"# generator = headwise {__version__}",
        f"# model = {pipeline.name} {pipeline.version}",
    )
    for number, one in enumerate(sentences):
        yield one if number else replace(one, comments=(*made_by, *one.comments))
