"""Crossing arcs under projective search: how many there are, and how much accuracy they cost."""

from collections.abc import Sequence

from headwise.corpus.projectivise import projectivise
from headwise.corpus.sentence import Sentence
from headwise.corpus.tree import heads_array, is_projective
from headwise.errors import warn

MANY = 0.05
"""The share of trees with crossing arcs that is worth a warning. UD English EWT has 2 %, Arabic
PADT 8 %, Latin UDante 45 %."""

FEW = 5
"""Fewer crossing trees than this say nothing of a language, whatever share of a sample they are."""


def warn_of_crossing(sentences: Sequence[Sentence], advice: str) -> None:
    """Warn if many of the trees have crossing arcs; `advice` says what to do about it."""
    lifted = [
        sum(a != b for a, b in zip(one.heads, projective_heads(one)[1:], strict=True))
        for one in sentences
    ]
    trees, crossing, words = len(lifted), sum(map(bool, lifted)), sum(map(len, sentences))
    if crossing >= max(FEW, MANY * trees):
        warn(
            f"{crossing:,} of {trees:,} training trees ({crossing / trees:.1%}) have crossing "
            f"arcs, which a projective parser cannot find: lifting them changes {sum(lifted):,} "
            f"heads, so that it may lose up to {100 * sum(lifted) / words:.2f} points of UAS; "
            f"{advice}"
        )


def projective_heads(sentence: Sentence) -> list[int]:
    """The tree of a sentence, its crossing arcs lifted."""
    heads = heads_array([head for head in sentence.heads if head is not None])
    if is_projective(heads):
        return heads
    return projectivise(heads, [""] * len(heads), "none")[0]
