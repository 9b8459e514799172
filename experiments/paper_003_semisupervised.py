"""Paper 003, tables 8.2 and 8.3: convex semi-supervised training against supervised training.

    python experiments/paper_003_semisupervised.py [--treebanks FOLDER] [--on …] [--features …]

A first share of the training sentences of up to 10, 15, 20 or 40 words, or of all, is labelled, the
rest is given without trees. Word pairs and tag pairs are the features (XPOS), as in the thesis, or
the full set of McDonald et al. (2005), which it left to the future. Both kinds of training choose
among the same α, semi-supervised training among values of λ too, and the best pass, on development
sentences of up to the same length, which are those that are scored (the thesis scores test
sentences). A training that is in the results already is not done again. Results without `gaps` are
of ten passes of stochastic steps, which came before the dual was solved.

`--features solved` runs short sentences until the dual is solved, with word pairs and tag pairs. No
pass is chosen there, and α and λ of one half of the development sentences are those of the solved
trainings that are best on the other half.
"""

import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from runs import Kept, arguments_of, figure, like, scores_up_to, sentences_of, table

from headwise.corpus.sentence import Sentence
from headwise.errors import HeadwiseWarning
from headwise.parsers.graph.parser import DependencyParser
from headwise.scoring.linear.tables import TableSizes

NAMES = ("zh_gsd", "en_ewt")
LABELLED = {"zh_gsd": 0.64, "en_ewt": 0.75}
"""The share of the training sentences with trees, as in table 8.1."""

ALL = 10_000
"""More words than any sentence has."""

LENGTHS = (10, 15, 20, 40, ALL)
FULL_LENGTHS = (10, 40)
"""Of the trainings with the full set, whose α is 1."""

ALPHAS = {"zh_gsd": (1.0, 100.0), "en_ewt": (1.0,)}
LAMBDAS = (0.001, 0.01, 0.1)
EPOCHS = 10
WAYS = ("supervised", "semi-supervised")
SOLVED_LENGTHS = (10, 15)
SOLVED_ALPHAS = (1.0, 10.0, 100.0)
SOLVED_EPOCHS = 50
SOLVED_GAP = 0.05
"""Of the trainings that are to be solved; those with a larger gap are not chosen from."""

PAIRS: dict[str, Any] = {"features": "pairs", "tables": TableSizes(wide=4, narrow=22)}
"""Pairs have a direction and no distance: all their weights are in the narrow table."""

FULL: dict[str, Any] = {"features": "paper-000"}

PRINTED: dict[str, dict[tuple[int, int], tuple[float, float]]] = {
    "zh_gsd": {
        (10, 10): (82.98, 84.50),
        (15, 10): (84.80, 86.93),
        (15, 15): (76.96, 80.79),
        (20, 10): (84.50, 86.32),
        (20, 15): (78.77, 80.57),
        (20, 20): (74.89, 77.85),
        (40, 10): (84.19, 85.71),
        (40, 15): (78.03, 81.21),
        (40, 20): (76.25, 77.79),
        (40, 40): (68.17, 70.90),
        (ALL, 10): (82.67, 84.80),
        (ALL, 15): (77.92, 79.30),
        (ALL, 20): (77.30, 77.24),
        (ALL, 40): (70.11, 71.90),
        (ALL, ALL): (66.30, 67.35),
    },
    "en_ewt": {
        (10, 10): (87.77, 89.17),
        (15, 10): (88.06, 89.31),
        (15, 15): (81.10, 83.37),
        (20, 10): (88.78, 90.61),
        (20, 15): (83.00, 83.87),
        (20, 20): (77.70, 79.09),
    },
}
"""Tables 8.2 (CTB4) and 8.3 (PTB), directed accuracy: longest in training, in test; both ways."""


@dataclass(frozen=True, slots=True)
class Training:
    """One training: the longest sentence, α, λ (0 is supervised), the features."""

    longest: int
    alpha: float
    lam: float
    is_full: bool = False
    is_solved: bool = False

    def __str__(self) -> str:
        """As it is called in the results."""
        more = ", full set" if self.is_full else ", solved" if self.is_solved else ""
        return f"{shown(self.longest)}, alpha {self.alpha:g}, lambda {self.lam:g}{more}"

    @property
    def features(self) -> dict[str, Any]:
        """What it looks at."""
        return FULL if self.is_full else PAIRS


def shown(length: int) -> str:
    """A length as people read it."""
    return "all" if length == ALL else f"≤ {length}"


KEPT = Kept("semisupervised", NAMES)
file_of, names = KEPT.file_of, KEPT.names


def trainings(name: str, is_full: bool) -> Iterator[Training]:
    """All trainings with one of the sets, the short ones first."""
    for longest in FULL_LENGTHS if is_full else LENGTHS:
        for alpha in (1.0,) if is_full else ALPHAS[like(name)]:
            for lam in (0.0, *LAMBDAS):
                yield Training(longest, alpha, lam, is_full)


def solved_trainings() -> list[Training]:
    """Trainings on short sentences that go on until they are solved."""
    return [
        Training(longest, alpha, lam, is_solved=True)
        for longest in SOLVED_LENGTHS
        for alpha in SOLVED_ALPHAS
        for lam in (0.0, *LAMBDAS)
    ]


def done_on(name: str) -> dict[str, Any]:
    """What came out of all trainings on a treebank so far."""
    found: dict[str, Any] = KEPT.read(name).get("trainings", {})
    return found


def learnt(
    training: Training, train: Sequence[Sentence], dev: Sequence[Sentence], share: float
) -> dict[str, Any]:
    """What comes out of one training."""
    some = [one for one in train if len(one) <= training.longest]
    cut = round(share * len(some))
    scored = [one for one in dev if len(one) <= training.longest]
    parser = DependencyParser(
        learner="semisupervised", tags="xpos", labels="none", bits=32, alpha=training.alpha,
        lam=training.lam, epochs=SOLVED_EPOCHS if training.is_solved else EPOCHS,
        kept_epoch="last" if training.is_solved else "best", averaging="even", **training.features,
    )  # fmt: skip
    start = time.perf_counter()
    parser.fit(some[:cut], scored, unlabelled=some[cut:] if training.lam else None)
    history = parser.report_["history"]
    found: dict[str, Any] = {
        "seconds": round(time.perf_counter() - start, 1),
        "labelled": cut,
        "unlabelled": len(some) - cut if training.lam else 0,
        "epoch": parser.report_["epoch"],
        "objectives": [round(record["objective"], 2) for record in history],
        "gaps": [round(record["gap"], 5) for record in history],
    }
    parsed = parser.predict(scored)
    for length in LENGTHS:
        found[str(length)] = scores_up_to(length, scored, parsed, "words", "uas")
    found["halves"] = [right_heads(scored[half::2], parsed[half::2]) for half in (0, 1)]
    return found


def right_heads(gold: Sequence[Sentence], parsed: Sequence[Sentence]) -> dict[str, int]:
    """How many heads there are, and are right."""
    pairs = [pair for one in zip(gold, parsed, strict=True)
             for pair in zip(one[0].heads, one[1].heads, strict=True)]  # fmt: skip
    return {"words": len(pairs), "right": sum(a == b for a, b in pairs)}


def perform(name: str, treebanks: Path, sets: Sequence[str]) -> None:
    """Do all trainings on a treebank that are missing, and keep what came out."""
    train, dev = (sentences_of(treebanks, name, split) for split in ("train", "dev"))
    done = done_on(name)
    warnings.simplefilter("ignore", HeadwiseWarning)  # objectives are in the results
    for training in (
        one
        for each in sets
        for one in (solved_trainings() if each == "solved" else trainings(name, each == "full"))
    ):
        if str(training) in done:
            continue
        own = done[str(training)] = learnt(training, train, dev, LABELLED[like(name)])
        KEPT.write({"treebank": name, "trainings": done}, name)
        print(name, training, own[str(training.longest)], own["seconds"], flush=True)


def best_of(name: str, longest: int, lambdas: Sequence[float], is_full: bool) -> dict[str, Any]:
    """The training that is best on sentences of up to its own length; nothing if none was done."""
    done = done_on(name)
    labels = [
        str(training)
        for training in trainings(name, is_full)
        if training.longest == longest and training.lam in lambdas
    ]
    found = [done[label] | {"label": label} for label in labels if label in done]
    return max(found, key=lambda own: own[str(longest)]["uas"], default={})


def rows_of(name: str, is_full: bool = False) -> list[list[object]]:
    """Table 8.2 or 8.3: supervised and semi-supervised accuracy, ours and printed."""
    rows: list[list[object]] = []
    for longest in FULL_LENGTHS if is_full else LENGTHS:
        supervised = best_of(name, longest, (0.0,), is_full)
        semi = best_of(name, longest, LAMBDAS, is_full)
        for length in LENGTHS:
            if length <= longest:
                ours = [figure(own, str(length), "uas") for own in (supervised, semi)]
                printed = () if is_full else PRINTED[like(name)].get((longest, length), ("", ""))
                rows.append([shown(longest), shown(length), *ours, *printed])
    return rows


def table_of(name: str) -> str:
    """Table 8.2 or 8.3."""
    printed = ("thesis: supervised", "semi-supervised")
    return table(("trained on", "scored on", *WAYS, *printed), rows_of(name))


def english_table() -> str:
    """Table 8.3, and the same for further treebanks that have results."""
    _, ours, *others = names()
    return "\n".join([table_of(ours), *(f"{one}:\n\n{table_of(one)}" for one in others)])


def equal_table() -> str:
    """The rows of tables 8.2 and 8.3 that are scored on the lengths they were trained on."""
    rows = [
        [name, row[0], *row[2:4]] for name in names() for row in rows_of(name) if row[0] == row[1]
    ]
    return table(("treebank", "trained on", *WAYS), rows)


def full_table() -> str:
    """The same with the full set, treebanks side by side; there is nothing printed."""
    own = [rows_of(name, is_full=True) for name in names()]
    rows = [
        [*rows[0][:2], *(cell for row in rows for cell in row[2:])]
        for rows in zip(*own, strict=True)
    ]
    return table(
        ("trained on", "scored on", *(f"{name}: {w}" for name in names() for w in WAYS)), rows
    )


def fall_table() -> str:
    """By how many per cent the objective still fell in the last pass of trainings without gaps."""
    rows = [
        [f"{name}, {label}", f"{100 * (1 - own['objectives'][-1] / own['objectives'][-2]):.2f}"]
        for name in names()
        for label, own in done_on(name).items()
        if "gaps" not in own
    ]
    return table(("training", "fall"), rows)


def solved_table() -> str:
    """Of trainings that were solved: accuracy on dev, α and λ of each half chosen on the other."""
    rows: list[list[object]] = []
    for name in names():
        done = done_on(name)
        for longest in SOLVED_LENGTHS:
            ways = [
                [done[str(one)] | {"label": f"{one.alpha:g}, {one.lam:g}"}
                 for one in solved_trainings()
                 if one.longest == longest and (one.lam in lambdas) and str(one) in done]
                for lambdas in ((0.0,), LAMBDAS)
            ]  # fmt: skip
            solved = [[own for own in way if own["gaps"][-1] <= SOLVED_GAP] for way in ways]
            if all(solved):
                about = [
                    name,
                    shown(longest),
                    *(solved[1][0][key] for key in ("labelled", "unlabelled")),
                ]
                count = f"{sum(map(len, solved))} of {sum(map(len, ways))}"
                rows.append([*about, *(cell for way in solved for cell in crossed(way)), count])
    titles = ("with trees", "without", WAYS[0], "α, λ", WAYS[1], "α, λ", "solved")
    return table(("treebank", "words", *titles), rows)


def crossed(found: Sequence[dict[str, Any]]) -> tuple[str, str]:
    """Accuracy, and what was chosen for each half: what is best on the other."""
    right = words = 0
    chosen = []
    for half in (0, 1):
        best = max(found, key=lambda own: own["halves"][1 - half]["right"])
        right, words = right + best["halves"][half]["right"], words + best["halves"][half]["words"]
        chosen.append(best["label"])
    return f"{100 * right / words:.2f}", "; ".join(dict.fromkeys(chosen))


TABLES: dict[str, Callable[[], str]] = {
    "semisupervised-chinese": partial(table_of, "zh_gsd"),
    "semisupervised-english": english_table,
    "semisupervised-full": full_table,
    "semisupervised-fall": fall_table,
    "semisupervised-solved": solved_table,
    "semisupervised-equal": equal_table,
}
"""Tables of the pages, by name."""


def main() -> None:
    """Perform what is missing."""
    parser = arguments_of("Tables 8.2 and 8.3 of Wang (2008).", NAMES)
    parser.add_argument(
        "--features", choices=("pairs", "full", "solved"), help="one of the sets alone"
    )
    options = parser.parse_args()
    sets = (options.features,) if options.features else ("pairs", "full")
    for name in options.on:
        perform(name, options.treebanks, sets)


if __name__ == "__main__":
    main()
