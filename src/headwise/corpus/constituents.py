"""Constituency trees: labels, words and brackets, and walks over them.

Forms stay as in the file (`-LRB-`, `1\\/2`), so that writing gives back what was read; `Leaf.word`
is the word meant. Nothing here recurses: trees may be deep.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Union

from headwise.errors import NOWHERE, SourceLocation

TRACE_TAG = "-NONE-"
"""The tag of a leaf that is not a word."""

WRAPPERS = frozenset({"", "ROOT", "TOP", "S1"})
"""Labels of an outer bracket that is not a constituent."""

# ------------------------------------------------------------------------------ labels


@dataclass(frozen=True, slots=True)
class Label:
    """The parts of a label that matter: `NP-SBJ=2-1` is category NP, function SBJ."""

    category: str
    functions: frozenset[str] = frozenset()


@lru_cache(maxsize=8192)
def parse_label(label: str) -> Label:
    """Take a label or tag apart; `-LRB-` and `-NONE-` are whole, `ADVP|PRT` counts as ADVP."""
    if label.startswith("-"):
        return Label(label)
    category, *marks = re.split("[-=]", label)
    functions = (mark for mark in marks if mark and not (mark.isdecimal() and len(mark) < 10))
    return Label(category.partition("|")[0] or label, frozenset(functions))


# --------------------------------------------------------------------------- bracket escapes

_PLAIN = {
    "-LRB-": "(",
    "-RRB-": ")",
    "-LSB-": "[",
    "-RSB-": "]",
    "-LCB-": "{",
    "-RCB-": "}",
    r"\/": "/",
    r"\*": "*",
}
_ESCAPED = {plain: escaped for escaped, plain in _PLAIN.items() if plain in "()[]{}"}
_ESCAPE = re.compile(r"-[LR][RSC]B-|\\[/*]")
_BRACKET = re.compile(r"[()[\]{}]")
_ROUND = re.compile(r"[()]")


def unescape(form: str) -> str:
    """The word that a form in a bracket file stands for: `-LRB-sic-RRB-` is `(sic)`."""
    if "-" not in form and "\\" not in form:
        return form
    return _ESCAPE.sub(lambda match: _PLAIN[match[0]], form)


def escape(word: str) -> str:
    """A word as a form for a bracket file: `(sic)` becomes `-LRB-sic-RRB-`."""
    return _BRACKET.sub(lambda match: _ESCAPED[match[0]], word)


# ------------------------------------------------------------------------------- trees


@dataclass(frozen=True, slots=True)
class Leaf:
    """A word, or a trace, under its tag. The form is as in the file."""

    tag: str
    form: str

    @property
    def label(self) -> str:
        """The tag: what a leaf has where a constituent has its label."""
        return self.tag

    @property
    def word(self) -> str:
        """The form with bracket escapes undone."""
        return unescape(self.form)

    @property
    def is_trace(self) -> bool:
        """Whether this is an empty element rather than a word."""
        return self.tag == TRACE_TAG


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Constituent:
    """A labelled bracket around leaves and constituents."""

    label: str
    children: tuple["Node", ...]

    @property
    def category(self) -> str:
        """The label without function tags and indices: NP of `NP-SBJ-1`."""
        return parse_label(self.label).category

    @property
    def functions(self) -> frozenset[str]:
        """The function tags of the label: SBJ of `NP-SBJ-1`."""
        return parse_label(self.label).functions

    # Those that a dataclass generates would recurse into the children.

    def __eq__(self, other: object) -> bool:
        """Whether both are the same tree."""
        if not isinstance(other, Constituent):
            return NotImplemented
        return _flat(self) == _flat(other)

    def __hash__(self) -> int:
        return hash(tuple(_flat(self)))

    def __repr__(self) -> str:
        """The tree in brackets."""
        return f"<{bracketed(self)}>"


Node = Union[Leaf, Constituent]  # noqa: UP007 - a name in quotes cannot be joined with |


@dataclass(frozen=True, slots=True)
class Tree:
    """A tree of a file, and where it began."""

    root: Node
    location: SourceLocation = field(default=NOWHERE, compare=False)

    def leaves(self) -> Iterator[Leaf]:
        """The words and traces, from left to right."""
        return (found for found in preorder(self.root) if isinstance(found, Leaf))

    def spans(self) -> Iterator[tuple[Constituent, int, int]]:
        """Every constituent, inner ones first, with `start` and `end`.

        It covers leaves `start` to `end - 1`, from 0.
        """
        position = 0
        starts: list[int] = []  # of the nodes that have no parent yet
        for found in postorder(self.root):
            if isinstance(found, Leaf):
                starts.append(position)
                position += 1
            else:
                first = len(starts) - len(found.children)
                start = starts[first] if found.children else position
                starts[first:] = [start]
                yield found, start, position

    def __str__(self) -> str:
        """The tree in brackets on one line."""
        return bracketed(self.root)


def preorder(node: Node) -> Iterator[Node]:
    """Every node, a constituent before its children."""
    stack = [node]
    while stack:
        node = stack.pop()
        yield node
        if isinstance(node, Constituent):
            stack.extend(reversed(node.children))


def postorder(node: Node) -> Iterator[Node]:
    """Every node, a constituent after its children."""
    # Right to left and parents first is the wanted order backwards.
    stack, backwards = [node], []
    while stack:
        node = stack.pop()
        backwards.append(node)
        if isinstance(node, Constituent):
            stack.extend(node.children)
    return reversed(backwards)


def _flat(node: Node) -> list[str | int]:
    flat: list[str | int] = []
    for found in preorder(node):
        if isinstance(found, Leaf):
            flat += (found.tag, found.form)
        else:
            flat += (found.label, len(found.children))
    return flat


def remove_traces(tree: Tree) -> Tree | None:
    """The tree without traces and the constituents they leave empty; None if nothing is left."""
    kept: list[Node | None] = []  # the nodes that have no parent yet; None for a removed one
    for node in postorder(tree.root):
        if isinstance(node, Leaf):
            kept.append(None if node.is_trace else node)
            continue
        first = len(kept) - len(node.children)
        children = tuple(child for child in kept[first:] if child is not None)
        kept[first:] = [Constituent(node.label, children) if children else None]
    root = kept[0]
    return None if root is None else Tree(root, tree.location)


def unwrapped(tree: Tree) -> Tree:
    """The tree without an outer bracket that is only a wrapper (`WRAPPERS`) around one node."""
    root = tree.root
    if isinstance(root, Constituent) and root.label in WRAPPERS and len(root.children) == 1:
        return Tree(root.children[0], tree.location)
    return tree


# ------------------------------------------------------------------------------- as text


def bracketed(node: Node, *, indented: bool = False) -> str:
    """A node in brackets; literal round brackets in forms are escaped."""
    pieces: list[str] = []
    stack: list[tuple[Node | None, str, int]] = [(node, "", 0)]  # None closes a bracket
    while stack:
        found, before, depth = stack.pop()
        pieces.append(before)
        if found is None:
            pieces.append(")")
        elif isinstance(found, Leaf):
            form = _ROUND.sub(lambda match: _ESCAPED[match[0]], found.form)
            pieces.append(f"({found.tag} {form})")
        else:
            pieces.append("(" + found.label)
            stack.append((None, "", depth))
            gaps = _gaps(found, depth) if indented else [" "] * len(found.children)
            following = zip(found.children, gaps, strict=True)
            stack.extend([(child, gap, depth + 1) for child, gap in following][::-1])
    return "".join(pieces)


def _gaps(node: Constituent, depth: int) -> list[str]:
    # Leaves at the front stay on the line of their label, and all do where there is nothing else.
    new_line = "\n" + "  " * (depth + 1)
    flat = all(isinstance(child, Leaf) for child in node.children)
    gaps, front = [], True
    for child in node.children:
        front = front and isinstance(child, Leaf)
        gaps.append(" " if flat or front or not node.label else new_line)
    return gaps
