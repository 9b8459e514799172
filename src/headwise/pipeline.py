"""Pipeline: raw text in, sentences with tags, lemmas and trees out.

    text → tokeniser → tagger → lemmas → parser

Each stage may be missing: what it would have found is taken from the input, or stays empty.
"""

from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any

from headwise.corpus.sentence import Sentence, is_given
from headwise.document import Document
from headwise.errors import UsageError
from headwise.parsing import batch_words, in_batches, parse_stream
from headwise.search.answers import Wanted
from headwise.text.lemmas import Lemmatiser
from headwise.text.tagger import Tagger
from headwise.text.tokeniser import Tokeniser

if TYPE_CHECKING:
    from headwise.parserkinds import Parser


@dataclass(frozen=True, slots=True, eq=False, kw_only=True, repr=False)
class Pipeline:
    """Stages that work one after the other. It has no state: threads may share it.

    name, version: what the model is called that it was loaded from.
    """

    tokeniser: Tokeniser | None = None
    tagger: Tagger | None = None
    lemmas: Lemmatiser | None = None
    parser: "Parser | None" = None
    name: str = ""
    version: str = ""

    def __repr__(self) -> str:
        """Its name and its stages; what they have learnt would fill screens."""
        stages = ("tokeniser", "tagger", "lemmas", "parser")
        there = ", ".join(name for name in stages if getattr(self, name) is not None)
        return f"<Pipeline {self.name or 'without a name'}: {there or 'no stages'}>"

    def __call__(self, text: str, wanted: Wanted | None = None) -> Document:
        """All that the stages find in a text; `wanted` asks for more (probabilities …)."""
        return next(self.pipe([text], wanted))

    def pipe(
        self, texts: Iterable[str], wanted: Wanted | None = None, *, jobs: int = 1
    ) -> Iterator[Document]:
        """The documents of many texts, as a stream, in their order.

        Sentences of different texts are parsed together, in so many threads.
        """
        if wanted is not None and wanted.trees is not None:
            raise UsageError("a document has one tree a sentence: ask `annotate` for several")
        if isinstance(texts, str):  # whose items would be its characters
            raise UsageError("`pipe` takes many texts, as a list; call the pipeline with one")
        waiting: deque[tuple[str, int]] = deque()
        answers = self.annotate(self._split(texts, waiting), wanted, jobs=jobs)
        return documents(answers, waiting)

    def _split(self, texts: Iterable[str], waiting: deque[tuple[str, int]]) -> Iterator[Sentence]:
        """The sentences of texts, and (OUT) how many each text has."""
        tokeniser = self.need_tokeniser()
        for text in texts:
            check_text(text)
            own = list(tokeniser.sentences(tokeniser.tokenise(text), numbers=count(1)))
            waiting.append((text, len(own)))
            yield from own

    def need_tokeniser(self) -> Tokeniser:
        """The tokeniser, without which there is no raw text."""
        if self.tokeniser is None:
            raise UsageError(
                "this model has no tokeniser, so it cannot read raw text: give it text that is "
                "tokenised (--tokenized), or sentences in CoNLL-U"
            )
        return self.tokeniser

    def annotate(
        self,
        sentences: Iterable[Sentence],
        wanted: Wanted | None = None,
        *,
        own_tags: bool = False,
        guides: Iterable[Sentence] | None = None,
        jobs: int = 1,
        at_once: bool = False,
    ) -> Iterator[Sentence]:
        """Tags, lemmas and trees for sentences, as a stream; the rest is as in `parse_stream`.

        Tags that a sentence has are kept, and its lemmas, unless `own_tags` asks for new ones.
        Where only some are there, the others are found so that they fit.
        """
        tagged = self.tag(sentences, own_tags=own_tags, at_once=at_once)
        if self.parser is None:
            if guides is not None or (wanted is not None and not wanted.is_plain):
                raise UsageError("this model has no parser: there are no trees to ask about")
            return tagged
        return parse_stream(
            self.parser.search(),
            tagged,
            wanted,
            guides=guides,
            jobs=jobs,
            at_once=at_once,
        )

    def tag(
        self,
        sentences: Iterable[Sentence],
        *,
        own_tags: bool = False,
        at_once: bool = False,
    ) -> Iterator[Sentence]:
        """Tags and lemmas for sentences, as a stream; those that they have are kept by default."""
        if self.tagger is None and self.lemmas is None:
            if own_tags:
                raise UsageError("this model has no tagger: there are no tags of its own")
            return iter(sentences)
        batches = in_batches(sentences, batch_words(at_once), len)
        return (one for batch in batches for one in self._tag_batch(batch, own_tags))

    def _tag_batch(self, batch: list[Sentence], own: bool) -> list[Sentence]:
        if self.tagger is not None:
            bare = [own or not has_tags(sentence) for sentence in batch]
            batch = changed(batch, bare, self.tagger.tag)
            half = [self.tagger.could_fill(sentence) for sentence in batch]
            batch = changed(batch, half, self.tagger.fill) if any(half) else batch
        if self.lemmas is not None:
            bare = [own or not is_given(sentence.lemmas) for sentence in batch]
            batch = changed(batch, bare, self.lemmas.lemmatise)
        return batch

    def save(
        self,
        path: str | Path,
        *,
        about: dict[str, Any] | None = None,
        report: dict[str, Any] | None = None,
        force: bool = False,
    ) -> None:
        """Save all stages as one model folder; `about` and `report` (scores) are for its card."""
        from headwise.pipelinefile import save_pipeline

        save_pipeline(path, self, about=about, report=report, force=force)

    @classmethod
    def load(cls, path: str | Path) -> "Pipeline":
        """A pipeline that was saved; a parser alone is one too."""
        from headwise.pipelinefile import load_pipeline

        return load_pipeline(path)


def check_text(text: object) -> None:
    """Raise unless this is text: callers without type checkers give paths, sentences or nothing."""
    if not isinstance(text, str):
        raise UsageError(
            f"a pipeline reads text (str), not {type(text).__name__}; sentences are for `annotate`"
        )


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


def changed(batch: list[Sentence], which: list[bool], change: Any) -> list[Sentence]:
    """The sentences, some of which go through a change together."""
    if all(which):
        return list(change(batch))
    new = iter(change([one for one, bare in zip(batch, which, strict=True) if bare]))
    return [next(new) if bare else one for one, bare in zip(batch, which, strict=True)]


def has_tags(sentence: Sentence) -> bool:
    """Whether a sentence brings tags of its own."""
    return is_given(sentence.upos) or is_given(sentence.xpos)
