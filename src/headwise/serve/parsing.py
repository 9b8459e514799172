"""What workers do with requests to parse: many are read, parsed together and written."""

from collections.abc import Callable, Sequence
from functools import partial
from itertools import groupby, islice
from typing import TYPE_CHECKING, TypeVar

from headwise.corpus.sentence import Sentence
from headwise.errors import HeadwiseError
from headwise.serve.parserequest import ParseRequest
from headwise.serve.reading import read_sentences
from headwise.serve.writing import write_answer

if TYPE_CHECKING:
    from headwise.pipeline.pipeline import Pipeline

T = TypeVar("T")
Sentences = list[Sentence]


def parse_requests(
    pipeline: "Pipeline", requests: Sequence[ParseRequest]
) -> list[bytes | HeadwiseError]:
    """The answer to each request, or what is wrong with it; one cannot spoil another."""
    answers: list[bytes | HeadwiseError] = []
    for _, alike in groupby(enumerate(requests), together):
        group = [request for _, request in alike]
        read = [tried(partial(read_sentences, pipeline, one)) for one in group]
        for request, found in zip(group, parsed(pipeline, group[0], read), strict=True):
            if isinstance(found, HeadwiseError):
                answers.append(found)
            else:
                answers.append(tried(partial(write_answer, pipeline, request, found)))
    return answers


def tried(action: Callable[[], T]) -> T | HeadwiseError:
    """What an action gives, or the error that it raises."""
    try:
        return action()
    except HeadwiseError as error:
        return error


def together(numbered: tuple[int, ParseRequest]) -> object:
    """What requests have in common that are parsed together.

    Constraints may be impossible, and the k best trees of sentences without a name are named by
    their place: such requests are parsed alone.
    """
    number, request = numbered
    if request.options.constraints or request.options.kbest is not None:
        return number
    return request.steps, request.own_tags, request.options


def parsed(
    pipeline: "Pipeline", like: ParseRequest, read: Sequence[Sentences | HeadwiseError]
) -> list[Sentences | HeadwiseError]:
    """The sentences of requests under their trees: all in one call, or if it fails one by one."""
    good = [one for one in read if not isinstance(one, HeadwiseError)]
    work = partial(annotated, pipeline, like)
    if len(good) == 1:
        answers = [tried(partial(work, good[0]))]
    else:
        found = tried(partial(work, [sentence for one in good for sentence in one]))
        if isinstance(found, HeadwiseError):
            answers = [tried(partial(work, one)) for one in good]
        else:
            stream = iter(found)
            answers = [list(islice(stream, len(one))) for one in good]
    in_order = iter(answers)
    return [one if isinstance(one, HeadwiseError) else next(in_order) for one in read]


def annotated(
    pipeline: "Pipeline", like: ParseRequest, sentences: Sequence[Sentence]
) -> list[Sentence]:
    """Sentences with tags, lemmas and trees, as requests like this one want them."""
    if like.steps == "tokens":
        return list(sentences)
    if like.steps == "tags":
        return list(pipeline.tag(sentences, own_tags=like.own_tags))
    return list(pipeline.annotate(sentences, like.options, own_tags=like.own_tags))
