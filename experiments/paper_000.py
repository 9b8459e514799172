"""Paper 000, tables 2 (perceptron against MIRA) and 4 (k of k-best MIRA)."""

from typing import Any

from runs import Run, perform_all

from headwise.features.tables import TableSizes

PAPER: dict[str, Any] = {
    "features": "paper-000",
    "tables": TableSizes(wide=21, narrow=4, parts=22),
}
TREEBANKS = ("en_ewt", "ptb-sample")
K = (1, 2, 5, 10, 20)

PERCEPTRON = {name: Run(name, PAPER | {"learner": "perceptron"}) for name in TREEBANKS}
MIRA = {(name, k): Run(name, PAPER | {"k": k}) for name in TREEBANKS for k in K}
FACTORED = {name: Run(name, PAPER | {"learner": "factored-mira"}) for name in TREEBANKS}

PRINTED_2 = {"perceptron": (90.6, 94.0, 36.5), "mira": (90.9, 94.2, 37.5)}
"""Accuracy, root and complete match of English, without punctuation."""

PRINTED_4 = {
    1: (90.73, 183),
    2: (90.82, 235),
    5: (90.88, 627),
    10: (90.92, 1372),
    20: (90.91, 2491),
}
"""Accuracy and minutes of training for each k."""

RUNS = [*PERCEPTRON.values(), *FACTORED.values(), *MIRA.values()]

if __name__ == "__main__":
    perform_all(RUNS)
