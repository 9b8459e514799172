"""The words of a treebank with their tags, and how a tagger sees them while it learns.

A lexicon knows more of the words that it was learnt from than of any others. So that a tagger does
not come to rely on it too much, each part of the treebank is seen through the lexicon of all other
parts: words that are nowhere else are unknown, and tags that a word has nowhere else are missing,
as will be the case in new text.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise

import numpy as np
from numpy.typing import NDArray

from headwise.corpus.sentence import Sentence
from headwise.kernels.text.tag_features import Lexicon, TagTokens, see_tokens
from headwise.kernels.text.wordhash import hash_words
from headwise.text.characters import encode_forms
from headwise.text.lexicon import LexiconRules, learn_lexicon
from headwise.text.tagtemplates import tag_templates

STRETCH = 20
"""Neighbouring sentences in the same part: they share words that other texts lack."""

Tags = NDArray[np.int32]


@dataclass(frozen=True, slots=True, eq=False)
class TaggedWords:
    """Sentences of one word or more: their words, and numbers of their tags.

    upos: hashes of the UPOS of all tags.
    times: how often each sentence is learnt from in an epoch. Not by copies of it, which would be
        in several parts.
    """

    forms: Sequence[Sequence[str]]
    gold: Sequence[Tags]
    upos: NDArray[np.uint64]
    times: NDArray[np.int64]

    @classmethod
    def of(
        cls,
        sentences: Sequence[Sentence],
        gold: Tags,
        upos: NDArray[np.uint64],
        times: Sequence[int],
    ) -> "TaggedWords":
        """The words of sentences, whose tags stand one after the other."""
        starts = np.cumsum([0, *map(len, sentences)]).tolist()
        tags = [gold[a:b] for a, b in pairwise(starts) if b > a]
        forms = [one.forms for one in sentences if len(one)]
        own = [time for time, one in zip(times, sentences, strict=True) if len(one)]
        return cls(forms, tags, upos, np.array(own, np.int64))

    def part(self, numbers: Sequence[int]) -> "TaggedWords":
        """Some of the sentences."""
        forms, gold = [self.forms[i] for i in numbers], [self.gold[i] for i in numbers]
        return TaggedWords(forms, gold, self.upos, self.times[list(numbers)])

    def lexicon(self, rules: LexiconRules) -> Lexicon:
        """The tags that these words say words may have."""
        words = hash_words(encode_forms(list(chain.from_iterable(self.forms))))
        return learn_lexicon(words, np.concatenate(self.gold), self.upos, rules)

    def seen_as_new(
        self, rules: LexiconRules, folds: int, random: np.random.Generator
    ) -> tuple[TagTokens, Tags, NDArray[np.int64]]:
        """What a tagger sees of each part with the lexicon of all others, its tags and times."""
        parts = list(self.parts(folds, random))
        seen = [seen_through(others.lexicon(rules), own.forms) for own, others in parts]
        gold = np.concatenate([tags for own, _ in parts for tags in own.gold])
        return joined(seen), gold, np.concatenate([own.times for own, _ in parts])

    def parts(
        self, folds: int, random: np.random.Generator
    ) -> Iterator[tuple["TaggedWords", "TaggedWords"]]:
        """Parts drawn at random, each with all others; a single sentence is its own other."""
        sentences = len(self.forms)
        stretch = max(1, min(STRETCH, sentences // folds))
        drawn = random.permutation(-(-sentences // stretch)) % folds
        fold_of = np.repeat(drawn, stretch)[:sentences]
        for fold in range(min(folds, len(drawn))):
            own, others = np.flatnonzero(fold_of == fold), np.flatnonzero(fold_of != fold)
            known = others if len(others) else own
            yield self.part(own.tolist()), self.part(known.tolist())


def seen_through(lexicon: Lexicon, forms: Sequence[Sequence[str]]) -> TagTokens:
    """What a tagger with a lexicon sees of sentences of one word or more."""
    characters = encode_forms(list(chain.from_iterable(forms)))
    starts = np.cumsum([0, *map(len, forms)], dtype=np.int64)
    tokens: TagTokens = see_tokens(
        tag_templates(), characters, hash_words(characters), lexicon, starts
    )
    return tokens


def joined(parts: Sequence[TagTokens]) -> TagTokens:
    """TagTokens of some sentences, and after them those of others."""
    tags_before = np.cumsum([0, *(len(one.tags) for one in parts)])
    tokens_before = np.cumsum([0, *(len(one.words) for one in parts)])
    tag_starts = [one.tag_starts[:-1] + n for one, n in zip(parts, tags_before[:-1], strict=True)]
    starts = [one.starts[:-1] + n for one, n in zip(parts, tokens_before[:-1], strict=True)]
    return TagTokens(
        features=np.concatenate([one.features for one in parts]),
        words=np.concatenate([one.words for one in parts]),
        classes=np.concatenate([one.classes for one in parts]),
        tag_starts=np.concatenate([*tag_starts, tags_before[-1:]]),
        tags=np.concatenate([one.tags for one in parts]),
        starts=np.concatenate([*starts, tokens_before[-1:]]),
    )
