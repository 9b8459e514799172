"""The tags that words may have, learnt from a treebank."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any

import numpy as np
from numpy.typing import NDArray

from headwise.kernels.primitives.hashmap import ABSENT, HashMap, home_of, map_of
from headwise.kernels.text.tag_features import MOST_TAGS, Lexicon
from headwise.kernels.text.wordhash import AFFIX, MULTIPLIER, WordHashes
from headwise.storage.arraychecks import check_array, check_indices, check_starts
from headwise.storage.modelfile import needed_array


@dataclass(frozen=True)
class LexiconRules:
    """When the tags of a word are believed to be all it has, and what others may have.

    closed: a word seen at least this often has only the tags it was seen with, if they are at least
        the `share` of all.
    rare: tags of unknown words are those of words seen at most this often …
    suffix: … with the longest suffix shared by at least this many words, at most `most` tags.
    """

    closed: int = 2000
    share: float = 0.002
    rare: int = 10
    suffix: int = 20
    most: int = 48


class _Lists(dict[tuple[int, ...], int]):
    """Numbers of lists of tags."""

    def __missing__(self, tags: tuple[int, ...]) -> int:
        number = self[tags] = len(self)
        return number


def has_forms(lexicon: Lexicon, hashes: NDArray[np.uint64]) -> NDArray[np.bool_]:
    """Which words, by their hashes, the training data had; found without compiled code."""
    keys, values = lexicon.form_keys, lexicon.form_values
    found = np.zeros(len(hashes), np.bool_)
    left, slots = np.arange(len(hashes)), home_of(hashes, len(keys))
    while len(left):
        is_free, is_own = values[slots] == ABSENT, keys[slots] == hashes[left]
        found[left] = is_own & ~is_free
        going = ~(is_own | is_free)
        left, slots = left[going], (slots[going] + np.uint64(1)) & np.uint64(len(keys) - 1)
    return found


def learn_lexicon(
    words: WordHashes,
    tags: NDArray[np.int32],
    upos: NDArray[np.uint64],
    rules: LexiconRules,
) -> Lexicon:
    """The tags of words and suffixes in training data; `upos` are hashes of the UPOS of tags."""
    lists = _Lists()
    rare = _rare_lists(words, tags, rules, lists)
    forms: dict[int, int] = {}
    for hashes in (words.form, words.lower):
        for key, (found, total) in _tags_by_key(hashes, tags).items():
            if key not in forms:
                is_closed = total >= rules.closed
                fewest = rules.share * total if is_closed else 0
                kept = [pair for pair in found if pair[1] >= fewest]
                forms[key] = 2 * lists[_by_count(kept, MOST_TAGS)] + is_closed
    return Lexicon(
        *_map_of(forms),
        *_map_of(rare),
        np.cumsum([0, *map(len, lists)], dtype=np.int32),
        np.array([tag for own in lists for tag in own], np.int32),
        np.array([_class_of(upos[list(own)].tolist()) for own in lists], np.uint64),
    )


def _rare_lists(
    words: WordHashes, tags: NDArray[np.int32], rules: LexiconRules, lists: _Lists
) -> dict[int, int]:
    """Lists of tags of rare words by suffix and look; list 0 is that of all of them."""
    _, first, where, counts = np.unique(
        words.form, return_index=True, return_inverse=True, return_counts=True
    )
    is_rare = counts[where] <= rules.rare
    if not is_rare.any():
        is_rare[:] = True
    # Words count once with each of their tags.
    pairs = np.unique(np.stack([first[where], tags], axis=1)[is_rare], axis=0)
    place, tag = pairs[:, 0], pairs[:, 1].astype(np.int32)
    everything = np.zeros(len(place), np.uint64)
    ((found, _),) = _tags_by_key(everything, tag).values()
    assert lists[_by_count(found, rules.most)] == 0
    rare: dict[int, int] = {}
    for length in range(AFFIX + 1):
        suffixes = everything if length == 0 else words.suffix[place, length - 1]
        present = (suffixes != 0) | (length == 0)
        keys = _mixed(suffixes, words.look[place].astype(np.uint64) + np.uint64(1))
        for key, (found, total) in _tags_by_key(keys[present], tag[present]).items():
            if total >= rules.suffix:
                rare[key] = lists[_by_count(found, rules.most)]
    return rare


def _mixed(x: NDArray[np.uint64], value: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """What `kernels.wordhash.mixed` gives, of arrays."""
    x = (x ^ value) * MULTIPLIER
    return x ^ (x >> np.uint64(32))


def _tags_by_key(
    keys: NDArray[np.uint64], tags: NDArray[np.int32]
) -> dict[int, tuple[list[tuple[int, int]], int]]:
    """For each key its tags with their counts, and its own count."""
    order = np.lexsort((tags, keys))
    keys, tags = keys[order], tags[order]
    is_new = np.ones(len(keys), np.bool_)
    is_new[1:] = (keys[1:] != keys[:-1]) | (tags[1:] != tags[:-1])
    starts = np.flatnonzero(is_new)
    counts = np.diff(np.append(starts, len(keys)))
    found: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for key, tag, count in zip(
        keys[starts].tolist(), tags[starts].tolist(), counts.tolist(), strict=True
    ):
        found[key].append((tag, count))
    return {key: (pairs, sum(count for _, count in pairs)) for key, pairs in found.items()}


def _by_count(found: Iterable[tuple[int, int]], most: int) -> tuple[int, ...]:
    """Tags, commonest first."""
    return tuple(tag for tag, _ in sorted(found, key=lambda pair: (-pair[1], pair[0]))[:most])


def _class_of(upos: list[int]) -> int:
    """One number for the different UPOS of some tags, in their order."""
    return int.from_bytes(blake2b(repr(list(dict.fromkeys(upos))).encode(), digest_size=8).digest())


def _map_of(numbers: Mapping[int, int]) -> HashMap:
    hashes = np.array(sorted(numbers), np.uint64)
    values = np.array([numbers[key] for key in hashes.tolist()], np.int32)
    return map_of(hashes, values)


def lexicon_arrays(lexicon: Lexicon) -> dict[str, NDArray[Any]]:
    """A lexicon as arrays of a model."""
    arrays: dict[str, NDArray[Any]] = {
        "list_starts": lexicon.list_starts,
        "list_tags": lexicon.list_tags,
        "list_classes": lexicon.list_classes,
    }
    for name, keys, values in (
        ("forms", lexicon.form_keys, lexicon.form_values),
        ("suffixes", lexicon.suffix_keys, lexicon.suffix_values),
    ):
        present = values >= 0
        order = np.argsort(keys[present])
        arrays[f"{name}.keys"] = keys[present][order]
        arrays[f"{name}.values"] = values[present][order]
    return arrays


def lexicon_from(arrays: Mapping[str, NDArray[Any]], tags: int) -> Lexicon:
    """A lexicon over `tags` tags from arrays of a model, checked: search trusts them."""
    starts, listed = needed_array(arrays, "list_starts"), needed_array(arrays, "list_tags")
    classes = needed_array(arrays, "list_classes")
    check_array("list_starts", starts, np.int32, (None,))
    check_array("list_tags", listed, np.int32, (None,))
    check_starts("list_starts", starts, len(listed), fewest=1, fewest_rows=1)
    check_indices("list_tags", listed, tags)
    lists = len(starts) - 1
    check_array("list_classes", classes, np.uint64, (lists,))
    forms = _checked_map("forms", arrays, 2 * lists)
    suffixes = _checked_map("suffixes", arrays, lists)
    return Lexicon(*forms, *suffixes, starts, listed, classes)


def _checked_map(name: str, arrays: Mapping[str, NDArray[Any]], below: int) -> HashMap:
    """A map of a model, from its keys and their numbers."""
    keys = needed_array(arrays, f"{name}.keys")
    values = needed_array(arrays, f"{name}.values")
    check_array(f"{name}.keys", keys, np.uint64, (None,))
    check_array(f"{name}.values", values, np.int32, keys.shape)
    check_indices(f"{name}.values", values, below)
    return map_of(keys, values)
