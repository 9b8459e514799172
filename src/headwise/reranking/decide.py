"""One tree of a candidate list: the most probable, or one of minimum Bayes risk (paper 004)."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from headwise.corpus.sentence import MISSING, Sentence
from headwise.corpus.tree import is_projective, one_root
from headwise.errors import MismatchError, UsageError
from headwise.reranking.files import committee
from headwise.reranking.lists import (
    Floats,
    Ints,
    TreeList,
    check_is_tree,
    check_same_words,
    renamed,
)
from headwise.search.decoders.base import Decoder
from headwise.search.decoders.choice import decoder_of
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
"""What is lost if the first tree is chosen and the second is the right one."""


@dataclass(frozen=True, slots=True)
class Choice:
    """How a tree is made of a list.

    decode: mbr (a new tree, equation 1), mbr-rerank (a candidate, equation 2) or map (the most
        probable candidate).
    loss: labelled, unlabelled or, for mbr-rerank, any function of two trees.
    projective, single_root: the trees to predict; by default those of the kind that all
        candidates of the sentence are.
    """

    decode: DecodeName = "mbr"
    loss: Literal["labelled", "unlabelled"] | Loss = "labelled"
    projective: bool | None = None
    single_root: bool | None = None

    def check(self) -> None:
        """Raise if this has no meaning."""
        decode_name(self.decode)
        if isinstance(self.loss, str):
            loss_name(self.loss)
        elif self.decode != "mbr-rerank":
            raise UsageError("a loss of your own is for mbr-rerank: mbr cannot search it")

    def search(self, heads: Ints) -> Decoder:
        """The decoder over trees of the kind that is wanted, or that candidates are."""
        rows = heads.tolist()
        single_root = one_root(self.single_root, rows)
        projective = self.projective
        if projective is None:
            projective = all(map(is_projective, rows))
        return decoder_of(projective=projective, higher=False, single_root=single_root)


DEFAULT = Choice()
AS_SCORED = ScaledScores()


def decide(
    candidates: TreeList,
    choice: Choice = DEFAULT,
    model: ProbabilityModel[TreeList] = AS_SCORED,
) -> Sentence:
    """The tree of a list; `model` says how probable its candidates are."""
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
    """The number of the candidate of minimum risk."""
    heads = candidates.heads
    if not isinstance(loss, str):
        own, trees = loss, candidates.trees

        def between(chosen: int, right: int) -> float:
            return own(trees[chosen], trees[right])

        return mbr_rerank(heads, probabilities, loss=between)[0]
    relations = relations_for(candidates) if loss == "labelled" else None
    return mbr_rerank(heads, probabilities, relations)[0]


def predicted(candidates: TreeList, probabilities: Floats, choice: Choice) -> Sentence:
    """The tree of minimum risk; each of its arcs has the relation most probable for it."""
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


def relations_for(candidates: TreeList) -> Ints:
    """The relations of candidates, if all have them."""
    candidates.require_relations()
    return candidates.relations()[0]


def tune_choice(
    lists: Sequence[TreeList],
    gold: Sequence[Sentence],
    choice: Choice = DEFAULT,
    scales: Sequence[float] = SCALES,
) -> TunedScale:
    """The scale of the scores that has most words right on development data."""
    return tune_committee([lists], gold, choice, None, scales)


def tune_committee(
    files: Sequence[Sequence[TreeList]],
    gold: Sequence[Sentence],
    choice: Choice = DEFAULT,
    weights: Sequence[float] | None = None,
    scales: Sequence[float] = SCALES,
) -> TunedScale:
    """The same for the lists of several parsers, which have weights."""
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
    """The name of a loss."""
    if name == "labelled":
        return "labelled"
    if name == "unlabelled":
        return "unlabelled"
    raise UsageError(f"there is no loss {name!r}; there are {', '.join(LOSSES)}")


def check_pairs(lists: Sequence[TreeList], gold: Sequence[Sentence]) -> None:
    """Raise unless lists and right trees are of the same sentences."""
    if len(lists) != len(gold):
        longer = lists[len(gold) :] or gold[len(lists) :]
        message = f"{len(lists)} candidate lists, but {len(gold)} right trees"
        raise MismatchError(f"{message}; this one has no partner", longer[0].location)
    for candidates, right in zip(lists, gold, strict=True):
        check_same_words(right, candidates.trees[0])


def check_right_trees(gold: Sequence[Sentence], *, labelled: bool) -> None:
    """Raise unless all are trees, with relations if these count."""
    for right in gold:
        check_is_tree(right)
        if labelled and MISSING in right.relations:
            word = right.relations.index(MISSING) + 1
            raise MismatchError(f"word {word} has no relation, and relations count", right.location)


def right_words(tree: Sentence, gold: Sentence, *, labelled: bool) -> int:
    """How many words have the right head, and the right relation if it counts."""
    heads = zip(tree.heads, gold.heads, strict=True)
    if not labelled:
        return sum(a == b for a, b in heads)
    names = zip(tree.relations, gold.relations, strict=True)
    return sum(a == b and x == y for (a, b), (x, y) in zip(heads, names, strict=True))


def with_probabilities(candidates: TreeList, probabilities: Floats) -> TreeList:
    """The list with the logarithms of probabilities as scores, without those of none."""
    kept = np.flatnonzero(probabilities > 0)
    trees = tuple(candidates.trees[x] for x in kept)
    return replace(candidates, trees=trees, scores=np.log(probabilities[kept]))
