"""Paper 003, tables 7.1 to 7.3: structured boosting of link classifiers.

    python experiments/paper_003_boosting.py [--treebanks FOLDER] [--jobs N] [--only …] [--on …]

Models learn from training sentences of up to 40 words and parse development sentences of up to 40
words, after every round, by the last hypothesis and by the ensemble. What came out is kept round by
round; cut short, the same call goes on after the last round.
"""

import shutil
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import paper_003_lexical
from runs import RESULTS, Kept, arguments_of, figure, like, sentences_of, table

from headwise.corpus.sentence import Sentence
from headwise.evaluate import evaluate
from headwise.learners.checkpoint import checkpoint_exists
from headwise.parsers.boosting.parser import BoostedParser
from headwise.parsers.boosting.rounds import Boosting, BoostingState
from headwise.parsers.boosting.training import restored_rounds, save_rounds
from headwise.parsers.graph.parser import DependencyParser

NAMES = ("en_ewt", "zh_gsd")
LONGEST = 40
MEASURES = ("uas", "root", "ucm")

MODELS: dict[str, dict[str, Any]] = {
    "static": {"dynamic": False},
    "dynamic": {},
    "static, α = 3": {"dynamic": False, "strength": 3.0},
    "static, L2": {"dynamic": False, "prior": "l2"},
    "dynamic, AdaBoost.M1": {"update": "m1"},
    "dynamic, AdaBoost.M2": {"update": "m2"},
    "dynamic, logistic": {"update": "logistic"},
}
"""Each model, and its settings other than the defaults; all have four rounds."""

RIVALS: dict[str, dict[str, Any]] = {
    "MIRA, first order": {"features": "paper-000"},
    "MIRA, second order": {"features": "paper-000", "parts": ("arc", "sibling")},
    "Bayes Point Machine": {"features": "paper-000", "learner": "bayes-point", "epochs": 5},
}
"""Rivals of table 7.3 that are here too, without labels."""

PRINTED_STATIC = {
    "en_ewt": [(87.77, 89.61, 27.44), (88.08, 89.61, 28.97), (88.10, 89.74, 28.81),
               (88.49, 90.62, 29.04)],
    "zh_gsd": [(82.20, 88.58, 19.38), (82.33, 89.62, 19.72), (82.22, 89.97, 18.69),
               (82.79, 89.97, 19.38)],
}  # fmt: skip
PRINTED_DYNAMIC = {
    "en_ewt": [(89.10, 90.36, 33.77), (89.15, 89.65, 34.56), (89.20, 89.69, 34.31),
               (89.22, 90.20, 34.35)],
    "zh_gsd": [(86.08, 92.39, 25.26), (86.25, 92.39, 26.64), (86.45, 91.70, 28.72),
               (86.58, 92.04, 28.37)],
}  # fmt: skip
"""Tables 7.1 and 7.2: DA, RA and CM after each round, on test data of Penn Treebank and CTB4."""

PRINTED_3: dict[str, dict[str, Any]] = {
    "en_ewt": {"MIRA, first order": (90.9, 94.2, 37.5), "MIRA, second order": (91.5, "–", 42.1),
               "Bayes Point Machine": (90.8, 93.7, 37.6), "boosting": (89.2, 90.2, 34.4),
               "Yamada & Matsumoto 2003": (90.3, 91.6, 38.4),
               "Nivre & Scholz 2004": (87.3, 84.3, 30.4)},
    "zh_gsd": {"chapter 5": (79.9, "–", "–"), "boosting": (86.6, 92.0, 28.4),
               "Bayes Point Machine": ("CTB5: 73.3", 66.2, 18.2),
               "boosting, CTB5": (77.6, 60.6, 13.5)},
}  # fmt: skip
"""Table 7.3: DA, RA and CM, on CTB4 if nothing else is said; chapter 5 has undirected accuracy."""

ELSEWHERE = ("Yamada & Matsumoto 2003", "Nivre & Scholz 2004", "boosting, CTB5")
"""What the thesis compares with, and is not here: they build trees by shifts and reductions, and
there is no CTB5."""


KEPT = Kept("boosting", NAMES)
file_of, names, results_of = KEPT.file_of, KEPT.names, KEPT.read


def slug(label: str) -> str:
    """A label as a part of a file's name."""
    return "-".join("".join(c if c.isalnum() else " " for c in label).split())


def keep(name: str, label: str, result: Any) -> None:
    """Keep what came out of a model."""
    KEPT.write(results_of(name) | {label: result}, name)


def figures(gold: Sequence[Sentence], parsed: Sequence[Sentence]) -> dict[str, float]:
    """The measures of the thesis: dependency accuracy, root accuracy, complete match."""
    own: dict[str, Any] = evaluate(gold, parsed, rounds=1).to_json()
    return {key: round(own[key], 3) for key in MEASURES}


def perform(name: str, label: str, treebanks: Path, jobs: int) -> None:
    """Boost one model, round by round."""
    train, dev = (sentences_of(treebanks, name, split, LONGEST) for split in ("train", "dev"))
    parser = BoostedParser(longest=LONGEST, **MODELS[label])
    boosting = parser.boosting(train, parser.classifier(), jobs)
    state = boosting.start({"model": label})
    checkpoint = RESULTS / f"boosting-{name}-{slug(label)}.checkpoint"
    if checkpoint_exists(checkpoint):
        features = len(boosting.examples.keys)
        state = restored_rounds(checkpoint, state, boosting.unseen, features)
    tick = time.perf_counter()
    for record in boosting.rounds(state, lambda share: None):
        record["seconds"] = round(time.perf_counter() - tick, 1)
        state.history += (record | dev_figures(boosting, state, dev),)
        print(name, label, state.history[-1], flush=True)
        save_rounds(checkpoint, state)
        tick = time.perf_counter()
    about = {"pairs": len(boosting.examples.labels), "tag_pairs": boosting.examples.parts,
             "features": len(boosting.examples.keys)}  # fmt: skip
    keep(name, label, about | {"rounds": list(state.history)})
    shutil.rmtree(checkpoint)


def dev_figures(
    boosting: Boosting, state: BoostingState, dev: Sequence[Sentence]
) -> dict[str, Any]:
    """The scores of the last hypothesis, with its speed, and of the ensemble."""
    done = len(state.hypotheses)
    start = time.perf_counter()
    parsed = boosting.search(state.hypotheses[-1]).parse_many(dev)
    speed = len(dev) / (time.perf_counter() - start)
    found: dict[str, Any] = {"last": figures(dev, parsed), "sentences_a_second": round(speed, 1)}
    whole = replace(boosting, settings=replace(boosting.settings, keep="ensemble"))
    together = boosting.search(whole.kept(state, done)).parse_many(dev)
    return found | {"ensemble": figures(dev, together)}


def perform_rival(name: str, label: str, treebanks: Path) -> None:
    """Train a rival on the same sentences."""
    train = sentences_of(treebanks, name, "train")
    dev = sentences_of(treebanks, name, "dev", LONGEST)
    own: dict[str, Any] = {"averaging": "even", "labels": "none", "longest": LONGEST}
    parser = DependencyParser(**own, **RIVALS[label]).fit(train, dev)
    keep(name, label, {"last": figures(dev, parser.predict(dev))})
    print(name, label, results_of(name)[label], flush=True)


def round_table(label: str, name: str) -> str:
    """Tables 7.1 and 7.2, one treebank: each round, ours and the thesis's."""
    printed = (PRINTED_DYNAMIC if label == "dynamic" else PRINTED_STATIC)[name]
    rows = [[n + 1, *shown(results_of(name), label, n), *printed[n]] for n in range(4)]
    theirs = {"en_ewt": "PTB", "zh_gsd": "CTB4"}[name]
    titles = (f"{where}: {key}" for where in (name, theirs) for key in ("DA", "RA", "CM"))
    return table(("round", *titles), rows)


def shown(results: dict[str, Any], label: str, number: int, key: str = "last") -> list[str]:
    """The figures of a round, or dashes."""
    rounds = results.get(label, {}).get("rounds", [])
    if number >= len(rounds):
        return ["–"] * len(MEASURES)
    return [f"{rounds[number][key][measure]:.2f}" for measure in MEASURES]


def rule_table(name: str) -> str:
    """Dependency accuracy after each round, by the last hypothesis and by the ensemble."""
    rows = [
        [f"{label}: {key}", *(shown(results_of(name), label, n, key)[0] for n in range(4))]
        for label in MODELS
        for key in ("last", "ensemble")
    ]
    return table((f"{name}: DA after round", "1", "2", "3", "4"), rows)


def fit_table() -> str:
    """Accuracy on the training data after the first round."""
    found = [(label, [results_of(name).get(label, {}) for name in names()]) for label in MODELS]
    rows = [
        [label, *(f"{own['rounds'][0]['train_uas']:.2f}" if own else "–" for own in each)]
        for label, each in found
    ]
    return table(("model", *names()), rows)


def rival_table() -> str:
    """Table 7.3: other parsers on the same sentences, and the thesis's figures."""
    rows: list[list[object]] = []
    for name in names():
        results, printed = results_of(name), PRINTED_3[like(name)]
        chapter_5 = paper_003_lexical.result_of(name, "(a), contexts by side")
        own = figure(chapter_5, "40", "uas")
        rows.append([f"{name}: chapter 5", own, "–", "–", *printed.get("chapter 5", "–––")])
        for label in RIVALS:
            ours = [figure(results, label, "last", key) for key in MEASURES]
            rows.append([f"{name}: {label}", *ours, *printed.get(label, "–––")])
        rows.append([f"{name}: boosting", *shown(results, "dynamic", 3), *printed["boosting"]])
        rows += [[other, *"–––", *printed[other]] for other in ELSEWHERE if other in printed]
    return table(("≤ 40 words", "DA", "RA", "CM", "thesis: DA", "RA", "CM"), rows)


TABLES: dict[str, Callable[[], str]] = {
    "boosting-static-english": partial(round_table, "static", "en_ewt"),
    "boosting-static-chinese": partial(round_table, "static", "zh_gsd"),
    "boosting-dynamic-english": partial(round_table, "dynamic", "en_ewt"),
    "boosting-dynamic-chinese": partial(round_table, "dynamic", "zh_gsd"),
    "boosting-rules-english": partial(rule_table, "en_ewt"),
    "boosting-rules-chinese": partial(rule_table, "zh_gsd"),
    "boosting-fit": fit_table,
    "boosting-rivals": rival_table,
}
"""Tables of the pages, by name."""


def main() -> None:
    """Perform what is missing."""
    parser = arguments_of("Tables 7.1 to 7.3 of Wang (2008).", NAMES)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--only", nargs="*", default=[*MODELS, *RIVALS], help="models")
    options = parser.parse_args()
    for label in options.only:
        for name in options.on:
            if label in results_of(name):
                continue
            if label in MODELS:
                perform(name, label, options.treebanks, options.jobs)
            else:
                perform_rival(name, label, options.treebanks)


if __name__ == "__main__":
    main()
