"""Examples of the link classifier: every pair of words of a treebank, with its features.

A *view* of a pair is an example in which one of the two words is the possible head: dynamic
features are those of the head. Without them one view is enough, and there is one example a pair.

In a sentence to be parsed, features are looked up in all contexts that a search may come to.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from headwise.kernels.arcs.features import EncodedTokens
from headwise.kernels.primitives.hashmap import look_up_all, map_of
from headwise.parsers.boosting.features import (
    LEFT,
    NOBODY,
    RIGHT,
    Keys,
    count_keys,
    first_modifiers,
    first_tag_keys,
    first_word_keys,
    have_tags,
    link_labels,
    modifiers_before,
    pairs_of,
    previous_keys,
    static_keys,
    tag_pair_keys,
    words_of,
)
from headwise.parsers.boosting.settings import BoostingSettings
from headwise.scoring.linear.atoms import EncodedSentences

Ints = NDArray[np.int64]
Columns = NDArray[np.int32]
Labels = NDArray[np.int8]

RARE = -1
"""The column of a feature that is left out."""

ABSENT = np.uint64(0)
"""The key of a feature that an example has not."""

VIEWS = (LEFT, RIGHT)
"""The views of a pair, by the class of the link that the head of the view would have."""


@dataclass(frozen=True, slots=True, eq=False)
class LinkExamples:
    """All pairs of words of a treebank, in parts of equal tags.

    sentences: [sentence + 1] the first pair of each sentence.
    labels: [pair] gold classes.
    order, rows: the pairs of part k are order[rows[k] : rows[k + 1]].
    keys, columns: the features of part k are columns[k] to columns[k + 1], by their keys.
    static: [pair, template] features.
    dynamic: [view, pair, template] features of the two views, if there are any.
    """

    sentences: Ints
    labels: Labels
    order: Ints
    rows: Ints
    keys: Keys
    columns: Ints
    static: Columns
    dynamic: Columns | None

    @property
    def parts(self) -> int:
        """The number of different pairs of tags."""
        return len(self.rows) - 1

    @property
    def views(self) -> int:
        """How many examples a pair is."""
        return 1 if self.dynamic is None else len(self.dynamic)

    def features(self, part: int) -> slice:
        """Where the features of a part are."""
        return slice(int(self.columns[part]), int(self.columns[part + 1]))

    def pairs(self, part: int) -> Ints:
        """The pairs of the examples of a part."""
        return np.tile(self.order[self.rows[part] : self.rows[part + 1]], self.views)

    def matrix(self, part: int) -> csr_array:
        """The features of the examples of a part: [example, feature]."""
        pairs = self.order[self.rows[part] : self.rows[part + 1]]
        found = self.static[pairs]
        if self.dynamic is not None:
            found = np.concatenate([np.hstack([found, view[pairs]]) for view in self.dynamic])
        return as_matrix(found, self.features(part))


def as_matrix(found: Columns, features: slice) -> csr_array:
    """Features by number as rows of ones."""
    has = found != RARE
    starts = np.concatenate([[0], np.cumsum(has.sum(axis=1))])
    numbers = found[has] - np.int32(features.start)
    shape = (len(found), features.stop - features.start)
    return csr_array((np.ones(len(numbers)), numbers, starts), shape=shape)


def link_examples(
    encoded: EncodedSentences, heads: Sequence[Ints], settings: BoostingSettings
) -> LinkExamples:
    """The examples of a treebank."""
    tokens = [encoded.sentence(number) for number in range(len(encoded))]
    static = np.concatenate([static_keys(one, partition=settings.partition) for one in tokens])
    dynamic: list[Keys] = []
    if settings.dynamic:
        for link in VIEWS:
            views = [
                view_keys(one, tree, link, settings)
                for one, tree in zip(tokens, heads, strict=True)
            ]
            dynamic.append(np.concatenate(views))
    labels = [link_labels(tree) for tree in heads]
    return numbered(
        np.cumsum([0, *map(len, labels)]),
        np.concatenate(labels),
        static,
        np.stack(dynamic) if dynamic else None,
        settings.cutoff,
    )


def view_keys(tokens: EncodedTokens, heads: Ints, link: int, settings: BoostingSettings) -> Keys:
    """The keys of the dynamic features of a view of all pairs: [pair, template]."""
    left, right = pairs_of(len(heads))
    head, word = (left, right) if link == RIGHT else (right, left)
    pair = tag_pair_keys(tokens)
    before, nearest = modifiers_before(heads)
    near = nearest[head, word]
    count = np.minimum(before[head, word], settings.counts - 1).astype(np.uint64)
    tag = np.where(near == head, NOBODY, tokens.tags[near])
    keys = [count_keys(pair, link, count), previous_keys(pair, link, tag)]
    if settings.grandchildren:
        first = first_modifiers(heads)[word]
        nobody = (first == word) | (first == head)
        is_preposition = have_tags(tokens, settings.grandchildren)[word]
        first_tag = np.where(nobody, NOBODY, tokens.tags[first])
        first_word = np.where(nobody, NOBODY, words_of(tokens)[first])
        found = (
            first_tag_keys(pair, link, first_tag),
            first_word_keys(pair, link, first_word),
        )
        keys += [np.where(is_preposition, one, ABSENT) for one in found]
    return np.stack(keys, axis=1)


def numbered(
    sentences: Ints, labels: Labels, static: Keys, dynamic: Keys | None, cutoff: int
) -> LinkExamples:
    """Examples whose features have numbers, those of a pair of tags one after the other."""
    _, part = np.unique(static[:, 0], return_inverse=True)
    keys: list[Keys] = []
    parts: list[Ints] = []
    columns = [
        number_column(static[:, k], part, cutoff if k else 1, keys, parts)
        for k in range(static.shape[1])
    ]
    views: list[Columns] = []
    if dynamic is not None:
        twice = np.tile(part, len(dynamic))
        views = [
            number_column(dynamic[..., k].ravel(), twice, cutoff, keys, parts)
            for k in range(dynamic.shape[2])
        ]
    order = np.lexsort((np.concatenate(keys), np.concatenate(parts)))
    place = np.append(np.argsort(order), RARE).astype(np.int32)  # the last one: of RARE
    by_part = np.concatenate(parts)[order]
    number = int(part.max()) + 1
    rows = np.argsort(part, kind="stable")
    return LinkExamples(
        sentences,
        labels,
        rows,
        np.searchsorted(part[rows], np.arange(number + 1)),
        np.concatenate(keys)[order],
        np.searchsorted(by_part, np.arange(number + 1)),
        np.stack([place[column] for column in columns], axis=1),
        np.stack([place[one].reshape(len(dynamic), -1) for one in views], axis=2)
        if dynamic is not None
        else None,
    )


def number_column(
    column: Keys, part: Ints, cutoff: int, keys: list[Keys], parts: list[Ints]
) -> Columns:
    """The numbers of the features of a template, after those before it. OUT: keys, parts."""
    different, first, inverse, times = np.unique(
        column, return_index=True, return_inverse=True, return_counts=True
    )
    kept = (times >= cutoff) & (different != ABSENT)
    numbers = np.full(len(different), RARE, np.int64)
    numbers[kept] = sum(map(len, keys)) + np.arange(np.count_nonzero(kept))
    keys.append(different[kept])
    parts.append(part[first[kept]])
    found: Columns = numbers[inverse].astype(np.int32)
    return found


class SentenceColumns(NamedTuple):
    """The features of all pairs of a sentence, in all contexts, by number.

    static: [pair, template]
    counts: [view, count, pair]
    previous: [view, tag, pair]; tag 0 is that of no modifier.
    tags: [token] the number of its tag.
    firsts: [view, pair, token, template] of the first modifier of a pair's modifier, if that is
        looked at; the modifier itself stands for none.
    """

    static: Columns
    counts: Columns
    previous: Columns
    tags: NDArray[np.int64]
    firsts: Columns | None


@dataclass(frozen=True, slots=True, eq=False)
class FeatureIndex:
    """Finds the numbers of features by their keys: feature k has keys[k]."""

    keys: Keys
    table: tuple[Keys, Columns]

    @classmethod
    def of(cls, keys: Keys) -> "FeatureIndex":
        """The index of features that are numbered in the order of these keys."""
        return cls(keys, map_of(keys, np.arange(len(keys), dtype=np.int32)))

    def look_up(self, keys: Keys) -> Columns:
        """The numbers of features; RARE where there is none."""
        found: Columns = look_up_all(*self.table, np.ascontiguousarray(keys).reshape(-1))
        return found.reshape(keys.shape)

    def of_sentence(self, tokens: EncodedTokens, settings: BoostingSettings) -> SentenceColumns:
        """All features of a sentence."""
        static = self.look_up(static_keys(tokens, partition=settings.partition))
        different, tags = np.unique(tokens.tags, return_inverse=True)
        if not settings.dynamic:
            nothing = np.full((1, 1, len(static)), RARE, np.int32)
            return SentenceColumns(static, nothing, nothing, np.zeros_like(tags), None)
        pair = tag_pair_keys(tokens)[None, :]
        counts = np.arange(settings.counts, dtype=np.uint64)[:, None]
        seen = np.concatenate([[NOBODY], different])[:, None]
        firsts = None
        if settings.grandchildren:
            firsts = np.stack([self.of_firsts(tokens, link, settings) for link in VIEWS])
        return SentenceColumns(
            static,
            np.stack([self.look_up(count_keys(pair, link, counts)) for link in VIEWS]),
            np.stack([self.look_up(previous_keys(pair, link, seen)) for link in VIEWS]),
            tags + 1,
            firsts,
        )

    def of_firsts(self, tokens: EncodedTokens, link: int, settings: BoostingSettings) -> Columns:
        """The features of all first modifiers: [pair, token, template]."""
        left, right = pairs_of(len(tokens.tags))
        word = right if link == RIGHT else left
        pair = tag_pair_keys(tokens)[:, None]
        nobody = np.arange(len(tokens.tags))[None, :] == word[:, None]
        tags = np.where(nobody, NOBODY, tokens.tags[None, :])
        words = np.where(nobody, NOBODY, words_of(tokens)[None, :])
        keys = [first_tag_keys(pair, link, tags), first_word_keys(pair, link, words)]
        found = self.look_up(np.stack(keys, axis=2))
        found[~have_tags(tokens, settings.grandchildren)[word]] = RARE
        return found
