"""Features of whole dependency trees for rerankers, beyond what decoders can score.

Each function yields the names of the features of a tree. Tags are UPOS, or XPOS if there are
none; relations are used where a parser predicts them.
"""

from collections.abc import Callable, Iterator
from itertools import pairwise

from headwise.corpus.sentence import MISSING, Sentence
from headwise.corpus.tree import children_of, depths, heads_array, non_projective_arcs, top_down
from headwise.reranking.rows import bucket

ROOT_TAG = "ROOT"
CONJUNCTIONS = ("CCONJ", "CC")


def tags_of(tree: Sentence) -> list[str]:
    """The tags of all tokens, the root first."""
    given = any(tag != MISSING for tag in tree.upos)
    return [ROOT_TAG, *(tree.upos if given else tree.xpos)]


def heads_of(tree: Sentence) -> list[int]:
    """The heads array of a complete tree."""
    return heads_array([head or 0 for head in tree.heads])


def valency(tree: Sentence) -> Iterator[str]:
    """The number of modifiers of a word on each side, and their sequences."""
    tags, relations = tags_of(tree), ("", *tree.relations)
    for head, modifiers in enumerate(children_of(heads_of(tree))):
        left = [m for m in modifiers if m < head]
        right = modifiers[len(left) :]
        yield f"v:{tags[head]},{min(len(left), 4)},{min(len(right), 6)}"
        for side, row in (("l", left[::-1]), ("r", right)):
            if row:
                yield f"vt{side}:{tags[head]}>{' '.join(tags[m] for m in row[:6])}"
                yield f"vr{side}:{tags[head]}>{' '.join(relations[m] for m in row[:6])}"
        for first, second in pairwise(modifiers):
            yield f"vs:{tags[head]}>{tags[first]} {tags[second]}"


def chains(tree: Sentence) -> Iterator[str]:
    """A word, its head and its ancestors, with attachment directions."""
    tags, heads = tags_of(tree), heads_of(tree)
    relations = ("", *tree.relations)
    for word in range(1, len(heads)):
        head = heads[word]
        above = heads[head] if head else 0
        side = "<" if word < head else ">"
        turn = side + ("<" if head < above else ">")
        yield f"c2:{tags[above]} {tags[head]} {tags[word]}{turn}"
        if head and above:
            yield f"c3:{tags[heads[above]]} {tags[above]} {tags[head]} {tags[word]}{turn}"
        yield f"cr:{tags[head]} {relations[head]} {relations[word]} {tags[word]}{side}"


def coordination(tree: Sentence) -> Iterator[str]:
    """The similarity of two conjuncts: tags, modifiers, sizes.

    A conjunct is a word with the relation `conj`, or one modified by a conjunction.
    """
    tags, heads = tags_of(tree), heads_of(tree)
    children = children_of(heads)
    sizes = subtree_sizes(heads)
    for word in range(1, len(heads)):
        joined = tree.relations[word - 1].partition(":")[0] == "conj"
        if not joined and not any(tags[m] in CONJUNCTIONS for m in children[word]):
            continue
        head = heads[word]
        yield f"o:{tags[head]} {tags[word]}"
        if head:
            same = {tags[m] for m in children[head]} & {tags[m] for m in children[word]}
            yield f"ol:{tags[head] == tags[word]},{min(len(same), 3)}"
            rest = max(1, sizes[head] - sizes[word])
            yield f"os:{bucket(rest)},{bucket(sizes[word])}"


def branching(tree: Sentence) -> Iterator[str]:
    """The shape of the tree: path to the last word, depth, subtree sizes, long arcs."""
    tags, heads = tags_of(tree), heads_of(tree)
    size = len(heads)
    last = size - 1
    while last > 1 and tags[last] in ("PUNCT", "."):
        last -= 1
    while last:
        last = heads[last]
        yield "b:right"
    yield f"bd:{bucket(max(depths(heads)))}"
    yield from ["b:crossing"] * len(non_projective_arcs(heads))
    for word, own in enumerate(subtree_sizes(heads)):
        if word and own > 1:
            yield f"bs:{tags[word]},{bucket(own)},{bucket(size - 1 - word)}"
        if word and abs(word - heads[word]) > 6:
            yield f"bl:{tags[heads[word]]} {tags[word]}"


def subtree_sizes(heads: list[int]) -> list[int]:
    """The number of tokens in the subtree of each token."""
    sizes = [1] * len(heads)
    for token in reversed(top_down(heads)[1:]):
        sizes[heads[token]] += sizes[token]
    return sizes


TREE_FEATURES: dict[str, Callable[[Sentence], Iterator[str]]] = {
    "valency": valency,
    "chains": chains,
    "coordination": coordination,
    "branching": branching,
}
"""The features of dependency trees by name; the parser's score is always a feature."""
