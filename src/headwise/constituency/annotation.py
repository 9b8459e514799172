"""Annotation of grammar symbols with their context: Markovisation (Klein & Manning 2003).

A symbol is a label with the labels of its ancestors, `NP^S`; their number is the vertical order.
Tags may have their parents too (`IN^PP`). A mark after the label describes the inside: `NP-b`
contains words only, `VP-VBZ` is headed by a VBZ. All of this is a function of the tree, so a tree
has one annotated form, and removing the annotation restores the tree.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from headwise.corpus.constituents import (
    Constituent,
    Leaf,
    Node,
    Tree,
    parse_label,
    postorder,
    remove_traces,
    unwrapped,
)
from headwise.corpus.headrules import HeadRules
from headwise.errors import TreeError

ROOT = "ROOT"
"""The label above every tree."""


@dataclass(frozen=True, slots=True)
class Annotation:
    """How grammar symbols are annotated."""

    vertical: int = 2  # 1: a label alone; 2: with its parent; …
    tag_vertical: int = 2  # the same for tags
    base_marks: tuple[str, ...] = ("NP",)  # labels marked if they contain words only
    head_marks: tuple[str, ...] = ("VP",)  # labels marked with the tag of their head word
    head_rules: str = "collins"  # the head rules for that


@dataclass(frozen=True, slots=True)
class Symbol:
    """A label or tag with its annotation."""

    label: str
    mark: str = ""
    above: tuple[str, ...] = ()
    is_tag: bool = False

    def __str__(self) -> str:
        """`NP-b^S`: label, mark, and the labels above it from the inside out."""
        marked = f"{self.label}-{self.mark}" if self.mark else self.label
        return "^".join((marked, *self.above))


START = Symbol(ROOT)
"""The start symbol of the grammar."""


@dataclass(frozen=True, slots=True)
class Production:
    """A symbol and its children; `word` only for a tag."""

    parent: Symbol
    children: tuple[Symbol, ...] = ()
    word: str = ""


def plain(tree: Tree) -> Tree:
    """The tree that a grammar is trained on.

    Without traces, function tags, outer wrappers, and unary brackets with the same label.
    """
    pruned = remove_traces(tree)
    if pruned is None:
        raise TreeError("the tree has no words, only traces", tree.location)
    built: list[Node] = []
    for node in postorder(unwrapped(pruned).root):
        label = parse_label(node.label).category
        if isinstance(node, Leaf):
            built.append(Leaf(label, node.form))
            continue
        first = len(built) - len(node.children)
        children = tuple(built[first:])
        only = children[0] if len(children) == 1 else None
        same = isinstance(only, Constituent) and only.label == label
        built[first:] = children if same else [Constituent(label, children)]
    return Tree(built[0], tree.location)


def productions(tree: Tree, annotation: Annotation, rules: HeadRules) -> Iterator[Production]:
    """The productions of a plain tree, top down."""
    marks = _marks(tree, annotation, rules)

    def symbol(node: Node, above: tuple[str, ...]) -> Symbol:
        if isinstance(node, Leaf):
            return Symbol(node.tag, "", above[: annotation.tag_vertical - 1], is_tag=True)
        return Symbol(node.label, marks.get(id(node), ""), above[: annotation.vertical - 1])

    stack: list[tuple[Node, Symbol, tuple[str, ...]]] = []  # with the labels above
    stack.append((tree.root, symbol(tree.root, (ROOT,)), (ROOT,)))
    yield Production(START, (stack[0][1],))
    while stack:
        node, made, above = stack.pop()
        if isinstance(node, Leaf):
            yield Production(made, word=node.form)
            continue
        inner = (node.label, *above)
        children = [(child, symbol(child, inner), inner) for child in node.children]
        yield Production(made, tuple(child for _, child, _ in children))
        stack += children


def _marks(tree: Tree, annotation: Annotation, rules: HeadRules) -> dict[int, str]:
    """The marks of nodes by their identity: equal nodes may be one object."""
    marks: dict[int, str] = {}
    if not annotation.base_marks and not annotation.head_marks:
        return marks
    head_tags: list[str] = []  # of the nodes that have no parent yet
    for node in postorder(tree.root):
        if isinstance(node, Leaf):
            head_tags.append(node.tag)
            continue
        first = len(head_tags) - len(node.children)
        labels = [child.label for child in node.children]
        head = head_tags[first + rules.head_child(node.label, labels)]
        head_tags[first:] = [head]
        if node.label in annotation.head_marks:
            marks[id(node)] = head
        elif node.label in annotation.base_marks and all(
            isinstance(child, Leaf) for child in node.children
        ):
            marks[id(node)] = "b"
    return marks
