# mypy: allow-untyped-defs
"""Scores of arcs: the sums of the weights of their features (see `arc_kinds` for the ways).

Lines of one template are worked out and asked for while those of the template before are added up:
memory takes its time, and there is always something else to do.
"""

import numpy as np

from headwise.kernels.arc_features import (
    BETWEEN,
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
    HEAD_ALONE,
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
    room = room_for(np.diff(starts).max())
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
    known_kinds(tokens.tags, first[:tags], weights.filters, weights.filter_shift, known)
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
def known_kinds(tags, first, filters, shift, known):
    """For every two different tags the lanes of known arcs, a bit each: OUT known."""
    count = len(first)
    for x in range(count):
        for z in range(count):
            known[x * count + z] = known_lanes(tags, first[x], first[z], filters, shift)


@inlined
def add_alone(templates, tokens, weights, side, tag, first, lanes, sums):
    """Add what each end and what their tags say of every arc: OUT sums[head, modifier]."""
    size, tags = side.shape[1], len(first)
    everyone, anyone = np.arange(size), np.zeros(1, np.int64)
    kinds = weights.sums.dtype
    by_tags = np.zeros(tags * tags * LINE, kinds)
    of_head, of_modifier = np.zeros(size * LINE, kinds), np.zeros(size * LINE, kinds)
    head, modifier = templates.head, templates.modifier
    sum_lines(TAGS, head, modifier, templates, tokens, weights, side, first, first, by_tags)
    sum_lines(
        HEAD_ALONE, head, modifier, templates, tokens, weights, side, everyone, anyone, of_head
    )
    sum_lines(
        MODIFIER_ALONE,
        modifier,
        head,
        templates,
        tokens,
        weights,
        side,
        everyone,
        anyone,
        of_modifier,
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


@inlined
def sum_lines(kind, own, other, templates, tokens, weights, side, ones, others, sums):
    """Sum the lines of some tokens with some others, wide and narrow: OUT sums[one, other, lane].

    Only templates of a kind count, and of its narrow twin.
    """
    bounds = templates.bounds
    for asking in (True, False):  # for all lines, before the first is added
        for twin in (kind, kind + NARROW):
            for t in range(bounds[twin], bounds[twin + 1]):
                backing = templates.head_backs_off[t] or templates.modifier_backs_off[t]
                for i in range(len(ones)):
                    if backing and not tokens.backed_off[ones[i]]:
                        continue
                    x = side[own[t], ones[i]] ^ templates.seed[t]
                    for d in range(len(others)):
                        key = (x ^ side[other[t], others[d]]) * MULTIPLIER
                        at = np.uint64(i * len(others) + d) * SIXTEEN
                        if twin == kind:
                            line = (key >> weights.wide_shift) << FOUR
                            if asking:
                                prefetch(weights.wide, line)
                            else:
                                add_line(sums, np.int64(at), weights.wide, np.int64(line))
                        else:
                            place = (key >> weights.narrow_shift) << ONE
                            if asking:
                                prefetch(weights.narrow, place)
                            else:
                                sums[at] += weights.narrow[place]
                                sums[at + ONE] += weights.narrow[place + ONE]


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
            # No arc has lane 0, which stands for a modifier that is its own head.
            count += (of_tag[tag[m]] >> own[m]) & ONE
    return count


@inlined
def add_both(
    templates, tokens, weights, side, tag, first, tags, arcs, count, work, before, memo, sums
):
    """Add the weights of templates that look at both ends to some arcs: OUT sums."""
    bounds = templates.bounds
    start = bounds[NARROW_PAIR]
    while start < bounds[COUNTING]:
        end = start + 1
        while end < bounds[COUNTING] and same_arcs(templates, start, end):
            end += 1
        backs_off = templates.head_backs_off[start] or templates.modifier_backs_off[start]
        if templates.group[start] < 0 and not backs_off:
            add_templates(templates, weights, side, start, end, arcs, count, work, sums)
        else:
            used = choose_arcs(
                templates, tokens, weights, start, arcs, count, work[SOME : SOME + 4]
            )
            add_templates(
                templates, weights, side, start, end, work[SOME : SOME + 4], used, work, sums
            )
        start = end
    if bounds[COUNTING] < bounds[COUNTING + 1]:
        add_counting(templates, weights, side, arcs, count, before, work[KEYS], sums)
    if bounds[INSIDE] < bounds[INSIDE + 1]:
        add_between(templates, tokens, weights, side, tag, first, tags, arcs, count, memo, sums)


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
    used = np.uint64(0)
    group = templates.group[t]
    of_head, of_modifier = templates.head_backs_off[t], templates.modifier_backs_off[t]
    atom, known = templates.filters[group], weights.filters[group]
    if group >= 0:
        for k in range(count):
            h, m = arcs[HEAD, k], arcs[MODIFIER, k]
            bit = filter_bit(tokens.atoms, atom, h, m, weights.filter_shift)
            prefetch(known, bit >> np.uint64(3))
    for k in range(count):
        h, m = arcs[HEAD, k], arcs[MODIFIER, k]
        some[HEAD, used], some[MODIFIER, used] = h, m
        some[LANE, used], some[AT, used] = arcs[LANE, k], arcs[AT, k]
        is_used = ONE
        if group >= 0:
            bit = filter_bit(tokens.atoms, atom, h, m, weights.filter_shift)
            is_used = (np.uint64(known[bit >> np.uint64(3)]) >> (bit & np.uint64(7))) & ONE
        if of_head or of_modifier:
            backs_off = of_head and tokens.backed_off[h]
            is_used &= np.uint64(backs_off or (of_modifier and tokens.backed_off[m]))
        used += is_used
    return used


@inlined
def add_templates(templates, weights, side, start, end, arcs, count, work, sums):
    """Add the weights of some templates to some arcs: OUT sums."""
    bounds, lane, at = templates.bounds, arcs[LANE], arcs[AT]
    for t in range(start, end + 1):
        if t < end:
            head, modifier = side[templates.head[t]], side[templates.modifier[t]]
            seed, places = templates.seed[t], work[PLACES + (t & 1)]
            if bounds[NARROW] <= t < bounds[PAIR]:
                for k in range(count):
                    key = (head[arcs[HEAD, k]] ^ modifier[arcs[MODIFIER, k]] ^ seed) * MULTIPLIER
                    direction = np.uint64(lane[k] > LAST_LEFT)
                    places[k] = ((key >> weights.narrow_shift) << ONE) + direction
                    prefetch(weights.narrow, places[k])
            else:
                for k in range(count):
                    key = (head[arcs[HEAD, k]] ^ modifier[arcs[MODIFIER, k]] ^ seed) * MULTIPLIER
                    places[k] = ((key >> weights.wide_shift) << FOUR) + lane[k]
                    prefetch(weights.wide, places[k])
        if t > start:
            asked = work[PLACES + ((t - 1) & 1)]
            if bounds[NARROW] <= t - 1 < bounds[PAIR]:
                for k in range(count):
                    sums[at[k]] += weights.narrow[asked[k]]
            else:
                for k in range(count):
                    sums[at[k]] += weight_at(weights.wide, asked[k])


@inlined
def add_counting(templates, weights, side, arcs, count, before, keys, sums):
    """Add the weights of templates that count words between head and modifier: OUT sums."""
    for k in range(count):
        h, m = np.int64(arcs[HEAD, k]), np.int64(arcs[MODIFIER, k])
        keys[k] = counts_key(before, min(h, m), max(h, m))
    for t in range(templates.bounds[COUNTING], templates.bounds[COUNTING + 1]):
        head, modifier = side[templates.head[t]], side[templates.modifier[t]]
        for k in range(count):
            key = head[arcs[HEAD, k]] ^ modifier[arcs[MODIFIER, k]]
            key = (key ^ templates.seed[t] ^ keys[k]) * MULTIPLIER
            place = ((key >> weights.wide_shift) << FOUR) + arcs[LANE, k]
            sums[arcs[AT, k]] += weight_at(weights.wide, place)


@inlined
def add_between(templates, tokens, weights, side, tag, first, tags, arcs, count, memo, sums):
    """Add the weights of templates that look at every word between: OUT sums.

    They look at tags only: where the line of three tags is found once, and kept in the memo.
    """
    bounds = templates.bounds
    for t in range(bounds[INSIDE], bounds[INSIDE + 1]):
        found = memo[t - bounds[INSIDE]]
        head, modifier = side[templates.head[t]], side[templates.modifier[t]]
        values, seed = tokens.atoms[templates.between[t]], templates.seed[t]
        if len(found):
            for k in range(count):
                h, m = arcs[HEAD, k], arcs[MODIFIER, k]
                of_tags = (tag[h] * tags + tag[m]) * tags
                if found[of_tags] == NOWHERE and max(h, m) - min(h, m) > ONE:
                    row = found[of_tags : of_tags + tags]
                    key = head[h] ^ modifier[m] ^ seed
                    for y in range(tags):
                        row[y] = line_between(key, values[first[y]], weights.wide_shift)
                    for y in range(tags):
                        prefetch(weights.wide, row[y])
        for k in range(count):
            h, m, lane = arcs[HEAD, k], arcs[MODIFIER, k], arcs[LANE, k]
            of_tags = (tag[h] * tags + tag[m]) * tags
            total = sums[arcs[AT, k]]
            for b in range(min(h, m) + ONE, max(h, m)):
                if len(found):
                    start = found[of_tags + tag[b]]
                else:
                    start = line_between(
                        head[h] ^ modifier[m] ^ seed, values[b], weights.wide_shift
                    )
                total += weight_at(weights.wide, start + lane)
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
