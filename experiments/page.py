"""Generate docs/results.md and docs/results/ from the kept results: `python experiments/page.py`.

The prose is in experiments/pages, in the layout of docs. Marks in it are filled in:

    <!-- table NAME -->             the table NAME; of an experiment file, its plot as well
    <!-- table NAME: UAS; p -->     only these columns of an experiment file
    {NAME / treebank / system / column}     one of our figures; more kinds are in figures.py

NAME is an experiment file without its ending, or one of the TABLES of a script. Nothing is trained:
a run that is missing shows as a dash. Plots need the extra `plot`.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import labels
import mbr_tables
import paper_001_table_1
import paper_003_boosting
import paper_003_choices
import paper_003_lexical
import paper_003_margins
import paper_003_semisupervised
import paper_004
import paper_004_constituents
from figures import Figures
from runs import HERE, table

from headwise.experiments.formats import cell_text, escaped, our_texts, paper_texts, write_plot
from headwise.experiments.table import ResultTable, Row, table_of
from headwise.experiments.work import Work

PROSE = HERE / "pages"
DOCS = HERE / "../docs"
IMAGES = DOCS / "images"

EXPERIMENTS = {
    "paper-000-table-2": "McDonald et al. (2005), table 2: perceptron and MIRA",
    "paper-000-seeds": "McDonald et al. (2005), table 2, over three seeds",
    "paper-000-table-3": "McDonald et al. (2005), table 3: MIRA guided by a grammar",
    "paper-000-table-4": "McDonald et al. (2005), table 4: the k of k-best MIRA",
    "paper-001-table-2": "Corston-Oliver et al. (2006), table 2: Bayes point machines",
    "paper-001-table-3": "Corston-Oliver et al. (2006), table 3: perceptron, MIRA and BPM",
    "paper-001-table-4": "Corston-Oliver et al. (2006), table 4: BPMs against their members",
    "paper-001-figure-2": "Corston-Oliver et al. (2006), figure 2: accuracy by training size",
    "paper-002-table-2": "Ma & Zhao (2012), table 2: what each type of part adds",
    "paper-002-table-3": "Ma & Zhao (2012), table 3: orders one to four, English",
    "paper-002-table-4": "Ma & Zhao (2012), table 4: orders one to four, Chinese",
    "orders": "Orders one to four: accuracy and significance",
    "search": "Projective and non-projective decoding",
    "plausible-arcs": "Plausible arcs",
    "arc-features": "Feature sets for arcs",
}
"""Experiment files, in the order of the pages, and their titles there."""

WITH_TABLES: tuple[Any, ...] = (
    labels, mbr_tables, paper_001_table_1, paper_003_boosting, paper_003_choices, paper_003_lexical,
    paper_003_margins, paper_003_semisupervised,
)  # fmt: skip

ON_TREEBANKS: dict[str, Any] = {
    "Labels: joint or second stage": labels,
    "Corston-Oliver et al. (2006), table 1: sizes of treebanks": paper_001_table_1,
    "Titov & Henderson (2006), dependencies": paper_004,
    "Titov & Henderson (2006), tables 1 and 2: constituents": paper_004_constituents,
    "Wang (2008), tables 5.1 and 5.2: words alone": paper_003_lexical,
    "Wang (2008), tables 6.1 to 6.4: local margins": paper_003_margins,
    "Wang (2008), tables 7.1 to 7.3: structured boosting": paper_003_boosting,
    "Wang (2008), chapters 3 and 7: choices of link classifiers": paper_003_choices,
    "Wang (2008), tables 8.2 and 8.3: semi-supervised training": paper_003_semisupervised,
}
"""Scripts whose results are of treebanks."""

SHOWN = {
    "paper-000": "McDonald et al.",
    "p against paper-000": "p vs McDonald et al.",
    "machine": "BPM",
    "mean of members": "mean member",
    "heads a word kept": "heads per word",
    "order 2, and grandchildren": "order 2, siblings and grandchildren",
    "p against order 2, and grandchildren": "p vs order 2, grandchildren",
    "seconds": "CPU seconds",
}
"""Names of systems and columns that are shown in other words."""


def shown(name: str) -> str:
    """A system or a column as it is called on the pages."""
    return SHOWN.get(name, name).replace("p against", "p vs")


@dataclass(frozen=True)
class Section:
    """An experiment file: its results as a table, and its plot."""

    name: str
    work: Work
    table: ResultTable

    @classmethod
    @cache
    def of(cls, name: str) -> "Section":
        """The section of an experiment file; only results count, not which treebanks are here."""
        work = Work.of_file(HERE / f"{name}.toml", look=False)
        return cls(name, work, replace(table_of(work), title=EXPERIMENTS[name]))

    @property
    def titles(self) -> list[str]:
        """The titles of the columns, as the experiment file has them."""
        return [column.title for column in self.table.columns]

    @property
    def is_drawn(self) -> bool:
        """Whether there is something to plot."""
        plot = self.work.experiment.plot
        if plot is None:
            return False
        column = self.titles.index(plot.column)
        return any(row.cells[column].values for row in self.table.rows)

    def markdown(self, columns: Sequence[str] = ()) -> str:
        """The table, the paper's figures in brackets after ours."""
        kept = [self.titles.index(title) for title in columns or self.titles]
        first = ["treebank", "system", *(["sentences"] if self.table.has_sizes else [])]
        names = [*first, *(shown(self.titles[number]) for number in kept)]
        lines = [f"| {' | '.join(map(escaped, names))} |"]
        lines.append("|---|---|" + "--:|" * (len(names) - 2))
        before = ""
        for row in self.table.rows:
            start = ["" if row.treebank == before else row.treebank, shown(row.system)]
            start += [f"{row.size:,}"] if row.size is not None else []
            cells = self.cells(row)
            lines.append(f"| {' | '.join(map(escaped, [*start, *(cells[i] for i in kept)]))} |")
            before = row.treebank
        return "\n".join(lines) + "\n"

    def ours(self) -> str:
        """A plain table of our figures alone, under the names that the experiment file has."""
        rows = [
            [row.treebank, row.system, *([f"{row.size:,}"] if row.size is not None else []),
             *map(cell_text, row.cells, self.table.columns)]
            for row in self.table.rows
        ]  # fmt: skip
        sizes = ["sentences"] if self.table.has_sizes else []
        return table(["treebank", "system", *sizes, *self.titles], rows)

    def cells(self, row: Row) -> list[str]:
        """The texts of a row: ours, and the paper's in brackets where it has one."""
        printed = iter(paper_texts(self.table, row))
        paper = [next(printed) if has else "" for has in self.table.printed]
        ours = our_texts(self.table, row)
        return [
            f"{own} ({other})".strip() if other else own
            for own, other in zip(ours, paper, strict=True)
        ]

    def summary(self) -> list[str]:
        """What was run, in a row."""
        done = [row for row in self.table.rows if row.cells[0].values]
        names = list(dict.fromkeys(row.treebank for row in done))
        absent = [name for name in self.work.experiment.treebanks if name not in names]
        count = f"{len(done)} of {len(self.table.rows)} rows" if done else "nothing"
        return [self.table.title, count, ", ".join(names) or "–", ", ".join(absent)]


def files_of(script: Any) -> dict[str, Path]:
    """The files of a script's results, by what they are of."""
    if script is paper_004:
        pairs = paper_004.domains()
        return {a if a == b else f"{a} for {b}": paper_004.file_of(a, b) for a, b in pairs}
    return {name: script.file_of(name) for name in script.names()}


def runs_done() -> str:
    """What was run of each experiment, and on which treebanks."""
    lines = ["| experiment | runs | on | not on |", "|---|---|---|---|"]
    lines += [f"| {' | '.join(Section.of(name).summary())} |" for name in EXPERIMENTS]
    for title, script in ON_TREEBANKS.items():
        results = files_of(script)
        names = [name for name, path in results.items() if path.exists()]
        absent = ", ".join(name for name in results if name not in names)
        count = f"{len(names)} of {len(results)} treebanks" if names else "nothing"
        lines.append(f"| {title} | {count} | {', '.join(names) or '–'} | {absent} |")
    return "\n".join(lines) + "\n"


TABLES: dict[str, Callable[[], str]] = {
    "runs": runs_done,
    **{name: made for script in WITH_TABLES for name, made in script.TABLES.items()},
}
"""Tables of scripts, by name; some are only for figures in the prose."""


def filled_table(mark: re.Match[str], images: str) -> str:
    """What stands in the place of a mark of a table."""
    name, columns = mark[1], [one.strip() for one in (mark[2] or "").split(";") if one.strip()]
    if name in TABLES:
        return TABLES[name]()
    section = Section.of(name)
    text = section.markdown(columns)
    if section.is_drawn and not columns:
        return f"![{section.table.title}]({images}/{name}.svg)\n\n{text}"
    return text


@cache
def plain_table(name: str) -> str:
    """A table of our figures, for the prose."""
    return TABLES[name]() if name in TABLES else Section.of(name).ours()


def filled(prose: str, images: str) -> str:
    """Prose with its tables and figures."""
    figures = Figures(plain_table).filled(prose)
    tables = re.compile(r"^<!-- table ([\w-]+)(?:: (.*?))? -->\n", re.MULTILINE)
    return tables.sub(lambda mark: filled_table(mark, images), figures)


def pages() -> dict[str, str]:
    """All pages, by their path below docs."""
    found = {}
    for path in sorted(PROSE.rglob("*.md")):
        name = path.relative_to(PROSE).as_posix()
        found[name] = filled(path.read_text("utf-8"), "../images" if "/" in name else "images")
    return found


def page() -> str:
    """The page of findings."""
    return pages()["results.md"]


def draw() -> None:
    """The plots of the pages."""
    (IMAGES / "mbr-gain.svg").write_text(mbr_tables.gain_plot(), "utf-8")
    if find_spec("matplotlib") is None:
        print("plots of experiments are as they were: matplotlib is not installed")
        return
    for name in EXPERIMENTS:
        section = Section.of(name)
        if section.is_drawn:
            write_plot(IMAGES, name, section.table, section.work.experiment.plot)


if __name__ == "__main__":
    for name, text in pages().items():
        (DOCS / name).parent.mkdir(exist_ok=True)
        (DOCS / name).write_text(text, "utf-8")
        print(f"wrote docs/{name}")
    draw()
