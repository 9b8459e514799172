"""docs/results.md from what is in experiments/results: `python experiments/page.py`.

Every figure of ours on that page is written here, from a run; the papers' are in the experiments'
files, those of paper 003 in its scripts, those of paper 004 in results.txt. A run that was not done
is shown as a dash. Plots need the extra `plot`.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from importlib.util import find_spec
from pathlib import Path

import labels
import mbr_tables
import paper_003_boosting
import paper_003_lexical
import paper_003_margins
import paper_003_semisupervised
import paper_004
import paper_004_constituents
from runs import HERE

from headwise.experiments.formats import to_markdown
from headwise.experiments.output import write_plot
from headwise.experiments.table import ResultTable, table_of
from headwise.experiments.work import Work

PAGE = HERE / "../docs/results.md"
IMAGES = PAGE.parent / "images"

EXPERIMENTS = (
    "paper-000-table-2",
    "paper-000-table-3",
    "paper-000-table-4",
    "paper-001-table-2",
    "paper-001-table-3",
    "paper-001-table-4",
    "paper-001-figure-2",
    "paper-002-table-2",
    "paper-002-table-3",
    "paper-002-table-4",
    "orders",
    "search",
    "plausible-arcs",
    "arc-features",
)
"""Experiment files, in the order of the page; scripts come after them."""

SCRIPTS: dict[str, dict[str, Path]] = {
    "Labels: joint with arcs, or of a second stage": {
        name: labels.file_of(name) for name in labels.NAMES
    },
    "Paper 004, dependencies": {
        train if train == dev else f"{train} for {dev}": paper_004.file_of(train, dev)
        for train, dev in paper_004.domains()
    },
    "Paper 004, tables 1 and 2: constituents": {
        name: paper_004_constituents.file_of(name) for name in paper_004_constituents.names()
    },
    "Paper 003, tables 5.1 and 5.2: words alone": {
        name: paper_003_lexical.file_of(name) for name in paper_003_lexical.names()
    },
    "Paper 003, tables 6.1 to 6.4: local margins": {
        name: paper_003_margins.file_of(name) for name in paper_003_margins.names()
    },
    "Paper 003, tables 7.1 to 7.3: structured boosting": {
        name: paper_003_boosting.file_of(name) for name in paper_003_boosting.names()
    },
    "Paper 003, tables 8.2 and 8.3: sentences without trees": {
        name: paper_003_semisupervised.file_of(name) for name in paper_003_semisupervised.names()
    },
}
"""What scripts do: for every treebank the result that it ends in."""

INTRODUCTION = """# What the papers found, and what we find

This page is made by `python experiments/page.py` from the runs in `experiments/results`: every
figure of ours comes from a run. The papers' figures are in the experiment files; those of paper 003
are in its scripts in `experiments/`, those of paper 004 in `experiments/results.txt`. A run is one
training on a treebank, scored on its **development** data (the papers print test data where they
say so); figures are per cent, and ± is the standard deviation over seeds. `headwise experiment
experiments/NAME.toml` does what is missing (see [experiments](experiments.md)), and takes your own
copies of the Penn, Chinese and Prague treebanks. Runs are kept as they were made: but for those of
the table of plausible arcs, features of two words were looked up for [arcs of known
kinds](design.md#decisions) then, not for plausible ones; and in all of them finished parsers of
the first order looked at as many arcs as learners do.
"""


@dataclass(frozen=True)
class Section:
    """An experiment of the page: what was done of it, and its table."""

    name: str
    work: Work
    table: ResultTable

    @classmethod
    def of(cls, name: str) -> "Section":
        """The section of an experiment file; only results count, not which treebanks are here."""
        work = Work.of_file(HERE / f"{name}.toml", look=False)
        return cls(name, work, table_of(work))

    @property
    def is_drawn(self) -> bool:
        """Whether there is something to plot."""
        plot = self.work.experiment.plot
        if plot is None:
            return False
        place = [column.title for column in self.table.columns].index(plot.column)
        return any(row.cells[place].values for row in self.table.rows)

    def text(self) -> str:
        """The section."""
        experiment = self.work.experiment
        parts = [f"## {experiment.title}\n", experiment.about.strip() + "\n"]
        if self.is_drawn:
            parts.append(f"![{experiment.title}](images/{self.name}.svg)\n")
        parts.append(to_markdown(self.table) if self.table.rows else "No run was done yet.\n")
        return "\n".join(parts)

    def summary(self) -> list[str]:
        """What was done, in a row."""
        done = [row for row in self.table.rows if row.cells[0].values]
        names = list(dict.fromkeys(row.treebank for row in done))
        absent = [name for name in self.work.experiment.treebanks if name not in names]
        count = f"{len(done)} of {len(self.table.rows)} rows" if done else "nothing"
        return [self.work.experiment.title, count, ", ".join(names) or "–", ", ".join(absent)]


def table(header: Iterable[str], rows: Iterable[Iterable[object]]) -> str:
    """A table in Markdown."""
    names = list(header)
    lines = ["| " + " | ".join(names) + " |", "|---|" + "--:|" * (len(names) - 1)]
    lines += ["| " + " | ".join(map(str, row)) + " |" for row in rows]
    return "\n".join(lines) + "\n"


def ways_to_label() -> str:
    """Joint labels against those of a second stage."""
    return table(labels.HEADER, labels.rows())


def minimum_risk() -> str:
    """Paper 004, dependencies."""
    names = ("", "probabilities", "list", "decoder", "UAS", "complete", "gain", "p")
    return table(names, mbr_tables.dependency_rows())


def minimum_risk_of_brackets() -> str:
    """Paper 004, tables 1 and 2."""
    names = ("", "probabilities", "list", "decoder", "F1", "LP", "LR", "complete", "CB", "0C", "2C")
    return table((*names, "p"), mbr_tables.constituent_rows())


def lexical_lengths() -> str:
    """Paper 003, table 5.1."""
    names = ("undirected accuracy", *(f"≤ {n} words" for n in paper_003_lexical.LENGTHS))
    return table(names, paper_003_lexical.length_rows())


def lexical_models() -> str:
    """Paper 003, table 5.2."""
    ours = [f"{name}: {key}" for name in paper_003_lexical.names() for key in ("undirected", "UAS")]
    return table(("≤ 40 words", *ours, "thesis: undirected"), paper_003_lexical.model_rows())


def boosting_rounds(label: str) -> str:
    """Paper 003, tables 7.1 and 7.2."""
    names = [
        f"{where} {measure}"
        for where in ("en_ewt:", "PTB:", "zh_gsd:", "CTB4:")
        for measure in ("DA", "RA", "CM")
    ]
    return table(("round", *names), paper_003_boosting.round_rows(label))


def boosting_static() -> str:
    """Paper 003, table 7.1."""
    return boosting_rounds("static")


def boosting_dynamic() -> str:
    """Paper 003, table 7.2."""
    return boosting_rounds("dynamic")


def boosting_rules() -> str:
    """Paper 003, section 9.2.1: ways of boosting that the thesis left to the future."""
    names = [f"{name}, round {n}" for name in paper_003_boosting.names() for n in range(1, 5)]
    return table(("DA", *names), paper_003_boosting.rule_rows())


def boosting_rivals() -> str:
    """Paper 003, table 7.3."""
    names = ("DA", "RA", "CM", "thesis: DA", "RA", "CM")
    return table(("≤ 40 words", *names), paper_003_boosting.rival_rows())


def done(sections: Iterable[Section]) -> str:
    """What was done of each experiment, and on what data."""
    lines = ["| experiment | done | on | not on |", "|---|---|---|---|"]
    lines += [f"| {' | '.join(section.summary())} |" for section in sections]
    for title, results in SCRIPTS.items():
        names = [name for name, path in results.items() if path.exists()]
        absent = ", ".join(name for name in results if name not in names)
        count = f"{len(names)} of {len(results)} treebanks" if names else "nothing"
        lines.append(f"| {title} | {count} | {', '.join(names) or '–'} | {absent} |")
    return "## What was done\n\n" + "\n".join(lines) + "\n"


def margin_features() -> str:
    """Paper 003, tables 6.1 and 6.2."""
    losses = ("local", "global")
    ours = [f"{name}: {loss}" for name in paper_003_margins.names() for loss in losses]
    printed = [f"thesis, {split}: {loss}" for split in ("dev", "test") for loss in losses]
    rows = table(("≤ 10 words", *ours, *printed), paper_003_margins.feature_rows())
    return f"{rows}\n{paper_003_margins.violations()}"


def margins_on_training_data() -> str:
    """Paper 003, table 6.3."""
    losses = ("local", "global")
    ours = [f"{name}: {loss}" for name in paper_003_margins.names() for loss in losses]
    printed = [f"thesis: {loss}" for loss in losses]
    left_out = [f"left out, {one}" for one in ours]
    names = ("≤ 10 words", *ours, *printed, *left_out)
    return table(names, paper_003_margins.training_rows())


def margins_and_counts() -> str:
    """Paper 003, table 6.4."""
    names = ("≤ 10 words", *paper_003_margins.names(), "thesis: dev", "thesis: test")
    return table(names, paper_003_margins.comparison_rows())


def margins_of_long_sentences() -> str:
    """What chapter 6 could not do: up to forty words."""
    lengths = [f"≤ {n}" for n in paper_003_margins.LENGTHS]
    figures = ("UAS, ≤ 40", "seconds", "passes", "gap, %", "kkt")
    return table(("learnt from ≤ 40 words", *lengths, *figures), paper_003_margins.long_rows())


def semisupervised(name: str) -> str:
    """Paper 003, table 8.2 or 8.3."""
    names = ("learnt from", "scored", "supervised", "semi-supervised")
    printed = ("thesis: supervised", "semi-supervised")
    return table((*names, *printed), paper_003_semisupervised.rows_of(name))


def semisupervised_english() -> str:
    """Paper 003, table 8.3, and the same of further treebanks that have results."""
    _, ours, *others = paper_003_semisupervised.names()
    return "\n".join(
        [semisupervised(ours), *(f"{one}:\n\n{semisupervised(one)}" for one in others)]
    )


def semisupervised_full() -> str:
    """What chapter 8 left to the future: the full set of features."""
    both = [f"{name}: {way}" for name in paper_003_semisupervised.names()
            for way in ("supervised", "semi-supervised")]  # fmt: skip
    return table(("learnt from", "scored", *both), paper_003_semisupervised.full_rows())


def page() -> str:
    """The whole page."""
    sections = [Section.of(name) for name in EXPERIMENTS]
    texts = (HERE / "results.txt").read_text("utf-8").split("\n---\n")
    makers: list[Callable[[], str]] = [
        ways_to_label, minimum_risk, minimum_risk_of_brackets, lexical_lengths, lexical_models,
        margin_features, margins_on_training_data, margins_and_counts, margins_of_long_sentences,
        partial(semisupervised, "zh_gsd"), semisupervised_english, semisupervised_full,
        boosting_static, boosting_dynamic, boosting_rules, boosting_rivals,
    ]  # fmt: skip
    found = [f"{text.strip()}\n\n{make()}" for text, make in zip(texts, makers, strict=True)]
    return "\n".join(
        [INTRODUCTION, done(sections), *(section.text() for section in sections), *found]
    )


def draw() -> None:
    """The plots of the page."""
    (IMAGES / "mbr-gain.svg").write_text(mbr_tables.gain_plot(), "utf-8")
    if find_spec("matplotlib") is None:
        print("plots of experiments are as they were: matplotlib is not here")
        return
    for name in EXPERIMENTS:
        section = Section.of(name)
        if section.is_drawn:
            write_plot(IMAGES, name, section.table, section.work.experiment.plot)


if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8")
    draw()
    print(f"wrote {PAGE.resolve().name}")
