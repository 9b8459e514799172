"""The features of a sentence in all contexts that a search may come to, by number."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from headwise.kernels.arcs.features import EncodedTokens
from headwise.kernels.primitives.hashmap import look_up_all, map_of
from headwise.parsers.boosting.examples import RARE, VIEWS, Columns
from headwise.parsers.boosting.features import (
    NOBODY,
    RIGHT,
    Keys,
    count_keys,
    first_tag_keys,
    first_word_keys,
    have_tags,
    pairs_of,
    previous_keys,
    static_keys,
    tag_pair_keys,
    words_of,
)
from headwise.parsers.boosting.settings import BoostingSettings


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
        static = self.look_up(static_keys(tokens))
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
