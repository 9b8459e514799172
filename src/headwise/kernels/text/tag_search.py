# mypy: allow-untyped-defs
"""The best tags of sentences: exact search of second order over the tags that words may have.

    s(t_1 … t_n) = Σ_i  local(i, t_i) + pair(i, t_{i-1}, t_i) + triple(i, t_{i-2}, t_{i-1}, t_i)

Before the search, the tags of a token are cut to the few of the highest local scores. A tag is
scored as the sum of its parts (the whole analysis, UPOS and XPOS, UPOS), so that rare analyses
learn from common ones.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from headwise.kernels.runtime.jit import helper, inlined, kernel
from headwise.kernels.text.wordhash import MULTIPLIER, Hashes, mixed

PAIR, PAIR_WORD, PAIR_NEXT, PAIR_COARSE, TRIPLE, TRIPLE_COARSE, TRIPLE_WORD = (
    np.uint64(k << 50) for k in range(1, 8)
)
PAIRED, TRIPLED = 4, 3
"""The numbers of features of two tags, and of three."""

UPOS = 2
"""The part of a tag that is its UPOS."""

BEAM = 8
"""How many tags of a token enter the search."""


class TagWeights(NamedTuple):
    """The weights, and the parts that tags are made of."""

    table: NDArray[np.generic]
    shift: np.uint64
    part_of: NDArray[np.int32]  # [tag, level]: parts of which it is made
    part_keys: Hashes  # [part]
    transition_keys: Hashes  # [tag]; the last one is for what is outside of the sentence
    coarse_keys: Hashes  # [tag]
    gap: np.int32  # by how much a tag may score less than the best of its token and be kept


@helper
def slot_of(x, shift):
    """Where the weight of a feature of a tag is."""
    return np.int64((x * MULTIPLIER) >> shift)


@kernel
def tag_sentences(tokens, weights, zero):
    """The best tags of all tokens; `zero` has the type of scores."""
    best = np.empty(len(tokens.words), np.int32)
    memory = np.empty(len(weights.part_keys), zero.dtype)
    seen = np.full(len(weights.part_keys), -1, np.int64)
    for sentence in range(len(tokens.starts) - 1):
        a, b = tokens.starts[sentence], tokens.starts[sentence + 1]
        kept, counts, scores = keep_best(tokens, weights, a, b, memory, seen, best, False)
        search(tokens, weights, a, b, kept, counts, scores, best)
    return best


@inlined
def keep_best(tokens, weights, a, b, memory, seen, gold, training):
    """The tags of the highest local scores of the tokens of a sentence, and these scores."""
    kept = np.empty((b - a, BEAM), np.int32)
    counts = np.zeros(b - a, np.int64)
    scores = np.empty((b - a, BEAM), memory.dtype)
    for i in range(a, b):
        row = tokens.features[i]
        first, last = tokens.tag_starts[i], tokens.tag_starts[i + 1]
        if last - first == 1 and not training:
            kept[i - a, 0] = tokens.tags[first]
            counts[i - a] = 1
            scores[i - a, 0] = 0
            continue
        size, least = 0, memory.dtype.type(0)
        if not training:
            least = least_coarse(tokens, i, weights, memory, seen)
        for k in range(first, last):
            tag = tokens.tags[k]
            if not training and memory[weights.part_of[tag, UPOS]] < least:
                continue
            score = tag_score(row, tag, i, weights, memory, seen)
            size = insert(kept[i - a], scores[i - a], size, tag, score)
        if training:
            score = tag_score(row, gold[i], i, weights, memory, seen)
            size = insist(kept[i - a], scores[i - a], size, gold[i], score)
        else:
            size = without_hopeless(scores[i - a], size, weights.gap)
        counts[i - a] = size
    return kept, counts, scores


@inlined
def least_coarse(tokens, i, weights, memory, seen):
    """What the UPOS of a tag of a token must score by itself for the tag to be looked at."""
    row = tokens.features[i]
    best = memory.dtype.type(0)
    for k in range(tokens.tag_starts[i], tokens.tag_starts[i + 1]):
        part = weights.part_of[tokens.tags[k], UPOS]
        if seen[part] != i:
            seen[part] = i
            memory[part] = sum_features(row, weights.part_keys[part], weights, memory)
        if k == tokens.tag_starts[i] or memory[part] > best:
            best = memory[part]
    return best - weights.gap


@inlined
def tag_score(row, tag, token, weights, memory, seen):
    """The local score of a tag: those of its parts, each worked out once for a token."""
    score = memory.dtype.type(0)
    for level in range(weights.part_of.shape[1]):
        part = weights.part_of[tag, level]
        if seen[part] != token:
            seen[part] = token
            memory[part] = sum_features(row, weights.part_keys[part], weights, memory)
        score += memory[part]
    return score


@helper
def without_hopeless(scores, size, gap):
    """How many of the tags that are kept, best first, are within a gap of the best one."""
    while size > 1 and scores[size - 1] < scores[0] - gap:
        size -= 1
    return size


@helper
def insist(kept, scores, size, tag, score):
    """See that a tag is among those kept, at the cost of the last one."""
    for k in range(size):
        if kept[k] == tag:
            return size
    if size < BEAM:
        size += 1
    kept[size - 1], scores[size - 1] = tag, score
    return size


@inlined
def sum_features(row, key, weights, memory):
    """The sum of the weights of a token's features for a part."""
    total = memory.dtype.type(0)
    for f in range(len(row)):
        if row[f] != 0:
            total += weights.table[slot_of(row[f] ^ key, weights.shift)]
    return total


@helper
def insert(kept, scores, size, tag, score):
    """Put a tag among those kept, best first."""
    if size == BEAM:
        if score <= scores[BEAM - 1]:
            return size
        size -= 1
    at = size
    while at > 0 and scores[at - 1] < score:
        kept[at], scores[at] = kept[at - 1], scores[at - 1]
        at -= 1
    kept[at], scores[at] = tag, score
    return size + 1


@inlined
def search(tokens, weights, a, b, kept, counts, scores, best):
    """Viterbi search: OUT best[a : b]."""
    size = b - a
    outside = len(weights.transition_keys) - 1
    # reached[u, t]: the best sum up to token i, of tag t, after one of tag u
    reached = np.zeros((BEAM, BEAM), scores.dtype)
    following = np.zeros((BEAM, BEAM), scores.dtype)
    back = np.zeros((size, BEAM, BEAM), np.int8)
    for i in range(size):
        for t in range(counts[i]):
            tag = kept[i, t]
            for u in range(counts[i - 1] if i > 0 else 1):
                previous = kept[i - 1, u] if i > 0 else outside
                pair = scores[i, t] + pair_score(
                    tokens, weights, a + i, b, previous, tag, scores.dtype.type(0)
                )
                keys = triple_keys(tokens, weights, a + i, a, previous, tag)
                if i == 0:
                    following[0, t] = pair + triple_score(weights, keys, outside, pair)
                    continue
                first = True
                for v in range(counts[i - 2] if i > 1 else 1):
                    before = kept[i - 2, v] if i > 1 else outside
                    total = reached[v, u] + triple_score(weights, keys, before, pair)
                    if first or total > following[u, t] - pair:
                        following[u, t] = total + pair
                        back[i, u, t] = v
                        first = False
        reached, following = following, reached
    last, before_last = 0, 0
    for t in range(counts[size - 1]):
        for u in range(counts[size - 2] if size > 1 else 1):
            if reached[u, t] > reached[before_last, last]:
                before_last, last = u, t
    for i in range(size - 1, -1, -1):
        best[a + i] = kept[i, last]
        last, before_last = before_last, back[i, before_last, last]


@inlined
def pair_keys(tokens, weights, i, end, previous, tag):
    """The features of a tag after another."""
    both = mixed(weights.transition_keys[previous], weights.transition_keys[tag])
    following = tokens.classes[i + 1] if i + 1 < end else np.uint64(0)
    coarse = mixed(weights.coarse_keys[previous], weights.coarse_keys[tag])
    return (
        both ^ PAIR,
        mixed(both, tokens.words[i]) ^ PAIR_WORD,
        mixed(both, following) ^ PAIR_NEXT,
        coarse ^ PAIR_COARSE,
    )


@inlined
def triple_keys(tokens, weights, i, begin, previous, tag):
    """The features of a tag and the one before it, to which a third one is still to come."""
    coarse = mixed(weights.coarse_keys[previous], weights.coarse_keys[tag])
    last = tokens.words[i - 1] if i > begin else np.uint64(0)
    return (
        mixed(weights.transition_keys[previous], weights.transition_keys[tag]) ^ TRIPLE,
        coarse ^ TRIPLE_COARSE,
        mixed(coarse, last) ^ TRIPLE_WORD,
    )


@inlined
def triple_slots(weights, keys, before):
    """Where the weights of a tag after two others are."""
    exact, coarse = weights.transition_keys[before], weights.coarse_keys[before]
    return (
        slot_of(mixed(keys[0], exact), weights.shift),
        slot_of(mixed(keys[1], coarse), weights.shift),
        slot_of(mixed(keys[2], coarse), weights.shift),
    )


@inlined
def pair_score(tokens, weights, i, end, previous, tag, zero):
    """The score of a tag after another."""
    total = zero
    for x in pair_keys(tokens, weights, i, end, previous, tag):
        total += weights.table[slot_of(x, weights.shift)]
    return total


@inlined
def triple_score(weights, keys, before, like):
    """The score of a tag after two others, of the type that `like` has."""
    total = like - like
    for p in triple_slots(weights, keys, before):
        total += weights.table[p]
    return total
