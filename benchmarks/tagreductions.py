"""Parsers with and without tag reductions: `python benchmarks/tagreductions.py FOLDER [NAME …]`.

FOLDER has a folder for each treebank, with files ending in train.conllu.gz and dev.conllu.gz.
Trains a first-order parser for each treebank and reduction (`--reductions`, by default `none` and
`auto`), and prints a Markdown table: distinct XPOS tags, and UAS and LAS on dev with gold tags.
Reductions that come to the same are trained once, and not at all where all do.
"""

import argparse
from pathlib import Path

from headwise import DependencyParser, Sentence, read_sentences


def tags_of(sentences: list[Sentence]) -> int:
    """The number of distinct XPOS tags."""
    return len({tag for sentence in sentences for tag in sentence.xpos})


def scores(folder: Path, names: list[str], settings: dict[str, object]) -> list[str]:
    """The cells of a treebank: its tags, and UAS and LAS under each reduction."""
    train, dev = (
        list(read_sentences(next(folder.glob(f"*{part}.conllu.gz")))) for part in ("train", "dev")
    )
    parsers = [
        DependencyParser(tag_reduction=name, **settings)  # type: ignore[arg-type]
        for name in names
    ]
    reductions = [tuple(parser.tag_reduction_for(train).rows()) for parser in parsers]
    cells = [f"{tags_of(train):,}"]
    if len(set(reductions)) == 1:
        return [*cells, *["the same"] * len(names)]
    found: dict[tuple[str, ...], str] = {}
    for parser, rows in zip(parsers, reductions, strict=True):
        if rows not in found:
            report = parser.fit(train, dev).report_
            found[rows] = " / ".join(
                f"{report[one]:.2f}" for one in ("dev_uas", "dev_las") if one in report
            )
        cells.append(found[rows])
    return cells


def main() -> None:
    """Print the table."""
    options = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    options.add_argument("folder", type=Path)
    options.add_argument("names", nargs="*")
    options.add_argument("--reductions", nargs="+", default=["none", "auto"])
    options.add_argument("--epochs", type=int, default=5)
    options.add_argument("--features", default="default")
    options.add_argument("--learner", default="mira")
    options.add_argument("--labels", default="second-stage")
    chosen = options.parse_args()
    settings = {name: getattr(chosen, name) for name in ("epochs", "features", "learner", "labels")}
    names = chosen.names or sorted(
        path.name for path in chosen.folder.iterdir() if any(path.glob("*train.conllu.gz"))
    )
    print(f"| treebank | XPOS tags | {' | '.join(chosen.reductions)} |")
    print("|---|--:" + "|--:" * len(chosen.reductions) + "|")
    for name in names:
        cells = scores(chosen.folder / name, chosen.reductions, settings)
        print(f"| {name} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
