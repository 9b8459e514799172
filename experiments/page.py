"""docs/results.md from what is in experiments/results: `python experiments/page.py`.

Every figure of ours on that page is written here, from a run; the papers' are in the experiments'
files. A run that was not done is shown as a dash.
"""

from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from typing import Any

import mbr_tables
import paper_000
import paper_001
import paper_002
import paper_003_lexical
import paper_003_margins
import paper_003_semisupervised
import search
from runs import HERE, Run

PAGE = HERE / "../docs/results.md"

INTRODUCTION = """# What the papers found, and what we find

This page is made by `python experiments/page.py` from the runs in `experiments/results`. Each run
is one training on a treebank, scored on its **development** data (the papers print test data where
they say so); `python experiments/paper_000.py` does again what is missing. Figures are per cent.
Runs of papers 000, 001 and 004 were made before templates of both ends were kept to known arcs
(see [features](features.md)), and have not been made again since.
"""


def score(run: Run, key: str, *, punctuation: bool = True) -> str:
    """A score of a run."""
    result = run.result()
    if result is None:
        return "–"
    scores: dict[str, Any] = result["scores"]
    return f"{(scores if punctuation else scores['without_punctuation'])[key]:.2f}"


def table(header: Iterable[str], rows: Iterable[Iterable[object]]) -> str:
    """A table in Markdown."""
    names = list(header)
    lines = ["| " + " | ".join(names) + " |", "|---|" + "--:|" * (len(names) - 1)]
    lines += ["| " + " | ".join(map(str, row)) + " |" for row in rows]
    return "\n".join(lines) + "\n"


def perceptron_and_mira() -> str:
    """Paper 000, table 2."""
    rows: list[list[object]] = []
    for name in paper_000.TREEBANKS:
        learners = {
            "averaged perceptron": (paper_000.PERCEPTRON[name], "perceptron"),
            "MIRA, k = 1": (paper_000.MIRA[name, 1], None),
            "MIRA, k = 5": (paper_000.MIRA[name, 5], "mira"),
            "factored MIRA": (paper_000.FACTORED[name], None),
        }
        for label, (run, printed) in learners.items():
            ours = [score(run, key, punctuation=False) for key in ("uas", "root", "ucm")]
            paper = paper_000.PRINTED_2[printed] if printed else ("", "", "")
            rows.append([f"{name}: {label}", *ours, *paper, score(run, "uas")])
    return table(
        ("", "UAS", "root", "complete", "paper: UAS", "root", "complete", "UAS, all tokens"), rows
    )


def k_of_mira() -> str:
    """Paper 000, table 4."""
    rows = []
    for name in paper_000.TREEBANKS:
        first = paper_000.MIRA[name, 1].result()
        for k in paper_000.K:
            run = paper_000.MIRA[name, k]
            result = run.result()
            accuracy, minutes = paper_000.PRINTED_4[k]
            times = "–"
            if result and first:
                times = f"{result['processor_seconds'] / first['processor_seconds']:.1f}"
            seconds = f"{result['processor_seconds']:.0f}" if result else "–"
            without = score(run, "uas", punctuation=False)
            rows.append(
                [f"{name}, k = {k}", without, seconds, times, accuracy, f"{minutes / 183:.1f}"]
            )
    return table(
        ("", "UAS", "seconds", "times k = 1", "paper: UAS", "times k = 1"),
        rows,
    )


def machines() -> str:
    """Paper 001, table 2."""
    rows = []
    for name, (language, _) in paper_001.LANGUAGES.items():
        run = paper_001.MACHINES[name]
        ours = [score(run, key) for key in ("uas", "root", "ucm")]
        without = score(run, "uas", punctuation=False)
        rows.append([f"{language} ({name})", *ours, without, *paper_001.PRINTED_2[language]])
    return table(
        (
            "",
            "UAS",
            "root",
            "complete",
            "UAS without punctuation",
            "paper: UAS",
            "root",
            "complete",
            "without punctuation",
        ),
        rows,
    )


def machine_row(label: str, run: Run, printed: tuple[object, ...]) -> list[object]:
    """A machine beside its members, all tokens counted."""
    result = run.result()
    if result is None:
        return [label, "–", "–", "–", "–", *printed]
    members = result["members"]
    mean = sum(members) / len(members)
    figures = [result["scores"]["uas"], max(members), min(members), mean]
    return [label, *(f"{figure:.2f}" for figure in figures), *printed]


def members() -> str:
    """Paper 001, table 4."""
    rows = [
        machine_row(language, paper_001.MACHINES[name], paper_001.PRINTED_4[language])
        for name, (language, _) in paper_001.LANGUAGES.items()
    ]
    rows += [
        machine_row(f"{name}, default features", run, ("", "", ""))
        for name, run in paper_001.DEFAULT_MACHINES.items()
    ]
    rows.append(machine_row("Arabic, Chu-Liu-Edmonds", paper_001.ARABIC_CHU_LIU, ("", "", "")))
    return table(
        ("", "machine", "best", "worst", "mean", "paper: machine", "best", "worst"),
        rows,
    )


def searches() -> str:
    """Projective against non-projective search."""
    rows = []
    for name in search.TREEBANKS:
        runs = [search.RUNS_BY_NAME[name, decoder] for decoder in search.DECODERS]
        rows.append(
            [name, *(score(run, "uas") for run in runs), score(search.REORDERED[name], "uas")]
        )
    return table(
        ("", "projective, arcs lifted", "non-projective", "projective, words reordered"), rows
    )


def minimum_risk() -> str:
    """Paper 004, dependencies."""
    names = ("", "probabilities", "list", "decoder", "UAS", "complete", "gain", "p")
    return table(names, mbr_tables.dependency_rows())


def minimum_risk_of_brackets() -> str:
    """Paper 004, tables 1 and 2."""
    names = ("", "probabilities", "list", "decoder", "F1", "LP", "LR", "complete", "CB", "0C", "2C")
    return table((*names, "p"), mbr_tables.constituent_rows())


def parts() -> str:
    """Paper 002, table 2."""
    rows = []
    for (name, label), run in paper_002.BY_PARTS.items():
        ours = [score(run, key, punctuation=False) for key in ("uas", "ucm")]
        printed = paper_002.PRINTED_2[label]
        paper = printed[2:] if name == "zh_gsd" else printed[:2]
        rows.append([f"{name}: {label}", *ours, *paper, score(run, "uas")])
    return table(("", "UAS", "complete", "paper: UAS", "complete", "UAS, all tokens"), rows)


def orders() -> str:
    """Paper 002, tables 3 and 4."""
    rows = []
    for (name, label), run in paper_002.BY_ORDER.items():
        ours = [score(run, key, punctuation=False) for key in ("uas", "ucm")]
        paper = paper_002.PRINTED_3[name].get(label, ("", ""))
        kept = (run.result() or {}).get("pruner")
        heads, oracle = "", ""
        if kept:
            heads, oracle = f"{kept['heads_a_word']:.1f}", f"{kept['oracle_uas']:.2f}"
        shown = [*ours, *paper, score(run, "uas"), heads, oracle]
        rows.append([f"{name}: order {label}", *shown])
    return table(
        (
            "",
            "UAS",
            "complete",
            "paper: UAS",
            "complete",
            "UAS, all tokens",
            "heads a word kept",
            "oracle UAS",
        ),
        rows,
    )


def lexical_lengths() -> str:
    """Paper 003, table 5.1."""
    names = ("undirected accuracy", *(f"≤ {n} words" for n in paper_003_lexical.LENGTHS))
    return table(names, paper_003_lexical.length_rows())


def lexical_models() -> str:
    """Paper 003, table 5.2."""
    ours = [f"{name}: {key}" for name in paper_003_lexical.NAMES for key in ("undirected", "UAS")]
    return table(("≤ 40 words", *ours, "thesis: undirected"), paper_003_lexical.model_rows())


def margin_features() -> str:
    """Paper 003, tables 6.1 and 6.2."""
    losses = ("local", "global")
    ours = [f"{name}: {loss}" for name in paper_003_margins.NAMES for loss in losses]
    printed = [f"thesis, {split}: {loss}" for split in ("dev", "test") for loss in losses]
    return table(("≤ 10 words", *ours, *printed), paper_003_margins.feature_rows())


def margins_on_training_data() -> str:
    """Paper 003, table 6.3."""
    losses = ("local", "global")
    ours = [f"{name}: {loss}" for name in paper_003_margins.NAMES for loss in losses]
    printed = [f"thesis: {loss}" for loss in losses]
    left_out = [f"left out, {one}" for one in ours]
    names = ("≤ 10 words", *ours, *printed, *left_out)
    return table(names, paper_003_margins.training_rows())


def margins_and_counts() -> str:
    """Paper 003, table 6.4."""
    names = ("≤ 10 words", *paper_003_margins.NAMES, "thesis: dev", "thesis: test")
    return table(names, paper_003_margins.comparison_rows())


def margins_of_long_sentences() -> str:
    """What chapter 6 could not do: up to forty words."""
    lengths = [f"≤ {n}" for n in paper_003_margins.LENGTHS]
    figures = ("UAS, ≤ 40", "seconds", "passes", "gap, %")
    return table(("learnt from ≤ 40 words", *lengths, *figures), paper_003_margins.long_rows())


def semisupervised(name: str) -> str:
    """Paper 003, table 8.2 or 8.3."""
    names = ("learnt from", "scored", "supervised", "semi-supervised")
    printed = ("thesis: supervised", "semi-supervised")
    return table((*names, *printed), paper_003_semisupervised.rows_of(name))


def page() -> str:
    """The whole page."""
    texts = Path(HERE / "results.txt").read_text("utf-8").split("\n---\n")
    makers: tuple[Callable[[], str], ...]
    makers = (perceptron_and_mira, k_of_mira, machines, members, parts, orders, searches)
    makers += (minimum_risk, minimum_risk_of_brackets, lexical_lengths, lexical_models)
    makers += (margin_features, margins_on_training_data, margins_and_counts)
    makers += (margins_of_long_sentences, partial(semisupervised, "zh_gsd"))
    makers += (partial(semisupervised, "en_ewt"),)
    found = [f"{text.strip()}\n\n{make()}" for text, make in zip(texts, makers, strict=True)]
    return "\n".join([INTRODUCTION, *found])


if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8")
    (PAGE.parent / "images" / "mbr-gain.svg").write_text(mbr_tables.gain_plot(), "utf-8")
    print(f"wrote {PAGE.resolve().name}")
