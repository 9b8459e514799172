"""Corston-Oliver et al. (2006), table 1: the data that parsers were trained on.

python experiments/paper_001_table_1.py [--treebanks FOLDER] [--on …]
"""

from pathlib import Path
from typing import Any

from runs import CATALOGUE, Kept, arguments_of, sentences_of, table

NAMES = ("ar_padt", "zh_gsd", "cs_mix", "en_ewt", "ptb-sample")
SPLITS = ("train", "dev")

PRINTED = {
    "Arabic": (116_695, 2_100, 446),
    "Chinese": (527_242, 14_735, 1_961),
    "Czech": (1_595_247, 73_088, 7_319),
    "English": (1_083_159, 39_832, 1_346),
}
"""Tokens of the whole treebank, test data included, and sentences of training and development."""


KEPT = Kept("size", NAMES)
file_of, names = KEPT.file_of, KEPT.names


def measure(name: str, treebanks: Path) -> None:
    """Count the sentences and words of a treebank."""
    found: dict[str, Any] = {"treebank": name}
    for split in SPLITS:
        sentences = sentences_of(treebanks, name, split)
        found[split] = {"sentences": len(sentences), "words": sum(map(len, sentences))}
    KEPT.write(found, name)


def size_table() -> str:
    """The table: our words and sentences, then the paper's."""
    rows = []
    for name in names():
        language = CATALOGUE[name].language
        ours: list[object] = ["–"] * 3
        if found := KEPT.read(name):
            train, dev = (found[split] for split in SPLITS)
            ours = [train["words"] + dev["words"], train["sentences"], dev["sentences"]]
        printed = PRINTED.get(language, ["–"] * 3)
        rows.append([language, name, *map(with_commas, [*ours, *printed])])
    titles = ("words", "training sentences", "development sentences")
    return table(("language", "treebank", *titles, *(f"paper: {one}" for one in titles)), rows)


def with_commas(value: object) -> str:
    """A number as people read it."""
    return f"{value:,}" if isinstance(value, int) else str(value)


TABLES = {"treebank-sizes": size_table}
"""Tables of the pages, by name."""


def main() -> None:
    """The command line."""
    chosen = arguments_of("Sizes of treebanks, as table 1 of 2006.", NAMES).parse_args()
    for name in chosen.on:
        measure(name, chosen.treebanks)


if __name__ == "__main__":
    main()
