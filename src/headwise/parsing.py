"""Parsing as a stream: sentences in, parsed sentences out, in order, at constant memory.

The answer to a sentence depends on nothing but the sentence: not on the batch it comes in, and not
on the number of threads.
"""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace

from headwise.corpus.sentence import MISSING, Sentence
from headwise.decoders.base import Marginals
from headwise.errors import ConstraintError, InputError, MismatchError, UsageError
from headwise.parser import with_heads
from headwise.search import TreeSearch

WORDS_AT_A_TIME = 8000
AHEAD = 2
"""So many batches wait for each thread."""

Guided = tuple[Sentence, Sentence | None]
Batch = list[Guided]


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is asked of each sentence.

    kbest: that many trees instead of one, told apart by their `sent_id` (s/1, s/2 …).
    marginals: the probability of each chosen head, as `HeadProb` in MISC.
    constraints: heads that are given in the input are kept.
    """

    kbest: int | None = None
    marginals: bool = False
    constraints: bool = False

    def check(self) -> None:
        """Raise if this cannot be answered."""
        if self.kbest is not None and self.kbest < 1:
            raise UsageError(f"kbest must be 1 or more, not {self.kbest}")

    @property
    def is_plain(self) -> bool:
        """Whether only the best trees are asked for."""
        return self.kbest is None and not self.marginals and not self.constraints


def parse_stream(
    search: TreeSearch,
    sentences: Iterable[Sentence],
    wanted: Wanted | None = None,
    *,
    guides: Iterable[Sentence] | None = None,
    jobs: int = 1,
) -> Iterator[Sentence]:
    """Parse sentences, in so many threads."""
    asked = wanted or Wanted()
    asked.check()
    if jobs < 1:
        raise UsageError(f"jobs must be 1 or more, not {jobs}")

    def parse(batch: Batch) -> list[Sentence]:
        return parse_batch(search, batch, asked)

    batches = in_batches(with_guides(sentences, guides))
    results = map(parse, batches) if jobs == 1 else in_threads(parse, batches, jobs)
    for result in results:
        yield from result


def with_guides(
    sentences: Iterable[Sentence], guides: Iterable[Sentence] | None
) -> Iterator[Guided]:
    """Each sentence with its guide, if there are any."""
    if guides is None:
        yield from ((sentence, None) for sentence in sentences)
        return
    others = iter(guides)
    for sentence in sentences:
        guide = next(others, None)
        if guide is None:
            raise MismatchError("there is no guiding tree for this sentence", sentence.place)
        yield sentence, guide
    if next(others, None) is not None:
        raise MismatchError("there are more guiding trees than sentences")


def in_batches(pairs: Iterator[Guided]) -> Iterator[Batch]:
    """Sentences in batches of about `WORDS_AT_A_TIME` words."""
    batch: Batch = []
    words = 0
    for pair in pairs:
        batch.append(pair)
        words += len(pair[0])
        if words >= WORDS_AT_A_TIME:
            yield batch
            batch, words = [], 0
    if batch:
        yield batch


def in_threads(
    work: Callable[[Batch], list[Sentence]], batches: Iterator[Batch], jobs: int
) -> Iterator[list[Sentence]]:
    """Work on batches in threads, a bounded number of them ahead; results in order."""
    with ThreadPoolExecutor(jobs) as pool:
        waiting: deque[Future[list[Sentence]]] = deque()
        try:
            for batch in batches:
                waiting.append(pool.submit(work, batch))
                if len(waiting) > AHEAD * jobs:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:
            pool.shutdown(cancel_futures=True)


def parse_batch(search: TreeSearch, batch: Batch, wanted: Wanted) -> list[Sentence]:
    """The answers to some sentences."""
    sentences = [sentence for sentence, _ in batch]
    if not wanted.is_plain:
        return [one for pair in batch for one in analyse(search, *pair, wanted)]
    guides = [guide for _, guide in batch if guide is not None]
    heads = search.best_many(sentences, guides or None)
    return [with_heads(sentence, own) for sentence, own in zip(sentences, heads, strict=True)]


def analyse(
    search: TreeSearch, sentence: Sentence, guide: Sentence | None, wanted: Wanted
) -> list[Sentence]:
    """All that is asked of one sentence."""
    try:
        scores = search.scores(sentence, guide, keep_heads=wanted.constraints)
        trees = search.kbest(scores, wanted.kbest or 1)
        found = search.marginals(scores) if wanted.marginals else None
    except ConstraintError as error:
        raise InputError(str(error), sentence.place) from error
    answers = []
    for number, tree in enumerate(trees, 1):
        answer = with_heads(sentence, tree.heads[1:].tolist())
        if found is not None:
            answer = with_probabilities(answer, found)
        if wanted.kbest is not None:
            answer = numbered(answer, number, tree.score)
        answers.append(answer)
    return answers


def with_probabilities(sentence: Sentence, found: Marginals) -> Sentence:
    """The sentence with the probability of each head in MISC."""
    misc = [
        added(old, f"HeadProb={found.arc[head or 0, word]:.4f}")
        for word, (old, head) in enumerate(zip(sentence.misc, sentence.heads, strict=True), 1)
    ]
    return replace(sentence, misc=tuple(misc))


def added(misc: str, item: str) -> str:
    """MISC with an item more, in the place of an old one of its name."""
    name = item.partition("=")[0] + "="
    kept = [one for one in misc.split("|") if one != MISSING and not one.startswith(name)]
    return "|".join([*kept, item])


def numbered(sentence: Sentence, number: int, score: float) -> Sentence:
    """One of several trees of a sentence: its number is in `sent_id`, its score in a comment."""
    comments = list(sentence.comments)
    place = next(
        (i for i, line in enumerate(comments) if line[1:].partition("=")[0].strip() == "sent_id"),
        None,
    )
    if place is None:
        comments.insert(0, f"# sent_id = {number}")
    else:
        comments[place] = f"# sent_id = {sentence.id}/{number}"
    return replace(sentence, comments=(*comments, f"# score = {score:.6g}"))
