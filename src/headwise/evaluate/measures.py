"""The attachment measures, and how each sentence counts towards them."""

from dataclasses import dataclass

import numpy as np

from headwise.evaluate.ratios import RatioCounts
from headwise.evaluate.words import Arcs, Batch, Bools


@dataclass(frozen=True, slots=True)
class Measure:
    """A measure: its key in JSON, its title, and a short title for narrow tables."""

    name: str
    title: str
    short: str
    of_sentences: bool = False  # a share of sentences, each right or wrong
    of_relations: bool = False  # whether it scores relations, which the gold data may not have


MEASURES = (
    Measure("uas", "UAS", "UAS"),
    Measure("las", "LAS", "LAS", of_relations=True),
    Measure("label_accuracy", "Label accuracy", "Labels", of_relations=True),
    Measure("undirected", "Undirected", "Undirected"),
    Measure("ucm", "Complete, unlabelled", "UCM", of_sentences=True),
    Measure("lcm", "Complete, labelled", "LCM", of_sentences=True, of_relations=True),
    Measure("root", "Root accuracy", "Root", of_sentences=True),
    Measure("root_f1", "Root F1", "Root F1"),
)
"""The measures, in the order of the columns of `sentence_counts`."""

NAMES = tuple(measure.name for measure in MEASURES)


@dataclass(frozen=True, slots=True, eq=False)
class Verdicts:
    """Which words of a batch a system got right."""

    heads: Bools
    labels: Bools
    labelled: Bools  # both of these
    links: Bools  # the head, or the arc in the opposite direction


def verdicts(batch: Batch, system: Arcs) -> Verdicts:
    """Compare the words of a batch with the gold data."""
    heads = system.heads == batch.gold.heads
    labels = (system.relations == batch.gold.relations) & batch.labelled
    return Verdicts(heads, labels, heads & labels, heads | reversed_arcs(batch, system))


def without_relations(counts: RatioCounts) -> RatioCounts:
    """The counts with measures of relations set to 0, for gold data without relations."""
    kept = np.array([not measure.of_relations for measure in MEASURES])
    return RatioCounts(counts.top * kept, counts.bottom * kept)


def reversed_arcs(batch: Batch, system: Arcs) -> Bools:
    """For every word whether the system attached its gold head to it."""
    below_a_word = batch.gold.heads > 0
    head_positions = batch.for_words(batch.bounds[:-1]) + batch.gold.heads - 1
    # The root has no position; any index will do, since the result is masked.
    heads_of_heads = system.heads[np.where(below_a_word, head_positions, 0)]
    return np.asarray(below_a_word & (heads_of_heads == batch.numbers))


def sentence_counts(batch: Batch, system: Arcs, right: Verdicts, counted: Bools) -> RatioCounts:
    """One row per sentence and one column per measure, over the counted words."""
    gold_root, system_root = batch.gold.heads == 0, system.heads == 0
    marks = np.stack(
        [
            counted,
            right.heads,
            right.labelled,
            right.labels,
            right.links,
            gold_root,
            system_root,
            gold_root & system_root,
            batch.labelled,
        ]
    )
    words, heads, labelled, labels, links, gold_roots, system_roots, shared_roots, given = (
        batch.sums(marks & counted)
    )
    same_roots = (gold_roots == shared_roots) & (system_roots == shared_roots)
    sentence = np.ones_like(words)
    complete = heads == words
    # A sentence without gold relations is not scored on labels; one without words is complete.
    scored = (given > 0) | (words == 0)
    is_right = complete & (labelled == given) & scored
    top = [heads, labelled, labels, links, complete, is_right, same_roots]
    bottom = [words, given, given, words, sentence, scored, sentence]
    return RatioCounts(
        np.stack([*top, 2 * shared_roots], axis=1).astype(np.int64),
        np.stack([*bottom, gold_roots + system_roots], axis=1),
    )
