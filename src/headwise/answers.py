"""What can be asked of a sentence, and how the answers are written into it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from headwise.corpus.sentence import MISSING, Sentence
from headwise.decoders.base import Marginals, Scored
from headwise.decoders.decoding import Decoding
from headwise.errors import ConstraintError, InputError, UsageError
from headwise.kernels.arc_features import Tokens
from headwise.parser import relations_of, with_heads
from headwise.search import TreeSearch

MOST_TREES = 1000
"""The longest list of best trees."""

MAP = Decoding()
"""The best tree."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is asked of each sentence; any combination is possible.

    kbest: that many trees instead of one, told apart by their `sent_id` (s/1, s/2 …), each with its
        score in a comment.
    marginals: the probability of each chosen head, as `HeadProb` in MISC.
    constraints: heads that are given in the input are kept, and their relations.
    decoding: how the one tree is made, if it is not the best: by minimum Bayes risk.
    """

    kbest: int | None = None
    marginals: bool = False
    constraints: bool = False
    decoding: Decoding = MAP

    def check(self) -> None:
        """Raise if this cannot be answered."""
        for kbest in (self.kbest, self.decoding.kbest):
            if kbest is not None and not 1 <= kbest <= MOST_TREES:
                raise UsageError(f"kbest must be from 1 to {MOST_TREES}, not {kbest}")
        self.decoding.check()
        if self.kbest is not None and self.decoding != MAP:
            raise UsageError("minimum Bayes risk makes one tree, not the k best")

    @property
    def is_plain(self) -> bool:
        """Whether only the best trees are asked for."""
        asked = self.marginals or self.constraints or self.decoding != MAP
        return self.kbest is None and not asked


def analyse(
    search: TreeSearch, tokens: Tokens, sentence: Sentence, number: int, wanted: Wanted
) -> list[Sentence]:
    """The answers to all that is asked of one sentence; `number` is its name if it has none."""
    trees, found = search_trees(search, tokens, sentence, wanted)
    answers = []
    for rank, tree in enumerate(trees, 1):
        answer = under_tree(sentence, tree.heads[1:].tolist(), keep=wanted.constraints)
        if found is not None:
            answer = with_probabilities(answer, found)
        if wanted.kbest is not None:
            answer = ranked(answer, sentence.id or str(number), rank, tree.score)
        answers.append(answer)
    return answers


def search_trees(
    search: TreeSearch, tokens: Tokens, sentence: Sentence, wanted: Wanted
) -> tuple[list[Scored], Marginals | None]:
    """The best tree or trees of a sentence, and probabilities if they are asked for."""
    try:
        if wanted.constraints:
            scores = search.keeping_heads(tokens, sentence)
        else:
            scores = search.scores_of(tokens)
        if wanted.kbest is None:  # not k = 1: among equals, the same tree as without questions
            heads = wanted.decoding.best(search.decoder, scores, 1.0 / search.temperature)
            trees = [Scored(heads, scores.of_tree(heads))]
        else:
            trees = search.kbest(scores, wanted.kbest)
        return trees, search.marginals(scores) if wanted.marginals else None
    except ConstraintError as error:
        raise InputError(str(error), sentence.place) from error


def under_tree(sentence: Sentence, heads: Sequence[int], *, keep: bool) -> Sentence:
    """The sentence under a tree; with `keep`, words whose head was given have their relation."""
    if not keep:
        return with_heads(sentence, heads)
    relations = [
        old if given is not None and old != MISSING else new
        for given, old, new in zip(
            sentence.heads, sentence.relations, relations_of(heads), strict=True
        )
    ]
    return sentence.with_tree(heads, relations)


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


def ranked(sentence: Sentence, name: str, rank: int, score: float) -> Sentence:
    """One of several trees of a sentence: its rank is in `sent_id`, its score in a comment."""
    own = f"# sent_id = {name}/{rank}"
    comments = [line for line in sentence.comments if key_of(line) != "score"]
    place = next((i for i, line in enumerate(comments) if key_of(line) == "sent_id"), None)
    if place is None:
        comments.insert(0, own)
    else:
        comments[place] = own
    return replace(sentence, comments=(*comments, f"# score = {score:.6g}"))


def key_of(comment: str) -> str | None:
    """The key of a comment `# key = value`, or None."""
    key, equals, _ = comment[1:].partition("=")
    return key.strip() if equals else None
