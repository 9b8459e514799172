"""Parsing as a stream: sentences in, parsed sentences out, in order, at constant memory.

The answer to a sentence depends on nothing but the sentence: not on the batch it comes in, and not
on the number of threads.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import count, repeat
from typing import TypeVar

from headwise.corpus.sentence import Sentence
from headwise.errors import MismatchError, UsageError, warn
from headwise.inference.answers import ParseOptions, analyse, checked_options
from headwise.inference.given import noticing_roots
from headwise.inference.searcher import Searcher
from headwise.inference.tagged import noticing_tags
from headwise.parameters import flag, whole_number
from headwise.pipeline.blas import blas_threads
from headwise.processes.pools import MAX_PROCESSES, in_threads, streamed_in_processes
from headwise.text.annotating import Annotator, has_tags

WORDS_AT_A_TIME = 8000
"""Words in a batch, which outweigh the cost of a call. For k trees per sentence, a k-th of it."""

WORDS_FOR_ACCELERATOR = 48_000
"""The same where an accelerator computes scores."""

CHARACTERS_A_WORD = 1000
"""Limit of characters per word in a batch, those of comments included."""

KILLED = (
    "a process that should parse ended: there was not enough memory for each of them, or this "
    "script starts itself again in each: call `pipe(processes=…)` under "
    '`if __name__ == "__main__":`'
)

T = TypeVar("T")
Task = tuple[int, Sentence, Sentence | None]
"""A sentence, after its number in the stream and before its guide."""


def parse_stream(
    search: Searcher,
    sentences: Iterable[Sentence],
    options: ParseOptions | None = None,
    *,
    guides: Iterable[Sentence] | None = None,
    jobs: int = 1,
    processes: int = 1,
    at_once: bool = False,
    tag: Annotator | None = None,
    finish: Annotator | None = None,
    own_tags: bool = False,
) -> Iterator[Sentence]:
    """Parse sentences in `jobs` threads, or else in several processes.

    guides: the same sentences under another parser's trees.
    at_once: answer each sentence before the next one is read, which is slower.
    tag: what tags each batch before it is parsed.
    finish: what is done to each batch after it is parsed.
    own_tags: whether `tag` replaces tags that sentences have.
    """
    options = checked_options(options)
    check_guides(search, guides is not None)
    jobs, processes = (
        whole_number("jobs", jobs),
        whole_number("processes", processes, maximum=MAX_PROCESSES),
    )
    if at_once and max(jobs, processes) > 1:
        raise UsageError(
            "sentences that are answered one by one (--flush) are parsed in one thread: jobs=1"
        )
    if tag is None:
        sentences = noticing_tags(search, sentences)
    if options.constraints:
        sentences = noticing_roots(sentences)
    usual = WORDS_FOR_ACCELERATOR if search.on_accelerator else WORDS_AT_A_TIME
    min_words = batch_words(at_once, usual) // (options.trees or 1)
    batches = in_batches(tasks(sentences, guides), min_words, weight_of_task)
    work = partial(parse_batch, search, options, tag, finish, own_tags)
    if processes > 1:
        results = streamed_in_processes(work, batches, processes, killed=KILLED)
    else:
        results = in_threads(work, batches, jobs)
    return (answer for result in results for answer in result)


def batch_words(at_once: bool, usual: int = WORDS_AT_A_TIME) -> int:
    """The least number of words in a batch; with 1, every sentence is a batch of its own."""
    return 1 if flag("at_once", at_once) else usual


def check_guides(search: Searcher, given: bool) -> None:
    """Raise if the model cannot use guides; warn if it needs guides that are missing."""
    if given and not search.uses_guides:
        raise UsageError("this model was not trained with a guide: leave out the guide")
    if search.uses_guides and not given:
        message = (
            "this model was trained with a guide, and none is given: accuracy suffers (--guide)"
        )
        warn(message)


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
            raise MismatchError("there is no guiding tree for this sentence", sentence.location)
        yield number, sentence, guide
    left = next(guides, None)
    if left is not None:
        raise MismatchError("there are more guiding trees than sentences", left.location)


def in_batches(
    stream: Iterable[T], min_words: int, words_of: Callable[[T], int]
) -> Iterator[list[T]]:
    """Sentences, or whatever holds one, in batches of `min_words` words and a few more."""
    batch: list[T] = []
    words = 0
    for one in stream:
        batch.append(one)
        words += words_of(one)
        if words >= min_words:
            yield batch
            batch, words = [], 0
    if batch:
        yield batch


def weight_of_task(task: Task) -> int:
    """The number of words of the sentence of a task, or more if it has an unusual lot of text.

    A word may have megabytes: thousands of such words would not fit into memory.
    """
    return max(len(task[1]), task[1].extent // CHARACTERS_A_WORD)


def parse_batch(
    search: Searcher,
    options: ParseOptions,
    tag: Annotator | None,
    finish: Annotator | None,
    own_tags: bool,
    batch: list[Task],
) -> Sequence[Sentence]:
    """The answers for a batch of sentences, which are tagged first if `tag` is given."""
    numbers, sentences, others = zip(*batch, strict=True)
    guides = None if None in others else others
    tagged = sentences if tag is None else tag(sentences)
    with blas_threads.as_one():
        given = [not own_tags and has_tags(sentence) for sentence in sentences]
        answers = answers_of(search, options, numbers, tagged, guides, given)
    return answers if finish is None else finish(answers)


def answers_of(
    search: Searcher,
    options: ParseOptions,
    numbers: Sequence[int],
    sentences: Sequence[Sentence],
    guides: Sequence[Sentence] | None,
    given_tags: Sequence[bool],
) -> Sequence[Sentence]:
    """What the parser finds in tagged sentences, which have these numbers in the stream.

    given_tags: whether the tags of a sentence were given, not found.
    """
    if options.is_plain:
        return search.parse_many(sentences, guides)
    encoded = search.encode(sentences, guides)
    tagged = search.tagged(sentences, encoded)
    under_given = search.for_given_tags()
    return [
        answer
        for index, (number, sentence, is_given) in enumerate(
            zip(numbers, tagged, given_tags, strict=True)
        )
        for answer in analyse(
            under_given if is_given else search,
            encoded.part(index, index + 1),
            sentence,
            number,
            options,
        )
    ]
