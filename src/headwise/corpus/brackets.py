"""Penn brackets: constituency trees in, constituency trees out.

    ( (S (NP-SBJ (PRP She)) (VP (VBZ reads)) (. .)))
    (ROOT (S (NP-SBJ (PRP She)) (VP (VBZ reads)) (. .)))

A tree may take several lines and a line may hold several trees. The outer bracket may be
unlabelled, no other may. Forms stay as in the file (`-LRB-`, `1\\/2`), so that writing gives back
what was read; `Leaf.word` is the word meant. Nothing here recurses, and a bracket nested deeper
than `MAX_DEPTH`, a tree of more than `MAX_NODES` nodes or a label longer than `MAX_LABEL` is a
`LimitError`.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Union

from headwise.errors import NOWHERE, FormatError, LimitError, Place

MAX_DEPTH = 500
"""How deep brackets may nest; trees of real sentences stay below 100."""

MAX_NODES = 200_000
"""How many words and constituents one tree may have."""

MAX_LABEL = 200
"""How many characters a label or tag may have."""

TRACE_TAG = "-NONE-"
"""The tag of a leaf that is no word."""

WRAPPERS = frozenset({"", "ROOT", "TOP", "S1"})
"""Labels of an outer bracket that is no constituent."""

# ------------------------------------------------------------------------------ labels


@dataclass(frozen=True, slots=True)
class Label:
    """A label taken apart: `NP-SBJ=2-1` is category NP, function SBJ, gapping 2, index 1."""

    category: str
    functions: frozenset[str] = frozenset()
    index: int | None = None
    gapping: int | None = None


@lru_cache(maxsize=8192)
def parse_label(label: str) -> Label:
    """Take a label or tag apart; `-LRB-` and `-NONE-` are whole, `ADVP|PRT` counts as ADVP."""
    if label.startswith("-"):
        return Label(label)
    category, *marks = re.split(r"(?=[-=])", label)
    functions: set[str] = set()
    numbers: dict[str, int | None] = {"-": None, "=": None}
    for mark in marks:
        sign, text = mark[0], mark[1:]
        if text.isdecimal() and len(text) < 10:
            numbers[sign] = int(text)
        elif text:
            functions.add(text)
    category = category.partition("|")[0] or label
    return Label(category, frozenset(functions), numbers["-"], numbers["="])


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
        """Whether this is an empty element and no word."""
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

    # Those a dataclass makes would recurse into the children.

    def __eq__(self, other: object) -> bool:
        """Whether both are the same tree."""
        if not isinstance(other, Constituent):
            return NotImplemented
        return _flat(self) == _flat(other)

    def __hash__(self) -> int:
        """A hash that agrees with equality."""
        return hash(tuple(_flat(self)))

    def __repr__(self) -> str:
        """The tree in brackets."""
        return f"<{bracketed(self)}>"


Node = Union[Leaf, Constituent]  # noqa: UP007 - a name in quotes cannot be joined with |


@dataclass(frozen=True, slots=True)
class Tree:
    """A tree of a file, and where it began."""

    root: Node
    place: Place = field(default=NOWHERE, compare=False)

    def leaves(self) -> Iterator[Leaf]:
        """The words and traces, from left to right."""
        return leaves(self.root)

    def spans(self) -> Iterator[tuple[Constituent, int, int]]:
        """Every constituent with the leaves it covers, inner ones first (see `spans`)."""
        return spans(self.root)

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


def leaves(node: Node) -> Iterator[Leaf]:
    """The words and traces under a node, from left to right."""
    return (found for found in preorder(node) if isinstance(found, Leaf))


def spans(node: Node) -> Iterator[tuple[Constituent, int, int]]:
    """Every constituent with `start` and `end`: it covers leaves `start` to `end - 1`, from 0."""
    position = 0
    starts: list[int] = []  # of the nodes that have no parent yet
    for found in postorder(node):
        if isinstance(found, Leaf):
            starts.append(position)
            position += 1
        else:
            first = len(starts) - len(found.children)
            start = starts[first] if found.children else position
            starts[first:] = [start]
            yield found, start, position


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
    return None if root is None else Tree(root, tree.place)


def unwrapped(tree: Tree) -> Tree:
    """The tree without an outer bracket that is only a wrapper (`WRAPPERS`) around one node."""
    root = tree.root
    if isinstance(root, Constituent) and root.label in WRAPPERS and len(root.children) == 1:
        return Tree(root.children[0], tree.place)
    return tree


# ------------------------------------------------------------------------------ reading

# Only these separate words: a no-break or an ideographic space belongs to the word it is in.
_SPACE = r" \t\r\n\f\v"
_TEXT = rf"[^{_SPACE}()]"
_TOKEN = re.compile(
    rf"\([{_SPACE}]*+({_TEXT}++)[{_SPACE}]++({_TEXT}++)[{_SPACE}]*+\)"  # a whole leaf: 2 groups
    rf"|\([{_SPACE}]*+({_TEXT}*+)"  # an opening bracket and its label: group 3
    rf"|(\))"
    rf"|({_TEXT}++)"
)
_LEAF, _OPEN, _CLOSE = 2, 3, 4


def read_brackets(lines: Iterable[str], path: str | None = None) -> Iterator[Tree]:
    """Read trees from decoded lines, with or without their line ends."""
    builder = _Builder(path)
    for builder.line, line in enumerate(lines, 1):
        for match in _TOKEN.finditer(line):
            kind = match.lastindex
            if kind == _LEAF:
                short = match.end() - match.start() < MAX_LABEL
                make = _shared_leaf if short else builder.long_leaf
                builder.add(make(match[1], match[2]))
            elif kind == _OPEN:
                builder.open(match[3])
            elif kind == _CLOSE:
                builder.close()
            else:
                builder.text(match[5])
            if builder.finished is not None:
                yield builder.take()
    builder.end()


# Most words of a treebank are old acquaintances, and leaves never change: making one takes
# several times as long as finding it again.
_shared_leaf = lru_cache(maxsize=1 << 16)(Leaf)


class _Bracket:
    """A bracket that is still open."""

    __slots__ = ("children", "form", "label")

    def __init__(self, label: str) -> None:
        self.label = label
        self.form = ""  # set where the bracket turns out to be a leaf
        self.children: list[Node] = []


class _Builder:
    """The brackets open at this point of a file."""

    def __init__(self, path: str | None) -> None:
        self.path = path
        self.line = 0
        self.finished: Node | None = None
        self.first_line = 0  # of the tree being read
        self.nodes = 0  # of the tree being read
        self.stack: list[_Bracket] = []

    def error(self, message: str, line: int | None = None) -> FormatError:
        return FormatError(message, Place(self.path, line or self.line))

    def long_leaf(self, tag: str, form: str) -> Leaf:
        self.check_label(tag)
        return Leaf(tag, form)

    def check_label(self, label: str) -> None:
        if len(label) > MAX_LABEL:
            place = Place(self.path, self.line)
            raise LimitError(f"a label has more than {MAX_LABEL} characters", place)

    def add(self, node: Node) -> None:
        self.nodes += 1
        if self.nodes > MAX_NODES:
            place = Place(self.path, self.first_line or self.line)
            raise LimitError(f"a tree has more than {MAX_NODES:,} nodes", place)
        if not self.stack:
            self.first_line = self.first_line or self.line
            self.finished = node
            return
        parent = self.stack[-1]
        if parent.form:
            raise self.error(f"bracket after the word {parent.form!r} inside one pair of brackets")
        parent.children.append(node)

    def open(self, label: str) -> None:
        if not self.stack:
            self.first_line = self.line
        elif len(self.stack) >= MAX_DEPTH:
            place = Place(self.path, self.line)
            raise LimitError(f"brackets are nested more than {MAX_DEPTH} deep", place)
        self.stack.append(_Bracket(label))

    def close(self) -> None:
        if not self.stack:
            raise self.error("closing bracket without an opening one")
        done = self.stack.pop()
        if not done.label and (self.stack or not done.children):
            raise self.error("bracket without a label")
        self.check_label(done.label)
        if done.form:
            self.add(Leaf(done.label, done.form))
        elif done.children:
            self.add(Constituent(done.label, tuple(done.children)))
        else:
            raise self.error(f"bracket with nothing in it but {done.label!r}")

    def text(self, text: str) -> None:
        if not self.stack:
            raise self.error(f"text outside brackets: {text[:40]!r}")
        bracket = self.stack[-1]
        if bracket.children:
            raise self.error(f"word without a tag: {text[:40]!r}")
        if not bracket.label:
            bracket.label = text
        elif not bracket.form:
            bracket.form = text
        else:
            raise self.error(f"two words under one tag: {bracket.form[:40]!r} and {text[:40]!r}")

    def take(self) -> Tree:
        assert self.finished is not None
        tree = Tree(self.finished, Place(self.path, self.first_line))
        self.finished, self.first_line, self.nodes = None, 0, 0
        return tree

    def end(self) -> None:
        if self.stack:
            message = f"the file ends within this tree: {len(self.stack)} closing brackets missing"
            raise self.error(message, self.first_line)


# ------------------------------------------------------------------------------ writing


def write_brackets(trees: Iterable[Tree], *, indented: bool = False) -> Iterator[str]:
    """The text of each tree with its line end: on one line, or indented as the Penn Treebank."""
    for tree in trees:
        for node in preorder(tree.root):
            _check_writable(node, tree)
        yield bracketed(tree.root, indented=indented) + "\n"


_UNWRITABLE = re.compile(rf"[{_SPACE}()]")


def _check_writable(node: Node, tree: Tree) -> None:
    """Refuse what would be read back as something else."""
    if isinstance(node, Constituent) and not node.children:
        raise FormatError(f"constituent {node.label!r} has no children", tree.place)
    if isinstance(node, Leaf) and (not node.form or _UNWRITABLE.search(escape(node.form))):
        raise FormatError(f"no word to be written in brackets: {node.form!r}", tree.place)
    outermost = node is tree.root and isinstance(node, Constituent)
    if _UNWRITABLE.search(node.label) or not (node.label or outermost):
        raise FormatError(f"no label to be written in brackets: {node.label!r}", tree.place)


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
