"""Parsers with and without tag reductions: `python benchmarks/tagreductions.py FOLDER [NAME …]`.

FOLDER has a folder for each treebank, with files ending in train.conllu.gz and dev.conllu.gz.
Trains a first-order parser for each treebank and reduction (`--reductions`, by default `none` and
`auto`), and prints a Markdown table: distinct XPOS tags, and UAS and LAS on dev with gold tags.
Reductions that come to the same are trained once, and not at all where all do.
"""

from pathlib import Path

from headwise import DependencyParser, Sentence
from pages import head, row
from treebankfolders import arguments, folders_in, sentences_of


def tags_of(sentences: list[Sentence]) -> int:
    """The number of distinct XPOS tags."""
    return len({tag for sentence in sentences for tag in sentence.xpos})


def scores(folder: Path, names: list[str], settings: dict[str, object]) -> list[str]:
    """The cells of a treebank: its tags, and UAS and LAS under each reduction."""
    train, dev = sentences_of(folder)
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
    options = arguments(__doc__)
    options.add_argument("--reductions", nargs="+", default=["none", "auto"])
    options.add_argument("--epochs", type=int, default=5)
    options.add_argument("--features", default="default")
    options.add_argument("--learner", default="mira")
    options.add_argument("--labels", default="second-stage")
    chosen = options.parse_args()
    settings = {name: getattr(chosen, name) for name in ("epochs", "features", "learner", "labels")}
    print(head("treebank", "XPOS tags", *chosen.reductions))
    for folder in folders_in(chosen.folder, chosen.names):
        print(row(folder.name, *scores(folder, chosen.reductions, settings)), flush=True)


if __name__ == "__main__":
    main()
