"""A parser and a tagger that judge sentences they were not trained on."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from headwise.corpus.projectivise import plain
from headwise.corpus.sentence import MISSING, Sentence
from headwise.inference.answers import MAP
from headwise.inference.searcher import Searcher, TreeLabeller
from headwise.learners.calibrating import FOR_TEMPERATURES, MIN_CHANCE, likeliest
from headwise.review.frequencies import Frequencies
from headwise.review.opinions import ATTRIBUTES, Opinion
from headwise.text.tagchances import Distributions, tag_distributions
from headwise.text.tagger import Tagger, batches

Floats = NDArray[np.float64]
TREES, TAGS = ("head", "deprel"), ("upos", "xpos", "feats")


@dataclass(frozen=True, eq=False)
class Judges:
    """Trained models, calibrated on the sentences they judge.

    search: the parser; None if only tags are judged and a tagger does it.
    tagger: None if the parser predicts tags, or no tags are judged.
    frequencies: of the values in the training sentences, by column.
    """

    search: Searcher | None
    frequencies: Mapping[str, Frequencies]
    tagger: Tagger | None = None
    tag_temperature: float = 1.0

    def opinions(
        self, sentences: Sequence[Sentence], columns: Sequence[str], start: int = 0
    ) -> Iterator[Opinion]:
        """An opinion on every value of the columns; `start` is the index of the first sentence."""
        for batch in batches(sentences):
            yield from self._batch(batch, columns, start)
            start += len(batch)

    def _batch(
        self, sentences: Sequence[Sentence], columns: Sequence[str], start: int
    ) -> Iterator[Opinion]:
        encoded: Any = None if self.search is None else self.search.encode(sentences)
        if self.search is not None and not set(columns).isdisjoint(TREES):
            arcs = [
                arcs_of(self.search, encoded.sentence(number)) for number in range(len(sentences))
            ]
            if "head" in columns:
                for number, (one, own) in enumerate(zip(sentences, arcs, strict=True), start):
                    yield from head_opinions(number, one, own)
            if "deprel" in columns and self.search.labeller is not None:
                found = relations_of(self.search.labeller, encoded, sentences, arcs)
                yield from self.name_opinions("deprel", sentences, *found, start)
        tags = [name for name in TAGS if name in columns]
        chances = self.tags_of(sentences, encoded) if tags else {}
        for name in tags:
            if name in chances:
                yield from self.name_opinions(name, sentences, *chances[name], start)

    def tags_of(self, sentences: Sequence[Sentence], encoded: Any) -> Distributions:
        """The probabilities of all tags of all words."""
        if self.tagger is not None:
            return tag_distributions(self.tagger, sentences, self.tag_temperature)
        is_word = np.ones(int(encoded.starts[-1]), np.bool_)
        is_word[encoded.starts[:-1]] = False
        assert self.search is not None
        found = self.search.tag_distributions(encoded)
        return {name: (names, chances[is_word]) for name, (names, chances) in found.items()}

    def name_opinions(
        self,
        column: str,
        sentences: Sequence[Sentence],
        names: Sequence[str],
        chances: Floats,
        start: int,
    ) -> Iterator[Opinion]:
        """The opinions on a column of names, given their probabilities, [word, name]."""
        index, simpler = {name: n for n, name in enumerate(names)}, self.frequencies[column]
        best, row = chances.argmax(axis=1).tolist(), 0
        for number, one in enumerate(sentences, start):
            pairs = zip(simpler.keys_of(one), getattr(one, ATTRIBUTES[column]), strict=True)
            for word, (key, value) in enumerate(pairs, 1):
                if value != MISSING or (column == "feats" and one.upos[word - 1] != MISSING):
                    own = float(chances[row, index[value]]) if value in index else 0.0
                    expected = names[best[row]]
                    yield Opinion(
                        number, word, column, value, own, simpler.chance(key, value),
                        expected, float(chances[row, best[row]]), simpler.chance(key, expected),
                    )  # fmt: skip
                row += 1


@dataclass(frozen=True, slots=True, eq=False)
class Arcs:
    """The best tree of a sentence, and the probabilities of its arcs [head, modifier].

    background: from the first-order model without pruning, over all trees.
    """

    best: NDArray[np.int64]
    chances: Floats
    background: Floats

    def given(self, sentence: Sentence) -> NDArray[np.int64]:
        """The heads of the sentence; those of the best tree where it has none."""
        pairs = zip(sentence.heads, self.best[1:].tolist(), strict=True)
        return np.array([-1, *(best if head is None else head for head, best in pairs)], np.int64)


def arcs_of(search: Searcher, tokens: Any) -> Arcs:
    """The best tree and the arc probabilities of a sentence."""
    scores = search.scores_of(tokens)
    chances = np.clip(search.marginals(scores).arc, 0.0, 1.0)
    simpler, background = search.over_all_trees(), chances
    if simpler is not None:
        background = np.clip(simpler.marginals(simpler.scores_of(tokens)).arc, 0.0, 1.0)
    return Arcs(search.decoded(scores, MAP), chances, background)


def relations_of(
    labeller: TreeLabeller, encoded: Any, sentences: Sequence[Sentence], arcs: Sequence[Arcs]
) -> tuple[Sequence[str], Floats]:
    """The distribution over relations of every word.

    A relation is judged given the head in the file and given the parser's head, weighted by the
    probability of each, so that a wrong head is not reported again as a wrong relation.
    """
    given = [own.given(one) for own, one in zip(arcs, sentences, strict=True)]
    best, in_file = np.concatenate([own.best for own in arcs]), np.concatenate(given)
    trust = np.concatenate(
        [
            own.chances[np.maximum(heads, 0), np.arange(len(heads))]
            for own, heads in zip(arcs, given, strict=True)
        ]
    )
    trust[in_file == best] = 1.0
    names, chances = labeller.distributions(encoded, in_file)
    _, others = labeller.distributions(encoded, best)
    mixed = trust[:, np.newaxis] * chances + (1.0 - trust)[:, np.newaxis] * others
    return merged([plain(name) for name in names], mixed[in_file >= 0])


def head_opinions(number: int, sentence: Sentence, arcs: Arcs) -> Iterator[Opinion]:
    """The opinions on the heads of a sentence."""
    best = arcs.chances.argmax(axis=0)
    for word, head in enumerate(sentence.heads, 1):
        if head is not None:
            own, simpler, other = arcs.chances[:, word], arcs.background[:, word], int(best[word])
            yield Opinion(
                number, word, "head", str(head), float(own[head]), float(simpler[head]),
                str(other), float(own[other]), float(simpler[other]),
            )  # fmt: skip


def merged(names: Sequence[str], chances: Floats) -> tuple[Sequence[str], Floats]:
    """Probabilities by name, summed over columns with the same name."""
    numbers: dict[str, int] = {}
    of_name = [numbers.setdefault(name, len(numbers)) for name in names]
    if len(numbers) == len(names):
        return names, chances
    found = np.zeros((len(chances), len(numbers)))
    for column, number in enumerate(of_name):
        found[:, number] += chances[:, column]
    return list(numbers), found


def fitted_tag_temperature(
    tagger: Tagger, sentences: Sequence[Sentence], columns: Sequence[str]
) -> float:
    """The temperature that maximises the likelihood of the tags."""
    sentences = sentences[:FOR_TEMPERATURES]
    gold = {
        name: [value for one in sentences for value in getattr(one, name)]
        for name in columns
        if not all(one.lacks(name) for one in sentences)
    }

    def loss(temperature: float) -> float:
        found = tag_distributions(tagger, sentences, temperature)
        total = 0.0
        for name, values in gold.items():
            names, chances = found[name]
            index = {value: number for number, value in enumerate(names)}
            known = [(row, index[value]) for row, value in enumerate(values) if value in index]
            own = chances[tuple(np.array(known, np.int64).reshape(-1, 2).T)]
            total -= float(np.log(np.maximum(own, MIN_CHANCE)).sum())
        return total

    return likeliest(loss) if gold else 1.0
