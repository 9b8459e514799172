"""A candidate list: several dependency trees of one sentence with scores."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from headwise.corpus.sentence import MISSING, Sentence
from headwise.corpus.tree import heads_array, problems
from headwise.errors import (
    InputError,
    MismatchError,
    SourceLocation,
    TreeError,
    quoted,
)
from headwise.reranking.rows import Candidates, Floats, Ints, scores_for
from headwise.search.probabilities import check_score


@dataclass(frozen=True, slots=True, eq=False)
class TreeList(Candidates[Sentence]):
    """Dependency trees of one sentence with scores."""

    @classmethod
    def of(
        cls, sentence_id: str, trees: Sequence[Sentence], scores: Sequence[float] | Floats
    ) -> "TreeList":
        """A list, checked to have trees over the same words and finite scores."""
        location = trees[0].location if trees else SourceLocation(sentence_id=sentence_id)
        numbers = scores_for(trees, scores, location)
        for tree, score in zip(trees, numbers.tolist(), strict=True):
            check_same_words(trees[0], tree)
            check_is_tree(tree)
            check_score(score, tree.location)
        return cls(sentence_id, tuple(trees), numbers, location)

    @property
    def heads(self) -> Ints:
        """The heads arrays of all trees, one per row."""
        return np.array([(-1, *tree.heads) for tree in self.trees], np.int64)

    def relations(self) -> tuple[Ints, list[str]]:
        """The relations of all trees as integer codes, in the shape of `heads`, and their names."""
        names: dict[str, int] = {}
        rows = [
            [0, *(names.setdefault(name, len(names)) for name in tree.relations)]
            for tree in self.trees
        ]
        return np.array(rows, np.int64), list(names)

    def require_relations(self) -> None:
        """Raise if a word has no relation."""
        for tree in self.trees:
            if MISSING in tree.relations:
                word = tree.relations.index(MISSING) + 1
                message = f"word {word} has no relation: use the unlabelled loss"
                raise InputError(message, tree.location)


def check_same_words(first: Sentence, other: Sentence) -> None:
    """Raise unless two sentences have the same words."""
    if first.forms == other.forms:
        return
    where = f" at {first.location}" if str(first.location) else ""
    if len(first) != len(other):
        message = f"{len(other)} words here, but {len(first)}{where}"
    else:
        pairs = enumerate(zip(first.forms, other.forms, strict=True), 1)
        word, (theirs, ours) = next((at, pair) for at, pair in pairs if pair[0] != pair[1])
        message = f"word {word} is {quoted(ours)} here, but {quoted(theirs)}{where}"
    raise MismatchError(f"{message}; candidates must have the same words", other.location)


def check_is_tree(sentence: Sentence) -> None:
    """Raise unless every word has a head, and the heads form a tree."""
    heads = [head for head in sentence.heads if head is not None]
    if len(heads) < len(sentence):
        word = sentence.heads.index(None) + 1
        raise TreeError(f"word {word} has no head: candidates must be trees", sentence.location)
    found = problems(heads_array(heads))
    if found:
        raise TreeError(found[0], sentence.location)
