# mypy: allow-untyped-defs
"""Scores of arcs by a finished model, whose weights are small integers.

The sums are those of `scores`, whatever their order, as they are exact. So that there are
fewer looks into memory, what tags alone say is remembered from sentence to sentence (`memory`).
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from headwise.kernels.arcs.features import (
    COUNTED,
    Hashes,
    Ints,
    count_before,
    hash_sides,
    lanes_around,
    part_of,
)
from headwise.kernels.arcs.kinds import COUNTING, HEAD_ALONE, INSIDE, MODIFIER_ALONE, NARROW_PAIR
from headwise.kernels.arcs.memory import (
    add_remembered,
    ask_between,
    forget,
    look_up_tags,
    number_tags,
)
from headwise.kernels.arcs.pairs import (
    Keys,
    add_all_counting,
    add_templates,
    allocate_keys,
    gather_keys,
)
from headwise.kernels.arcs.plausible import WHOLE, Ratings, allocate_ratings, rate_arcs
from headwise.kernels.arcs.scores import (
    ARCS_AT_A_TIME,
    add_guided,
    add_kind,
    list_capacity,
    list_plausible,
)
from headwise.kernels.primitives.runs import longest_run
from headwise.kernels.primitives.vectors import LEFT, LINE
from headwise.kernels.runtime.borrow import borrowed, kept
from headwise.kernels.runtime.jit import helper, inlined, kernel

INFINITY = np.inf


class ScoringBuffers(NamedTuple):
    """Buffers that fit the longest of some sentences."""

    everyone: Ints  # the numbers of all tokens
    tag: NDArray[np.uint32]  # [token]: the number of its tag
    lanes: Hashes  # of a modifier so far from its head, plus half of the length
    side: Hashes  # [side * size + token]
    ends: NDArray[np.generic]  # [head or modifier, token * LINE + lane]: sums
    before: Ints  # [kind of counted word, token]
    sums: NDArray[np.generic]  # [head * size + modifier]
    ratings: Ratings
    arcs: NDArray[np.uint32]  # plausible arcs: see `pairs`
    some: NDArray[np.uint32]
    keys: Keys
    counts: Hashes  # of plausible arcs: what is between
    line: NDArray[np.generic]  # buffer for one line


@kernel
def score_finished(all_templates, all_tokens, starts, all_weights, own_memory, scores):
    """The scores of all arcs of many sentences, whose tokens stand one after the other.

    OUT scores: for each sentence [head, modifier], one after the other; memory, which can hold the
    different tags of any of the sentences.
    """
    templates, tokens, weights = borrowed((all_templates, all_tokens, all_weights))
    memory, at = borrowed(own_memory), 0
    own_buffers = allocate_buffers(longest_run(starts), templates, weights)
    for sentence in range(len(starts) - 1):
        a, b = starts[sentence], starts[sentence + 1]
        out = scores[at : at + (b - a) ** 2]
        score_sentence(
            templates, part_of(tokens, a, b), weights, memory, borrowed(own_buffers), out
        )
        at += (b - a) ** 2
    kept(own_buffers)


@inlined
def allocate_buffers(longest, templates, weights):
    """Buffers for sentences of up to `longest` tokens."""
    capacity = list_capacity(longest)
    sums, rows = weights.sums.dtype, weights.rows.dtype
    return ScoringBuffers(
        np.arange(longest),
        np.empty(longest, np.uint32),
        lanes_around(longest),
        np.empty(len(templates.sides.salt) * longest, np.uint64),
        np.empty((2, longest * LINE), rows),
        np.empty((COUNTED, longest), np.int64),
        np.empty(longest * longest, sums),
        allocate_ratings(longest, WHOLE),
        np.empty((4, capacity), np.uint32),
        np.empty((4, capacity), np.uint32),
        allocate_keys(longest, templates.bounds[NARROW_PAIR], templates.bounds[COUNTING]),
        np.empty(capacity, np.uint64),
        np.empty(LINE, rows),
    )


@helper
def score_sentence(templates, tokens, weights, memory, buffers, scores):
    """The scores of all arcs of a sentence: OUT scores[head * size + modifier], memory."""
    size, sides = len(tokens.tags), len(templates.sides.salt)
    tag = buffers.tag[:size]
    if not number_tags(templates, tokens, memory, tag):
        forget(memory)
        if not number_tags(templates, tokens, memory, tag):
            raise MemoryError("more different tags in a sentence than the memory holds")
    side = buffers.side[: sides * size].reshape(sides, size)
    hash_sides(templates.sides, tokens.atoms, side)
    longest = len(buffers.lanes) // 2
    lanes = buffers.lanes[longest - size : longest + size]
    gather_keys(templates, side, buffers.keys)
    sums, arcs = buffers.sums, buffers.arcs
    add_ends(templates, tokens, weights, side, buffers)
    sum_alone(templates, weights, memory, buffers.ends, tag, lanes, sums)
    count_before(tokens.counted, buffers.before[:, :size])
    rate_arcs(weights.plausible, tokens, buffers.ratings)
    heads = max(1, ARCS_AT_A_TIME // size)
    looks_between = templates.bounds[INSIDE] < templates.bounds[INSIDE + 1]
    for low in range(0, size, heads):
        high = min(size, low + heads)
        count = list_plausible(low, high, size, buffers.ratings, arcs)
        if looks_between:
            ask_between(memory, tag, arcs, count)
        a, b = templates.bounds[NARROW_PAIR], templates.bounds[COUNTING]
        add_templates(
            templates, tokens, weights, buffers.keys, a, b, arcs, count, buffers.some, sums
        )
        add_all_counting(
            templates, weights, side, buffers.before, arcs, count, buffers.counts, sums
        )
        if looks_between:
            add_remembered(templates, weights, memory, tag, arcs, count, buffers.line, sums)
    add_guided(templates, tokens, weights, side, lanes, sums)
    for k in range(size * size):
        scores[k] = sums[k] * weights.scale
    for h in range(size):
        scores[h * size + h] = scores[h * size] = -INFINITY


@helper
def add_ends(templates, tokens, weights, side, buffers):
    """What templates see of one end alone: OUT buffers.ends."""
    size = side.shape[1]
    everyone = buffers.everyone[:size]
    ends = buffers.ends[:, : size * LINE]
    ends[:] = 0
    for asking in (True, False):  # for all lines, before the first is added
        for kind in (HEAD_ALONE, MODIFIER_ALONE):
            out = ends[kind - HEAD_ALONE]
            add_kind(asking, kind, templates, tokens, weights, side, everyone, everyone[:1], out)
    spread(ends[0])
    spread(ends[1])


@helper
def sum_alone(templates, weights, memory, ends, tag, lanes, sums):
    """What each end and what their tags say of every arc: OUT sums[head * size + modifier]."""
    size, most, of_tags = len(tag), len(memory.fine), memory.lines
    of_modifier = ends[1]
    for h in range(size):
        own, own_lanes = ends[0, h * LINE : (h + 1) * LINE], lanes[size - h : 2 * size - h]
        out = sums[h * size : (h + 1) * size]
        for m in range(size):
            lane, line = own_lanes[m], np.uint64((tag[h] * most + tag[m]) * LINE)
            if of_tags[line] == 0:
                look_up_tags(templates, weights, memory, tag[h], tag[m])
            of_ends = np.int32(own[lane]) + of_modifier[np.uint64(m * LINE) + lane]
            out[m] = of_ends + of_tags[line + lane]


@helper
def spread(lines):
    """Add what lines have for directions to what they have for directions and distances."""
    for at in range(0, len(lines), LINE):
        for lane in range(2, LINE):
            lines[at + lane] += lines[at + np.int64(lane > LEFT)]
