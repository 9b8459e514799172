"""Paper 003, tables 8.2 and 8.3: convex semi-supervised training against supervised training.

    python experiments/paper_003_semisupervised.py [--treebanks FOLDER]

A first share of the training sentences of up to 10, 15, 20 or 40 words is labelled, the rest is
given without trees. Word pairs and tag pairs are the features (XPOS), as in the thesis; both kinds
of training choose among the same α, semi-supervised training among values of λ too, and the best
pass, on development sentences of up to the same length, which are those that are scored (the thesis
scores test sentences). A training that is in the results already is not done again.
"""

import argparse
import json
import time
import warnings
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from runs import RESULTS, TREEBANKS, sentences_of

from headwise.corpus.sentence import Sentence
from headwise.errors import HeadwiseWarning
from headwise.evaluate import evaluate
from headwise.features.tables import TableSizes
from headwise.parser import DependencyParser

NAMES = ("zh_gsd", "en_ewt")
LABELLED = {"zh_gsd": 0.64, "en_ewt": 0.75}
"""The share of the training sentences with trees, as in table 8.1."""

LENGTHS = (10, 15, 20, 40)
ALPHAS = {"zh_gsd": (1.0, 100.0), "en_ewt": (1.0,)}
LAMBDAS = (0.001, 0.01, 0.1)
EPOCHS = 10
TABLES = TableSizes(wide=4, narrow=22)
"""Pairs have a direction and no distance: all their weights are in the narrow table."""

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

Key = tuple[int, float, float]
"""The longest sentence, α, λ; λ = 0 is supervised."""


def file_of(name: str) -> Path:
    """Where a result is kept."""
    return RESULTS / f"semisupervised-{name}.json"


def keys(name: str) -> Iterator[Key]:
    """All trainings, the short ones first."""
    for longest in LENGTHS:
        for alpha in ALPHAS[name]:
            for lam in (0.0, *LAMBDAS):
                yield longest, alpha, lam


def label_of(key: Key) -> str:
    """A training as it is called in the results."""
    return f"≤ {key[0]}, alpha {key[1]:g}, lambda {key[2]:g}"


def kept_result(name: str) -> dict[str, Any]:
    """What came out so far."""
    if not file_of(name).exists():
        return {"treebank": name, "trainings": {}}
    found: dict[str, Any] = json.loads(file_of(name).read_text())
    return found


def learnt(
    key: Key, train: Sequence[Sentence], dev: Sequence[Sentence], share: float
) -> dict[str, Any]:
    """What comes out of one training."""
    longest, alpha, lam = key
    some = [one for one in train if len(one) <= longest]
    cut = round(share * len(some))
    scored = [one for one in dev if len(one) <= longest]
    parser = DependencyParser(
        learner="semisupervised", features="pairs", tags="xpos", labels="none", bits=32,
        alpha=alpha, lam=lam, epochs=EPOCHS, tables=TABLES, averaging="even",
    )  # fmt: skip
    start = time.perf_counter()
    parser.fit(some[:cut], scored, unlabelled=some[cut:] if lam else None)
    history = parser.report_["history"]
    found: dict[str, Any] = {
        "seconds": round(time.perf_counter() - start, 1),
        "labelled": cut,
        "unlabelled": len(some) - cut if lam else 0,
        "epoch": parser.report_["epoch"],
        "objectives": [round(record["objective"], 2) for record in history],
    }
    parsed = parser.predict(scored)
    for length in LENGTHS:
        pairs = [pair for pair in zip(scored, parsed, strict=True) if len(pair[0]) <= length]
        own = evaluate(*zip(*pairs, strict=True), rounds=1).to_json()
        found[str(length)] = {name: own[name] for name in ("words", "uas")}
    return found


def perform(name: str, treebanks: Path) -> None:
    """Do all trainings on a treebank that are missing, and keep what came out."""
    train, dev = (sentences_of(treebanks, name, split) for split in ("train", "dev"))
    result = kept_result(name)
    warnings.simplefilter("ignore", HeadwiseWarning)  # objectives are in the results
    for key in keys(name):
        label = label_of(key)
        if label in result["trainings"]:
            continue
        own = learnt(key, train, dev, LABELLED[name])
        result["trainings"][label] = own
        file_of(name).write_text(json.dumps(result, indent=1, sort_keys=True) + "\n")
        print(name, label, own[str(key[0])], own["seconds"], flush=True)


def best_of(name: str, longest: int, lambdas: Sequence[float]) -> dict[str, Any]:
    """The training that is best on sentences of up to its own length; nothing if none was done."""
    trainings = kept_result(name)["trainings"]
    labels = [label_of((longest, alpha, lam)) for alpha in ALPHAS[name] for lam in lambdas]
    found = [trainings[label] | {"label": label} for label in labels if label in trainings]
    return max(found, key=lambda own: own[str(longest)]["uas"], default={})


def rows_of(name: str) -> list[list[object]]:
    """Table 8.2 or 8.3: supervised and semi-supervised accuracy, ours and printed."""
    rows: list[list[object]] = []
    for longest in LENGTHS:
        supervised = best_of(name, longest, (0.0,))
        semi = best_of(name, longest, LAMBDAS)
        for length in LENGTHS:
            if length <= longest:
                ours = [
                    f"{own[str(length)]['uas']:.2f}" if own else "–" for own in (supervised, semi)
                ]
                printed = PRINTED[name].get((longest, length), ("", ""))
                rows.append([f"≤ {longest}", f"≤ {length}", *ours, *printed])
    return rows


def main() -> None:
    """Perform what is missing."""
    parser = argparse.ArgumentParser(description="Tables 8.2 and 8.3 of paper 003.")
    parser.add_argument("--treebanks", type=Path, default=TREEBANKS)
    parser.add_argument("--only", choices=NAMES, action="append", help="these treebanks alone")
    options = parser.parse_args()
    for name in options.only or NAMES:
        perform(name, options.treebanks)


if __name__ == "__main__":
    main()
