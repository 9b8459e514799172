"""Search with a network that scores and prunes arcs, and linear weights that score parts."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from headwise.corpus.folds import folds_of
from headwise.corpus.sentence import Sentence
from headwise.inference.neuralsearch import EncodedText, NeuralSearch
from headwise.inference.temperatures import Temperatures
from headwise.inference.treesearch import TreeSearch
from headwise.scoring.linear.atoms import AtomEncoder
from headwise.scoring.linear.precomputedarcs import SentencesWithArcs, TokensWithArcs
from headwise.search.constraints import Constraints
from headwise.search.decoders.base import Decoder, HeadsArray
from headwise.search.scores import Scores

WORDS_AT_A_TIME = 8_000
"""Words encoded by the network at a time: its states take several kB per token."""


@dataclass(frozen=True, eq=False)
class ArcsEncoder:
    """Encodes sentences as atoms, with the network's arc scores and predicted tags.

    networks: the network, or one network per fold of the sentences.
    own_tags: the share of sentences whose tags are hidden, so that the network predicts them.
    """

    networks: Sequence[NeuralSearch]
    atoms: AtomEncoder
    own_tags: float = 0.0

    def encode(
        self, sentences: Sequence[Sentence], guides: Sequence[Sentence] | None = None
    ) -> SentencesWithArcs:
        """Encode sentences as atoms with arc scores."""
        share, folds = self.own_tags, len(self.networks)
        seen = [
            Sentence.from_words(one.forms) if int((i + 1) * share) > int(i * share) else one
            for i, one in enumerate(sentences)
        ]
        parts = [(None, seen)] if folds == 1 else folds_of(seen, folds)
        tagged: list[Sentence] = []
        arcs = [np.empty(0)]
        for network, (_, fold) in zip(self.networks, parts, strict=True):
            for piece in pieces(fold):
                text = network.encode(piece, guides)
                tagged += network.tagged(piece, text)
                arcs.append(network.network.arc_scores(text.tokens))
        own = self.atoms.encode(tagged)
        return SentencesWithArcs(own.starts, own.tokens, np.concatenate(arcs))


def pieces(sentences: Sequence[Sentence]) -> Iterator[Sequence[Sentence]]:
    """Sentences in groups of at most `WORDS_AT_A_TIME` words (or of one longer sentence)."""
    ends = np.cumsum([len(one) for one in sentences])
    first = 0
    while first < len(sentences):
        limit = (ends[first - 1] if first else 0) + WORDS_AT_A_TIME
        last = max(first + 1, int(np.searchsorted(ends, limit, "right")))
        yield sentences[first:last]
        first = last


@dataclass(frozen=True, eq=False)
class EncodedTextWithArcs(EncodedText):
    """Sentences encoded for the network and for the part scorer."""

    parts: SentencesWithArcs

    def part(self, first: int, last: int) -> "EncodedTextWithArcs":
        text, parts = EncodedText.part(self, first, last), self.parts.part(first, last)
        return EncodedTextWithArcs(text.tokens, text.given, text.has_upos, parts)

    def sentence(self, index: int) -> TokensWithArcs:  # type: ignore[override]
        return self.parts.sentence(index)


@dataclass(frozen=True, eq=False)
class NeuralPartsSearch(NeuralSearch):
    """The network predicts tags and relations; trees are searched by parts over its arcs.

    trees: the search over encoded sentences.
    first_order: search with the network alone.
    """

    trees: TreeSearch = field(kw_only=True)
    first_order: NeuralSearch = field(kw_only=True)

    @property
    def decoder(self) -> Decoder:
        return self.trees.decoder

    def encode(
        self, sentences: Sequence[Sentence], guides: Sequence[Sentence] | None = None
    ) -> EncodedTextWithArcs:
        text = NeuralSearch.encode(self, sentences, guides)
        self.trees.check_long(sentences)
        own = self.trees.encoder.encode(self.tagged(sentences, text))
        parts = SentencesWithArcs(own.starts, own.tokens, self.network.arc_scores(text.tokens))
        return EncodedTextWithArcs(text.tokens, text.given, text.has_upos, parts)

    def best_encoded(self, encoded: EncodedText) -> HeadsArray:
        assert isinstance(encoded, EncodedTextWithArcs)
        return self.trees.best_encoded(encoded.parts)

    def scores_of(self, tokens: TokensWithArcs) -> Scores:  # type: ignore[override]
        return self.trees.scores_of(tokens)  # type: ignore[arg-type]

    def scores_under(self, tokens: TokensWithArcs, constraints: Constraints) -> Scores:
        return self.trees.scores_under(tokens, constraints)  # type: ignore[arg-type]

    def at(self, temperatures: Temperatures) -> "NeuralPartsSearch":
        return replace(self, temperatures=temperatures, trees=self.trees.at(temperatures))

    def over_all_trees(self) -> NeuralSearch | None:
        return self.first_order.over_all_trees()

    def tree_probabilities(
        self, scores: Scores, trees: Sequence[HeadsArray], temperature: float | None = None
    ) -> list[float]:
        return self.trees.tree_probabilities(scores, trees, temperature)
