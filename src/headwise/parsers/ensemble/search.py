"""An ensemble at work: averaged probabilities of heads, relations and tags.

    members' marginals → their average → Scores (its logarithm) → any decoder

The best tree is that of minimum Bayes risk under the averaged probabilities of heads: its expected
number of right heads is the highest. The probability of a tree is proportional to the product of
those of its heads, which is what the k best trees and samples go by.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from headwise.corpus.projectivise import plain
from headwise.corpus.sentence import MISSING, Sentence
from headwise.errors import UsageError
from headwise.inference.answers import MAP
from headwise.inference.searcher import Searcher, TagDistributions, TreeLabeller
from headwise.inference.tagged import with_found_tags
from headwise.inference.temperatures import UNFITTED, Temperatures, tempered
from headwise.parsers.ensemble.member import Member
from headwise.scoring.chances import LabelChances, LabelDistributions
from headwise.search.decoders.base import Decoder, HeadsArray, Marginals
from headwise.search.decoders.choice import decoder_of
from headwise.search.decoders.decoding import Decoding
from headwise.search.decoders.mbr import mbr_of_marginals
from headwise.search.scores import Scores

Floats = NDArray[np.float64]

MIN_PROBABILITY = 1e-6
"""Of an arc: one that all members have pruned may still be asked for."""


@dataclass(frozen=True, slots=True, eq=False)
class EncodedByMembers:
    """Sentences as each member sees them; tokens of roots are counted by `starts`."""

    sentences: Sequence[Sequence[Sentence]]
    encoded: Sequence[Any]
    given: Sequence[Sentence]

    @property
    def starts(self) -> NDArray[np.int64]:
        """Where each sentence starts."""
        return np.cumsum([0, *(len(one) + 1 for one in self.given)])

    def __len__(self) -> int:
        return len(self.given)

    def part(self, first: int, last: int) -> "EncodedByMembers":
        """Some of the sentences."""
        return EncodedByMembers(
            [own[first:last] for own in self.sentences],
            [own.part(first, last) for own in self.encoded],
            self.given[first:last],
        )

    def sentence(self, index: int) -> list[Any]:
        """One of the sentences, as each member sees it."""
        return [own.sentence(index) for own in self.encoded]


def average(tables: Sequence[tuple[Sequence[str], Floats]]) -> tuple[tuple[str, ...], Floats]:
    """The average of tables of probabilities whose columns have names, over all names."""
    names: dict[str, int] = {}
    for own, _ in tables:
        for name in own:
            names.setdefault(name, len(names))
    total = np.zeros((len(tables[0][1]), len(names)))
    for own, table in tables:
        for column, name in enumerate(own):  # some are the same once marks are cut off
            total[:, names[name]] += table[:, column]
    return tuple(names), total / len(tables)


def likeliest(tables: Sequence[tuple[Sequence[str], Floats]]) -> list[str]:
    """The likeliest name of each row, on average; of several, the one most likely to the first."""
    names, table = average(tables)
    first = average(tables[:1])[1]  # the names of the first come first
    table = np.where(table == table.max(axis=1, keepdims=True), 1.0, 0.0)
    table[:, : first.shape[1]] *= 1 + first
    return [names[number] for number in table.argmax(axis=1).tolist()]


@dataclass(frozen=True, eq=False)
class EnsembleLabeller:
    """Names relations by the average of its members' probabilities under a tree."""

    labellers: Sequence[TreeLabeller | None]
    temperature: float = 1.0

    def at(self, temperature: float) -> "EnsembleLabeller":
        """The same at another temperature."""
        return replace(self, temperature=temperature)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names of all relations; marks of lifted arcs are left out."""
        found = (plain(name) for own in self.labellers if own is not None for name in own.names)
        return tuple(dict.fromkeys(found))

    def distributions(self, encoded: EncodedByMembers, heads: HeadsArray) -> LabelDistributions:
        """The probabilities of all relations under their trees, averaged."""
        names, found = average([
            ([plain(name) for name in own.names], own.distributions(seen, heads).chances)
            for own, seen in zip(self.labellers, encoded.encoded, strict=True)
            if own is not None
        ])  # fmt: skip
        return LabelDistributions(names, tempered(found, self.temperature))

    def label_many(self, encoded: EncodedByMembers, heads: HeadsArray) -> NDArray[np.int32]:
        """The indices of the best relations of all tokens under their trees; -1 for roots."""
        table = self.distributions(encoded, heads).chances
        labels: NDArray[np.int32] = table.argmax(1).astype(np.int32)
        labels[encoded.starts[:-1]] = -1
        return labels

    def chances(
        self, encoded: EncodedByMembers, heads: HeadsArray, labels: NDArray[np.int32]
    ) -> LabelChances:
        """The probabilities of relations under their trees, taken word by word."""
        table = self.distributions(encoded, heads).chances
        own = np.minimum(table[np.arange(len(labels)), np.maximum(labels, 0)], 1.0)
        own[encoded.starts[:-1]] = 1.0
        logs = np.log(np.maximum(own, np.finfo(np.float64).tiny))
        return LabelChances(own, np.add.reduceat(logs, encoded.starts[:-1]))


@dataclass(frozen=True, eq=False)
class EnsembleSearch(Searcher):
    """Members at work together. Threads may share it."""

    members: Sequence[Member]
    projective: bool
    single_root: bool
    temperatures: Temperatures = UNFITTED

    @cached_property
    def searches(self) -> Sequence[Searcher]:
        """The members at work."""
        return [member.parser.search() for member in self.members]

    @property
    def decoder(self) -> Decoder:
        return decoder_of(projective=self.projective, higher=False, single_root=self.single_root)

    @cached_property
    def labeller(self) -> EnsembleLabeller | None:
        labellers = [search.labeller for search in self.searches]
        if all(one is None for one in labellers):
            return None
        return EnsembleLabeller(labellers, self.temperatures.relations)

    def encode(
        self, sentences: Sequence[Sentence], guides: Sequence[Sentence] | None = None
    ) -> EncodedByMembers:
        if guides is not None:
            raise UsageError("an ensemble uses no guides: leave out the guide")
        prepared = [member.prepared(sentences) for member in self.members]
        encoded = [search.encode(own) for search, own in zip(self.searches, prepared, strict=True)]
        return EncodedByMembers(prepared, encoded, sentences)

    def knows(self, forms: Sequence[str]) -> Sequence[bool] | None:
        """Which words the first member knows."""
        return self.searches[0].knows(forms)

    def probabilities(self, tokens: Sequence[Any]) -> Floats:
        """The averaged probabilities of all arcs of a sentence, [head, modifier]."""
        found: list[Floats] = [
            search.marginals(search.scores_of(own)).arc
            for search, own in zip(self.searches, tokens, strict=True)
        ]
        return np.maximum(sum(found) / len(found), MIN_PROBABILITY)

    def scores_of(self, tokens: Sequence[Any]) -> Scores:
        """The scores of a sentence that is encoded: logarithms of averaged probabilities."""
        return Scores(np.log(self.probabilities(tokens)))

    def marginals(self, scores: Scores) -> Marginals:
        """Probabilities: of trees by the temperature, of heads the members' averages as they are.

        Where some arcs are forbidden, those of the others are in proportion.
        """
        found: Marginals = super().marginals(scores)
        averages = np.exp(scores.arc)
        totals = averages.sum(axis=0, keepdims=True)
        totals[0, 0] = 1.0  # the root has no head
        return replace(found, arc=averages / totals)

    def decoded(self, scores: Scores, decoding: Decoding) -> HeadsArray:
        """The one tree of a sentence; by default, that of minimum risk under averaged heads."""
        if decoding != MAP:
            return super().decoded(scores, decoding)
        return mbr_of_marginals(self.decoder, np.exp(scores.arc), scores).heads

    def tag_distributions(self, encoded: EncodedByMembers) -> TagDistributions:
        return {
            name: (tags, tempered(chances, self.temperatures.tags) if tags else chances)
            for name, (tags, chances) in (
                (name, average(own)) for name, own in self._tags_of_members(encoded).items()
            )
        }

    def _tags_of_members(
        self, encoded: EncodedByMembers
    ) -> dict[str, list[tuple[Sequence[str], Floats]]]:
        """By column: the distribution of each member that gives tags there."""
        found = [
            member.tag_distributions(search, sentences, own)
            for member, search, sentences, own in zip(
                self.members, self.searches, encoded.sentences, encoded.encoded, strict=True
            )
        ]
        columns = dict.fromkeys(name for one in found for name in one)
        return {name: [one[name] for one in found if name in one] for name in columns}

    def tagged(self, sentences: Sequence[Sentence], encoded: EncodedByMembers) -> list[Sentence]:
        best = {
            column: likeliest(tables)
            for column, tables in self._tags_of_members(encoded).items()
            if any(names for names, _ in tables)
        }
        return [
            with_found_tags(one, {name: tags[a + 1 : b] for name, tags in best.items()})
            for one, (a, b) in zip(sentences, pairwise(encoded.starts.tolist()), strict=True)
        ]

    def tag_chances(self, encoded: EncodedByMembers) -> Floats | None:
        found = self.tag_distributions(encoded).get("upos")
        if found is None:
            return None
        given = [tag != MISSING for one in encoded.given for tag in ("root", *one.upos)]
        return np.where(given, 1.0, np.minimum(found[1].max(axis=1), 1.0))
