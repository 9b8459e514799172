"""Inference with a trained network: tags, trees and relations from one pass of the encoder."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from headwise.corpus.relations import Relations
from headwise.corpus.scanned import under_trees
from headwise.corpus.sentence import MISSING, Sentence
from headwise.errors import UsageError
from headwise.inference.lengths import checked_lengths
from headwise.inference.searcher import Searcher, TagDistributions, TreeLabeller
from headwise.inference.tagged import with_found_tags
from headwise.inference.temperatures import UNFITTED, Temperatures
from headwise.scoring.chances import LabelChances, LabelDistributions
from headwise.scoring.neural.encoder import chunks, tokens_of
from headwise.scoring.neural.layers import Floats
from headwise.scoring.neural.network import EncodedTokens, Encoding, Network
from headwise.scoring.neural.vocabulary import ABSENT, TAG_COLUMNS, Vocabulary
from headwise.scoring.neural.wordfeatures import Indices, WordFeatures
from headwise.search.decoders.base import ArcDecoder, Decoder, HeadsArray
from headwise.search.decoders.choice import arc_decoder_of
from headwise.search.scores import Scores

IMPOSSIBLE = np.float32(-1e9)
"""Mask for relations that roots cannot have, or that only roots can have."""


@dataclass(frozen=True, eq=False)
class EncodedText:
    """Sentences after a pass of the encoder.

    tokens: the states of all tokens.
    given: the index of each given tag, [token, column]; `ABSENT` where there is none, or one
        that is not in the vocabulary.
    has_upos: whether the UPOS of a token was given, in the vocabulary or not.
    """

    tokens: Encoding
    given: Indices
    has_upos: NDArray[np.bool_]

    @property
    def starts(self) -> NDArray[np.int64]:
        """The first token of each sentence."""
        return self.tokens.starts

    def __len__(self) -> int:
        return len(self.starts) - 1

    def part(self, first: int, last: int) -> "EncodedText":
        """A slice of the sentences."""
        here = slice(int(self.starts[first]), int(self.starts[last]))
        return EncodedText(self.tokens.part(first, last), self.given[here], self.has_upos[here])

    def sentence(self, index: int) -> EncodedTokens:
        """One sentence."""
        return self.tokens.part(index, index + 1)


@dataclass(frozen=True, eq=False)
class NeuralLabeller(TreeLabeller):
    """Predicts the relations of given trees by a network."""

    network: Network
    vocabulary: Vocabulary
    temperature: float = 1.0

    @cached_property
    def forbidden(self) -> Floats:
        """The mask added to relation scores, [whether the head is the root, relation]."""
        return forbidden_relations(self.vocabulary)

    @property
    def names(self) -> Sequence[str]:
        return self.vocabulary.relations

    def scores(self, encoded: EncodedText, heads: HeadsArray) -> Floats:
        """Scores of all relations of all tokens to their heads, [token, relation]."""
        rows = head_rows(encoded, heads)
        found = np.empty((len(heads), len(self.vocabulary.relations)), np.float32)
        for here, scores in self.network.relation_scores(encoded.tokens, rows):
            found[here] = scores
        found += self.forbidden[(heads == 0).astype(np.int64)]
        return found

    def label_many(self, encoded: EncodedText, heads: HeadsArray) -> NDArray[np.int32]:
        rows = head_rows(encoded, heads)
        found = self.network.best_relations(encoded.tokens, rows, self.forbidden)
        labels: NDArray[np.int32] = found.astype(np.int32)
        labels[encoded.starts[:-1]] = -1
        return labels

    def chances(
        self, encoded: EncodedText, heads: HeadsArray, labels: NDArray[np.int32]
    ) -> LabelChances:
        logs = log_softmax(self.scores(encoded, heads), self.temperature)
        own = logs[np.arange(len(labels)), np.maximum(labels, 0)]
        own[encoded.starts[:-1]] = 0.0
        return LabelChances(np.exp(own), np.add.reduceat(own, encoded.starts[:-1]))

    def at(self, temperature: float) -> "NeuralLabeller":
        return replace(self, temperature=temperature)

    def distributions(self, encoded: EncodedText, heads: HeadsArray) -> LabelDistributions:
        logs = log_softmax(self.scores(encoded, heads), self.temperature)
        return LabelDistributions(self.vocabulary.relations, np.exp(logs))


@dataclass(frozen=True, eq=False)
class NeuralSearch(Searcher):
    """Encodes sentences, tags them, scores their arcs and searches for trees.

    Threads can share it.
    """

    network: Network
    vocabulary: Vocabulary
    projective: bool
    single_root: bool
    temperatures: Temperatures = UNFITTED
    words: WordFeatures = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "words", WordFeatures(self.vocabulary))

    @property
    def on_accelerator(self) -> bool:
        return self.network.on_accelerator

    @property
    def arc_decoder(self) -> ArcDecoder:
        """The decoder of trees by arcs alone."""
        return arc_decoder_of(projective=self.projective, single_root=self.single_root)

    @property
    def decoder(self) -> Decoder:
        return self.arc_decoder

    @cached_property
    def labeller(self) -> NeuralLabeller | None:
        if not self.vocabulary.relations:
            return None
        return NeuralLabeller(self.network, self.vocabulary, self.temperatures.relations)

    @cached_property
    def _numbers(self) -> dict[str, dict[str, int]]:
        """The indices of tags by column."""
        return {
            name: {tag: index for index, tag in enumerate(self.vocabulary.tags(name))}
            for name in TAG_COLUMNS
        }

    def encode(
        self, sentences: Sequence[Sentence], guides: Sequence[Sentence] | None = None
    ) -> EncodedText:
        refuse_guides(guides)
        starts = starts_of(sentences)
        features = np.empty((starts[-1], len(self.words.root)), np.int32)
        is_word = np.ones(starts[-1], np.bool_)
        is_word[starts[:-1]] = False
        features[starts[:-1]] = self.words.root
        features[is_word] = self.words.rows([form for one in sentences for form in one.forms])
        given = np.full((starts[-1], len(TAG_COLUMNS)), ABSENT, np.int32)
        has_upos = np.zeros(starts[-1], np.bool_)
        for one, (start, end) in zip(sentences, pairwise(starts.tolist()), strict=True):
            if one.count_missing("upos") < len(one):
                has_upos[start + 1 : end] = [tag != MISSING for tag in one.upos]
            for column, name in enumerate(TAG_COLUMNS):
                if one.count_missing(name) < len(one):
                    known = self._numbers[name]
                    tags = [known.get(tag, ABSENT) for tag in getattr(one, name)]
                    given[start + 1 : end, column] = tags
        return EncodedText(self.network.encode(starts, features, given), given, has_upos)

    def parse_many(
        self, sentences: Sequence[Sentence], guides: Sequence[Sentence] | None = None
    ) -> list[Sentence]:
        """The best trees, found chunk by chunk of the encoder.

        What the network knows of a whole batch takes tens of megabytes. An accelerator has them,
        and wants them all.
        """
        refuse_guides(guides)
        if self.on_accelerator or not sentences:
            return super().parse_many(sentences)
        starts, tagged = starts_of(sentences), list(sentences)
        heads = np.empty(int(starts[-1]), np.int64)
        numbers = np.empty(len(heads), np.int32)
        names: Sequence[str] = ()
        for chunk in chunks(starts):
            own = [sentences[index] for index in chunk.tolist()]
            encoded, places = self.encode(own), tokens_of(starts, chunk)
            heads[places], relations = self.labelled_encoded(encoded)
            numbers[places], names = relations.numbers, relations.names
            for index, one in zip(chunk.tolist(), self.tagged(own, encoded), strict=True):
                tagged[index] = one
        return under_trees(tagged, starts.tolist(), heads, Relations(numbers, names))

    def knows(self, forms: Sequence[str]) -> Sequence[bool]:
        """Which words have an embedding of their own."""
        return [form.lower() in self.words.words for form in forms]

    def tagged(self, sentences: Sequence[Sentence], encoded: EncodedText) -> list[Sentence]:
        """The sentences with missing tags filled in by the network.

        UPOS is filled in word by word, XPOS and FEATS only if the whole sentence lacks them.
        """
        if not self.network.taggers or not any(map(self.lacks_tags, sentences)):
            return list(sentences)
        names = {
            column: list(map(self.vocabulary.tags(column).__getitem__, numbers.tolist()))
            for column, numbers in self.network.best_tags(encoded.tokens).items()
        }
        return [
            with_found_tags(one, {name: found[start + 1 : end] for name, found in names.items()})
            for one, (start, end) in zip(sentences, pairwise(encoded.starts.tolist()), strict=True)
        ]

    def lacks_tags(self, sentence: Sentence) -> bool:
        """Whether some word lacks a tag that the network predicts."""
        if "upos" in self.network.taggers and sentence.count_missing("upos"):
            return True
        return any(
            sentence.count_missing(name) == len(sentence)
            for name in self.network.taggers
            if name != "upos"
        )

    def tag_distributions(self, encoded: EncodedText) -> TagDistributions:
        found: dict[str, list[NDArray[np.float64]]] = {name: [] for name in self.network.taggers}
        for _, scores in self.network.tag_scores(encoded.tokens):
            for name, own in scores.items():
                found[name].append(np.exp(log_softmax(own, self.temperatures.tags)))
        return {
            name: (self.vocabulary.tags(name), np.concatenate(rows)) for name, rows in found.items()
        }

    def tag_chances(self, encoded: EncodedText) -> NDArray[np.float64] | None:
        if "upos" not in self.network.taggers:
            return None
        found = np.ones(len(encoded.given))
        for here, scores in self.network.tag_scores(encoded.tokens):
            best = log_softmax(scores["upos"], self.temperatures.tags).max(axis=1)
            found[here] = np.where(encoded.has_upos[here], 1.0, np.exp(best))
        return found

    def best_encoded(self, encoded: EncodedText) -> HeadsArray:
        if not len(encoded):
            return np.empty(0, np.int64)
        arcs = self.network.arc_scores(encoded.tokens)
        return self.arc_decoder.best_trees(arcs, np.diff(encoded.starts))[0]

    def over_all_trees(self) -> "NeuralSearch | None":
        return replace(self, projective=False) if self.projective else None

    def compile_search(self) -> None:
        self.arc_decoder.best_trees(np.zeros(4), np.array([2]))

    def scores_of(self, tokens: Encoding) -> Scores:
        size = int(tokens.starts[-1])
        return Scores(self.network.arc_scores(tokens).reshape(size, size))


def refuse_guides(guides: Sequence[Sentence] | None) -> None:
    """Raise if there are trees of another parser."""
    if guides is not None:
        raise UsageError("a neural parser uses no guides: leave out the guide")


def starts_of(sentences: Sequence[Sentence]) -> NDArray[np.int64]:
    """The first token of each sentence, which is its root; raises if one is empty or too long."""
    lengths = checked_lengths(sentences)
    return np.cumsum([0, *(length + 1 for length in lengths)], dtype=np.int64)


def head_rows(encoded: EncodedText, heads: HeadsArray) -> NDArray[np.int64]:
    """The rows of the heads of all tokens; a root token is its own head."""
    starts = encoded.starts
    found: NDArray[np.int64] = np.repeat(starts[:-1], np.diff(starts)) + np.maximum(heads, 0)
    return found


def forbidden_relations(vocabulary: Vocabulary) -> Floats:
    """The mask added to relation scores, [whether the head is the root, relation]."""
    names = vocabulary.relations or (MISSING,)  # a network has one output even without relations
    found = np.zeros((2, len(names)), np.float32)
    for row, seen in enumerate((vocabulary.inner, vocabulary.roots)):
        if seen:
            found[row, [name not in seen for name in names]] = IMPOSSIBLE
    return found


def log_softmax(scores: Floats, temperature: float) -> NDArray[np.float64]:
    """The log-probabilities of each row of scores, at a temperature."""
    scaled = scores.astype(np.float64) / temperature
    scaled -= scaled.max(axis=-1, keepdims=True)
    found: NDArray[np.float64] = scaled - np.log(np.exp(scaled).sum(axis=-1, keepdims=True))
    return found
