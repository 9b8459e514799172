"""Inference with a trained linear model: sentences in; trees, k-best lists or marginals out."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from headwise.corpus.projectivise import Encoding, deprojectivise, is_encoded
from headwise.corpus.relations import Relations
from headwise.corpus.sentence import Sentence
from headwise.corpus.tree import is_projective
from headwise.errors import ConstraintError, warn
from headwise.inference.lengths import LONG, checked_lengths
from headwise.inference.searcher import Searcher
from headwise.inference.temperatures import UNFITTED, Temperatures
from headwise.kernels.arcs.features import EncodedTokens
from headwise.kernels.charts.higher_parse import NO_TREE, list_unpruned, parse_unpruned
from headwise.scoring.linear.atoms import AtomEncoder, EncodedSentences, in_pieces
from headwise.scoring.linear.labelledscorer import LabelledArcScorer
from headwise.scoring.linear.labeller import Labeller
from headwise.scoring.linear.partscorer import PartScorer
from headwise.scoring.linear.pruner import Pruner
from headwise.scoring.linear.scorer import ArcScorer, Scorer, UnprunedArcs
from headwise.search.constraints import Constraints
from headwise.search.decoders.base import ArcDecoder, Decoder, HeadsArray
from headwise.search.decoders.choice import arc_decoder_of, decoder_of
from headwise.search.scores import Scores


@dataclass(frozen=True, slots=True, eq=False)
class TreeSearch(Searcher):
    """Scores sentences and searches for their trees."""

    encoder: AtomEncoder
    scorer: Scorer
    projective: bool
    single_root: bool
    temperatures: Temperatures = UNFITTED
    pruner: Pruner | None = None  # above the first order
    labeller: Labeller | None = None
    encoding: Encoding = "none"  # how labels encode lifted arcs
    tag_columns: tuple[str, ...] = ()  # used as features

    @property
    def uses_guides(self) -> bool:
        return any(template.guide for template in self.scorer.features.templates)

    @property
    def decoder(self) -> Decoder:
        return decoder_of(
            projective=self.projective,
            higher=self.pruner is not None,
            single_root=self.single_root,
        )

    @property
    def arc_decoder(self) -> ArcDecoder:
        """The decoder of the same trees by arcs alone."""
        return arc_decoder_of(projective=self.projective, single_root=self.single_root)

    def labelled_encoded(self, encoded: EncodedSentences) -> tuple[HeadsArray, Relations]:
        heads, relations = Searcher.labelled_encoded(self, encoded)
        if self.encoding == "none":
            return heads, relations
        return lower_many(heads, relations, encoded.starts, self.encoding)

    def lowered(self, sentence: Sentence) -> Sentence:
        if self.encoding == "none" or not any(map(is_encoded, sentence.relations)):
            return sentence
        heads = [-1, *(head or 0 for head in sentence.heads)]
        found, relations = deprojectivise(heads, ["", *sentence.relations], self.encoding)
        return sentence.with_tree(found[1:], relations[1:])

    def encode(
        self, sentences: Sequence[Sentence], guides: Sequence[Sentence] | None = None
    ) -> EncodedSentences:
        """Encode sentences as atoms; raises if one is too long to be searched."""
        self.check_long(sentences)
        return self.encoder.encode(sentences, guides)

    def check_long(self, sentences: Sequence[Sentence]) -> None:
        """Raise if a sentence is empty or too long; announce those that take time."""
        longest = max(checked_lengths(sentences), default=0)
        if self.pruner is not None and longest > LONG:
            for sentence in sentences:
                if len(sentence) > LONG:
                    warn(
                        f"a sentence of {len(sentence)} words takes long; at most "
                        f"{self.pruner.settings.max_heads} likely heads of each word are "
                        "searched: is it split into sentences?",
                        sentence.location,
                    )

    def best_encoded(self, encoded: EncodedSentences) -> HeadsArray:
        pieces = [self._best(piece) for piece in in_pieces(encoded)]
        return np.concatenate(pieces) if pieces else np.empty(0, np.int64)

    def _best(self, encoded: EncodedSentences) -> HeadsArray:
        """Find the best trees by fused kernels or through `Scores`; this is the only dispatcher.

        Fused kernels score and search a batch in one or two calls: one call per short sentence, and
        building its `Scores`, takes longer than the search. Hill climbing has none: above
        the first order, search dominates the time.
        """
        if not isinstance(self.scorer, PartScorer):
            return self._best_first_order(encoded)
        if self.projective:
            return self._best_higher(encoded, self.scorer)
        return Searcher.best_encoded(self, encoded)

    def _best_first_order(self, encoded: EncodedSentences) -> HeadsArray:
        assert isinstance(self.scorer, ArcScorer | LabelledArcScorer)
        scores, sizes = self.scorer.score_many(encoded), np.diff(encoded.starts)
        return self.arc_decoder.best_trees(scores, sizes)[0]

    def _best_higher(self, encoded: EncodedSentences, scorer: PartScorer) -> HeadsArray:
        assert self.pruner is not None
        found = self._best_over(encoded, scorer, self.pruner.unpruned_many(encoded))
        for number in np.flatnonzero(found[encoded.starts[:-1]] == NO_TREE).tolist():
            one = encoded.part(number, number + 1)
            unpruned = self.pruner.unpruned(one.sentence(0)).ravel()
            start, end = encoded.starts[number : number + 2]
            found[start:end] = self._best_over(one, scorer, unpruned)
        return found

    def _best_over(
        self, encoded: EncodedSentences, scorer: PartScorer, unpruned: UnprunedArcs
    ) -> HeadsArray:
        heads, modifiers, arc_starts = list_unpruned(unpruned, np.diff(encoded.starts))
        arcs = scorer.score_arcs(encoded, heads, modifiers, arc_starts)
        return self.best_of_unpruned(encoded, scorer, unpruned, arcs, arc_starts)

    def best_of_unpruned(
        self,
        encoded: EncodedSentences,
        scorer: PartScorer,
        unpruned: UnprunedArcs,
        arcs: NDArray[np.float64],
        arc_starts: NDArray[np.int64],
    ) -> HeadsArray:
        """The best trees over unpruned arcs with known scores; scores the higher-order parts."""
        tri = any(part.siblings == 2 for part in scorer.parts)
        found: HeadsArray = parse_unpruned(
            scorer.templates,
            scorer.arcs.tables.for_part_kernels,
            (self.single_root, scorer.factorisation.grand, tri),
            encoded.tokens.atoms,
            encoded.starts,
            unpruned,
            arcs,
            arc_starts,
        )
        return found

    def compile_search(self) -> None:
        if not self.projective or not isinstance(self.scorer, PartScorer):
            return
        encoded = self.encode([Sentence.from_words(["Dogs", "bark"], upos=["NOUN", "VERB"])])
        sizes = np.diff(encoded.starts)
        unpruned = np.ones(int(np.sum(sizes**2)), np.bool_)
        heads, _, arc_starts = list_unpruned(unpruned, sizes)
        arcs = np.zeros(len(heads))
        found = self.best_of_unpruned(encoded, self.scorer, unpruned, arcs, arc_starts)
        self.relations_of(encoded, found)

    def scores_of(self, tokens: EncodedTokens, given: Sequence[int | None] = ()) -> Scores:
        """The scores of an encoded sentence; given heads are never pruned."""
        unpruned = self.pruner.unpruned(tokens, given) if self.pruner is not None else None
        return self.scorer.scores_of(tokens, unpruned)

    def scores_under(self, tokens: EncodedTokens, constraints: Constraints) -> Scores:
        """Scores that exclude trees violating the constraints; raises if no tree is left.

        If pruning has removed all such trees, the arcs of the pruner's best one are added back.
        """
        if self.pruner is None:
            return self.decoder.constrain(self.scores_of(tokens), constraints)
        given = constraints.known_heads(tokens.atoms.shape[1] - 1)
        unpruned = self.pruner.unpruned(tokens, given)
        try:
            return self.decoder.constrain(self.scorer.scores_of(tokens, unpruned), constraints)
        except ConstraintError:
            first = self.arc_decoder
            arcs = Scores(self.pruner.scorer.scores(tokens))
            tree = first.best(first.constrain(arcs, constraints)).heads
            unpruned[tree[1:], np.arange(1, len(tree))] = True
            return self.decoder.constrain(self.scorer.scores_of(tokens, unpruned), constraints)

    def at(self, temperatures: Temperatures) -> "TreeSearch":
        labeller = None if self.labeller is None else self.labeller.at(temperatures.relations)
        return replace(self, temperatures=temperatures, labeller=labeller)

    def over_all_trees(self) -> "TreeSearch | None":
        if not self.projective or self.pruner is None:
            return replace(self, projective=False) if self.projective else None
        scorer = self.pruner.scorer
        return replace(self, scorer=scorer, pruner=None, projective=False, temperatures=UNFITTED)

    def tree_probabilities(
        self, scores: Scores, trees: Sequence[HeadsArray], temperature: float | None = None
    ) -> list[float]:
        """The probabilities of trees among all trees of the decoder, at their own temperature.

        Above the first order only projective trees have a probability above 0.
        """
        found = Searcher.tree_probabilities(self, scores, trees, temperature)
        if self.pruner is None:
            return found
        pairs = zip(found, trees, strict=True)
        return [one if is_projective(heads.tolist()) else 0.0 for one, heads in pairs]


def lower_many(
    heads: HeadsArray, relations: Sequence[str], starts: NDArray[np.int64], encoding: Encoding
) -> tuple[HeadsArray, Relations]:
    """Restore lifted arcs, as their relations encode them, for all tokens."""
    heads, names = heads.copy(), list(relations)
    for a, b in pairwise(starts.tolist()):
        if any(map(is_encoded, names[a + 1 : b])):
            heads[a:b], names[a:b] = deprojectivise(heads[a:b].tolist(), names[a:b], encoding)
    return heads, Relations.of(names)
