# mypy: allow-untyped-defs
"""What a tagger sees: the tags that a word may have, and the features of a token in its sentence.

A word that was met often enough has the tags it was met with. Any other word has, besides those,
the tags of rare words with the same look and the longest known suffix. What these tags are, by
UPOS, is itself an atom: the ambiguity class of a word.

Atoms have one value per token. A template conjoins atoms of a token and its neighbours
(`headwise.text.tagtemplates` has the table):

    feature = mixed(seed, mixed(mixed(first atom, second atom), third atom …)) | 1
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from headwise.kernels.primitives.hashmap import ABSENT, look_up
from headwise.kernels.primitives.runs import copy_run, fill_run, longest_run
from headwise.kernels.runtime.borrow import borrowed, kept
from headwise.kernels.runtime.jit import helper, inlined, kernel
from headwise.kernels.text.wordhash import (
    AFFIX,
    BASIS,
    CAPITALISED,
    CAPITALS,
    HYPHEN,
    PLAIN,
    Hashes,
    mixed,
)

MOST_TAGS = 64
"""How many tags are considered for one token."""

SHORTEST_STEM = 3
SUFFIXED, UNKNOWN, OUTSIDE = (np.uint64(1 << bit) for bit in (40, 41, 42))
"""Marks of classes by suffix, of unknown words, and of what is beyond the ends of a sentence."""

WORD, FORM, SHAPE, LOOK, START_LOOK, LOOKS, STYLE, CLASS, LOWER_CLASS, STEM, COMPOUND = range(11)
SUFFIX = COMPOUND + 1
PREFIX = SUFFIX + AFFIX
ATOMS = PREFIX + AFFIX
"""The rows of atoms; suffixes and prefixes have one for each length."""

ALWAYS, WITHIN, GIVEN = range(3)
"""Where a template applies: at every token, where all tokens it looks at are within the sentence,
where its one atom is not 0."""


class TagTemplates(NamedTuple):
    """The templates; the atoms of template t are those from start[t] to start[t + 1]."""

    start: NDArray[np.int64]  # [template + 1]
    atom: NDArray[np.int64]
    offset: NDArray[np.int64]  # from the token to the one that the atom is of
    seed: Hashes  # [template]
    applies: NDArray[np.int64]  # [template]: ALWAYS, WITHIN or GIVEN


class Lexicon(NamedTuple):
    """Lists of tags, and the words and suffixes that have them."""

    form_keys: Hashes
    form_values: NDArray[np.int32]  # twice the list's number, plus 1 if there are no other tags
    suffix_keys: Hashes
    suffix_values: NDArray[np.int32]
    list_starts: NDArray[np.int32]
    list_tags: NDArray[np.int32]
    list_classes: Hashes  # [list]: the different UPOS of its tags, in their order


class TagTokens(NamedTuple):
    """The tokens of some sentences as the tagger sees them."""

    features: Hashes  # [token, template]; 0 where the template does not apply
    words: Hashes  # [token]: in small letters, if known
    classes: Hashes  # [token]: of ambiguity
    tag_starts: NDArray[np.int64]  # [token + 1]
    tags: NDArray[np.int32]  # those that tokens may have
    starts: NDArray[np.int64]  # [sentence + 1]: the first token


@kernel
def see_tokens(all_templates, characters, words, lexicon, starts):
    """The tokens of sentences that start there."""
    count = len(words.form)
    tag_starts = np.zeros(count + 1, np.int64)
    tags = np.empty(MOST_TAGS * count, np.int32)
    atoms = np.zeros((ATOMS, count), np.uint64)
    for token in range(count):
        own = tags[tag_starts[token] :]
        size, atoms[CLASS, token] = list_tags(words, lexicon, token, own)
        tag_starts[token + 1] = tag_starts[token] + size
        see_word(characters, words, lexicon, token, atoms)
    templates = borrowed(all_templates)
    features = np.zeros((count, len(templates.seed)), np.uint64)
    own_values = np.empty(longest_run(starts), np.uint64)
    seen, values, out = borrowed((atoms, own_values, features))
    for sentence in range(len(starts) - 1):
        a, b = starts[sentence], starts[sentence + 1]
        see_sentence(words.look, a, b, atoms)
        conjoin(templates, seen, a, b, values, out)
    kept(own_values)
    used = tags[: tag_starts[count]].copy()
    return TagTokens(features, atoms[WORD].copy(), atoms[CLASS].copy(), tag_starts, used, starts)


@inlined
def list_tags(words, lexicon, token, tags):
    """How many tags a token may have (OUT tags), and its ambiguity class."""
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
    """Add a tag, unless it is there or the list is full, and return how many there are."""
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
def see_word(characters, words, lexicon, token, atoms):
    """The atoms of a token by itself: OUT atoms. An affix longer than the word is 0."""
    value = look_up(lexicon.form_keys, lexicon.form_values, words.lower[token])
    if value == ABSENT:
        atoms[LOWER_CLASS, token] = atoms[WORD, token] = UNKNOWN
        see_inside(characters, words, lexicon, token, atoms)
    else:
        atoms[LOWER_CLASS, token] = lexicon.list_classes[value >> 1]
        atoms[WORD, token], atoms[FORM, token] = words.lower[token], words.form[token]
    atoms[SHAPE, token], atoms[LOOK, token] = words.shape[token], words.look[token]
    for k in range(AFFIX):
        atoms[SUFFIX + k, token] = words.suffix[token, k]
        atoms[PREFIX + k, token] = words.prefix[token, k]


@inlined
def see_inside(characters, words, lexicon, token, atoms):
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
            if value != ABSENT:  # a longer stem replaces a shorter one
                ambiguity = lexicon.list_classes[value >> 1]
                atoms[STEM, token] = mixed(ambiguity, words.suffix[token, rest - 1])
    if last != words.lower[token]:
        value = look_up(lexicon.form_keys, lexicon.form_values, last)
        atoms[COMPOUND, token] = UNKNOWN if value == ABSENT else lexicon.list_classes[value >> 1]


@inlined
def see_sentence(looks, a, b, atoms):
    """The atoms of tokens that depend on their sentence, from a to b: OUT atoms."""
    style = style_of(looks[a:b])
    for i in range(a, b):
        around = np.uint64(looks[i])
        if i > a:
            around = mixed(around, np.uint64(looks[i - 1]))
        if i + 1 < b:
            around = mixed(around, np.uint64(looks[i + 1]) + np.uint64(8))
        atoms[LOOKS, i], atoms[STYLE, i] = around, style
        # The first word of a sentence has a capital anyway.
        atoms[START_LOOK, i] = np.uint64(looks[i]) + np.uint64(8 * (i == a))


@helper
def conjoin(templates, atoms, a, b, values, features):
    """The features of the tokens from a to b, a sentence: OUT values, features."""
    for t in range(len(templates.seed)):
        applies, first, last = templates.applies[t], a, b
        for k in range(templates.start[t], templates.start[t + 1]):
            offset, own = templates.offset[k], atoms[templates.atom[k]]
            # Those whose neighbour is within the sentence are low … high - 1.
            low, high = min(b, max(a, a - offset)), max(a, min(b, b - offset))
            if k == templates.start[t]:
                fill_run(values, 0, b - a, OUTSIDE)
                copy_run(values, low - a, own, low + offset, high - low)
            else:
                for i in range(a, low):
                    values[i - a] = mixed(values[i - a], OUTSIDE)
                mix_run(values, low - a, own, low + offset, high - low)
                for i in range(high, b):
                    values[i - a] = mixed(values[i - a], OUTSIDE)
            if applies != ALWAYS:
                first, last = max(first, low), min(last, high)
        for i in range(first, last):
            if applies != GIVEN or values[i - a] != 0:
                features[i, t] = mixed(templates.seed[t], values[i - a]) | np.uint64(1)


@helper
def mix_run(values, i, atoms, j, count):
    """Mix atoms[j + k] into values[i + k], for all k < count."""
    x, y = np.uint64(i), np.uint64(j)
    for k in range(np.uint64(count)):
        values[x + k] = mixed(values[x + k], atoms[y + k])


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
