"""Train pipelines on treebanks: `python benchmarks/treebanks.py FOLDER [NAME …] [-o MODELS] [--
…]`.

FOLDER has a folder for each treebank, with files ending in train.conllu.gz and dev.conllu.gz. For
each of them `headwise train` writes a model into MODELS (arguments after `--` are passed on);
existing models are kept, and interrupted training is resumed. Prints Markdown tables of the
models' scores on dev: with gold and own tags, and from raw text.
"""

import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from headwise.storage.modelfile import describe_model
from pages import head, row
from treebankfolders import arguments, files_of, folders_in

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
    gold, dev = map(str, files_of(folder))
    call = [sys.executable, "-m", "headwise", "train", gold, "--dev", dev, "-o", str(model)]
    subprocess.run([*call, "--resume", *more], check=True, stdout=sys.stderr)


def scores(model: Path) -> Scores:
    """The scores of a model on dev in every condition."""
    return dict(describe_model(model).settings["report"]["dev"])


def table(found: Mapping[str, Scores], columns: Columns) -> list[str]:
    """The lines of a table, of those with a score for it."""
    lines = [head("treebank", *(title for _, _, title in columns))]
    for name, own in found.items():
        values = [own.get(condition, {}).get(measure) for condition, measure, _ in columns]
        if any(value is not None for value in values):
            lines.append(row(name, *("–" if one is None else f"{one:.2f}" for one in values)))
    return lines


def trained_scores(folder: Path, model: Path, more: list[str]) -> Scores:
    """The scores of a treebank's model, which is trained if it does not exist."""
    if not model.exists():
        train(folder, model, more)
    return scores(model)


def main() -> None:
    """Print the tables."""
    options = arguments(__doc__)
    options.add_argument("-o", "--models", type=Path, default=Path("models"))
    end = sys.argv.index("--") if "--" in sys.argv else len(sys.argv)
    chosen, more = options.parse_args(sys.argv[1:end]), sys.argv[end + 1 :]
    chosen.models.mkdir(parents=True, exist_ok=True)
    wanted = folders_in(chosen.folder, chosen.names)
    own = {one.name: trained_scores(one, chosen.models / one.name, more) for one in wanted}
    print("\n".join([*table(own, TAGS), "", *table(own, RAW)]))


if __name__ == "__main__":
    main()
