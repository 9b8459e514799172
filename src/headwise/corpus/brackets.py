"""Penn brackets: constituency trees in, constituency trees out.

    ( (S (NP-SBJ (PRP She)) (VP (VBZ reads)) (. .)))
    (ROOT (S (NP-SBJ (PRP She)) (VP (VBZ reads)) (. .)))

A tree may take several lines and a line may hold several trees. The outer bracket may be
unlabelled, no other may. Nothing here recurses, and a bracket nested deeper than `MAX_DEPTH`, a
tree of more than `MAX_NODES` nodes or a label longer than `MAX_LABEL` is a `LimitError`.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache

from headwise.corpus.constituents import (
    Constituent,
    Leaf,
    Node,
    Tree,
    bracketed,
    escape,
    preorder,
)
from headwise.errors import FormatError, LimitError, SourceLocation, quoted

MAX_DEPTH = 500
"""How deep brackets may nest; trees of real sentences stay below 100."""

MAX_NODES = 200_000
"""How many words and constituents one tree may have."""

MAX_LABEL = 200
"""How many characters a label or tag may have."""

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
_MARKUP = re.compile(r"\s*<[^()<>]*>\s*")


def read_brackets(
    lines: Iterable[str], path: str | None = None, *, first_line: int = 1
) -> Iterator[Tree]:
    """Read trees from decoded lines, with or without their line ends.

    Lines of mark-up between trees, such as `<S ID=1>` in the Chinese Treebank, are passed over.
    """
    builder = _Builder(path)
    for builder.line, line in enumerate(lines, first_line):
        if not builder.stack and _MARKUP.fullmatch(line):
            continue
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


@dataclass(slots=True)
class _Bracket:
    """A bracket that is still open."""

    label: str
    form: str = ""  # set where the bracket turns out to be a leaf
    children: list[Node] = field(default_factory=list)


@dataclass(slots=True)
class _Builder:
    """The brackets open at this point of a file."""

    path: str | None
    line: int = 0
    finished: Node | None = None
    first_line: int = 0  # of the tree being read
    nodes: int = 0  # of the tree being read
    stack: list[_Bracket] = field(default_factory=list)

    def error(self, message: str, line: int | None = None) -> FormatError:
        return FormatError(message, SourceLocation(self.path, line or self.line))

    def limit(self, message: str, line: int | None = None) -> LimitError:
        return LimitError(message, SourceLocation(self.path, line or self.line))

    def long_leaf(self, tag: str, form: str) -> Leaf:
        self.check_label(tag)
        return Leaf(tag, form)

    def check_label(self, label: str) -> None:
        if len(label) > MAX_LABEL:
            raise self.limit(f"a label has more than {MAX_LABEL} characters")

    def add(self, node: Node) -> None:
        self.nodes += 1
        if self.nodes > MAX_NODES:
            raise self.limit(f"a tree has more than {MAX_NODES:,} nodes", self.first_line)
        if not self.stack:
            self.first_line = self.first_line or self.line
            self.finished = node
            return
        parent = self.stack[-1]
        if parent.form:
            raise self.error(
                f"bracket after the word {quoted(parent.form)} inside one pair of brackets"
            )
        parent.children.append(node)

    def open(self, label: str) -> None:
        if not self.stack:
            self.first_line = self.line
        elif len(self.stack) >= MAX_DEPTH:
            raise self.limit(f"brackets are nested more than {MAX_DEPTH} deep")
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
            raise self.error(f"bracket with nothing in it but {quoted(done.label)}")

    def text(self, text: str) -> None:
        if not self.stack:
            raise self.error(f"text outside brackets: {quoted(text)}")
        bracket = self.stack[-1]
        if bracket.children:
            raise self.error(f"word without a tag: {quoted(text)}")
        if not bracket.label:
            bracket.label = text
        elif not bracket.form:
            bracket.form = text
        else:
            raise self.error(f"two words under one tag: {quoted(bracket.form)} and {quoted(text)}")

    def take(self) -> Tree:
        assert self.finished is not None
        tree = Tree(self.finished, SourceLocation(self.path, self.first_line))
        self.finished, self.first_line, self.nodes = None, 0, 0
        return tree

    def end(self) -> None:
        if self.stack:
            message = f"the file ends within this tree: {len(self.stack)} closing brackets missing"
            raise self.error(message, self.first_line)


# ------------------------------------------------------------------------------ writing


def write_brackets(trees: Iterable[Tree], *, indented: bool = False) -> Iterator[str]:
    """The text of each tree with its line end: on one line, or indented as the Penn Treebank.

    Commands write lines; `indented` is for users of the library.
    """
    for tree in trees:
        for node in preorder(tree.root):
            _check_writable(node, tree)
        yield bracketed(tree.root, indented=indented) + "\n"


_UNWRITABLE = re.compile(rf"[{_SPACE}()]")


def _check_writable(node: Node, tree: Tree) -> None:
    """Refuse what would be read back as something else."""
    if isinstance(node, Constituent) and not node.children:
        raise FormatError(f"constituent {quoted(node.label)} has no children", tree.location)
    if isinstance(node, Leaf) and (not node.form or _UNWRITABLE.search(escape(node.form))):
        raise FormatError(f"no word to be written in brackets: {quoted(node.form)}", tree.location)
    outermost = node is tree.root and isinstance(node, Constituent)
    if _UNWRITABLE.search(node.label) or not (node.label or outermost):
        raise FormatError(
            f"no label to be written in brackets: {quoted(node.label)}", tree.location
        )
