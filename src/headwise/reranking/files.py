"""Files of candidate lists: k-best lists of `headwise parse --kbest`, or one parser per file.

A list is a sequence of sentences `# sent_id = s/1`, `s/2` …, each with a comment `# score`, a
natural logarithm. A sentence without a score is a list of one tree.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import count, zip_longest
from pathlib import Path

import numpy as np

from headwise.corpus.conllu import format_conllu
from headwise.corpus.formats import read_sentences
from headwise.corpus.output import write_text
from headwise.corpus.sentence import Sentence
from headwise.errors import FormatError, MismatchError, UsageError, counted, quoted
from headwise.inference.answers import renamed
from headwise.reranking.lists import TreeList, check_same_words
from headwise.reranking.rows import Floats
from headwise.search.probabilities import candidate_probabilities

_RANKED = re.compile(r"(.+)/(\d{1,9})")


def read_candidates(path: str | Path, format_name: str | None = None) -> Iterator[TreeList]:
    """The candidate lists of a file."""
    name, trees, scores = "", list[Sentence](), list[float]()
    numbers = count(1)
    for sentence in read_sentences(path, format_name):
        score = score_of(sentence)
        ranked = _RANKED.fullmatch(sentence.id or "") if score is not None else None
        goes_on = ranked is not None and bool(trees) and ranked[1] == name
        if ranked is not None and int(ranked[2]) != (len(trees) + 1 if goes_on else 1):
            known = f"{len(trees)} of {quoted(name)}" if trees else "nothing"
            message = (
                f"candidate {ranked[2]} follows {known}: a candidate is missing or out of order"
            )
            raise FormatError(message, sentence.location)
        if not goes_on:
            if trees:
                yield TreeList.of(name, trees, scores)
            number = str(next(numbers))
            name, trees, scores = ranked[1] if ranked else sentence.id or number, [], []
        trees.append(sentence)
        scores.append(0.0 if score is None else score)
    if trees:
        yield TreeList.of(name, trees, scores)


def score_of(sentence: Sentence) -> float | None:
    """The score of a candidate, if it has one."""
    text = sentence.comment("score")
    if text is None:
        return None
    try:
        return float(text)
    except ValueError:
        raise FormatError(f"the score {quoted(text)} is not a number", sentence.location) from None


def write_candidates(path: str | Path, lists: Iterable[TreeList]) -> None:
    """Write candidate lists as CoNLL-U, best first, atomically."""
    write_text(path, format_conllu(tree for one in lists for tree in ranked_trees(one)))


def ranked_trees(candidates: TreeList) -> Iterator[Sentence]:
    """The trees of a list, best first, with rank and score in comments."""
    order = np.argsort(-candidates.scores, kind="stable").tolist()
    for rank, index in enumerate(order, 1):
        score = repr(float(candidates.scores[index]))
        yield renamed(candidates.trees[index], f"{candidates.sentence_id}/{rank}", score)


def committee(
    files: Sequence[Iterable[TreeList]],
    weights: Sequence[float] | None = None,
    scale: float = 1.0,
) -> Iterator[TreeList]:
    """Merge the candidate lists of several weighted parsers for the same sentences.

    Within a file, its weight is distributed in proportion to exp(scale · score). Equal trees become
    one candidate with the sum of their weights.
    """
    shares = np.ones(len(files)) if weights is None else np.asarray(weights, np.float64)
    if not len(files) or len(shares) != len(files):
        raise UsageError(f"{len(shares)} weights for {len(files)} files of candidates")
    if not (np.isfinite(shares).all() and (shares > 0).all()):
        raise UsageError("the weights of files must be above 0")
    for number, row in enumerate(zip_longest(*files), 1):
        present = [one for one in row if one is not None]
        if len(present) < len(row):
            message = (
                f"a file ends after {counted(number - 1, 'sentence')}, but another continues here"
            )
            raise MismatchError(f"{message}; all must have the same sentences", present[0].location)
        for other in present[1:]:
            check_same_words(present[0].trees[0], other.trees[0])
        yield merged(present, shares / shares.sum(), scale)


def merged(lists: Sequence[TreeList], shares: Floats, scale: float) -> TreeList:
    """One list from several, in order; scores are log-probabilities."""
    found: dict[tuple[object, ...], int] = {}
    trees: list[Sentence] = []
    sums: list[float] = []
    for candidates, share in zip(lists, shares, strict=True):
        own = share * candidate_probabilities(candidates.scores, scale)
        for tree, probability in zip(candidates.trees, own.tolist(), strict=True):
            index = found.setdefault((tree.heads, tree.relations), len(trees))
            if index == len(trees):
                trees.append(tree)
                sums.append(0.0)
            sums[index] += probability
    kept = [index for index, total in enumerate(sums) if total > 0]  # the rest underflowed
    return TreeList.of(
        lists[0].sentence_id, [trees[x] for x in kept], np.log([sums[x] for x in kept])
    )
