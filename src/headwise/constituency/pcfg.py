"""A PCFG at one level of detail: rules, lexicon, and charts of sentences.

If no tree covers a sentence, the best sequence of fragments is found instead.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from headwise.constituency.annotation import Annotation, Symbol, productions
from headwise.constituency.bracketing import Bracket
from headwise.constituency.grammar import Grammar
from headwise.constituency.lexicon import PcfgLexicon, WordCounts
from headwise.constituency.markov import ChildProcess, Smoothing
from headwise.corpus.constituents import Tree
from headwise.corpus.headrules import HeadRules
from headwise.errors import ModelError
from headwise.kernels.constituents.cky import fill_trees
from headwise.kernels.constituents.cky_kbest import ranked_trees
from headwise.kernels.constituents.cky_prune import near_best
from headwise.kernels.constituents.treechart import Licence

Chart = Any
"""A filled `TreeChart`."""


@dataclass(frozen=True, slots=True)
class Derivation:
    """A tree from the search: brackets from the outside in, and a tag for every word."""

    score: float
    brackets: tuple[Bracket, ...]
    tags: tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False)
class TreebankGrammar:
    """A probabilistic context-free grammar and its lexicon."""

    grammar: Grammar
    lexicon: PcfgLexicon

    @classmethod
    def learn(
        cls,
        trees: Iterable[Tree],
        annotation: Annotation,
        horizontal: int,
        smoothing: Smoothing,
    ) -> "TreebankGrammar":
        """Count the rules and words of plain trees (see `annotation.plain`)."""
        rules = HeadRules.load(annotation.head_rules)
        process, words = ChildProcess(annotation, horizontal, smoothing), WordCounts()
        for tree in trees:
            first = next(tree.leaves()).form
            for production in productions(tree, annotation, rules):
                if production.word:
                    # Equal words are not distinguished: this matters for unknown words only.
                    words.count(production.word, production.word == first, production.parent)
                else:
                    process.count(production)
        grammar = Grammar.of(process, words.symbols())
        numbers = {symbol: number for number, symbol in enumerate(grammar.symbols)}
        return cls(grammar, words.lexicon(numbers))

    def everything(self, n: int) -> Licence:
        """The unpruned search space: all symbols over all spans of n words."""
        free = np.ones((n, n + 1, 1), np.bool_)
        return Licence(np.zeros(len(self.grammar.parents), np.int32), free, free, free)

    def groups(self, coarse: "TreebankGrammar") -> np.ndarray[Any, Any]:
        """The symbol of a coarser grammar for every symbol."""
        known = {
            (symbol.label, symbol.is_tag): number
            for number, symbol in enumerate(coarse.grammar.symbols)
        }
        try:
            real = [known[symbol.label, symbol.is_tag] for symbol in self.grammar.symbols]
        except KeyError as error:
            raise ModelError(f"the coarse grammar has no symbol for {error}") from None
        return np.array(real, np.int32)[self.grammar.parents]

    def chart(
        self, forms: Sequence[str], tags: Sequence[str] | None, licence: Licence | None = None
    ) -> Chart:
        """The Viterbi chart of the words."""
        words = self.lexicon.look_up(forms, tags)
        return fill_trees(self.grammar.rules, words, licence or self.everything(len(forms)))

    def goal(self, chart: Chart) -> int | None:
        """The chart item of complete trees; None if there are none."""
        row = chart.upper_row[0, self.grammar.start]
        item = int(row) * (chart.n + 1) + chart.n
        return item if row and chart.values[item] > -np.inf else None

    def near_best(
        self, chart: Chart, goal: int, margin: float, group: np.ndarray[Any, Any]
    ) -> Licence:
        """The spans that are in a tree whose score is within a margin of the best."""
        lower, upper = near_best(chart, goal, margin)
        still_open = np.logical_or.accumulate(lower[:, ::-1], axis=1)[:, ::-1].copy()
        return Licence(group, lower, upper, still_open)

    def derivations(self, chart: Chart, item: int, k: int) -> list[Derivation]:
        """The k best trees of an item, best first, or fewer if there are."""
        scores, nodes = ranked_trees(chart, item, k)
        return [self._read(float(s), rows) for s, rows in zip(scores, nodes.tolist(), strict=True)]

    def _read(self, score: float, rows: list[list[int]]) -> Derivation:
        symbols: tuple[Symbol, ...] = self.grammar.symbols
        brackets: list[Bracket] = []
        tags: list[str] = []
        for number, start, end in rows:
            if start < 0:
                break
            path = self.grammar.chain_paths[-1 - number][:-1] if number < 0 else (number,)
            for step in path:
                if symbols[step].is_tag:
                    tags.append(symbols[step].label)
                else:
                    brackets.append(Bracket(symbols[step].label, start, end))
        return Derivation(score, tuple(brackets), tuple(tags))


Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

PIECE = -20.0
"""The cost of each fragment, so that there are few."""


def best_fragments(grammar: TreebankGrammar, chart: Chart, n: int) -> Derivation:
    """The best sequence of labels and tags, each over a fragment of the sentence."""
    value, item = piece_values(grammar, chart, n)
    best, came_from = np.full(n + 1, -np.inf), np.zeros(n + 1, np.int64)
    best[0] = 0.0
    for end in range(1, n + 1):
        totals = best[:end] + value[:end, end] + PIECE
        came_from[end] = int(np.argmax(totals))
        best[end] = totals[came_from[end]]
    pieces: list[Derivation] = []
    end = n
    while end > 0:
        start = int(came_from[end])
        pieces += grammar.derivations(chart, int(item[start, end]), 1)
        end = start
    pieces.reverse()
    return Derivation(
        float(best[n]),
        tuple(bracket for piece in pieces for bracket in piece.brackets),
        tuple(tag for piece in pieces for tag in piece.tags),
    )


def piece_values(grammar: TreebankGrammar, chart: Chart, n: int) -> tuple[Floats, Ints]:
    """The best value over each span of any label or tag, and its chart item."""
    value, item = np.full((n, n + 1), -np.inf), np.zeros((n, n + 1), np.int64)
    rows = chart.values.reshape(-1, n + 1)
    reals = len(grammar.grammar.symbols)
    for start in range(n):
        for row in chart.upper_row[start, :reals]:
            if row:
                better = rows[row] > value[start]
                value[start, better] = rows[row, better]
                item[start, better] = int(row) * (n + 1) + np.flatnonzero(better)
    return value, item
