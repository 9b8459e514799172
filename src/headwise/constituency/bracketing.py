"""Trees as labelled brackets over word spans."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from headwise.constituency.annotation import ROOT
from headwise.corpus.constituents import WRAPPERS, Constituent, Leaf, Node, Tree


class Bracket(NamedTuple):
    """A constituent over words `start` to `end - 1`, from 0."""

    label: str
    start: int
    end: int


def brackets_of(tree: Tree) -> list[Bracket]:
    """The brackets of a tree, outer ones first, without an outer wrapper (`WRAPPERS`)."""
    found = [Bracket(node.label, start, end) for node, start, end in tree.spans()][::-1]
    # Backwards, parents come before their children, but later children before earlier ones.
    found.sort(key=lambda bracket: (bracket.start, -bracket.end))
    return found[1:] if found and found[0].label in WRAPPERS else found


def root_label(tree: Tree) -> str | None:
    """The label of an outer wrapper; None if there is none."""
    is_wrapped = isinstance(tree.root, Constituent) and tree.root.label in WRAPPERS
    return tree.root.label if is_wrapped else None


def tree_of(brackets: Iterable[Bracket], leaves: Sequence[Leaf], root: str = ROOT) -> Tree:
    """The tree with this root label and these brackets, given outer ones first."""
    opened: list[tuple[Bracket, list[Node]]] = [(Bracket(root, 0, len(leaves)), [])]
    position = 0

    def advance(to: int) -> None:
        """Add leaves up to a position, closing brackets that end before it."""
        nonlocal position
        while position < to or opened[-1][0].end == position:
            bracket, children = opened[-1]
            if bracket.end == position and len(opened) > 1:
                opened.pop()
                opened[-1][1].append(Constituent(bracket.label, tuple(children)))
            elif position < to:
                children.append(leaves[position])
                position += 1
            else:
                return

    for bracket in brackets:
        advance(bracket.start)
        opened.append((bracket, []))
    advance(len(leaves))
    return Tree(Constituent(root, tuple(opened[0][1])))
