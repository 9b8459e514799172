"""Generate docs/results.md and docs/results/ from the kept results: `python experiments/page.py`.

The prose is in experiments/pages, in the layout of docs. Marks in it are filled in:

    <!-- table NAME -->             the table NAME; of an experiment file, its plot as well
    <!-- table NAME: UAS; p -->     only these columns of an experiment file
    {NAME / treebank / system / column}     one of our figures; more kinds are in figures.py

NAME is an experiment file without its ending, or one of TABLES. Nothing is trained: a run that is
missing shows as a dash. Plots need the extra `plot`.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from importlib.util import find_spec
from pathlib import Path

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
from runs import HERE

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

SCRIPTS: dict[str, dict[str, Path]] = {
    "Labels: joint or second stage": {name: labels.file_of(name) for name in labels.NAMES},
    "Corston-Oliver et al. (2006), table 1: sizes of treebanks": {
        name: paper_001_table_1.file_of(name) for name in paper_001_table_1.names()
    },
    "Titov & Henderson (2006), dependencies": {
        train if train == dev else f"{train} for {dev}": paper_004.file_of(train, dev)
        for train, dev in paper_004.domains()
    },
    "Titov & Henderson (2006), tables 1 and 2: constituents": {
        name: paper_004_constituents.file_of(name) for name in paper_004_constituents.names()
    },
    "Wang (2008), tables 5.1 and 5.2: words alone": {
        name: paper_003_lexical.file_of(name) for name in paper_003_lexical.names()
    },
    "Wang (2008), tables 6.1 to 6.4: local margins": {
        name: paper_003_margins.file_of(name) for name in paper_003_margins.names()
    },
    "Wang (2008), tables 7.1 to 7.3: structured boosting": {
        name: paper_003_boosting.file_of(name) for name in paper_003_boosting.names()
    },
    "Wang (2008), chapters 3 and 7: choices of link classifiers": {
        name: paper_003_choices.file_of(name) for name in paper_003_choices.names()
    },
    "Wang (2008), tables 8.2 and 8.3: semi-supervised training": {
        name: paper_003_semisupervised.file_of(name) for name in paper_003_semisupervised.names()
    },
}
"""Scripts, and for every treebank the file of its result."""

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

Rows = Iterable[Sequence[object]]


def shown(name: str) -> str:
    """A system or a column as it is called on the pages."""
    return SHOWN.get(name, name).replace("p against", "p vs")


def table(header: Iterable[str], rows: Rows) -> str:
    """A table in Markdown."""
    names = list(header)
    lines = ["| " + " | ".join(names) + " |", "|---|" + "--:|" * (len(names) - 1)]
    lines += ["| " + " | ".join(map(str, row)) + " |" for row in rows]
    return "\n".join(lines) + "\n"


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


def runs_done() -> str:
    """What was run of each experiment, and on which treebanks."""
    lines = ["| experiment | runs | on | not on |", "|---|---|---|---|"]
    lines += [f"| {' | '.join(Section.of(name).summary())} |" for name in EXPERIMENTS]
    for title, results in SCRIPTS.items():
        names = [name for name, path in results.items() if path.exists()]
        absent = ", ".join(name for name in results if name not in names)
        count = f"{len(names)} of {len(results)} treebanks" if names else "nothing"
        lines.append(f"| {title} | {count} | {', '.join(names) or '–'} | {absent} |")
    return "\n".join(lines) + "\n"


def treebank_sizes() -> str:
    """Corston-Oliver et al. (2006), table 1."""
    names = ("words", "training sentences", "development sentences")
    header = ("language", "treebank", *names, *(f"paper: {name}" for name in names))
    return table(header, paper_001_table_1.rows())


def label_table(measure: str) -> str:
    """Joint labels against those of a second stage, by UAS or LAS."""
    start = 1 if measure == "UAS" else 5
    header = ("", f"{measure}, second stage", f"{measure}, joint", "95 % interval", "p")
    return table(header, [[row[0], *row[start : start + 4]] for row in labels.rows()])


def mbr_dependencies() -> str:
    """Titov & Henderson (2006), dependencies: decoders side by side, UAS / complete match."""
    decoders = ("MBR rerank", "p of rerank", "MBR predict", "p of predict")
    names = ("", "probabilities", "list", "MAP", *decoders)
    rows: list[list[object]] = []
    best: dict[object, object] = {}
    for where, source, size, decoder, uas, complete, _, p in mbr_tables.dependency_rows():
        scores = f"{uas} / {complete}"
        if decoder == "MAP":
            best[source] = scores
        if decoder == "MAP" or size == "all trees":
            rows.append([where, source, size, best[source], "", "", "", ""])
        if decoder == "MBR rerank":
            rows[-1][4:6] = [scores, p]
        elif decoder == "MBR predict":
            rows[-1][6:8] = [scores, p]
    return table(names, rows)


def mbr_constituents(columns: Sequence[str]) -> str:
    """Titov & Henderson (2006), tables 1 and 2: some of their columns."""
    first = ("", "probabilities", "list", "decoder")
    names = ("F1", "LP", "LR", "complete", "CB", "0C", "2C", "p", "p vs rerank")
    kept = [names.index(one) + len(first) for one in columns]
    rows = ([*row[:4], *(row[i] for i in kept)] for row in mbr_tables.constituent_rows())
    return table((*first, *columns), rows)


def mbr_before() -> str:
    """Of every row of the table of constituents, the scores of MAP with the same probabilities."""
    header = ("", "probabilities", "list", "decoder", "LP", "LR", "complete")
    best: list[object] = []
    found, where = [], ""
    for row in mbr_tables.constituent_rows():
        where = str(row[0] or where)
        best = [row[5], row[6], row[7]] if row[3] == "MAP" else best
        found.append([where, *row[1:4], *best])
    return table(header, found)


def mbr_scales() -> str:
    """The scales of probabilities that were tuned for constituents."""
    return table(("", "probabilities", "list", "decoder", "scale"), mbr_tables.scale_rows())


def lexical_lengths() -> str:
    """Wang (2008), table 5.1."""
    names = ("undirected accuracy", *(f"≤ {n} words" for n in paper_003_lexical.LENGTHS))
    return table(names, paper_003_lexical.length_rows())


def lexical_models() -> str:
    """Wang (2008), table 5.2."""
    ours = [f"{name}: {key}" for name in paper_003_lexical.names() for key in ("undirected", "UAS")]
    return table(("≤ 40 words", *ours, "thesis: undirected"), paper_003_lexical.model_rows())


def margin_features(part: str) -> str:
    """Wang (2008), tables 6.1 and 6.2: our figures, or those of the thesis."""
    names = paper_003_margins.names()
    sources = names if part == "ours" else ("thesis, dev", "thesis, test")
    kept = slice(1, 1 + 2 * len(names)) if part == "ours" else slice(1 + 2 * len(names), None)
    header = [f"{source}: {loss}" for source in sources for loss in ("local", "global")]
    rows = [[row[0], *row[kept]] for row in paper_003_margins.feature_rows()]
    return table(("≤ 10 words", *header), [row for row in rows if row[1] != ""])


def margins_on_training_data(part: str) -> str:
    """Wang (2008), table 6.3: accuracy on the training data, or in cross-validation on it."""
    names = paper_003_margins.names()
    header = [f"{name}: {loss}" for name in names for loss in ("local", "global")]
    rows = paper_003_margins.training_rows()
    end = 1 + len(header) + 2  # after our columns and the two of the thesis
    if part == "left out":
        return table(("≤ 10 words", *header), [[row[0], *row[end:]] for row in rows])
    header += ["thesis: local", "thesis: global"]
    return table(("≤ 10 words", *header), [row[:end] for row in rows])


def margins_by_beta() -> str:
    """Wang (2008), chapter 6: accuracy in cross-validation at every β."""
    betas = [f"{loss}, {b:g}" for loss in ("local", "global") for b in paper_003_margins.BETAS]
    return table(("treebank", "features", *betas), paper_003_margins.beta_rows())


def margins_and_counts() -> str:
    """Wang (2008), table 6.4."""
    names = ("≤ 10 words", *paper_003_margins.names(), "thesis: dev", "thesis: test")
    return table(names, paper_003_margins.comparison_rows())


def margins_of_long_sentences(part: str) -> str:
    """Beyond chapter 6 of Wang (2008): trained on up to forty words, by accuracy or by cost."""
    rows, first = paper_003_margins.long_rows(), "trained on ≤ 40 words"
    if part == "cost":
        costs = (first, "seconds", "passes", "gap, %", "KKT")
        return table(costs, [[row[0], *row[6:]] for row in rows])
    lengths = [f"≤ {n}" for n in paper_003_margins.LENGTHS]
    return table((first, *lengths, "UAS, ≤ 40"), [row[:6] for row in rows])


def boosting_rounds(label: str, treebank: str) -> str:
    """Wang (2008), tables 7.1 and 7.2, of one language."""
    theirs = {"en_ewt": "PTB", "zh_gsd": "CTB4"}[treebank]
    start = 1 + 6 * paper_003_boosting.names().index(treebank)
    names = [f"{where}: {key}" for where in (treebank, theirs) for key in ("DA", "RA", "CM")]
    rows = ([row[0], *row[start : start + 6]] for row in paper_003_boosting.round_rows(label))
    return table(("round", *names), rows)


def boosting_rules(treebank: str) -> str:
    """Wang (2008), section 9.2.1: other kinds of boosting, on one treebank."""
    start = 1 + 4 * paper_003_boosting.names().index(treebank)
    names = (f"{treebank}: DA after round", "1", "2", "3", "4")
    rows = ([row[0], *row[start : start + 4]] for row in paper_003_boosting.rule_rows())
    return table(names, rows)


def boosting_fit() -> str:
    """Accuracy on the training data after the first round."""
    names = paper_003_boosting.names()
    return table(("model", *names), paper_003_boosting.fit_rows())


def boosting_rivals() -> str:
    """Wang (2008), table 7.3."""
    names = ("DA", "RA", "CM", "thesis: DA", "RA", "CM")
    return table(("≤ 40 words", *names), paper_003_boosting.rival_rows())


def boosting_choices() -> str:
    """Wang (2008), chapters 3 and 7: single choices of the link classifiers."""
    figures = ("DA", "RA", "CM", "DA, training data", "against", "p of DA")
    names = ("treebank", "one round", *figures, "CPU seconds", "to parse")
    return table(names, paper_003_choices.rows())


def semisupervised(name: str) -> str:
    """Wang (2008), table 8.2 or 8.3."""
    names = ("trained on", "scored on", "supervised", "semi-supervised")
    printed = ("thesis: supervised", "semi-supervised")
    return table((*names, *printed), paper_003_semisupervised.rows_of(name))


def semisupervised_equal() -> str:
    """The rows of tables 8.2 and 8.3 that are scored on the lengths they were trained on."""
    rows = [
        [name, row[0], *row[2:4]]
        for name in paper_003_semisupervised.names()
        for row in paper_003_semisupervised.rows_of(name)
        if row[0] == row[1]
    ]
    return table(("treebank", "trained on", "supervised", "semi-supervised"), rows)


def semisupervised_english() -> str:
    """Wang (2008), table 8.3, and the same for further treebanks that have results."""
    _, ours, *others = paper_003_semisupervised.names()
    further = (f"{one}:\n\n{semisupervised(one)}" for one in others)
    return "\n".join([semisupervised(ours), *further])


def semisupervised_fall() -> str:
    """How far stopped trainings were from rest."""
    return table(("training", "fall"), paper_003_semisupervised.fall_rows())


def semisupervised_solved() -> str:
    """Chapter 8 of Wang (2008), solved: short sentences."""
    names = ("treebank", "words", "with trees", "without", "supervised", "α, λ", "semi-supervised")
    return table((*names, "α, λ", "solved"), paper_003_semisupervised.solved_rows())


def semisupervised_full() -> str:
    """Beyond chapter 8 of Wang (2008): a full feature set."""
    ways = ("supervised", "semi-supervised")
    both = [f"{name}: {way}" for name in paper_003_semisupervised.names() for way in ways]
    return table(("trained on", "scored on", *both), paper_003_semisupervised.full_rows())


TABLES: dict[str, Callable[[], str]] = {
    "runs": runs_done,
    "treebank-sizes": treebank_sizes,
    "labels-uas": partial(label_table, "UAS"),
    "labels-las": partial(label_table, "LAS"),
    "mbr-dependencies": mbr_dependencies,
    "mbr-constituents": partial(
        mbr_constituents, ("F1", "LP", "LR", "complete", "p", "p vs rerank")
    ),
    "mbr-crossing": partial(mbr_constituents, ("CB", "0C", "2C")),
    "mbr-before": mbr_before,
    "mbr-scales": mbr_scales,
    "lexical-lengths": lexical_lengths,
    "lexical-models": lexical_models,
    "margin-features": partial(margin_features, "ours"),
    "margin-features-thesis": partial(margin_features, "thesis"),
    "margin-violations": paper_003_margins.violations,
    "margin-training": partial(margins_on_training_data, "training"),
    "margin-left-out": partial(margins_on_training_data, "left out"),
    "margin-betas": margins_by_beta,
    "margin-counts": margins_and_counts,
    "margin-long": partial(margins_of_long_sentences, "accuracy"),
    "margin-long-cost": partial(margins_of_long_sentences, "cost"),
    "boosting-static-english": partial(boosting_rounds, "static", "en_ewt"),
    "boosting-static-chinese": partial(boosting_rounds, "static", "zh_gsd"),
    "boosting-dynamic-english": partial(boosting_rounds, "dynamic", "en_ewt"),
    "boosting-dynamic-chinese": partial(boosting_rounds, "dynamic", "zh_gsd"),
    "boosting-rules-english": partial(boosting_rules, "en_ewt"),
    "boosting-rules-chinese": partial(boosting_rules, "zh_gsd"),
    "boosting-fit": boosting_fit,
    "boosting-rivals": boosting_rivals,
    "boosting-choices": boosting_choices,
    "semisupervised-chinese": partial(semisupervised, "zh_gsd"),
    "semisupervised-english": semisupervised_english,
    "semisupervised-full": semisupervised_full,
    "semisupervised-fall": semisupervised_fall,
    "semisupervised-solved": semisupervised_solved,
    "semisupervised-equal": semisupervised_equal,
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
