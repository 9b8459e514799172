"""docs/results.md from what is in experiments/results: `python experiments/page.py`.

Every figure of ours on that page is written here, from a run; the papers' are in the experiments'
files. A run that was not done is shown as a dash. Plots need the extra `plot`.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from importlib.util import find_spec

import mbr_tables
import paper_003_boosting
import paper_003_lexical
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
)
"""Experiment files, in the order of the page; scripts come after them."""

INTRODUCTION = """# What the papers found, and what we find

This page is made by `python experiments/page.py` from the runs in `experiments/results`: every
figure of ours comes from a run, every figure of a paper from an experiment file. Each run is one
training on a treebank, scored on its **development** data (the papers print test data where they
say so); figures are per cent, and ± is the standard deviation over seeds. `headwise experiment
experiments/NAME.toml` does what is missing (see [experiments](experiments.md)), and takes your own
copies of the Penn, Chinese and Prague treebanks. Runs of papers 000, 001 and 004 were made before
templates of both ends were kept to known arcs (see [features](features.md)), and have not been made
again since.
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
        count = f"{len(done)} of {len(self.table.rows)}" if done else "none"
        return [self.work.experiment.title, count, ", ".join(names) or "–", ", ".join(absent)]


def table(header: Iterable[str], rows: Iterable[Iterable[object]]) -> str:
    """A table in Markdown."""
    names = list(header)
    lines = ["| " + " | ".join(names) + " |", "|---|" + "--:|" * (len(names) - 1)]
    lines += ["| " + " | ".join(map(str, row)) + " |" for row in rows]
    return "\n".join(lines) + "\n"


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
    ours = [f"{name}: {key}" for name in paper_003_lexical.NAMES for key in ("undirected", "UAS")]
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
    names = [f"{name}, round {n}" for name in paper_003_boosting.NAMES for n in range(1, 5)]
    return table(("DA", *names), paper_003_boosting.rule_rows())


def boosting_rivals() -> str:
    """Paper 003, table 7.3."""
    names = ("DA", "RA", "CM", "thesis: DA", "RA", "CM")
    return table(("≤ 40 words", *names), paper_003_boosting.rival_rows())


def done(sections: Iterable[Section]) -> str:
    """What was done of each experiment file, and on what data."""
    lines = ["| experiment | rows done | on | not on |", "|---|---|---|---|"]
    lines += [f"| {' | '.join(section.summary())} |" for section in sections]
    return "## What was done\n\n" + "\n".join(lines) + "\n"


def page() -> str:
    """The whole page."""
    sections = [Section.of(name) for name in EXPERIMENTS]
    texts = (HERE / "results.txt").read_text("utf-8").split("\n---\n")
    makers = (minimum_risk, minimum_risk_of_brackets, lexical_lengths, lexical_models)
    makers += (boosting_static, boosting_dynamic, boosting_rules, boosting_rivals)
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
