"""Train pipelines on treebanks: `python benchmarks/treebanks.py FOLDER [NAME …] [-o MODELS] [--
…]`.

FOLDER has a folder for each treebank, with files ending in train.conllu.gz and dev.conllu.gz. For
each of them `headwise train` writes a model into MODELS (arguments after `--` are passed on);
existing models are kept, and interrupted training is resumed. Prints Markdown tables of the
models' scores on dev: with gold and own tags, and from raw text.
"""

import argparse
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from headwise.storage.modelfile import describe_model

Columns = tuple[tuple[str, str, str], ...]
"""The columns of a table: condition, measure, title."""

TAGS: Columns = (
    ("gold tags", "uas", "UAS, gold tags"), ("gold tags", "las", "LAS, gold tags"),
    ("own tags", "upos", "UPOS"),
    ("own tags", "uas", "UAS, own tags"), ("own tags", "las", "LAS, own tags"),
)  # fmt: skip
RAW: Columns = (
    ("raw text", "words", "words"), ("raw text", "sentences", "sentences"),
    ("raw text", "upos", "UPOS"), ("raw text", "uas", "UAS"), ("raw text", "las", "LAS"),
)  # fmt: skip
Scores = dict[str, dict[str, float | None]]


def train(folder: Path, model: Path, more: list[str]) -> None:
    """Train a model on a treebank, or resume its training."""
    parts = [next(folder.glob(f"*{part}.conllu.gz")) for part in ("train", "dev")]
    arguments: list[object] = ["train", parts[0], "--dev", parts[1], "-o", model, "--resume", *more]
    subprocess.run(
        [sys.executable, "-m", "headwise", *map(str, arguments)], check=True, stdout=sys.stderr
    )


def scores(model: Path) -> Scores:
    """The scores of a model on dev in every condition."""
    return dict(describe_model(model).settings["report"]["dev"])


def row(name: str, own: Scores, columns: Columns) -> str | None:
    """A line of a table; None if there is no score for it."""
    values = [own.get(condition, {}).get(measure) for condition, measure, _ in columns]
    if all(value is None for value in values):
        return None
    cells = ["–" if value is None else f"{value:.2f}" for value in values]
    return f"| {name} | {' | '.join(cells)} |"


def table(found: Mapping[str, Scores], columns: Columns) -> list[str]:
    """The lines of a table."""
    rows = [row(name, own, columns) for name, own in found.items()]
    return [
        f"| treebank | {' | '.join(title for _, _, title in columns)} |",
        "|---" + "|--:" * len(columns) + "|",
        *(line for line in rows if line is not None),
    ]


def trained_scores(folder: Path, model: Path, more: list[str]) -> Scores:
    """The scores of a treebank's model, which is trained if it does not exist."""
    if not model.exists():
        train(folder, model, more)
    return scores(model)


def main() -> None:
    """Print the tables."""
    options = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    options.add_argument("folder", type=Path)
    options.add_argument("names", nargs="*")
    options.add_argument("-o", "--models", type=Path, default=Path("models"))
    end = sys.argv.index("--") if "--" in sys.argv else len(sys.argv)
    chosen, more = options.parse_args(sys.argv[1:end]), sys.argv[end + 1 :]
    found = sorted(one.parent for one in chosen.folder.glob("*/*train.conllu.gz"))
    chosen.models.mkdir(parents=True, exist_ok=True)
    wanted = [one for one in found if not chosen.names or one.name in chosen.names]
    own = {one.name: trained_scores(one, chosen.models / one.name, more) for one in wanted}
    print("\n".join([*table(own, TAGS), "", *table(own, RAW)]))


if __name__ == "__main__":
    main()
