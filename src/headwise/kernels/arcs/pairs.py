# mypy: allow-untyped-defs
"""What templates say of both ends of arcs, for lists of arcs.

Weights of some arcs are worked out and asked for while those of the arcs before are added up:
memory takes its time, and there is always something else to do.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from headwise.kernels.arcs.features import BETWEEN, MULTIPLIER, Hashes, Ints, counts_key, filter_bit
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
"""How many weights are prefetched ahead, or those of one arc: memory has time to answer, and what
was asked for is still in the cache when it is used."""


class Keys(NamedTuple):
    """What templates see of tokens; all templates of a token stand together."""

    head: Hashes  # [token * width + template - first]; the seed of the template is mixed in
    modifier: Hashes
    slots: NDArray[np.uint32]  # buffer for the slots of weights that were asked for
    first: int  # the first template
    width: int  # how many there are


@inlined
def allocate_keys(longest, first, last):
    """Buffers for what some templates see of sentences of up to `longest` tokens."""
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


class SeenSentence(NamedTuple):
    """What templates see of a sentence, and buffers for its arcs."""

    side: Hashes  # [side, token]
    keys: Keys
    tag: Ints  # [token]: the number of its tag
    first: Ints  # [tag]: the first token that has it
    before: Ints  # [kind of counted word, token]
    memo: Hashes  # [template, three tags]: where their lines are, NOWHERE if not known yet
    some: NDArray[np.uint32]  # buffer for a list of arcs


class PairTemplate(NamedTuple):
    """A template that looks at both ends and between them, as it sees the tokens of a sentence."""

    head: Hashes  # [token]
    modifier: Hashes  # [token]
    seed: np.uint64
    between: Hashes  # what is between: by arc where words are counted, otherwise by token
    wide: NDArray[np.generic]
    shift: np.uint64


@inlined
def add_both(templates, tokens, weights, seen, arcs, count, sums):
    """Add the weights of templates that look at both ends to some arcs: OUT sums."""
    bounds, seed, side = templates.bounds, templates.seed, seen.side
    a, b = bounds[NARROW_PAIR], bounds[COUNTING]
    add_templates(templates, tokens, weights, seen.keys, a, b, arcs, count, seen.some, sums)
    counts = np.empty(count, np.uint64)
    add_all_counting(templates, weights, side, seen.before, arcs, count, counts, sums)
    for t in range(bounds[INSIDE], bounds[INSIDE + 1]):
        values, found = tokens.atoms[templates.between[t]], seen.memo[t - bounds[INSIDE]]
        head, modifier = side[templates.head[t]], side[templates.modifier[t]]
        wide, shift = weights.wide, weights.wide_shift
        template = PairTemplate(head, modifier, seed[t], values, wide, shift)
        if len(found):
            find_between(template, seen.tag, seen.first, arcs, count, found)
        add_between(template, seen.tag, len(seen.first), arcs, count, found, sums)


@helper
def add_templates(templates, tokens, weights, keys, first, last, arcs, count, some, sums):
    """Add the weights of some templates to the arcs that they apply to: OUT sums.

    `some` is a buffer for a list of arcs.
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
def add_all_counting(templates, weights, side, before, arcs, count, counts, sums):
    """Add the weights of templates that count words between to some arcs: OUT sums.

    `counts` is a buffer: what is between the ends of arcs.
    """
    first, last = templates.bounds[COUNTING], templates.bounds[COUNTING + 1]
    if first == last:
        return
    keys, wide, shift = counts[:count], weights.wide, weights.wide_shift
    count_between(before, arcs, count, keys)
    for asking in (True, False):  # for all lines, before the first is added
        for t in range(first, last):
            head, modifier = side[templates.head[t]], side[templates.modifier[t]]
            template = PairTemplate(head, modifier, templates.seed[t], keys, wide, shift)
            add_counting(asking, template, arcs, count, sums)


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


class ArcFilter(NamedTuple):
    """Which arcs a template applies to."""

    filtered: bool  # only those of words that were seen together
    words: Hashes  # [token]
    seen: NDArray[np.uint8]  # bits of pairs of words
    shift: np.uint64
    of_head: bool  # only those whose head, or whose modifier, backs off
    of_modifier: bool
    backed_off: NDArray[np.bool_]  # [token]


@inlined
def choose_arcs(templates, tokens, weights, t, arcs, count, some):
    """The arcs that a template applies to: OUT some; how many there are."""
    group = templates.group[t]
    chosen = ArcFilter(
        group >= 0,
        tokens.atoms[templates.filters[max(group, 0)]],
        weights.filters[group],
        weights.filter_shift,
        templates.head_backs_off[t],
        templates.modifier_backs_off[t],
        tokens.backed_off,
    )
    return list_used(chosen, arcs, count, some)


@helper
def list_used(chosen, arcs, count, some):
    """The arcs of words that were seen together, or that back off: OUT some; how many there are."""
    filtered, words, seen, shift, of_head, of_modifier, backed_off = chosen
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
    width, slots, whole = np.uint64(last - first), keys.slots, np.uint64(keys.width)
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
                slots[start + t] = ((key >> shift) << bits) + offset
            for t in range(width):
                prefetch(table, np.uint64(slots[start + t]))
            start += width
        start = np.uint64((block // together + 1) % 2 * together) * width
        for k in range(max(0, block - together), min(block, count)):
            total = sums[arcs[AT, k]]
            if is_narrow:
                for t in range(width):
                    total += table[slots[start + t]]
            else:
                for t in range(width):
                    total += weight_at(table, np.uint64(slots[start + t]))
            sums[arcs[AT, k]] = total
            start += width


@helper
def count_between(before, arcs, count, keys):
    """The hashes of the numbers of words between head and modifier: OUT keys."""
    for k in range(count):
        h, m = np.int64(arcs[HEAD, k]), np.int64(arcs[MODIFIER, k])
        keys[k] = counts_key(before, min(h, m), max(h, m))


@helper
def add_counting(asking, template, arcs, count, sums):
    """Prefetch the weights of a template that counts words between, or add them: OUT sums."""
    head, modifier, seed, keys, wide, shift = template
    for k in range(count):
        key = head[arcs[HEAD, k]] ^ modifier[arcs[MODIFIER, k]]
        key = (key ^ seed ^ keys[k]) * MULTIPLIER
        slot = ((key >> shift) << FOUR) + arcs[LANE, k]
        if asking:
            prefetch(wide, slot)
        else:
            sums[arcs[AT, k]] += weight_at(wide, slot)


@helper
def find_between(template, tag, first, arcs, count, found):
    """Find and ask for the lines of a head, a modifier and what may be between: OUT found.

    Templates look at tags only there, so a line is found once for three tags.
    """
    head, modifier, seed, values, wide, shift = template
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
def add_between(template, tag, tags, arcs, count, found, sums):
    """Add the weights of a template that looks at every word between: OUT sums."""
    head, modifier, seed, values, wide, shift = template
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
