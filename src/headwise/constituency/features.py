"""Features of constituency trees for rerankers (some of Charniak & Johnson's, 2005)."""

from collections.abc import Callable, Iterator
from itertools import pairwise

from headwise.constituency.annotation import plain
from headwise.corpus.constituents import Constituent, Leaf, Node, Tree, postorder, preorder
from headwise.reranking.rows import bucket

CONJUNCTIONS = ("CC", "CONJP")


def rules(tree: Tree) -> Iterator[str]:
    """Each node with its children, alone and below its parent's label."""
    for node, above in with_parents(plain(tree).root):
        children = " ".join(child.label for child in node.children)
        yield f"r:{node.label}>{children}"
        yield f"rp:{above} {node.label}>{children}"
        for first, second in pairwise(node.children):
            yield f"rb:{node.label}>{first.label} {second.label}"


def heaviness(tree: Tree) -> Iterator[str]:
    """The number of words in a constituent, and after it."""
    found = list(plain(tree).spans())
    words = max((end for _, _, end in found), default=0)
    for node, start, end in found:
        yield f"h:{node.label},{bucket(end - start)},{bucket(words - end)}"


def branching(tree: Tree) -> Iterator[str]:
    """The number of constituents on the path to the last word, and of all others."""
    root = plain(tree).root
    node: Node = root
    while isinstance(node, Constituent):
        yield "b:right"
        node = node.children[-1]
    yield from ("b:node" for node in preorder(root) if isinstance(node, Constituent))


def coordination(tree: Tree) -> Iterator[str]:
    """The similarity of conjuncts: labels, children, grandchildren."""
    root = plain(tree).root
    shapes = shapes_of(root)
    for node, _ in with_parents(root):
        if not any(child.label in CONJUNCTIONS for child in node.children):
            continue
        joined = [child for child in node.children if isinstance(child, Constituent)]
        for first, second in pairwise(joined):
            alike = sum(a == b for a, b in zip(shapes[id(first)], shapes[id(second)], strict=True))
            yield f"o:{node.label},{alike}"


def with_parents(root: Node) -> Iterator[tuple[Constituent, str]]:
    """All constituents, each with the label of its parent."""
    above = {id(root): "TOP"}
    for node in preorder(root):
        if isinstance(node, Constituent):
            above |= {id(child): node.label for child in node.children}
            yield node, above[id(node)]


def shapes_of(root: Node) -> dict[int, tuple[str, str, str]]:
    """For every node its label, the labels of its children, and of its grandchildren."""
    found: dict[int, tuple[str, str, str]] = {}
    for node in postorder(root):
        if isinstance(node, Leaf):
            found[id(node)] = (node.label, "", "")
        else:
            below = [found[id(child)] for child in node.children]
            labels = " ".join(child.label for child in node.children)
            found[id(node)] = (node.label, labels, " | ".join(shape[1] for shape in below))
    return found


BRACKET_FEATURES: dict[str, Callable[[Tree], Iterator[str]]] = {
    "rules": rules,
    "heaviness": heaviness,
    "branching": branching,
    "coordination": coordination,
}
"""The features of constituency trees by name; the parser's score is always a feature."""
