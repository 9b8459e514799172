"""Parsing as a stream: sentences in, parsed sentences out, in order, at constant memory.

The answer to a sentence depends on nothing but the sentence: not on the batch it comes in, and not
on the number of threads.
"""

import warnings
from collections.abc import Callable, Iterable, Iterator
from itertools import count, repeat
from typing import TypeVar

from headwise.corpus.sentence import Sentence
from headwise.errors import HeadwiseWarning, MismatchError, UsageError
from headwise.inference.answers import ParseOptions, analyse
from headwise.inference.searcher import Searcher
from headwise.parameters import whole_number
from headwise.processes import in_threads

WORDS_AT_A_TIME = 8000
"""So many words are in a batch: enough to forget the cost of a call. With k best trees, a k-th."""

T = TypeVar("T")
Task = tuple[int, Sentence, Sentence | None]
"""A sentence, after its number in the stream and before its guide."""


def parse_stream(
    search: Searcher,
    sentences: Iterable[Sentence],
    wanted: ParseOptions | None = None,
    *,
    guides: Iterable[Sentence] | None = None,
    jobs: int = 1,
    at_once: bool = False,
) -> Iterator[Sentence]:
    """Parse sentences, in so many threads; `guides` are they under another parser's trees.

    With `at_once`, each sentence is answered before the next one is read, which is slower.
    """
    asked = wanted or ParseOptions()
    asked.check()
    check_guides(search, guides is not None)
    jobs = whole_number("jobs", jobs)
    if at_once and jobs > 1:
        raise UsageError(
            "sentences that are answered one by one (--flush) are parsed in one thread: jobs=1"
        )

    words = batch_words(at_once)
    if asked.is_plain and guides is None:
        results = in_threads(search.parse_many, in_batches(sentences, words, len), jobs)
    else:
        least = words // (asked.trees or 1)
        batches = in_batches(tasks(sentences, guides), least, lambda task: len(task[1]))
        results = in_threads(lambda batch: parse_batch(search, batch, asked), batches, jobs)
    return (answer for result in results for answer in result)


def batch_words(at_once: bool) -> int:
    """The least number of words in a batch; with 1, every sentence is one of its own."""
    return 1 if at_once else WORDS_AT_A_TIME


def check_guides(search: Searcher, given: bool) -> None:
    """Raise if guides would not be looked at; warn if they are missing."""
    if given and not search.uses_guides:
        raise UsageError("this model has not learnt to look at another parser's trees: no guide")
    if search.uses_guides and not given:
        message = "this model has learnt to look at another parser's trees, and there are none"
        warnings.warn(message, HeadwiseWarning, stacklevel=3)


def tasks(sentences: Iterable[Sentence], guides: Iterable[Sentence] | None) -> Iterator[Task]:
    """Each sentence with its number and, if there are any, its guide."""
    if guides is None:
        return zip(count(1), sentences, repeat(None))  # two have no end
    return guided(sentences, iter(guides))


def guided(sentences: Iterable[Sentence], guides: Iterator[Sentence]) -> Iterator[Task]:
    """Each sentence with its number and its guide."""
    for number, sentence in enumerate(sentences, 1):
        guide = next(guides, None)
        if guide is None:
            raise MismatchError("there is no guiding tree for this sentence", sentence.place)
        yield number, sentence, guide
    left = next(guides, None)
    if left is not None:
        raise MismatchError("there are more guiding trees than sentences", left.place)


def in_batches(stream: Iterable[T], least: int, words_of: Callable[[T], int]) -> Iterator[list[T]]:
    """Sentences, or whatever holds one, in batches of `least` words and a few more."""
    batch: list[T] = []
    words = 0
    for one in stream:
        batch.append(one)
        words += words_of(one)
        if words >= least:
            yield batch
            batch, words = [], 0
    if batch:
        yield batch


def parse_batch(search: Searcher, batch: list[Task], wanted: ParseOptions) -> list[Sentence]:
    """The answers to some sentences."""
    numbers, sentences, others = zip(*batch, strict=True)
    guides = None if None in others else others
    if wanted.is_plain:
        return search.parse_many(sentences, guides)
    encoded = search.encode(sentences, guides)
    return [
        answer
        for place, (number, sentence) in enumerate(zip(numbers, sentences, strict=True))
        for answer in analyse(search, encoded.part(place, place + 1), sentence, number, wanted)
    ]
