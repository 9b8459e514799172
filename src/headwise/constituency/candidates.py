"""A candidate list: several constituency trees of one sentence with scores."""

from collections.abc import Sequence
from dataclasses import dataclass

from headwise.corpus.constituents import Leaf, Tree
from headwise.errors import NOWHERE, MismatchError, SourceLocation, quoted
from headwise.reranking.rows import Candidates, Floats, scores_for
from headwise.search.probabilities import check_score


@dataclass(frozen=True, slots=True, eq=False)
class CandidateList(Candidates[Tree]):
    """Constituency trees of one sentence with scores."""

    @classmethod
    def of(
        cls,
        sentence_id: str,
        trees: Sequence[Tree],
        scores: Sequence[float] | Floats,
        location: SourceLocation = NOWHERE,
    ) -> "CandidateList":
        """A list, checked to have trees over the same words and finite scores."""
        where = SourceLocation(location.path, location.line, sentence_id)
        numbers = scores_for(trees, scores, where)
        for tree, score in zip(trees, numbers, strict=True):
            check_score(
                float(score), SourceLocation(tree.location.path, tree.location.line, sentence_id)
            )
        first = list(trees[0].leaves())
        for tree in trees[1:]:
            check_words(first, tree, sentence_id)
        return cls(sentence_id, tuple(trees), numbers, where)

    @property
    def forms(self) -> list[str]:
        """The words, as they are written in the trees."""
        return [leaf.form for leaf in self.trees[0].leaves()]


def check_words(
    right: Sequence[Leaf],
    tree: Tree,
    sentence_id: str,
    called: str = "the first of its sentence",
) -> None:
    """Raise unless a tree is over the words of another, which messages name `called`.

    Words are compared, not forms: parsed text has `{` and `1/2` where a treebank has escapes.
    """
    own = list(tree.leaves())
    location = SourceLocation(tree.location.path, tree.location.line, sentence_id)
    if len(own) != len(right):
        raise MismatchError(f"this tree has {len(own)} words, {called} {len(right)}", location)
    for number, (a, b) in enumerate(zip(right, own, strict=True), 1):
        if a.form != b.form and a.word != b.word:
            message = (
                f"word {number} of this tree is {quoted(b.form)}, in {called} {quoted(a.form)}"
            )
            raise MismatchError(message, location)
