"""Labels joint with arcs against labels of a second stage, and whether the difference is real.

    python experiments/labels.py [--treebanks FOLDER] [NAME …]

Both parsers are of the first order and learn from gold tags; they are compared on development data
(all tokens). What came out is kept in `experiments/results/labels-NAME.json`; a treebank that is
there already is not done again. The output is a table in Markdown.
"""

import argparse
import time
from functools import partial
from pathlib import Path
from typing import Any

from runs import TREEBANKS, Kept, p_text, sentences_of, table

from headwise.corpus.sentence import Sentence
from headwise.evaluate import compare
from headwise.parsers.graph.parser import DependencyParser

WAYS: dict[str, dict[str, Any]] = {
    "second-stage": {"labels": "second-stage"},
    "joint": {"labels": "joint", "loss": "labelled"},
}
MEASURES = ("uas", "las")
NAMES = ("hu_szeged", "la_udante", "en_ewt")
HEADER = (
    "", "UAS, second stage", "joint", "difference", "p", "LAS, second stage", "joint", "difference",
    "p",
)  # fmt: skip


KEPT = Kept("labels", NAMES)
file_of, names = KEPT.file_of, KEPT.names


def parsed(way: str, train: list[Sentence], dev: list[Sentence]) -> tuple[list[Sentence], float]:
    """Development data as a parser that was trained in one way parses it, and its seconds."""
    start = time.process_time()
    parser = DependencyParser(**WAYS[way]).fit(train, dev)
    return parser.predict(dev), round(time.process_time() - start, 1)


def comparison(treebanks: Path, name: str) -> dict[str, Any]:
    """Both ways beside each other on one treebank, from the last time if there was one."""
    if kept := KEPT.read(name):
        return kept
    train, dev = (sentences_of(treebanks, name, split) for split in ("train", "dev"))
    (second, second_seconds), (joint, joint_seconds) = (parsed(way, train, dev) for way in WAYS)
    found = compare(dev, second, joint).to_json()
    result = {
        "treebank": name,
        "processor_seconds": {"second-stage": second_seconds, "joint": joint_seconds},
        "measures": {measure: found["measures"][measure] for measure in MEASURES},  # type: ignore[index]
    }
    KEPT.write(result, name)
    return result


def measure_table(measure: str) -> str:
    """What was done, by UAS or LAS."""
    start = 1 if measure == "UAS" else 5
    header = ("", f"{measure}, second stage", f"{measure}, joint", "95 % interval", "p")
    done = [row(kept) for kept in map(KEPT.read, NAMES) if kept]
    return table(header, [[one[0], *one[start : start + 4]] for one in done])


def row(result: dict[str, Any]) -> list[str]:
    """A row of the table."""
    cells = [result["treebank"]]
    for measure in MEASURES:
        own = result["measures"][measure]
        low, high = own["interval"]
        cells += [f"{own['a']:.2f}", f"{own['b']:.2f}", f"{low:+.2f} … {high:+.2f}"]
        cells.append(p_text(own["randomisation_p"]))
    return cells


TABLES = {
    "labels-uas": partial(measure_table, "UAS"),
    "labels-las": partial(measure_table, "LAS"),
}
"""Tables of the pages, by name."""


def main() -> None:
    """Compare on each treebank, and print what came out."""
    options = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    options.add_argument("--treebanks", type=Path, default=TREEBANKS)
    options.add_argument("names", nargs="*", default=NAMES)
    chosen = options.parse_args()
    print(f"| {' | '.join(HEADER)} |\n|---|{'--:|' * (len(HEADER) - 1)}")
    for name in chosen.names:
        print(f"| {' | '.join(row(comparison(chosen.treebanks, name)))} |", flush=True)


if __name__ == "__main__":
    main()
