# mypy: allow-untyped-defs
"""Scores of arcs: the sums of the weights of their features (see `arc_kinds` for the ways).

Lines of one template are worked out and asked for while those of the template before are added up:
memory takes its time, and there is always something else to do.
"""

import numpy as np

from headwise.kernels.arc_features import (
    BETWEEN,
    COARSE,
    COUNTED,
    MULTIPLIER,
    Tokens,
    count_before,
    counts_key,
    filter_bit,
    hash_sides,
    known_lanes,
    lane_of,
)
from headwise.kernels.arc_kinds import (
    COUNTING,
    GUIDED,
    INSIDE,
    MODIFIER_ALONE,
    NARROW,
    NARROW_PAIR,
    PAIR,
    TAGS,
)
from headwise.kernels.arc_tables import FOUR, LAST_LEFT, weight_at
from headwise.kernels.jit import helper, inlined, kernel
from headwise.kernels.vectors import LINE, add_line, prefetch

INFINITY = np.inf
ONE, SIXTEEN = np.uint64(1), np.uint64(LINE)
NOWHERE = np.uint64(0xFFFFFFFFFFFFFFFF)

ARCS_AT_A_TIME = 2048
"""So many arcs are looked at together, or those of one head: memory has time to answer, and what is
asked for is still there when it is used."""

MOST_TAGS = 64
"""Where lines of three tags are is remembered in sentences of no more different tags."""


HEAD, MODIFIER, LANE, AT = range(4)
"""Rows of a list of arcs: their ends, where in a wide line their weight is, where their sum is."""


SOME, PLACES, KEYS, ROWS_OF_WORK = 0, 4, 6, 7
"""Rows of room to work in: another list of arcs, places of the weights of two templates, and hashes
of the words that are counted between."""


@kernel
def score_many(templates, tokens, starts, weights, scores):
    """The scores of all arcs of many sentences, whose tokens stand one after the other.

    OUT scores: for each sentence [head, modifier], one after the other.
    """
    longest = 1
    for sentence in range(len(starts) - 1):
        longest = max(longest, starts[sentence + 1] - starts[sentence])
    room = room_for(longest)
    arcs, work = np.empty((4, room), np.uint64), np.empty((ROWS_OF_WORK, room), np.uint64)
    at = 0
    for sentence in range(len(starts) - 1):
        a, b = starts[sentence], starts[sentence + 1]
        size = b - a
        own = Tokens(
            tokens.atoms[:, a:b],
            tokens.tags[a:b],
            tokens.backed_off[a:b],
            tokens.counted[:, a:b],
            tokens.guide[a:b],
        )
        own_scores = scores[at : at + size * size].reshape(size, size)
        score_arcs(templates, own, weights, arcs, work, own_scores)
        at += size * size


@helper
def room_for(size):
    """How many arcs of a sentence of so many tokens are looked at together, at most."""
    return min(size * size, max(size, ARCS_AT_A_TIME))


@inlined
def score_arcs(templates, tokens, weights, arcs, work, scores):
    """The scores of all arcs of a sentence, with room to work in: OUT scores[head, modifier]."""
    size = tokens.atoms.shape[1]
    side = np.empty((len(templates.sides.salt), size), np.uint64)
    hash_sides(templates.sides, tokens.atoms, side)
    tag, first = np.empty(size, np.int64), np.empty(size, np.int64)
    tags = different(tokens.tags, tag, first)
    known = np.empty(tags * tags, np.uint64)
    coarse = tokens.atoms[COARSE]
    known_kinds(tokens.tags, coarse, first[:tags], weights.filters, weights.filter_shift, known)
    lanes = np.zeros(2 * size, np.uint64)  # of a modifier so far from its head, plus size
    for place in range(2 * size):
        if place != size:
            lanes[place] = lane_of(size, place)
    sums = np.empty(size * size, weights.sums.dtype)
    add_alone(templates, tokens, weights, side, tag, first[:tags], lanes, sums)
    heads = max(1, ARCS_AT_A_TIME // size)
    before = np.empty((COUNTED, size), np.int64)
    count_before(tokens.counted, before)
    inside = templates.bounds[INSIDE + 1] - templates.bounds[INSIDE]
    memo = np.full((inside, triples(tags)), NOWHERE, np.uint64)
    for low in range(0, size, heads):
        high = min(size, low + heads)
        count = list_known(low, high, size, tag, tags, known, lanes, arcs)
        add_both(
            templates,
            tokens,
            weights,
            side,
            tag,
            first,
            tags,
            arcs,
            count,
            work,
            before,
            memo,
            sums,
        )
    add_guided(templates, tokens, weights, side, lanes, sums)
    for h in range(size):
        for m in range(size):
            scores[h, m] = sums[h * size + m] * weights.scale
        scores[h, h] = scores[h, 0] = -INFINITY


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


@helper
def known_kinds(tags, coarse, first, filters, shift, known):
    """For every two different tags the lanes of known arcs, a bit each: OUT known."""
    count = len(first)
    for x in range(count):
        for z in range(count):
            known[x * count + z] = known_lanes(tags, coarse, first[x], first[z], filters, shift)


@inlined
def add_alone(templates, tokens, weights, side, tag, first, lanes, sums):
    """Add what each end and what their tags say of every arc: OUT sums[head, modifier]."""
    size, tags = side.shape[1], len(first)
    everyone, anyone = np.arange(size), np.zeros(1, np.int64)
    kinds = weights.sums.dtype
    by_tags = np.zeros(tags * tags * LINE, kinds)
    of_head, of_modifier = np.zeros(size * LINE, kinds), np.zeros(size * LINE, kinds)
    head, modifier = templates.head, templates.modifier
    backing = templates.head_backs_off | templates.modifier_backs_off
    bounds, seed, backed_off = templates.bounds, templates.seed, tokens.backed_off
    wide, narrow = weights.wide, weights.narrow
    shift = weights.wide_shift
    # In a loop, so that what is called is compiled once for all kinds.
    for kind in range(NARROW):
        own = modifier if kind == MODIFIER_ALONE else head
        other = head if kind == MODIFIER_ALONE else modifier
        ones = first if kind == TAGS else everyone
        others = first if kind == TAGS else anyone
        out = by_tags if kind == TAGS else of_modifier if kind == MODIFIER_ALONE else of_head
        for asking in (True, False):  # for all lines, before the first is added
            for t in range(bounds[kind], bounds[kind + 1]):
                keys, mates, needed = side[own[t]], side[other[t]], backing[t]
                add_lines(
                    asking, keys, mates, seed[t], needed, backed_off, ones, others, wide, shift, out
                )
            for t in range(bounds[kind + NARROW], bounds[kind + NARROW + 1]):
                keys, mates, needed = side[own[t]], side[other[t]], backing[t]
                add_twos(
                    asking,
                    keys,
                    mates,
                    seed[t],
                    needed,
                    backed_off,
                    ones,
                    others,
                    narrow,
                    weights.narrow_shift,
                    out,
                )
    for h in range(size):
        a = np.uint64(h * LINE)
        for m in range(size):
            lane = lanes[size + m - h]
            direction = np.uint64(lane > LAST_LEFT)
            b = np.uint64(m * LINE)
            c = np.uint64((tag[h] * tags + tag[m]) * LINE)
            total = of_head[a + lane] + of_modifier[b + lane] + by_tags[c + lane]
            total += of_head[a + direction] + of_modifier[b + direction] + by_tags[c + direction]
            sums[h * size + m] = total


@helper
def add_lines(asking, keys, mates, seed, backing, backed_off, ones, others, wide, shift, sums):
    """Ask for the wide lines of some tokens with some others, or add them: OUT sums."""
    at = 0
    for i in range(len(ones)):
        x = keys[ones[i]] ^ seed
        for d in range(len(others)):
            line = (((x ^ mates[others[d]]) * MULTIPLIER) >> shift) << FOUR
            if asking:
                prefetch(wide, line)
            elif backed_off[ones[i]] or not backing:
                add_line(sums, at, wide, np.int64(line))
            at += LINE


@helper
def add_twos(asking, keys, mates, seed, backing, backed_off, ones, others, narrow, shift, sums):
    """The same of narrow lines, whose two weights are those of directions."""
    at = 0
    for i in range(len(ones)):
        x = keys[ones[i]] ^ seed
        for d in range(len(others)):
            place = (((x ^ mates[others[d]]) * MULTIPLIER) >> shift) << ONE
            if asking:
                prefetch(narrow, place)
            elif backed_off[ones[i]] or not backing:
                sums[at] += narrow[place]
                sums[at + 1] += narrow[place + ONE]
            at += LINE


@inlined
def list_known(low, high, size, tag, tags, known, lanes, arcs):
    """The known arcs of some heads: OUT arcs; how many there are."""
    count = np.uint64(0)
    for h in range(low, high):
        of_tag = known[tag[h] * tags : (tag[h] + 1) * tags]
        own = lanes[size - h : 2 * size - h]
        for m in range(1, size):
            arcs[HEAD, count], arcs[MODIFIER, count], arcs[LANE, count] = h, m, own[m]
            arcs[AT, count] = h * size + m
            count += (of_tag[tag[m]] >> own[m]) & np.uint64(m != h)
    return count


@inlined
def add_both(
    templates, tokens, weights, side, tag, first, tags, arcs, count, work, before, memo, sums
):
    """Add the weights of templates that look at both ends to some arcs: OUT sums."""
    bounds, seed = templates.bounds, templates.seed
    wide, shift, some = weights.wide, weights.wide_shift, work[SOME : SOME + 4]
    start = bounds[NARROW_PAIR]
    while start < bounds[COUNTING]:
        end = start + 1
        while end < bounds[COUNTING] and same_arcs(templates, start, end):
            end += 1
        if templates.group[start] >= 0 or backs_off(templates, start):
            used = choose_arcs(templates, tokens, weights, start, arcs, count, some)
            add_templates(templates, weights, side, start, end, some, used, work, sums)
        else:
            add_templates(templates, weights, side, start, end, arcs, count, work, sums)
        start = end
    if bounds[COUNTING] < bounds[COUNTING + 1]:
        count_between(before, arcs, count, work[KEYS])
    for t in range(bounds[COUNTING], bounds[COUNTING + 1]):
        head, modifier = side[templates.head[t]], side[templates.modifier[t]]
        add_counting(head, modifier, seed[t], arcs, count, work[KEYS], wide, shift, sums)
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
def add_templates(templates, weights, side, start, end, arcs, count, work, sums):
    """Add the weights of some templates to some arcs: OUT sums."""
    bounds, wide, narrow = templates.bounds, weights.wide, weights.narrow
    for t in range(start, end + 1):
        if t < end:
            head, modifier = side[templates.head[t]], side[templates.modifier[t]]
            seed, places = templates.seed[t], work[PLACES + (t & 1)]
            if bounds[NARROW] <= t < bounds[PAIR]:
                ask_narrow(head, modifier, seed, arcs, count, narrow, weights.narrow_shift, places)
            else:
                ask_wide(head, modifier, seed, arcs, count, wide, weights.wide_shift, places)
        if t > start:
            asked = work[PLACES + ((t - 1) & 1)]
            if bounds[NARROW] <= t - 1 < bounds[PAIR]:
                add_narrow(asked, arcs[AT], count, narrow, sums)
            else:
                add_wide(asked, arcs[AT], count, wide, sums)


@helper
def ask_wide(head, modifier, seed, arcs, count, wide, shift, places):
    """Ask for the weights of a template with distances: OUT places."""
    for k in range(count):
        key = (head[arcs[HEAD, k]] ^ modifier[arcs[MODIFIER, k]] ^ seed) * MULTIPLIER
        places[k] = ((key >> shift) << FOUR) + arcs[LANE, k]
        prefetch(wide, places[k])


@helper
def ask_narrow(head, modifier, seed, arcs, count, narrow, shift, places):
    """Ask for the weights of a template with directions only: OUT places."""
    for k in range(count):
        key = (head[arcs[HEAD, k]] ^ modifier[arcs[MODIFIER, k]] ^ seed) * MULTIPLIER
        places[k] = ((key >> shift) << ONE) + np.uint64(arcs[LANE, k] > LAST_LEFT)
        prefetch(narrow, places[k])


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


@inlined
def add_guided(templates, tokens, weights, side, lanes, sums):
    """Add the weights of templates that look at arcs of another parser's tree: OUT sums."""
    bounds, size = templates.bounds, side.shape[1]
    for t in range(bounds[GUIDED], bounds[GUIDED + 1]):
        for m in range(1, size):
            h = tokens.guide[m]
            if h >= 0 and h != m:
                key = side[templates.head[t], h] ^ side[templates.modifier[t], m]
                line = ((key ^ templates.seed[t]) * MULTIPLIER) >> weights.wide_shift
                place = (line << FOUR) + lanes[size + m - h]
                sums[h * size + m] += weight_at(weights.wide, place)
