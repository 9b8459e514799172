# mypy: allow-untyped-defs
"""What a tagger sees: the tags that a word may have, and the features of a token in its sentence.

A word that was met often enough has the tags it was met with. Any other word has, besides those,
the tags of rare words with the same look and the longest known suffix. What these tags are, by
UPOS, is itself a feature, of the word and of its neighbours (its class of ambiguity).
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from headwise.kernels.primitives.hashmap import ABSENT, look_up
from headwise.kernels.runtime.jit import helper, inlined, kernel
from headwise.kernels.text.wordhash import (
    AFFIX,
    BASIS,
    CAPITALISED,
    CAPITALS,
    HYPHEN,
    MULTIPLIER,
    PLAIN,
    Hashes,
    mixed,
)

MOST_TAGS = 64
"""How many tags are considered for one token."""

SHORTEST_STEM = 3
FEATURES = 40
SUFFIXED, UNKNOWN, OUTSIDE = (np.uint64(1 << bit) for bit in (40, 41, 42))
"""Marks of classes by suffix, of unknown words, and of what is no word."""


class Lexicon(NamedTuple):
    """Lists of tags, and the words and suffixes that have them."""

    form_keys: Hashes
    form_values: NDArray[np.int32]  # twice the list's number, plus 1 if there are no other tags
    suffix_keys: Hashes
    suffix_values: NDArray[np.int32]
    list_starts: NDArray[np.int32]
    list_tags: NDArray[np.int32]
    list_classes: Hashes  # [list]: the different UPOS of its tags, in their order


class Tokens(NamedTuple):
    """The tokens of some sentences as the tagger sees them."""

    features: Hashes  # [token, feature]; 0 is none
    words: Hashes  # [token]: in small letters, if known
    classes: Hashes  # [token]: of ambiguity
    tag_starts: NDArray[np.int64]  # [token + 1]
    tags: NDArray[np.int32]  # those that tokens may have
    starts: NDArray[np.int64]  # [sentence + 1]: the first token


@kernel
def see_tokens(characters, words, lexicon, starts):
    """The tokens of sentences that start there."""
    count = len(words.form)
    classes, known = np.empty(count, np.uint64), np.empty(count, np.uint64)
    lower_classes = np.empty(count, np.uint64)
    tag_starts = np.zeros(count + 1, np.int64)
    tags = np.empty(MOST_TAGS * count, np.int32)
    features = np.zeros((count, FEATURES), np.uint64)
    for token in range(count):
        own = tags[tag_starts[token] :]
        size, classes[token] = list_tags(words, lexicon, token, own)
        tag_starts[token + 1] = tag_starts[token] + size
        value = look_up(lexicon.form_keys, lexicon.form_values, words.lower[token])
        if value == ABSENT:
            lower_classes[token], known[token] = UNKNOWN, UNKNOWN
            see_inside(characters, words, lexicon, token, features[token])
        else:
            lower_classes[token], known[token] = (
                lexicon.list_classes[value >> 1],
                words.lower[token],
            )
    for sentence in range(len(starts) - 1):
        a, b = starts[sentence], starts[sentence + 1]
        style = style_of(words.look[a:b])
        for i in range(a, b):
            see_word(words, known, classes, lower_classes, i, a, features[i])
            see_neighbours(words, known, classes, i, a, b, style, features[i])
    used = tags[: tag_starts[count]].copy()
    return Tokens(features, known, classes, tag_starts, used, starts)


@inlined
def list_tags(words, lexicon, token, tags):
    """How many tags a token may have (OUT tags), and its class of ambiguity."""
    size, is_closed, ambiguity = 0, False, UNKNOWN
    value = look_up(lexicon.form_keys, lexicon.form_values, words.form[token])
    if value == ABSENT:
        value = look_up(lexicon.form_keys, lexicon.form_values, words.lower[token])
    else:
        is_closed = value & 1 == 1
    if value != ABSENT:
        ambiguity = lexicon.list_classes[value >> 1]
        size = add_list(lexicon.list_starts, lexicon.list_tags, value >> 1, tags, size)
    if not is_closed:
        guessed = guess_list(
            lexicon.suffix_keys, lexicon.suffix_values, words.suffix[token], words.look[token]
        )
        size = add_list(lexicon.list_starts, lexicon.list_tags, guessed, tags, size)
        if value == ABSENT:
            ambiguity = SUFFIXED ^ lexicon.list_classes[guessed]
    return size, ambiguity


@helper
def add_list(list_starts, list_tags, number, tags, size):
    """Add the tags of a list that are not there yet, and return how many there are."""
    for k in range(list_starts[number], list_starts[number + 1]):
        size = add_tag(tags, size, list_tags[k])
    return size


@helper
def add_tag(tags, size, tag):
    """Add a tag, unless it is there or there is no room, and return how many there are."""
    for i in range(size):
        if tags[i] == tag:
            return size
    if size < MOST_TAGS:
        tags[size] = tag
        size += 1
    return size


@helper
def guess_list(keys, values, suffixes, look):
    """The list of the longest suffix that is known; list 0 is that of all rare words."""
    for length in range(AFFIX, -1, -1):
        x = np.uint64(0) if length == 0 else suffixes[length - 1]
        if length > 0 and x == np.uint64(0):
            continue
        found = look_up(keys, values, suffix_key(x, look))
        if found != ABSENT:
            return found
    return np.int32(0)


@helper
def suffix_key(x, look):
    """The key of a suffix of words of one look."""
    return mixed(x, np.uint64(look) + np.uint64(1))


@inlined
def see_inside(characters, words, lexicon, token, row):
    """What an unknown word is made of: a known word and an ending; a known word after a hyphen."""
    a, b = characters.starts[token], characters.starts[token + 1]
    stem = last = BASIS
    for i in range(a, b):
        letter = np.uint64(characters.lower[i])
        stem = mixed(stem, letter)
        last = BASIS if characters.classes[i] >= HYPHEN else mixed(last, letter)
        rest = b - 1 - i
        if i - a + 1 >= SHORTEST_STEM and 0 < rest <= AFFIX:
            value = look_up(lexicon.form_keys, lexicon.form_values, stem)
            if value != ABSENT:  # a longer stem takes the place of a shorter one
                ambiguity = lexicon.list_classes[value >> 1]
                row[34] = named(34, mixed(ambiguity, words.suffix[token, rest - 1]))
    if last != words.lower[token]:
        value = look_up(lexicon.form_keys, lexicon.form_values, last)
        row[35] = named(35, UNKNOWN if value == ABSENT else lexicon.list_classes[value >> 1])


@inlined
def see_word(words, known, classes, lower_classes, i, a, row):
    """Features of the token itself."""
    look = np.uint64(words.look[i]) + np.uint64(8 * (i == a))  # the first word has a capital
    row[0] = named(0, known[i])
    if known[i] != UNKNOWN:
        row[1] = named(1, words.form[i])
    for k in range(AFFIX):
        if words.suffix[i, k] != 0:
            row[2 + k] = named(2, words.suffix[i, k])
        if k < AFFIX - 1 and words.prefix[i, k] != 0:
            row[7 + k] = named(7, words.prefix[i, k])
    row[11] = named(11, words.shape[i])
    row[12] = named(12, look)
    row[13] = named(13, mixed(words.suffix[i, 1], look))
    row[14] = named(14, classes[i])
    row[15] = named(15, mixed(lower_classes[i], look))


@inlined
def see_neighbours(words, known, classes, i, a, b, style, row):
    """Features of the token with those around it."""
    w = known[i]
    c = classes[i]
    l1, l2 = OUTSIDE, OUTSIDE
    r1, r2 = OUTSIDE, OUTSIDE
    left, right, after = OUTSIDE, OUTSIDE, OUTSIDE
    look = np.uint64(words.look[i])
    if i > a:
        l1, left = known[i - 1], classes[i - 1]
        look = mixed(look, np.uint64(words.look[i - 1]))
        row[16] = named(16, words.suffix[i - 1, 2])
        row[17] = named(17, mixed(words.shape[i], words.shape[i - 1]))
    if i > a + 1:
        l2 = known[i - 2]
    if i + 1 < b:
        r1, right = known[i + 1], classes[i + 1]
        look = mixed(look, np.uint64(words.look[i + 1]) + np.uint64(8))
        row[18] = named(18, words.suffix[i + 1, 2])
    if i + 2 < b:
        r2, after = known[i + 2], classes[i + 2]
    row[19] = named(19, look)
    row[20] = named(20, l1)
    row[21] = named(21, r1)
    row[22] = named(22, l2)
    row[23] = named(23, r2)
    row[24] = named(24, mixed(w, l1))
    row[25] = named(25, mixed(w, r1))
    row[26] = named(26, mixed(l1, r1))
    row[27] = named(27, mixed(c, right))
    row[28] = named(28, mixed(c, left))
    row[29] = named(29, mixed(mixed(c, left), right))
    row[30] = named(30, mixed(mixed(c, right), after))
    row[31] = named(31, mixed(w, right))
    row[32] = named(32, mixed(w, left))
    row[36] = named(36, mixed(look, style))
    row[37] = named(37, mixed(l1, np.uint64(words.look[i])))
    row[38] = named(38, mixed(r1, np.uint64(words.look[i])))
    row[39] = named(39, mixed(words.suffix[i, 2], np.uint64(words.look[i])))
    row[33] = named(33, mixed(words.suffix[i, 2], left))


@helper
def named(name, value):
    """The hash of a feature of some name; never 0."""
    return mixed(np.uint64(name + 1) * MULTIPLIER, value) | np.uint64(1)


@helper
def style_of(looks):
    """How a sentence uses capitals: nowhere, at some words, at most, at all, or nothing else."""
    plain, capitalised, capitals = 0, 0, 0
    for look in looks:
        plain += look == PLAIN
        capitalised += look == CAPITALISED
        capitals += look == CAPITALS
    if capitalised + capitals == 0:
        return np.uint64(0)
    if plain > 0:
        return np.uint64(1 if capitalised + capitals <= plain else 2)
    return np.uint64(3 if capitalised > 0 else 4)
