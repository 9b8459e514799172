"""The sentences of a request, in a worker."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import count
from typing import TYPE_CHECKING

from headwise.corpus.conllu import parse_text
from headwise.corpus.extras import EmptyNode, Multiword
from headwise.corpus.plaintext import tokens_of
from headwise.corpus.sentence import MISSING, Sentence
from headwise.errors import LimitError
from headwise.inference.answers import added
from headwise.serve.parserequest import ParseRequest

if TYPE_CHECKING:
    from headwise.pipeline.pipeline import Pipeline


def read_sentences(pipeline: "Pipeline", request: ParseRequest) -> list[Sentence]:
    """The sentences of a request; raises if one is too long."""
    sentences = []
    for sentence in sentences_of(pipeline, request):
        if len(sentence) > request.longest:
            raise LimitError(
                f"a sentence of {len(sentence):,} words; the limit of this server is "
                f"{request.longest:,}",
                sentence.location,
            )
        sentences.append(with_ranges(sentence) if request.ranges else sentence)
    return sentences


def sentences_of(pipeline: "Pipeline", request: ParseRequest) -> Iterator[Sentence]:
    """The sentences of a request, as they come."""
    kind, data = request.kind, request.data
    if kind == "conllu":
        return parse_text(data, "conllu")
    if kind in ("text", "presegmented"):
        return split_text(pipeline, data, is_segmented=kind == "presegmented")
    if kind == "horizontal":
        return of_forms(tokens_of(line) for line in data.splitlines())
    if kind == "vertical":
        return of_forms(block.split("\n") for block in blank_separated(data))
    return of_forms(data)


def split_text(pipeline: "Pipeline", text: str, *, is_segmented: bool) -> Iterator[Sentence]:
    """The sentences of raw text, or of text with one sentence per line."""
    tokeniser, numbers = pipeline.need_tokeniser(), count(1)
    if not is_segmented:
        yield from tokeniser.sentences(tokeniser.tokenise(text), numbers=numbers)
        return
    offset = 0
    for line in text.split("\n"):
        tokenised = replace(tokeniser.tokenise_sentence(line), text=f"{line}\n")
        yield from tokeniser.sentences(tokenised, offset=offset, numbers=numbers)
        offset += len(line) + 1


def of_forms(sentences: Iterator[list[str]] | list[list[str]]) -> Iterator[Sentence]:
    """Sentences of tokens; those without any do not count."""
    for number, forms in enumerate((one for one in sentences if one), 1):
        comments = (f"# sent_id = {number}", f"# text = {' '.join(forms)}")
        yield Sentence.from_words(forms, comments=comments)


def blank_separated(text: str) -> Iterator[str]:
    """The stretches of lines between blank lines."""
    lines = (line.rstrip("\r").split("\t")[0] for line in text.split("\n"))
    return (block.strip("\n") for block in "\n".join(lines).split("\n\n") if block.strip("\n"))


def with_ranges(sentence: Sentence) -> Sentence:
    """The sentence with `TokenRange=start:end` in the MISC of its tokens, in characters."""
    spans, misc = sentence.offsets(), list(sentence.misc)
    ranges = {
        token.first: f"TokenRange={sentence.start + spans[token.first - 1][0]}:"
        f"{sentence.start + spans[token.last - 1][1]}"
        for token in sentence.tokens()
    }
    split = {row.first for row in sentence.multiwords}
    for first, item in ranges.items():
        if first not in split:
            misc[first - 1] = added(misc[first - 1], item)
    extras = tuple(with_range(row, ranges) for row in sentence.extras)
    return replace(sentence, misc=tuple(misc), extras=extras)


def with_range(row: Multiword | EmptyNode, ranges: dict[int, str]) -> Multiword | EmptyNode:
    """A multiword token with its range."""
    if isinstance(row, EmptyNode):
        return row
    old = row.columns[-1] or MISSING
    return replace(row, columns=(*row.columns[:-1], added(old, ranges[row.first])))
