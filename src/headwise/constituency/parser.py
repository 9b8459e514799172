"""Constituency parsing with a PCFG, coarse to fine.

A coarse grammar of plain labels prunes spans whose best tree is much worse than the overall best.
Among the remaining spans, search with the fine grammar is exact, for the best tree and the k best.
With an infinite margin nothing is pruned; this is several times slower.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import inf, isinf
from pathlib import Path

import numpy as np

from headwise.constituency.annotation import START, Annotation, plain
from headwise.constituency.bracketing import tree_of
from headwise.constituency.candidates import CandidateList
from headwise.constituency.markov import Smoothing
from headwise.constituency.pcfg import Chart, Derivation, TreebankGrammar, best_fragments
from headwise.constituency.storage import (
    StoredGrammar,
    grammar_arrays,
    grammar_from,
    grammar_settings,
)
from headwise.corpus.constituents import Leaf, Tree
from headwise.corpus.sentence import WORDS, check_text_column
from headwise.errors import SourceLocation, UsageError
from headwise.kernels.charts.kbest import RANK
from headwise.parameters import Parametrised, python_number, whole_number
from headwise.storage.modelfile import ModelFile, load_model, reporting_damage, save_model
from headwise.storage.settings import to_mapping
from headwise.storage.storedsettings import stored_settings

KIND = "constituency-parser"
NOT_FITTED = "this parser is not fitted; call fit() first, or load a model"
FINE, FINE_SMOOTHING = Annotation(), Smoothing()
COARSE = Annotation(vertical=1, tag_vertical=1, base_marks=(), head_marks=())
COARSE_SMOOTHING = Smoothing(reach=1, min_probability=1e-5)
MARGIN = 7.0
"""Pruning margin: log-probability difference from the best tree of the coarse grammar."""


@dataclass(frozen=True, slots=True)
class StoredConstituency:
    """The settings of a stored parser; a margin of None is infinite."""

    annotation: Annotation
    horizontal: int
    smoothing: Smoothing
    margin: float | None
    coarse: StoredGrammar
    fine: StoredGrammar

    def check(self) -> None:
        if self.margin is not None and not self.margin >= 0:
            raise UsageError(f"margin must be at least 0, not {self.margin:g}")


@dataclass(kw_only=True, eq=False)
class ConstituencyParser(Parametrised):
    """A PCFG parser: fit, parse, kbest, save, load.

    annotation: how symbols are annotated. horizontal: Markov order of children. smoothing: of their
    probabilities. margin: pruning margin, infinite for exact search.
    """

    annotation: Annotation = FINE
    horizontal: int = 2
    smoothing: Smoothing = FINE_SMOOTHING
    margin: float = MARGIN

    def check(self) -> None:
        """Raise if a parameter has no meaning."""
        self.horizontal, self.margin = python_number(self.horizontal), python_number(self.margin)
        if not isinstance(self.annotation, Annotation) or not isinstance(self.smoothing, Smoothing):
            raise UsageError("annotation must be an Annotation, smoothing a Smoothing")
        orders = self.horizontal, self.annotation.vertical, self.annotation.tag_vertical
        if set(map(type, orders)) != {int} or self.horizontal < 0 or min(orders[1:]) < 1:
            raise UsageError("vertical orders must be integers from 1 on, the horizontal from 0 on")
        if type(self.margin) not in (int, float) or not self.margin >= 0:
            raise UsageError(f"margin must be a number of 0 or more, not {self.margin!r}")

    def fit(self, trees: Iterable[Tree]) -> "ConstituencyParser":
        """Train on trees with or without traces, function tags and wrappers."""
        self.check()
        given = list(trees)
        if not all(isinstance(tree, Tree) for tree in given):
            raise UsageError("fit learns from trees: read_trees(path) has those of a file")
        plain_trees = [plain(tree) for tree in given]
        if not plain_trees:
            raise UsageError("there are no trees to train on")
        self._take(
            TreebankGrammar.learn(plain_trees, COARSE, 1, COARSE_SMOOTHING),
            TreebankGrammar.learn(plain_trees, self.annotation, self.horizontal, self.smoothing),
        )
        return self

    def _take(self, coarse: TreebankGrammar, fine: TreebankGrammar) -> None:
        self.coarse_, self.fine_ = coarse, fine
        self._group = fine.groups(coarse)

    # ------------------------------------------------------------------------------ parsing

    def parse(self, forms: Sequence[str], tags: Sequence[str] | None = None) -> Tree:
        """The best tree over words; `tags` are used where the grammar has them."""
        return self.kbest(forms, 1, tags).trees[0]

    def kbest(
        self,
        forms: Sequence[str],
        k: int,
        tags: Sequence[str] | None = None,
        sentence_id: str = "1",
    ) -> CandidateList:
        """The k best trees with their log-probabilities, best first, or fewer if there are.

        Words that no tree of the grammar covers get one tree, of the best fragments.
        """
        if not hasattr(self, "fine_"):
            raise UsageError(NOT_FITTED)
        check_text_column(WORDS, forms)
        if len(forms) == 0:
            raise UsageError("there are no words to parse")
        if tags is not None:
            check_text_column("tags", tags)
            if len(tags) != len(forms):
                raise UsageError(f"{len(forms)} words, but {len(tags)} tags")
        found = list(self._derivations(forms, whole_number("k", k, 1, RANK), tags))
        return CandidateList.of(
            sentence_id,
            [tree_with(derivation, forms, tags) for derivation in found],
            np.array([derivation.score for derivation in found]),
        )

    def _derivations(
        self, forms: Sequence[str], k: int, tags: Sequence[str] | None
    ) -> Iterator[Derivation]:
        fine = self.fine_
        for margin in (self.margin, inf):
            chart = self._chart(forms, tags, margin)
            goal = None if chart is None else fine.goal(chart)
            if goal is not None:
                yield from distinct(fine, chart, goal, k)
                return
        yield best_fragments(fine, chart, len(forms))

    def _chart(self, forms: Sequence[str], tags: Sequence[str] | None, margin: float) -> Chart:
        """The chart of the fine grammar; None if the coarse grammar has no tree to prune with."""
        if isinf(margin):
            return self.fine_.chart(forms, tags)
        rough = self.coarse_.chart(forms, tags)
        goal = self.coarse_.goal(rough)
        if goal is None:
            return None
        licence = self.coarse_.near_best(rough, goal, margin, self._group)
        return self.fine_.chart(forms, tags, licence)

    # ------------------------------------------------------------------------------- models

    def save(self, path: str | Path, card: str = "", *, force: bool = False) -> None:
        """Save the parser as a model folder."""
        if not hasattr(self, "fine_"):
            raise UsageError(NOT_FITTED)
        settings = {
            "annotation": to_mapping(self.annotation),
            "horizontal": self.horizontal,
            "smoothing": to_mapping(self.smoothing),
            "margin": None if isinf(self.margin) else self.margin,
            "coarse": grammar_settings(self.coarse_),
            "fine": grammar_settings(self.fine_),
        }
        arrays = grammar_arrays("coarse", self.coarse_) | grammar_arrays("fine", self.fine_)
        text = card or f"# A constituency parser\n\n{self.size_line()}\n"
        save_model(path, ModelFile(KIND, settings, arrays, text), force=force)

    @classmethod
    def load(cls, path: str | Path) -> "ConstituencyParser":
        """Load a saved parser."""
        model = load_model(path, KIND)
        with reporting_damage("constituency parser", SourceLocation(str(path))):
            settings = stored_settings(StoredConstituency, model.settings, "constituency parser")
            parser = cls(
                annotation=settings.annotation,
                horizontal=settings.horizontal,
                smoothing=settings.smoothing,
                margin=inf if settings.margin is None else settings.margin,
            )
            parser._take(
                grammar_from("coarse", settings.coarse, model),
                grammar_from("fine", settings.fine, model),
            )
        return parser

    def size_line(self) -> str:
        """A line on the size of the grammar."""
        grammar = self.fine_.grammar
        return (
            f"{len(grammar.symbols):,} symbols, {len(grammar.rules.whole):,} binary rules, "
            f"{len(grammar.chain_paths):,} unary chains, {len(self.fine_.lexicon.words):,} words"
        )


def distinct(grammar: TreebankGrammar, chart: Chart, goal: int, k: int) -> list[Derivation]:
    """The k best trees; a tree with several derivations is scored by its best one."""
    wanted = k
    while True:
        found = grammar.derivations(chart, goal, wanted)
        trees: dict[tuple[object, ...], Derivation] = {}
        for one in found:
            trees.setdefault((one.brackets, one.tags), one)
        if len(trees) >= k or len(found) < wanted or wanted >= RANK:
            return list(trees.values())[:k]
        wanted = min(2 * wanted, RANK)


def tree_with(
    derivation: Derivation, forms: Sequence[str], tags: Sequence[str] | None = None
) -> Tree:
    """The tree of a derivation over its words; given tags are kept."""
    named = zip(tags if tags is not None else derivation.tags, forms, strict=True)
    leaves = [Leaf(tag, form) for tag, form in named]
    inner = [bracket for bracket in derivation.brackets if bracket.label != START.label]
    return tree_of(inner, leaves)
