"""Crossing arcs under projective search: how many there are, and how much accuracy they cost."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from headwise.corpus.projectivise import projectivise
from headwise.corpus.sentence import Sentence
from headwise.corpus.tree import heads_array, is_projective
from headwise.errors import warn

MANY = 0.05
"""The share of trees with crossing arcs that is worth a warning. UD English EWT has 2 %, Arabic
PADT 8 %, Latin UDante 45 %."""

FEW = 5
"""Fewer crossing trees than this say nothing of a language, whatever share of a sample they are."""


@dataclass(frozen=True, slots=True)
class CrossingTrees:
    """How many trees have crossing arcs, and how many heads change when these arcs are lifted."""

    trees: int
    crossing: int
    words: int
    lifted: int

    @classmethod
    def among(cls, sentences: Iterable[Sentence]) -> "CrossingTrees":
        """Count the crossing trees among sentences with trees."""
        trees = crossing = words = lifted = 0
        for sentence in sentences:
            pairs = zip(sentence.heads, projective_heads(sentence)[1:], strict=True)
            changed = sum(a != b for a, b in pairs)
            trees, words = trees + 1, words + len(sentence)
            crossing, lifted = crossing + (changed > 0), lifted + changed
        return cls(trees, crossing, words, lifted)

    @property
    def are_many(self) -> bool:
        """Whether there are enough of them to matter."""
        return self.crossing >= max(FEW, MANY * self.trees)

    def __str__(self) -> str:
        """What projective search makes of them."""
        return (
            f"{self.crossing:,} of {self.trees:,} training trees "
            f"({self.crossing / self.trees:.1%}) have crossing arcs, which a projective parser "
            f"cannot find: lifting them changes {self.lifted:,} heads, so that it may lose up to "
            f"{100 * self.lifted / self.words:.2f} points of UAS"
        )


def warn_of_crossing(sentences: Sequence[Sentence], advice: str) -> None:
    """Warn if many of the trees have crossing arcs; `advice` says what to do about it."""
    found = CrossingTrees.among(sentences)
    if found.are_many:
        warn(f"{found}; {advice}")


def projective_heads(sentence: Sentence) -> list[int]:
    """The tree of a sentence, its crossing arcs lifted."""
    heads = heads_array([head for head in sentence.heads if head is not None])
    if is_projective(heads):
        return heads
    return projectivise(heads, [""] * len(heads), "none")[0]
