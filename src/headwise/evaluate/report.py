"""Scores and comparisons as tables for the terminal.

Everything that comes from data (names of groups and files) is passed through `shown`.
"""

from collections.abc import Sequence
from math import isnan

from rich.console import Group as Renderables
from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from headwise.draw.tables import new_table, shown
from headwise.errors import counted
from headwise.evaluate.attachment import AttachmentScores, Evaluation
from headwise.evaluate.breakdown import KINDS, Breakdown
from headwise.evaluate.comparison import Comparison, ScoreComparison
from headwise.evaluate.intervals import Interval
from headwise.evaluate.measures import MEASURES
from headwise.evaluate.raw import RawScores
from headwise.evaluate.significance import Difference
from headwise.safe import safe_text

NOTHING = "–"
"""Shown where nothing was counted."""


def percent_text(value: float) -> str:
    """A score with two decimals."""
    return NOTHING if isnan(value) else f"{value:.2f}"


def signed_text(value: float) -> str:
    """A difference with its sign."""
    return NOTHING if isnan(value) else f"{value:+.2f}"


def interval_text(interval: Interval | None, *, signed: bool = False) -> str:
    """The two ends of an interval."""
    if interval is None or isnan(interval[0]):
        return NOTHING
    low, high = (signed_text(end) if signed else percent_text(end) for end in interval)
    return f"{low} … {high}"


def p_text(p: float) -> str:
    """A p-value with four decimals, or an upper bound."""
    if isnan(p):
        return NOTHING
    return "<0.0001" if p < 0.0001 else f"{p:.4f}"


def score_table(evaluation: Evaluation) -> Table:
    """The measures over all tokens and without punctuation, with their intervals."""
    views = (evaluation.all_tokens, evaluation.without_punctuation)
    confidence = evaluation.confidence
    interval_title = [] if confidence is None else [f"{100 * confidence:g} % interval"]
    headings = ["All tokens", *interval_title, "Without punctuation", *interval_title]
    subtypes = "with subtypes" if evaluation.subtypes else "without subtypes"
    about = f"punctuation: {evaluation.punctuation}; relations {subtypes}"
    table = new_table(f"Scores ({about})", "", headings)
    for measure in MEASURES:
        cells = [cell for scores in views for cell in score_cells(scores, measure.name)]
        table.add_row(measure.title, *cells)
    table.add_section()
    for name, counts in (
        ("Words", [scores.words for scores in views]),
        ("Sentences", [scores.sentences for scores in views]),
    ):
        pad = [""] * len(interval_title)
        table.add_row(name, *(cell for count in counts for cell in (f"{count:,}", *pad)))
    return table


def score_cells(scores: AttachmentScores, measure: str) -> list[str]:
    """A score and, if available, its interval."""
    cells = [percent_text(scores.values[measure])]
    if scores.intervals:
        cells.append(interval_text(scores.intervals[measure]))
    return cells


def breakdown_table(breakdown: Breakdown) -> Table:
    """The groups of a breakdown; with precision, recall and F1 where systems predict the group."""
    kind = breakdown.kind.replace("_", " ")
    is_of_arcs = KINDS[breakdown.kind].is_of_arcs
    headings = ["Words", "UAS", "LAS", "Label accuracy"]
    headings += ["Predicted", "Precision", "Recall", "F1"] if is_of_arcs else []
    table = new_table(f"By {kind}, all tokens", kind.capitalize(), headings)
    for group in breakdown.groups:
        values = [group.uas, group.las, group.label_accuracy]
        cells = [f"{group.words:,}", *map(percent_text, values)]
        if group.predicted is not None:
            values = [group.precision, group.recall, group.f1]
            cells += [f"{group.predicted:,}", *map(percent_text, values)]
        table.add_row(shown(group.name), *cells)
    return table


def comparison_table(comparison: Comparison, names: Sequence[str] = ()) -> RenderableType:
    """The differences over all tokens and without punctuation, with the three tests.

    names: names of the two systems, such as their files.
    """
    called = [Text(f"{key}: {safe_text(name)}") for key, name in zip("AB", names, strict=False)]
    return Renderables(
        *called,
        Text(
            f"{counted(comparison.sentences, 'sentence')}, {counted(comparison.rounds, 'round')}, "
            f"seed {comparison.seed}; p by paired bootstrap, randomisation and McNemar's test"
        ),
        difference_table("All tokens", comparison.all_tokens, comparison.confidence),
        difference_table(
            "Without punctuation", comparison.without_punctuation, comparison.confidence
        ),
    )


def difference_table(title: str, scores: ScoreComparison, confidence: float) -> Table:
    """The measures of both systems over some words, their differences and p-values."""
    headings = ("A", "B", "B − A", f"{100 * confidence:g} % interval")
    p_headings = ("p boot.", "p rand.", "p McN.")
    table = new_table(f"{title}: {scores.words:,} words", "", (*headings, *p_headings))
    tests = {"uas": scores.mcnemar_heads, "las": scores.mcnemar_labelled}
    for measure, found in zip(MEASURES, scores.differences, strict=True):
        test = tests.get(found.measure)
        of_test = "" if test is None else p_text(test.p)
        table.add_row(measure.short, *difference_cells(found), of_test)
    return table


def difference_cells(found: Difference) -> tuple[str, ...]:
    """A measure of both systems, their difference with its interval, and p-values."""
    return (
        percent_text(found.a),
        percent_text(found.b),
        signed_text(found.difference),
        interval_text(found.interval, signed=True),
        p_text(found.bootstrap_p),
        p_text(found.randomisation_p),
    )


RAW_TITLES = {"ufeats": "UFeats", "alltags": "AllTags"}


def raw_table(scores: RawScores) -> Table:
    """The raw-text measures: precision, recall, F1, and accuracy on aligned words."""
    headings = ("Precision", "Recall", "F1", "Aligned accuracy")
    table = new_table("Raw-text scores (relations without subtypes)", "", headings)
    for name, score in scores.scores.items():
        is_word = name in ("tokens", "sentences", "words", "lemmas")
        title = name.capitalize() if is_word else RAW_TITLES.get(name, name.upper())
        values = (score.precision, score.recall, score.f1, score.aligned_accuracy)
        table.add_row(title, *map(percent_text, values))
    return table
