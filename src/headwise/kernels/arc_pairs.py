# mypy: allow-untyped-defs
"""What templates say of both ends of arcs, for lists of arcs.

Lines of one template are worked out and asked for while those of the template before are added up:
memory takes its time, and there is always something else to do.
"""

import numpy as np

from headwise.kernels.arc_features import BETWEEN, MULTIPLIER, counts_key, filter_bit
from headwise.kernels.arc_kinds import COUNTING, INSIDE, NARROW, PAIR
from headwise.kernels.arc_tables import FOUR, LAST_LEFT, weight_at
from headwise.kernels.jit import helper, inlined
from headwise.kernels.vectors import prefetch

ONE = np.uint64(1)
NOWHERE = np.uint64(0xFFFFFFFFFFFFFFFF)

MOST_TAGS = 64
"""Where lines of three tags are is remembered in sentences of no more different tags."""

HEAD, MODIFIER, LANE, AT = range(4)
"""Rows of a list of arcs: their ends, where in a wide line their weight is, where their sum is."""

SOME, PLACES, ROWS_OF_WORK = 0, 4, 6
"""Rows of room to work in: another list of arcs, and places of the weights of two templates."""


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
    templates, tokens, weights, side, tag, first, tags, arcs, count, work, before, memo, sums
):
    """Add the weights of templates that look at both ends to some arcs: OUT sums."""
    bounds, seed = templates.bounds, templates.seed
    wide, shift = weights.wide, weights.wide_shift
    add_pairs(templates, tokens, weights, side, templates.pairs, arcs, count, work, sums)
    add_all_counting(templates, weights, side, before, arcs, count, sums)
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
def add_pairs(templates, tokens, weights, side, chosen, arcs, count, work, sums):
    """Add the weights of templates that look at pairs, to arcs that they apply to: OUT sums."""
    some = work[SOME : SOME + 4]
    start = 0
    while start < len(chosen):
        end = start + 1
        while end < len(chosen) and same_arcs(templates, chosen[start], chosen[end]):
            end += 1
        t = chosen[start]
        if templates.group[t] >= 0 or backs_off(templates, t):
            used = choose_arcs(templates, tokens, weights, t, arcs, count, some)
            add_templates(templates, weights, side, chosen[start:end], some, used, work, sums)
        else:
            add_templates(templates, weights, side, chosen[start:end], arcs, count, work, sums)
        start = end


@helper
def add_all_counting(templates, weights, side, before, arcs, count, sums):
    """Add the weights of templates that count words between to some arcs: OUT sums."""
    bounds = templates.bounds
    if bounds[COUNTING] < bounds[COUNTING + 1]:
        keys = np.empty(count, np.uint64)
        count_between(before, arcs, count, keys)
        for t in range(bounds[COUNTING], bounds[COUNTING + 1]):
            head, modifier, seed = templates.head[t], templates.modifier[t], templates.seed[t]
            add_counting(
                side[head],
                side[modifier],
                seed,
                arcs,
                count,
                keys,
                weights.wide,
                weights.wide_shift,
                sums,
            )


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


@inlined
def add_templates(templates, weights, side, chosen, arcs, count, work, sums):
    """Add the weights of some templates to some arcs: OUT sums."""
    bounds, wide, narrow = templates.bounds, weights.wide, weights.narrow
    for i in range(len(chosen) + 1):
        if i < len(chosen):
            t = chosen[i]
            head, modifier = side[templates.head[t]], side[templates.modifier[t]]
            seed, places = templates.seed[t], work[PLACES + (i & 1)]
            if bounds[NARROW] <= t < bounds[PAIR]:
                ask_narrow(head, modifier, seed, arcs, count, narrow, weights.narrow_shift, places)
            else:
                ask_wide(head, modifier, seed, arcs, count, wide, weights.wide_shift, places)
        if i > 0:
            t, asked = chosen[i - 1], work[PLACES + ((i - 1) & 1)]
            if bounds[NARROW] <= t < bounds[PAIR]:
                add_narrow(asked, arcs[AT], count, narrow, sums)
            else:
                add_wide(asked, arcs[AT], count, wide, sums)


@helper
def ask_wide(head, modifier, seed, arcs, count, wide, shift, places):
    """Ask for the weights of a template with distances: OUT places."""
    for k in range(count):
        key = (head[arcs[HEAD, k]] ^ modifier[arcs[MODIFIER, k]] ^ seed) * MULTIPLIER
        place = ((key >> shift) << FOUR) + arcs[LANE, k]
        places[k] = place
        prefetch(wide, place)


@helper
def ask_narrow(head, modifier, seed, arcs, count, narrow, shift, places):
    """Ask for the weights of a template with directions only: OUT places."""
    for k in range(count):
        key = (head[arcs[HEAD, k]] ^ modifier[arcs[MODIFIER, k]] ^ seed) * MULTIPLIER
        place = ((key >> shift) << ONE) + np.uint64(arcs[LANE, k] > LAST_LEFT)
        places[k] = place
        prefetch(narrow, place)


@helper
def add_wide(places, at, count, wide, sums):
    """Add weights that were asked for: OUT sums."""
    for k in range(count):
        sums[at[k]] += weight_at(wide, places[k])


@helper
def add_narrow(places, at, count, narrow, sums):
    """Add weights that were asked for: OUT sums."""
    for k in range(count):
        sums[at[k]] += narrow[places[k]]


@helper
def count_between(before, arcs, count, keys):
    """The hashes of the numbers of words between head and modifier: OUT keys."""
    for k in range(count):
        h, m = np.int64(arcs[HEAD, k]), np.int64(arcs[MODIFIER, k])
        keys[k] = counts_key(before, min(h, m), max(h, m))


@helper
def add_counting(head, modifier, seed, arcs, count, keys, wide, shift, sums):
    """Add the weights of a template that counts words between head and modifier: OUT sums."""
    for k in range(count):
        key = head[arcs[HEAD, k]] ^ modifier[arcs[MODIFIER, k]]
        key = (key ^ seed ^ keys[k]) * MULTIPLIER
        sums[arcs[AT, k]] += weight_at(wide, ((key >> shift) << FOUR) + arcs[LANE, k])


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
