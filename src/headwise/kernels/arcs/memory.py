# mypy: allow-untyped-defs
"""What tags say of arcs, remembered from sentence to sentence.

A treebank has few tags. What templates see of two tags, and of two tags and one between them, is
looked up when it is first needed, and kept. When it is full, all is forgotten and begun
anew; where there are too many tags for that, it is better to do without (`scorer`).
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from headwise.kernels.arcs.features import (
    MULTIPLIER,
    ArcTemplates,
    Hashes,
    Ints,
    hash_sides,
)
from headwise.kernels.arcs.kinds import INSIDE, NARROW, TAGS
from headwise.kernels.arcs.pairs import AT, HEAD, LANE, MODIFIER, ONE, line_between
from headwise.kernels.arcs.tables import FOUR, Weights
from headwise.kernels.primitives.hashmap import ABSENT, find_slot
from headwise.kernels.primitives.vectors import LEFT, LINE, add_line, prefetch
from headwise.kernels.runtime.jit import helper, inlined

MOST_REMEMBERED = 128
"""How many different tags are remembered."""

MOST_BLOCKS = 4096
"""How many pairs of tags have what is between them remembered too."""

SELDOM = 100
"""Remembering pays if all is forgotten less than once in this many sentences."""

TAG_COUNT, BLOCK_COUNT, FORGOTTEN, SENTENCES = range(4)

NO_BLOCK = -1


class TagMemory(NamedTuple):
    """What is known of some tags, at most `most`: the length of `fine`."""

    keys: Hashes  # a map from tags to their numbers
    numbers: NDArray[np.int32]
    counts: Ints  # of tags, of blocks; of times that all was forgotten, of sentences
    fine: Hashes  # [tag]
    atoms: Hashes  # [atom, tag]
    side: Hashes  # [side, tag]: of sides that look at nothing but the tag
    # Sums of weights. No arc uses the first lane: it says whether a line has been looked up.
    lines: NDArray[np.generic]  # [(tag * most + tag) * LINE + lane]
    block: NDArray[np.int32]  # [tag * most + tag]: the number of their block in `between`
    between: NDArray[np.generic]  # [(block * LINE + lane) * most + tag]


def new_memory(
    templates: ArcTemplates, weights: Weights, atoms: int, most: int, blocks: int
) -> TagMemory:
    """A memory for `most` tags and `blocks` pairs of tags."""
    slots, pairs = 4 << most.bit_length(), most * most
    return TagMemory(
        keys=np.zeros(slots, np.uint64),
        numbers=np.full(slots, ABSENT, np.int32),
        counts=np.zeros(4, np.int64),
        fine=np.empty(most, np.uint64),
        atoms=np.empty((atoms, most), np.uint64),
        side=np.empty((len(templates.sides.salt), most), np.uint64),
        lines=np.zeros(pairs * LINE, weights.rows.dtype),
        block=np.full(pairs, NO_BLOCK, np.int32),
        between=np.empty(blocks * most * LINE, weights.rows.dtype),
    )


def forgets_often(memory: TagMemory) -> bool:
    """Whether there are too many tags for them to be remembered."""
    return bool(memory.counts[FORGOTTEN] * SELDOM > memory.counts[SENTENCES])


@helper
def forget(memory):
    """Forget all tags."""
    memory.numbers[:] = ABSENT
    memory.lines[:] = 0
    memory.block[:] = NO_BLOCK
    memory.counts[TAG_COUNT] = memory.counts[BLOCK_COUNT] = 0
    memory.counts[FORGOTTEN] += 1


@helper
def number_tags(templates, tokens, memory, number):
    """The numbers of the tags of a sentence: OUT number, memory; whether all could be held."""
    keys, numbers, counts = memory.keys, memory.numbers, memory.counts
    for i in range(len(tokens.tags)):
        slot = find_slot(keys, numbers, tokens.tags[i])
        if numbers[slot] == ABSENT:
            if counts[TAG_COUNT] == len(memory.fine):
                return False
            keys[slot], numbers[slot] = tokens.tags[i], counts[TAG_COUNT]
            remember_tag(templates, tokens, i, memory)
        number[i] = numbers[slot]
    counts[SENTENCES] += 1
    return True


@inlined
def remember_tag(templates, tokens, i, memory):
    """Give the next number to the tag of a token: OUT memory."""
    new = memory.counts[TAG_COUNT]
    memory.counts[TAG_COUNT] = new + 1
    memory.fine[new] = tokens.tags[i]
    for atom in range(len(tokens.atoms)):
        memory.atoms[atom, new] = tokens.atoms[atom, i]
    hash_sides(templates.sides, memory.atoms[:, new : new + 1], memory.side[:, new : new + 1])


@helper
def look_up_tags(templates, weights, memory, x, z):
    """Look up the line of two tags: OUT memory."""
    bounds, left, right = templates.bounds, 0, 0
    lines, at = memory.lines, (np.int64(x) * len(memory.fine) + z) * LINE
    for t in range(bounds[NARROW], bounds[NARROW + 1]):
        slot = (key_of_tags(templates, memory, t, x, z) * MULTIPLIER) >> weights.narrow_shift
        left += weights.narrow[slot << ONE]
        right += weights.narrow[(slot << ONE) + ONE]
    for t in range(bounds[TAGS], bounds[TAGS + 1]):
        slot = (key_of_tags(templates, memory, t, x, z) * MULTIPLIER) >> weights.wide_shift
        add_line(lines, at, weights.wide, np.int64(slot << FOUR))
    for lane in range(2, LINE):
        lines[at + lane] += right if lane > LEFT else left
    lines[at] = 1


@inlined
def key_of_tags(templates, memory, t, x, z):
    """What a template sees of two tags."""
    side = memory.side
    return side[templates.head[t], x] ^ side[templates.modifier[t], z] ^ templates.seed[t]


@helper
def ask_between(memory, tag, arcs, count):
    """Prefetch what is remembered of the tags of arcs, in new blocks if need be: OUT memory."""
    most, block, between = len(memory.fine), memory.block, memory.between
    for k in range(count):
        h, m, lane = arcs[HEAD, k], arcs[MODIFIER, k], arcs[LANE, k]
        if max(h, m) == min(h, m) + ONE:
            continue
        pair = tag[h] * most + tag[m]
        if block[pair] == NO_BLOCK:
            if memory.counts[BLOCK_COUNT] * LINE * most == len(between):
                continue
            block[pair] = memory.counts[BLOCK_COUNT]
            memory.counts[BLOCK_COUNT] += 1
            between[block[pair] * LINE * most : (block[pair] + 1) * LINE * most] = 0
        start = (block[pair] * LINE + lane) * most
        prefetch(between, np.uint64(start + tag[min(h, m) + ONE]))


@helper
def add_remembered(templates, weights, memory, tag, arcs, count, line, sums):
    """Add what the tags between say of arcs: OUT sums, memory. `line` is a buffer for a line."""
    most, between = len(memory.fine), memory.between
    for k in range(count):
        h, m, lane = arcs[HEAD, k], arcs[MODIFIER, k], arcs[LANE, k]
        low, high = min(h, m) + ONE, np.uint64(max(h, m))
        block = memory.block[tag[h] * most + tag[m]]
        if block == NO_BLOCK:
            for b in range(low, high):
                sum_lines(False, templates, weights, memory, tag[h], tag[m], tag[b], line)
                sums[arcs[AT, k]] += line[lane]
            continue
        start = np.uint64((block * LINE + lane) * most)
        total, least = sum_between(between, start, tag, low, high)
        if least == 0:
            for asking in (True, False):  # for all lines, before the first is added
                for b in range(low, high):
                    if between[start + tag[b]] == 0:
                        sum_lines(asking, templates, weights, memory, tag[h], tag[m], tag[b], line)
                        if not asking:
                            remember_between(line, between, block * LINE * most + tag[b], most)
            total, _ = sum_between(between, start, tag, low, high)
        sums[arcs[AT, k]] += total - above_zero(between) * np.int64(high - low)


@helper
def sum_between(between, start, tag, low, high):
    """The sum of what is remembered of the tags of some words, and the least of it."""
    total, least = np.int64(0), np.int64(1)
    for b in range(low, high):
        value = np.int64(between[start + tag[b]])
        total += value
        least = min(least, value)
    return total, least


@helper
def sum_lines(asking, templates, weights, memory, x, z, y, line):
    """Ask for what two tags and one between them say, or sum it up: OUT line."""
    line[:] = 0
    for t in range(templates.bounds[INSIDE], templates.bounds[INSIDE + 1]):
        value = memory.atoms[templates.between[t], y]
        slot = line_between(key_of_tags(templates, memory, t, x, z), value, weights.wide_shift)
        if asking:
            prefetch(weights.wide, slot)
        else:
            add_line(line, 0, weights.wide, np.int64(slot))


@inlined
def remember_between(line, between, start, most):
    """Keep what two tags and one between them say: OUT between."""
    for lane in range(2, LINE):
        between[start + lane * most] = above_zero(between) + line[lane]


@inlined
def above_zero(between):
    """Added to what is remembered of words between: 0 is what has not been looked up yet.

    It is above what the weights of `MOST_IN_TWO_BYTES` templates can come to (see `scorer`).
    """
    return np.int64(1) << np.int64(14 if between.itemsize == 2 else 28)
