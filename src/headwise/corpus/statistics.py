"""What a treebank holds: sizes, lengths, non-projectivity, tags and relations."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from statistics import median_low
from typing import Any

from headwise.corpus.extras import EmptyNode
from headwise.corpus.sentence import MISSING, Sentence
from headwise.corpus.tree import gap_degree, heads_array, is_tree, non_projective_arcs, roots


@dataclass(slots=True)
class Statistics:
    """Counts over sentences, added one at a time."""

    sentences: int = 0
    words: int = 0
    longest: int = 0
    multiwords: int = 0
    empty_nodes: int = 0
    without_heads: int = 0  # sentences that cannot be looked at as trees: heads are missing …
    not_trees: int = 0  # … or form none
    several_roots: int = 0
    non_projective_sentences: int = 0
    non_projective_arcs: int = 0
    tree_words: int = 0  # words of the sentences that are trees
    gap_degrees: Counter[int] = field(default_factory=Counter)
    lengths: Counter[int] = field(default_factory=Counter)
    forms: Counter[str] = field(default_factory=Counter)
    upos: Counter[str] = field(default_factory=Counter)
    xpos: Counter[str] = field(default_factory=Counter)
    relations: Counter[str] = field(default_factory=Counter)

    @classmethod
    def of(cls, sentences: Iterable[Sentence]) -> "Statistics":
        """Count all sentences."""
        counts = cls()
        for sentence in sentences:
            counts.add(sentence)
        return counts

    def add(self, sentence: Sentence) -> None:
        """Count one sentence."""
        self.sentences += 1
        self.words += len(sentence)
        self.longest = max(self.longest, len(sentence))
        empty = sum(isinstance(row, EmptyNode) for row in sentence.extras)
        self.empty_nodes += empty
        self.multiwords += len(sentence.extras) - empty
        self.lengths[len(sentence)] += 1
        self.forms.update(sentence.forms)
        self.upos.update(sentence.upos)
        self.xpos.update(sentence.xpos)
        self.relations.update(sentence.relations)
        self._add_tree(sentence)

    def _add_tree(self, sentence: Sentence) -> None:
        given = [head for head in sentence.heads if head is not None]
        if len(given) < len(sentence):
            self.without_heads += 1
            return
        heads = heads_array(given)
        if not is_tree(heads):
            self.not_trees += 1
            return
        crossing = len(non_projective_arcs(heads))
        self.tree_words += len(sentence)
        self.several_roots += len(roots(heads)) > 1
        self.non_projective_arcs += crossing
        self.non_projective_sentences += crossing > 0
        self.gap_degrees[gap_degree(heads) if crossing else 0] += 1

    @property
    def trees(self) -> int:
        """How many sentences are trees."""
        return self.sentences - self.without_heads - self.not_trees

    def to_json(self) -> dict[str, Any]:
        """Everything as plain data, shares in per cent."""
        return {
            "sentences": self.sentences,
            "words": self.words,
            "forms": len(self.forms),
            "mean_length": self.words / self.sentences if self.sentences else 0.0,
            "median_length": median_low(self.lengths.elements()) if self.lengths else 0,
            "longest": self.longest,
            "over_100_words": sum(n for length, n in self.lengths.items() if length > 100),
            "multiword_tokens": self.multiwords,
            "empty_nodes": self.empty_nodes,
            "trees": self.trees,
            "without_heads": self.without_heads,
            "not_trees": self.not_trees,
            "several_roots": self.several_roots,
            "non_projective_sentences": percent(self.non_projective_sentences, self.trees),
            "non_projective_arcs": percent(self.non_projective_arcs, self.tree_words),
            "gap_degrees": {str(gaps): n for gaps, n in sorted(self.gap_degrees.items())},
            "upos": given_counts(self.upos),
            "xpos": given_counts(self.xpos),
            "relations": given_counts(self.relations),
        }


def percent(part: int, whole: int) -> float:
    """A share in per cent; none of nothing is 0."""
    return 100.0 * part / whole if whole else 0.0


def given_counts(counts: Counter[str]) -> dict[str, int]:
    """Counts from the most frequent down, ties by name, without what is missing."""
    ranked = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    return {name: count for name, count in ranked if name != MISSING}
