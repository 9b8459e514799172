"""What the link classifier sees of a pair of words, as hashed keys (table 2.1, section 7.3).

All features are within a pair of tags: the classifier of one pair of tags has nothing in common
with that of another. So the tags of the two words, and all combinations that differ by them alone,
come to one feature, which is always there. A single classifier for all pairs of tags has those
combinations as well. Dynamic features see something of a projective tree: the
modifiers that a head has before another.
"""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from headwise.kernels.arcs.features import EncodedTokens
from headwise.scoring.linear.atoms import ATOMS
from headwise.scoring.linear.texttable import hash_of, hash_text

Keys = NDArray[np.uint64]
Ints = NDArray[np.int64]

NONE, LEFT, RIGHT = range(3)
"""The classes: no link, a link to the left (its head is the right word), a link to the right."""

STATIC: tuple[tuple[str, ...], ...] = (
    (),  # the two tags, and nothing else: it must be the first
    ("left word",),
    ("right word",),
    ("left word", "right word"),
    ("after left", "before right"),
    ("before left", "before right"),
    ("after left", "after right"),
    ("before left", "after right"),
    ("distance",),
)
"""THE templates of static features: table 2.1 without in-between tags, and the distance."""

ACROSS: tuple[tuple[str, ...], ...] = (
    (),  # always there, as the first template of a classifier must be
    ("left word", "left tag"),
    ("left word",),
    ("left tag",),
    ("right word", "right tag"),
    ("right word",),
    ("right tag",),
    ("left word", "right word", "right tag"),
    ("left word", "left tag", "right word"),
    ("left word", "right word"),
    ("distance",),
)
"""Templates of table 2.1, and the distance, across pairs of tags: of a single classifier only."""

DISTANCES = np.array([2, 3, 4, 5, 7, 10, 15])
"""Distances from each of these on to the next are not told apart."""

_MIX = np.uint64(0x9E3779B97F4A7C15)
_HALF = np.uint64(32)
_WORD = ATOMS.index("word")
_OUTSIDE = np.uint64(hash_text("outside the sentence"))
NOBODY = np.uint64(hash_text("nobody"))
"""What stands for the tag and the word of a modifier that there is not."""


def mixed(keys: Keys, values: Keys) -> Keys:
    """Hashes with one more value; both must be arrays."""
    x = (keys ^ values) * _MIX
    return x ^ (x >> _HALF)


def salted(keys: Keys, name: str) -> Keys:
    """Hashes told apart from others by a name."""
    return mixed(keys, salt_of(name))


@lru_cache
def salt_of(name: str) -> Keys:
    """What stands for a name."""
    return np.full(1, hash_text(name), np.uint64)


@lru_cache(maxsize=256)
def pairs_of(size: int) -> tuple[Ints, Ints]:
    """All pairs of tokens, left one first: (0, 1), (0, 2), …, (1, 2), …"""
    left, right = np.triu_indices(size, 1)
    return left.astype(np.int64), right.astype(np.int64)


def words_of(tokens: EncodedTokens) -> Keys:
    """The words of tokens."""
    words: Keys = tokens.atoms[_WORD]
    return words


def have_tags(tokens: EncodedTokens, tags: tuple[str, ...]) -> NDArray[np.bool_]:
    """Which tokens have one of some tags, of either kind."""
    found = np.zeros(len(tokens.tags), np.bool_)
    for name in ("upos", "xpos"):
        wanted = np.array([hash_of(name)(tag) for tag in tags], np.uint64)
        found |= np.isin(tokens.atoms[ATOMS.index(name)], wanted)
    return found


def tag_pair_keys(tokens: EncodedTokens) -> Keys:
    """What stands for the pair of tags of every pair of tokens."""
    left, right = pairs_of(len(tokens.tags))
    return mixed(salted(tokens.tags[left], "tags"), tokens.tags[right])


def static_keys(tokens: EncodedTokens, *, partition: bool = True) -> Keys:
    """The keys of static features: [pair, template]; the first one tells classifiers apart."""
    left, right = pairs_of(len(tokens.tags))
    words = words_of(tokens)
    tags = np.concatenate([[_OUTSIDE], tokens.tags, [_OUTSIDE]])  # of token t: t + 1
    distance = np.searchsorted(DISTANCES, right - left, "right")
    atoms = {
        "left word": words[left],
        "right word": words[right],
        "left tag": tokens.tags[left],
        "right tag": tokens.tags[right],
        "before left": tags[left],
        "after left": tags[left + 2],
        "before right": tags[right],
        "after right": tags[right + 2],
        "distance": distance.astype(np.uint64),
    }
    pair = tag_pair_keys(tokens)
    starts = [
        (salted(pair, f"static {column}") if template else pair, template)
        for column, template in enumerate(STATIC)
    ]
    if not partition:
        everywhere = np.zeros_like(pair)
        across = [
            (salted(everywhere, f"across {column}"), one) for column, one in enumerate(ACROSS)
        ]
        starts = [*across, *starts]
    keys = np.empty((len(left), len(starts)), np.uint64)
    for column, (own, template) in enumerate(starts):
        for name in template:
            own = mixed(own, atoms[name])
        keys[:, column] = own
    return keys


def count_keys(pair: Keys, link: int, counts: Keys) -> Keys:
    """Keys of how many modifiers the head of a possible link has already."""
    return mixed(salted(pair, f"count {link}"), counts)


def previous_keys(pair: Keys, link: int, tags: Keys) -> Keys:
    """Keys of the tag of the head's previous modifier on the same side."""
    return mixed(salted(pair, f"previous {link}"), tags)


def first_tag_keys(pair: Keys, link: int, tags: Keys) -> Keys:
    """Keys of the tag of the first modifier of the modifier of a possible link."""
    return mixed(salted(pair, f"first tag {link}"), tags)


def first_word_keys(pair: Keys, link: int, words: Keys) -> Keys:
    """Keys of the word of the first modifier of the modifier of a possible link."""
    return mixed(salted(pair, f"first word {link}"), words)


def link_labels(heads: Ints) -> NDArray[np.int8]:
    """The class of every pair of tokens, in the order of `pairs_of`. `heads[0]` means nothing."""
    left, right = pairs_of(len(heads))
    labels = np.full(len(left), NONE, np.int8)
    labels[heads[right] == left] = RIGHT
    labels[(heads[left] == right) & (left > 0)] = LEFT
    return labels


def modifiers_before(heads: Ints) -> tuple[Ints, Ints]:
    """For head h and word m, how many modifiers of h are between them, and the one nearest to m.

    Both are [h, m]; h itself stands for no modifier.
    """
    head, word = np.arange(len(heads))[:, None], np.arange(len(heads))[None, :]
    is_modifier = (heads[None, :] == head) & (word > 0)
    right, left = is_modifier & (word > head), is_modifier & (word < head)
    up = np.cumsum(right, axis=1) - right
    down = np.cumsum(left[:, ::-1], axis=1)[:, ::-1] - left
    last_up = np.maximum.accumulate(np.where(right, word, head), axis=1)
    last_down = np.minimum.accumulate(np.where(left, word, head)[:, ::-1], axis=1)[:, ::-1]
    before_up = np.concatenate([head, last_up[:, :-1]], axis=1)
    before_down = np.concatenate([last_down[:, 1:], head], axis=1)
    on_right = word > head
    return np.where(on_right, up, down), np.where(on_right, before_up, before_down)


def first_modifiers(heads: Ints) -> Ints:
    """The first modifier of each token: its innermost on the right, or else on the left.

    A token itself stands for no modifier.
    """
    first = np.arange(len(heads))
    words = np.arange(1, len(heads))
    on_left, on_right = words[words < heads[1:]], words[words > heads[1:]]
    first[heads[on_left]] = on_left  # of several, the last one counts
    first[heads[on_right[::-1]]] = on_right[::-1]
    return first
