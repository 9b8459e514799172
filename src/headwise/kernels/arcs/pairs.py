# mypy: allow-untyped-defs
"""What templates say of both ends of arcs, for lists of arcs.

Weights of some arcs are worked out and asked for while those of the arcs before are added up:
memory takes its time, and there is always something else to do.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from headwise.kernels.arcs.features import BETWEEN, MULTIPLIER, Hashes, counts_key, filter_bit
from headwise.kernels.arcs.kinds import COUNTING, INSIDE, NARROW, NARROW_PAIR, PAIR
from headwise.kernels.arcs.tables import FOUR, LAST_LEFT, weight_at
from headwise.kernels.primitives.vectors import prefetch
from headwise.kernels.runtime.jit import helper, inlined

ONE = np.uint64(1)
NOWHERE = np.uint64(0xFFFFFFFFFFFFFFFF)

MOST_TAGS = 64
"""Where lines of three tags are is remembered in sentences of no more different tags."""

HEAD, MODIFIER, LANE, AT = range(4)
"""Rows of a list of arcs: their ends, where in a wide line their weight is, where their sum is."""

LOOKS = 256
"""So many looks into memory are under way, or those of one arc: it has time to answer, and what was
asked for is still near when it is used."""


class Keys(NamedTuple):
    """What templates see of tokens; all templates of a token stand together."""

    head: Hashes  # [token * width + template - first]; the seed of the template is mixed in
    modifier: Hashes
    places: NDArray[np.uint32]  # room for the places of weights that were asked for
    first: int  # the first template
    width: int  # how many there are


@inlined
def room_for_keys(longest, first, last):
    """Room for what some templates see of sentences of so many tokens."""
    width = last - first
    return Keys(
        np.empty(longest * width, np.uint64),
        np.empty(longest * width, np.uint64),
        np.empty(2 * max(LOOKS, width), np.uint32),
        first,
        width,
    )


@helper
def gather_keys(templates, side, keys):
    """Put together what templates see of each token: OUT keys."""
    for i in range(keys.width):
        t = keys.first + i
        head, modifier, seed = (
            side[templates.head[t]],
            side[templates.modifier[t]],
            templates.seed[t],
        )
        for token in range(side.shape[1]):
            keys.head[token * keys.width + i] = head[token] ^ seed
            keys.modifier[token * keys.width + i] = modifier[token]


@helper
def triples(tags):
    """How many lines of three tags are remembered."""
    return tags**3 if tags <= MOST_TAGS else 0


@helper
def different(tags, number, first):
    """Number the different tags: OUT number[token], first[number]; how many there are."""
    count = 0
    for i in range(len(tags)):
        number[i] = count
        for k in range(count):
            if tags[first[k]] == tags[i]:
                number[i] = k
                break
        if number[i] == count:
            first[count] = i
            count += 1
    return count


@inlined
def add_both(
    templates, tokens, weights, side, keys, tag, first, tags, arcs, count, some, before, memo, sums
):
    """Add the weights of templates that look at both ends to some arcs: OUT sums."""
    bounds, seed = templates.bounds, templates.seed
    wide, shift = weights.wide, weights.wide_shift
    a, b = bounds[NARROW_PAIR], bounds[COUNTING]
    add_templates(templates, tokens, weights, keys, a, b, arcs, count, some, sums)
    room = np.empty(count, np.uint64)
    add_all_counting(templates, weights, side, before, arcs, count, room, sums)
    for t in range(bounds[INSIDE], bounds[INSIDE + 1]):
        head, modifier = side[templates.head[t]], side[templates.modifier[t]]
        values, found = tokens.atoms[templates.between[t]], memo[t - bounds[INSIDE]]
        if len(found):
            find_between(
                head, modifier, seed[t], values, tag, first[:tags], arcs, count, wide, shift, found
            )
        add_between(
            head, modifier, seed[t], values, tag, tags, arcs, count, wide, shift, found, sums
        )


@helper
def add_templates(templates, tokens, weights, keys, first, last, arcs, count, some, sums):
    """Add the weights of some templates to the arcs that they apply to: OUT sums.

    `some` is room for a list of arcs.
    """
    start = first
    while start < last:
        end = start + 1
        while end < last and same_arcs(templates, start, end):
            end += 1
        if templates.group[start] >= 0 or backs_off(templates, start):
            used = choose_arcs(templates, tokens, weights, start, arcs, count, some)
            add_tables(templates.bounds, weights, keys, start, end, some, used, sums)
        else:
            add_tables(templates.bounds, weights, keys, start, end, arcs, count, sums)
        start = end


@helper
def add_all_counting(templates, weights, side, before, arcs, count, room, sums):
    """Add the weights of templates that count words between to some arcs: OUT sums.

    `room` is for what is between the ends of arcs.
    """
    first, last = templates.bounds[COUNTING], templates.bounds[COUNTING + 1]
    if first == last:
        return
    keys, wide, shift = room[:count], weights.wide, weights.wide_shift
    count_between(before, arcs, count, keys)
    for asking in (True, False):  # for all lines, before the first is added
        for t in range(first, last):
            head, modifier = side[templates.head[t]], side[templates.modifier[t]]
            seed = templates.seed[t]
            add_counting(asking, head, modifier, seed, arcs, count, keys, wide, shift, sums)


@inlined
def backs_off(templates, t):
    """Whether a template looks at what words back off to."""
    return templates.head_backs_off[t] or templates.modifier_backs_off[t]


@inlined
def same_arcs(templates, s, t):
    """Whether two templates apply to the same arcs."""
    return (
        templates.group[s] == templates.group[t]
        and templates.head_backs_off[s] == templates.head_backs_off[t]
        and templates.modifier_backs_off[s] == templates.modifier_backs_off[t]
    )


@inlined
def choose_arcs(templates, tokens, weights, t, arcs, count, some):
    """The arcs that a template applies to: OUT some; how many there are."""
    group = templates.group[t]
    words = tokens.atoms[templates.filters[max(group, 0)]]
    return list_used(
        group >= 0,
        words,
        weights.filters[group],
        weights.filter_shift,
        templates.head_backs_off[t],
        templates.modifier_backs_off[t],
        tokens.backed_off,
        arcs,
        count,
        some,
    )


@helper
def list_used(filtered, words, seen, shift, of_head, of_modifier, backed_off, arcs, count, some):
    """The arcs of words that were seen together, or that back off: OUT some; how many there are."""
    used = np.uint64(0)
    if filtered:
        for k in range(count):
            bit = filter_bit(words[arcs[HEAD, k]], words[arcs[MODIFIER, k]], shift)
            prefetch(seen, bit >> np.uint64(3))
    for k in range(count):
        h, m = arcs[HEAD, k], arcs[MODIFIER, k]
        some[HEAD, used], some[MODIFIER, used] = h, m
        some[LANE, used], some[AT, used] = arcs[LANE, k], arcs[AT, k]
        is_used = ONE
        if filtered:
            bit = filter_bit(words[h], words[m], shift)
            is_used = (np.uint64(seen[bit >> np.uint64(3)]) >> (bit & np.uint64(7))) & ONE
        if of_head or of_modifier:
            backed = (of_head and backed_off[h]) or (of_modifier and backed_off[m])
            is_used &= np.uint64(backed)
        used += is_used
    return used


@helper
def add_tables(bounds, weights, keys, first, last, arcs, count, sums):
    """Add the weights of some templates, of whatever table, to all of some arcs: OUT sums."""
    start = first
    while start < last:
        is_narrow = bounds[NARROW] <= start < bounds[PAIR]
        if is_narrow:
            end = min(last, bounds[PAIR])
            table, shift = weights.narrow, weights.narrow_shift
        else:
            end = min(last, bounds[NARROW]) if start < bounds[NARROW] else last
            table, shift = weights.wide, weights.wide_shift
        add_weights(is_narrow, table, shift, keys, start, end, arcs, np.int64(count), sums)
        start = end


@helper
def add_weights(is_narrow, table, shift, keys, first, last, arcs, count, sums):
    """Add the weights of some templates of one table to all of some arcs: OUT sums.

    Those of some arcs are asked for while those of the arcs before are added up.
    """
    width, places, whole = np.uint64(last - first), keys.places, np.uint64(keys.width)
    skipped = np.uint64(first - keys.first)
    together = max(1, LOOKS // (last - first))
    for block in range(0, count + together, together):
        start = np.uint64(block // together % 2 * together) * width
        for k in range(block, min(block + together, count)):
            a, b = arcs[HEAD, k] * whole + skipped, arcs[MODIFIER, k] * whole + skipped
            offset, bits = np.uint64(arcs[LANE, k]), FOUR
            if is_narrow:
                offset, bits = np.uint64(arcs[LANE, k] > LAST_LEFT), ONE
            for t in range(width):
                key = (keys.head[a + t] ^ keys.modifier[b + t]) * MULTIPLIER
                places[start + t] = ((key >> shift) << bits) + offset
            for t in range(width):
                prefetch(table, np.uint64(places[start + t]))
            start += width
        start = np.uint64((block // together + 1) % 2 * together) * width
        for k in range(max(0, block - together), min(block, count)):
            total = sums[arcs[AT, k]]
            if is_narrow:
                for t in range(width):
                    total += table[places[start + t]]
            else:
                for t in range(width):
                    total += weight_at(table, np.uint64(places[start + t]))
            sums[arcs[AT, k]] = total
            start += width


@helper
def count_between(before, arcs, count, keys):
    """The hashes of the numbers of words between head and modifier: OUT keys."""
    for k in range(count):
        h, m = np.int64(arcs[HEAD, k]), np.int64(arcs[MODIFIER, k])
        keys[k] = counts_key(before, min(h, m), max(h, m))


@helper
def add_counting(asking, head, modifier, seed, arcs, count, keys, wide, shift, sums):
    """Ask for the weights of a template that counts words between, or add them: OUT sums."""
    for k in range(count):
        key = head[arcs[HEAD, k]] ^ modifier[arcs[MODIFIER, k]]
        key = (key ^ seed ^ keys[k]) * MULTIPLIER
        place = ((key >> shift) << FOUR) + arcs[LANE, k]
        if asking:
            prefetch(wide, place)
        else:
            sums[arcs[AT, k]] += weight_at(wide, place)


@helper
def find_between(head, modifier, seed, values, tag, first, arcs, count, wide, shift, found):
    """Find and ask for the lines of a head, a modifier and what may be between: OUT found.

    Templates look at tags only there, so a line is found once for three tags.
    """
    tags = len(first)
    for k in range(count):
        h, m = arcs[HEAD, k], arcs[MODIFIER, k]
        of_tags = (tag[h] * tags + tag[m]) * tags
        if found[of_tags] == NOWHERE and max(h, m) - min(h, m) > ONE:
            key = head[h] ^ modifier[m] ^ seed
            for y in range(tags):
                found[of_tags + y] = line_between(key, values[first[y]], shift)
                prefetch(wide, found[of_tags + y])


@helper
def add_between(head, modifier, seed, values, tag, tags, arcs, count, wide, shift, found, sums):
    """Add the weights of a template that looks at every word between: OUT sums."""
    for k in range(count):
        h, m, lane = arcs[HEAD, k], arcs[MODIFIER, k], arcs[LANE, k]
        of_tags = (tag[h] * tags + tag[m]) * tags
        total = sums[arcs[AT, k]]
        for b in range(min(h, m) + ONE, max(h, m)):
            if len(found):
                start = found[of_tags + tag[b]]
            else:
                start = line_between(head[h] ^ modifier[m] ^ seed, values[b], shift)
            total += weight_at(wide, start + lane)
        sums[arcs[AT, k]] = total


@helper
def line_between(key, value, shift):
    """Where the line of two tags and a word between them starts."""
    return (((key ^ (value * BETWEEN)) * MULTIPLIER) >> shift) << FOUR
