"""Wang (2008), chapters 3 and 7: what single choices of the link classifiers are worth.

    python experiments/paper_003_choices.py [--treebanks FOLDER] [--on …]

One round of training on sentences of up to a length, development sentences of up to the same. Each
choice is compared with another one of them. What is done is kept, and not done again.
"""

import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from runs import Kept, arguments_of, p_text, sentences_of, table

from headwise.corpus.sentence import Sentence
from headwise.evaluate import compare
from headwise.parsers.boosting.parser import BoostedParser

NAMES = ("ptb-sample",)
LONGEST = 25
"""Search over first modifiers takes time to the fifth power of the length."""

ODDS: dict[str, Any] = {"link_score": "odds"}

CHOICES: dict[str, tuple[str, dict[str, Any]]] = {
    "static": ("", {"dynamic": False}),
    "static, one classifier": ("static", {"dynamic": False, "partition": False}),
    "dynamic": ("static", {}),
    "dynamic, all counts apart": ("dynamic", {"counts": LONGEST + 1}),
    "dynamic, odds": ("dynamic", ODDS),
    "dynamic, odds, grandchildren": (
        "dynamic, odds",
        ODDS | {"grandchildren": ("ADP", "IN", "TO", "P")},
    ),
}
"""Each choice, what it is compared with, and its settings."""

MEASURES = ("uas", "root", "ucm")


KEPT = Kept("boosting-choices", NAMES)
file_of, names = KEPT.file_of, KEPT.names


def tested(
    gold: Sequence[Sentence], base: Sequence[Sentence], own: Sequence[Sentence]
) -> dict[str, Any]:
    """The measures of a choice, and the p of its difference from another by UAS."""
    found = compare(gold, base, own, rounds=2000).all_tokens
    figures: dict[str, Any] = {key: round(found[key].b, 3) for key in MEASURES}
    return figures | {"p": found["uas"].randomisation_p}


def perform(name: str, treebanks: Path) -> None:
    """Train and compare what is missing; heads that were found are kept for comparisons."""
    kept = KEPT.read(name)
    train, dev = (sentences_of(treebanks, name, split, LONGEST) for split in ("train", "dev"))
    for label, (base, settings) in CHOICES.items():
        if label in kept:
            continue
        start = time.process_time()
        parser = BoostedParser(rounds=1, longest=LONGEST, **settings).fit(train)
        trained = time.process_time()
        own = parser.predict(dev)
        other = own if not base else with_heads(dev, kept[base]["heads"])
        kept[label] = tested(dev, other, own) | {
            "base": base,
            "heads": [list(one.heads) for one in own],
            "processor_seconds": round(trained - start, 1),
            "parse_seconds": round(time.process_time() - trained, 1),
            "train_uas": round(parser.report_["history"][0]["train_uas"], 3),
            "features": parser.report_["features"],
        }
        KEPT.write(kept, name)
        print(name, label, {key: kept[label][key] for key in (*MEASURES, "p")}, flush=True)


def with_heads(dev: Sequence[Sentence], heads: Sequence[Sequence[int]]) -> list[Sentence]:
    """Sentences as a parser has parsed them."""
    return [one.with_tree(own) for one, own in zip(dev, heads, strict=True)]


def choice_table() -> str:
    """What each choice is worth."""
    rows = []
    for name in names():
        for label, own in KEPT.read(name).items():
            p = p_text(own["p"]) if own["base"] else ""
            figures = [f"{own[key]:.2f}" for key in (*MEASURES, "train_uas")]
            seconds = [f"{own[key]:.0f}" for key in ("processor_seconds", "parse_seconds")]
            rows.append([name, label, *figures, own["base"], p, *seconds])
    titles = ("DA", "RA", "CM", "DA, training data", "against", "p of DA")
    return table(("treebank", "one round", *titles, "CPU seconds", "to parse"), rows)


TABLES = {"boosting-choices": choice_table}
"""Tables of the pages, by name."""


def main() -> None:
    """Perform what is missing."""
    chosen = arguments_of("Choices of chapters 3 and 7 of Wang (2008).", NAMES).parse_args()
    for name in chosen.on:
        perform(name, chosen.treebanks)


if __name__ == "__main__":
    main()
