"""Choosing one tree from a candidate list: the most probable, or minimum Bayes risk.

MBR as in Titov & Henderson (2006).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from headwise.corpus.sentence import MISSING, Sentence
from headwise.corpus.tree import is_projective, one_root
from headwise.errors import MismatchError, UsageError
from headwise.inference.answers import renamed
from headwise.inference.lengths import check_length
from headwise.reranking.files import committee
from headwise.reranking.lists import TreeList, check_is_tree, check_same_words
from headwise.reranking.rows import Floats, Ints, check_as_many
from headwise.search.decoders.base import Decoder
from headwise.search.decoders.choice import arc_decoder_of
from headwise.search.decoders.decodenames import DecodeName, decode_name
from headwise.search.decoders.mbr import arc_weights, mbr_predict, mbr_rerank
from headwise.search.probabilities import (
    SCALES,
    ProbabilityModel,
    ScaledScores,
    TunedScale,
    tune_scale,
)

LOSSES = ("labelled", "unlabelled")
Loss = Callable[[Sentence, Sentence], float]
"""The loss of choosing the first tree if the second is the gold tree."""


@dataclass(frozen=True, slots=True)
class Choice:
    """How to choose a tree from a candidate list.

    decode: mbr (a new tree, equation 1), mbr-rerank (a candidate, equation 2) or map (the most
        probable candidate).
    loss: labelled, unlabelled or, for mbr-rerank, any function of two trees.
    projective, single_root: constraints on the predicted tree; by default, those that all
        candidates of the sentence satisfy.
    """

    decode: DecodeName = "mbr"
    loss: Literal["labelled", "unlabelled"] | Loss = "labelled"
    projective: bool | None = None
    single_root: bool | None = None

    def check(self) -> None:
        """Raise if the options are invalid."""
        decode_name(self.decode)
        if isinstance(self.loss, str):
            loss_name(self.loss)
        elif self.decode != "mbr-rerank":
            raise UsageError(
                "a custom loss requires decode = mbr-rerank: mbr cannot search with it"
            )

    def search(self, heads: Ints) -> Decoder:
        """The decoder over the requested kind of trees, or the candidates' kind."""
        rows = heads.tolist()
        single_root = one_root(self.single_root, rows)
        projective = self.projective
        if projective is None:
            projective = all(map(is_projective, rows))
        return arc_decoder_of(projective=projective, single_root=single_root)


DEFAULT = Choice()
AS_SCORED = ScaledScores()


def decide(
    candidates: TreeList,
    choice: Choice = DEFAULT,
    model: ProbabilityModel[TreeList] = AS_SCORED,
) -> Sentence:
    """The tree chosen from a list; `model` gives the probabilities of its candidates."""
    choice.check()
    probabilities = model.probabilities(candidates)
    if choice.decode == "map":
        chosen = candidates.trees[int(np.argmax(probabilities))]
    elif choice.decode == "mbr-rerank":
        chosen = candidates.trees[reranked(candidates, probabilities, choice.loss)]
    else:
        chosen = predicted(candidates, probabilities, choice)
    return renamed(chosen, candidates.sentence_id if chosen.id is not None else None)


def reranked(
    candidates: TreeList, probabilities: Floats, loss: Literal["labelled", "unlabelled"] | Loss
) -> int:
    """The index of the candidate of minimum risk."""
    heads = candidates.heads
    if not isinstance(loss, str):
        own, trees = loss, candidates.trees

        def between(chosen: int, right: int) -> float:
            return own(trees[chosen], trees[right])

        return mbr_rerank(heads, probabilities, loss=between)[0]
    if loss == "unlabelled":
        return mbr_rerank(heads, probabilities)[0]
    candidates.require_relations()
    return mbr_rerank(heads, probabilities, candidates.relations()[0])[0]


def predicted(candidates: TreeList, probabilities: Floats, choice: Choice) -> Sentence:
    """The tree of minimum risk; each arc gets its most probable relation."""
    check_length(candidates.trees[0])
    heads = candidates.heads
    relations, names = candidates.relations()
    if choice.loss == "labelled":
        candidates.require_relations()
        found = mbr_predict(choice.search(heads), heads, probabilities, relations)
        assert found.relations is not None
        numbers = found.relations
    else:
        found = mbr_predict(choice.search(heads), heads, probabilities)
        table = arc_weights(heads, probabilities, relations).relations
        assert table is not None
        numbers = table[found.heads, np.arange(len(found.heads))]
    own = found.heads[1:].tolist()
    labels = [
        names[number] if number >= 0 else ("root" if head == 0 else "dep")
        for number, head in zip(numbers[1:].tolist(), own, strict=True)
    ]
    return candidates.trees[0].with_tree(own, labels)


def tune_choice(
    lists: Sequence[TreeList],
    gold: Sequence[Sentence],
    choice: Choice = DEFAULT,
    scales: Sequence[float] = SCALES,
) -> TunedScale:
    """The scale of the scores with the highest accuracy on development data."""
    return tune_committee([lists], gold, choice, None, scales)


def tune_committee(
    files: Sequence[Sequence[TreeList]],
    gold: Sequence[Sentence],
    choice: Choice = DEFAULT,
    weights: Sequence[float] | None = None,
    scales: Sequence[float] = SCALES,
) -> TunedScale:
    """The same for the lists of several parsers, with weights."""
    for lists in files:
        check_pairs(lists, gold)
    check_right_trees(gold, labelled=choice.loss == "labelled")
    words = max(1, sum(map(len, gold)))
    labelled = choice.loss == "labelled"

    def accuracy(scale: float) -> float:
        trees = (decide(one, choice) for one in committee(files, weights, scale))
        pairs = zip(trees, gold, strict=True)
        return sum(right_words(tree, own, labelled=labelled) for tree, own in pairs) / words

    return tune_scale(accuracy, scales)


def loss_name(name: str) -> Literal["labelled", "unlabelled"]:
    """A valid name of a loss."""
    if name == "labelled":
        return "labelled"
    if name == "unlabelled":
        return "unlabelled"
    raise UsageError(f"unknown loss {name!r}; choose from {', '.join(LOSSES)}")


def check_pairs(lists: Sequence[TreeList], gold: Sequence[Sentence]) -> None:
    """Raise unless candidate lists and gold trees are of the same sentences."""
    check_as_many(lists, gold)
    for candidates, right in zip(lists, gold, strict=True):
        check_same_words(right, candidates.trees[0])


def check_right_trees(gold: Sequence[Sentence], *, labelled: bool) -> None:
    """Raise unless all are trees, with relations if `labelled`."""
    for right in gold:
        check_is_tree(right)
        if labelled and MISSING in right.relations:
            word = right.relations.index(MISSING) + 1
            raise MismatchError(
                f"word {word} has no relation, which the loss counts", right.location
            )


def right_words(tree: Sentence, gold: Sentence, *, labelled: bool) -> int:
    """The number of words with the correct head, and relation if `labelled`."""
    heads = zip(tree.heads, gold.heads, strict=True)
    if not labelled:
        return sum(a == b for a, b in heads)
    names = zip(tree.relations, gold.relations, strict=True)
    return sum(a == b and x == y for (a, b), (x, y) in zip(heads, names, strict=True))


def with_probabilities(candidates: TreeList, probabilities: Floats) -> TreeList:
    """The list with log-probabilities as scores, without candidates of probability 0."""
    kept = np.flatnonzero(probabilities > 0)
    trees = tuple(candidates.trees[x] for x in kept)
    return replace(candidates, trees=trees, scores=np.log(probabilities[kept]))
