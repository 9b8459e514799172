"""Changes of trees, and random scores to climb by."""

from headwise.search.parts import Part
from oracle import is_tree


def random_tables(size, factorisation, rng):
    """A table of every part type of a factorisation."""
    shapes = {
        part: (size, 2, size) if part is Part.STOP else (size,) * len(part.indices)
        for part in factorisation.parts
    }
    return {part: rng.normal(size=shape) for part, shape in shapes.items()}


def changes(heads, single_root):
    """Every tree that differs in one head, or in the word at the root."""
    for m in range(1, len(heads)):
        for head in range(len(heads)):
            changed = list(heads)
            changed[m] = head
            if single_root and head == 0 and heads[m] != 0:
                changed[heads.index(0)] = m
            allowed = not single_root or changed.count(0) == 1
            if head not in (m, heads[m]) and allowed and is_tree(tuple(changed)):
                yield tuple(changed)
