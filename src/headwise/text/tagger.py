"""A tagger: UPOS, XPOS and, by choice, FEATS of tokenised sentences, learnt from a treebank.

The three columns are one tag, so that they always fit each other and nothing is predicted that the
treebank does not have.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain, count, pairwise
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from headwise.corpus.folds import folds_of
from headwise.corpus.sentence import MISSING, Sentence, with_columns
from headwise.errors import InputError, ModelError, SourceLocation, UsageError
from headwise.kernels.text.tag_features import Lexicon, TagTokens
from headwise.kernels.text.tag_learn import learn_tags
from headwise.kernels.text.tag_search import TagWeights, tag_sentences
from headwise.kernels.text.wordhash import hash_words
from headwise.progress import Progress, silent
from headwise.storage.arraychecks import check_array, check_power_of_two
from headwise.storage.quantise import LARGEST, quantise, scale_of
from headwise.storage.settings import check_types
from headwise.storage.sparse import pack_sparse, unpack_sparse
from headwise.storage.storedsettings import check_texts, stored_settings
from headwise.text.characters import encode_forms
from headwise.text.lexicon import LexiconRules, has_forms, lexicon_arrays, lexicon_from
from headwise.text.taggedwords import TaggedWords, seen_through
from headwise.text.tags import NO_GAP, Tag, tag_weights, upos_hashes

MOST_BITS = 28
"""Of the number of weights."""

BATCH_TOKENS = 1 << 14
"""How many tokens are looked at together: as many as the cache has room for."""


@dataclass(frozen=True)
class TaggerTraining:
    """How a tagger is trained.

    feats: whether FEATS are part of tags.
    epochs: how often it goes over the sentences.
    members: the number of averaged taggers, which see the sentences in different orders.
    folds: number of parts; a word's lexicon entry comes from the parts it is not in.
    bits: of the number of weights.
    margin: by how much wrong tags must lose, and `upos_margin` more if their UPOS is wrong.
    gap: a tag that loses by more than this without its neighbours is not tried with them.
    drop_up_to: quantised weights of magnitude ≤ N are dropped.
    """

    feats: bool = True
    epochs: int = 5
    members: int = 4
    folds: int = 10
    bits: int = 22
    margin: float = 10.0
    upos_margin: float = 20.0
    gap: float = 60.0
    drop_up_to: int = 2
    seed: int = 1
    lexicon: LexiconRules = field(default_factory=LexiconRules)


@dataclass(frozen=True, slots=True)
class StoredTagger:
    """What a model says of a tagger."""

    tags: tuple[tuple[str, str, str], ...]
    feats: bool
    gap: int

    def check(self) -> None:
        """Raise if a value has no meaning."""
        if not 0 <= self.gap <= NO_GAP:
            raise UsageError(f"gap must be from 0 to {NO_GAP}, not {self.gap}")
        check_texts("tags", chain.from_iterable(self.tags))


@dataclass(frozen=True, eq=False, repr=False)
class Tagger:
    """Tags tokenised sentences."""

    tags: Sequence[Tag]
    lexicon: Lexicon
    table: NDArray[np.int8]
    gap: int  # see `tag_weights`
    feats: bool

    @cached_property
    def weights(self) -> TagWeights:
        """The weights as kernels want them."""
        return tag_weights(self.tags, self.table, self.gap)

    @cached_property
    def _columns(self) -> tuple[tuple[str, ...], ...]:
        """UPOS, XPOS and FEATS of all tags."""
        return tuple(zip(*self.tags, strict=True))

    @property
    def tag_names(self) -> dict[str, list[str]]:
        """By column: all values that it may give, always in the same order."""
        columns = Tag._fields if self.feats else Tag._fields[:2]
        return {
            name: list(dict.fromkeys(own))
            for name, own in zip(columns, self._columns, strict=False)
        }

    def __repr__(self) -> str:
        """How much it knows."""
        return f"<Tagger of {len(self.tags)} tags>"

    @classmethod
    def fit(
        cls,
        sentences: Sequence[Sentence],
        training: TaggerTraining | None = None,
        progress: Progress = silent,
        *,
        text: Sequence[Sentence] = (),
        gold_weight: int = 1,
    ) -> "Tagger":
        """Learn from a treebank; `progress` is called with the epochs done and their total.

        text: sentences that another model has tagged, learnt from once in an epoch and the
            treebank `gold_weight` times. Those with other tags than the treebank's are left out.
        """
        training = training or TaggerTraining()
        check_types(training)
        if not any(len(sentence) for sentence in sentences):
            raise InputError("there are no words to learn a tagger from")
        sentences = fully_tagged(sentences)
        if training.folds < 2:
            raise UsageError(f"a treebank has 2 folds or more, not {training.folds}")
        tags, _ = _tags_of(sentences, feats=training.feats)
        more = known_only(text, tags, feats=training.feats)
        times = [gold_weight] * len(sentences) + [1] * len(more)
        both = [*sentences, *more]
        tags, gold = _tags_of(both, feats=training.feats)
        treebank = TaggedWords.of(both, gold, upos_hashes(tags), times)
        average = _learn(treebank, tags, training, progress)
        scale = _scale(average)
        table = quantise(average, scale)
        table[np.abs(table) <= training.drop_up_to] = 0
        gap = min(NO_GAP, round(training.gap / scale))
        lexicon = treebank.lexicon(training.lexicon)
        return cls(tags, lexicon, table, gap, training.feats)

    def tag(self, sentences: Sequence[Sentence]) -> list[Sentence]:
        """The sentences with their tags; what they had in these columns is replaced."""
        tagged: list[Sentence] = []
        for batch in batches(sentences):
            numbers = self.tag_numbers(batch).tolist()
            upos, xpos, feats = ([column[number] for number in numbers] for column in self._columns)
            for sentence, (a, b) in zip(batch, pairwise(_starts(batch).tolist()), strict=True):
                tagged.append(
                    with_columns(
                        sentence,
                        sentence.lemmas,
                        tuple(upos[a:b]),
                        tuple(xpos[a:b]),
                        tuple(feats[a:b]) if self.feats else sentence.feats,
                    )
                )
        return tagged

    def knows(self, forms: Sequence[str]) -> list[bool]:
        """Which words occur in the treebank."""
        words = hash_words(encode_forms(list(forms)))
        found: list[bool] = has_forms(self.lexicon, words.form).tolist()
        return found

    def could_fill(self, sentence: Sentence) -> bool:
        """Whether words of a sentence that has tags lack UPOS, or all of them lack XPOS."""
        if sentence.count_missing("upos"):
            return True
        return any(tag.xpos != MISSING for tag in self.tags) and sentence.lacks("xpos")

    def fill(self, sentences: Sequence[Sentence]) -> list[Sentence]:
        """The sentences with tags where they have none, which fit those that they have.

        XPOS is filled in where there is none in the whole sentence, or no UPOS either: some words
        of some treebanks have none. FEATS are filled in where there are none in the sentence.
        """
        filled: list[Sentence] = []
        for batch in batches(sentences):
            found = [self.tags[number] for number in self.tag_numbers(batch, fitting=True)]
            for one, (a, b) in zip(batch, pairwise(_starts(batch).tolist()), strict=True):
                lacks_xpos, lacks_feats = one.lacks("xpos"), one.lacks("feats")
                upos, xpos = list(one.upos), list(one.xpos)
                for word, tag in enumerate(found[a:b]):
                    if xpos[word] == MISSING and (lacks_xpos or upos[word] == MISSING):
                        xpos[word] = tag.xpos
                    if upos[word] == MISSING:
                        upos[word] = tag.upos
                feats = tuple(tag.feats for tag in found[a:b]) if lacks_feats else one.feats
                filled.append(with_columns(one, one.lemmas, tuple(upos), tuple(xpos), feats))
        return filled

    def tag_numbers(
        self, sentences: Sequence[Sentence], *, fitting: bool = False
    ) -> NDArray[np.int32]:
        """The numbers of the tags of all words of some sentences (indices into `tags`).

        fitting: whether they must agree with the UPOS and XPOS that words already have.
        """
        tokens = self.see(sentences)
        if fitting:
            tokens = self._narrowed(tokens, sentences)
        return cast(NDArray[np.int32], tag_sentences(tokens, self.weights, np.zeros(0, np.int32)))

    def see(self, sentences: Sequence[Sentence]) -> TagTokens:
        """The words of some sentences as the kernels see them."""
        return seen_through(self.lexicon, [one.forms for one in sentences if len(one)])

    def _narrowed(self, tokens: TagTokens, sentences: Sequence[Sentence]) -> TagTokens:
        """The tokens with those tags only that are like the UPOS and XPOS that they have.

        If no tag that a token may have is like them, all that are may be; if there is none at all,
        everything stays as it is.
        """
        like: dict[tuple[str, str], list[int]] = {}
        lists: list[list[int]] = []
        given = (pair for one in sentences for pair in zip(one.upos, one.xpos, strict=True))
        for pair, (a, b) in zip(given, pairwise(tokens.tag_starts.tolist()), strict=True):
            if pair not in like:
                like[pair] = [
                    number
                    for number, tag in enumerate(self.tags)
                    if pair[0] in (MISSING, tag.upos) and pair[1] in (MISSING, tag.xpos)
                ]
            own = tokens.tags[a:b].tolist()
            lists.append([tag for tag in own if tag in like[pair]] or like[pair] or own)
        starts = np.cumsum([0, *map(len, lists)], dtype=np.int64)
        return tokens._replace(
            tag_starts=starts, tags=np.array(list(chain.from_iterable(lists)), np.int32)
        )

    def to_model(self) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
        """Settings and arrays that a model file holds."""
        settings = {
            "tags": [list(tag) for tag in self.tags],
            "feats": self.feats,
            "gap": self.gap,
        }
        return settings, pack_sparse("table", self.table) | lexicon_arrays(self.lexicon)

    @classmethod
    def from_model(
        cls, settings: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]
    ) -> "Tagger":
        """A tagger from what `to_model` gave."""
        if "gap" not in settings or "list_classes" not in arrays:
            raise ModelError("its tagger was made by an older Headwise: train it again")
        stored = stored_settings(StoredTagger, settings, "tagger")
        tags = [Tag(*tag) for tag in stored.tags]
        table = unpack_sparse("table", arrays)
        check_array("table", table, np.int8, (None,))
        check_power_of_two("table", len(table), maximum=1 << MOST_BITS)
        return cls(tags, lexicon_from(arrays, len(tags)), table, stored.gap, stored.feats)


ONE_MEMBER = TaggerTraining(members=1)
"""For taggers that are used once, which are nearly as good, in a quarter of the time."""


def jackknife(
    sentences: Sequence[Sentence],
    folds: int = 10,
    training: TaggerTraining | None = None,
    progress: Progress = silent,
) -> list[Sentence]:
    """The sentences with the tags of taggers that were not trained on them.

    Each fold is a stretch of the file, tagged by a tagger that learnt from all others: a parser
    trained on such tags knows the mistakes it will meet. `progress` is called with the folds done.
    """
    tagged: list[Sentence] = []
    for fold, (others, own) in enumerate(folds_of(sentences, folds), start=1):
        tagged += Tagger.fit(others, training or ONE_MEMBER).tag(own)
        progress("jackknife", fold, folds)
    return tagged


def batches(sentences: Sequence[Sentence]) -> Iterator[Sequence[Sentence]]:
    """Sentences in batches of some tokens, at least one sentence each."""
    first, size = 0, 0
    for number, sentence in enumerate(sentences):
        if size + len(sentence) > BATCH_TOKENS and number > first:
            yield sentences[first:number]
            first, size = number, 0
        size += len(sentence)
    if first < len(sentences):
        yield sentences[first:]


def fully_tagged(sentences: Sequence[Sentence]) -> Sequence[Sentence]:
    """The sentences in which every word has a tag: UPOS, or XPOS in a treebank without any UPOS.

    A treebank without any tags is left as it is.
    """
    for column in ("upos", "xpos"):
        if not all(one.lacks(column) for one in sentences):
            kept = [one for one in sentences if MISSING not in getattr(one, column)]
            if not any(map(len, kept)):
                raise InputError(
                    f"in every sentence a word has no tag, so that there is nothing to learn a "
                    f"tagger from: fill in {column.upper()}, or train without a tagger",
                    SourceLocation(sentences[0].path),
                )
            return kept
    return sentences


def known_only(
    sentences: Sequence[Sentence], tags: Sequence[Tag], *, feats: bool
) -> list[Sentence]:
    """The sentences whose words all have one of some tags."""
    known = set(tags)
    return [one for one in sentences if known.issuperset(_own_tags(one, feats=feats))]


def _tags_of(sentences: Sequence[Sentence], *, feats: bool) -> tuple[list[Tag], NDArray[np.int32]]:
    """All tags of a treebank, and for every word the number of its own."""
    numbers: dict[Tag, int] = {}
    tags = (tag for one in sentences for tag in _own_tags(one, feats=feats))
    gold = [numbers.setdefault(tag, len(numbers)) for tag in tags]
    return list(numbers), np.array(gold, np.int32)


def _own_tags(sentence: Sentence, *, feats: bool) -> Iterator[Tag]:
    """The tags that words have, with their FEATS or without."""
    features = sentence.feats if feats else (MISSING,) * len(sentence)
    return map(Tag, sentence.upos, sentence.xpos, features)


def _starts(sentences: Sequence[Sentence]) -> NDArray[np.int64]:
    """Where each sentence starts among the words of all, and where the last one ends."""
    return np.cumsum([0, *map(len, sentences)], dtype=np.int64)


def _learn(
    treebank: TaggedWords,
    tags: Sequence[Tag],
    training: TaggerTraining,
    progress: Progress,
) -> NDArray[np.float32]:
    """The averaged weights after some passes over the sentences, averaged over all members."""
    margins = np.float32(training.margin), np.float32(training.upos_margin)
    total, done = np.zeros(1 << training.bits, np.float32), count(1)
    for member in range(training.members):
        random = np.random.default_rng(training.seed + member)
        tokens, gold, times = treebank.seen_as_new(training.lexicon, training.folds, random)
        weights = tag_weights(tags, np.zeros_like(total))
        squares, sums, step = np.zeros_like(total), np.zeros(len(total), np.float64), 0
        for _ in range(training.epochs):
            order = random.permutation(np.repeat(np.arange(len(times)), times))
            step, _ = learn_tags(tokens, weights, sums, squares, gold, order, step, *margins)
            progress("tagger", next(done), training.members * training.epochs)
        total += cast(NDArray[np.float32], weights.table) - sums / max(step, 1)
    return total / np.float32(training.members)


def _scale(table: NDArray[np.float32]) -> float:
    """A scale at which all but the very largest weights can be stored: the few are cut."""
    largest = scale_of(table)
    sizes = np.abs(table[table != 0])
    usual = float(np.quantile(sizes, 0.9999)) / LARGEST if len(sizes) else largest
    return min(largest, max(usual, largest / 8))
