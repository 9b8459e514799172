"""Train pipelines on treebanks: `python benchmarks/treebanks.py FOLDER [NAME …] [-o MODELS] [--
…]`.

FOLDER has a folder for each treebank, with files ending in train.conllu.gz and dev.conllu.gz. For
each of them `headwise train` writes a model into MODELS (arguments after `--` are passed on);
existing models are kept, and interrupted training is resumed. Prints a Markdown table of the
models' scores on dev.
"""

import argparse
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

from headwise.storage.modelfile import describe_model

COLUMNS = (
    ("gold tags", "uas", "UAS"), ("gold tags", "las", "LAS"),
    ("own tags", "upos", "UPOS"), ("own tags", "uas", "UAS"), ("own tags", "las", "LAS"),
    ("raw text", "words", "words"), ("raw text", "sentences", "sentences"),
    ("raw text", "upos", "UPOS"), ("raw text", "uas", "UAS"), ("raw text", "las", "LAS"),
)  # fmt: skip


def train(folder: Path, model: Path, more: list[str]) -> None:
    """Train a model on a treebank, or resume its training."""
    parts = [next(folder.glob(f"*{part}.conllu.gz")) for part in ("train", "dev")]
    arguments: list[object] = ["train", parts[0], "--dev", parts[1], "-o", model, "--resume", *more]
    subprocess.run(
        [sys.executable, "-m", "headwise", *map(str, arguments)], check=True, stdout=sys.stderr
    )


def scores(model: Path) -> dict[str, dict[str, float | None]]:
    """The scores of a model on dev in every condition."""
    return dict(describe_model(model).settings["report"]["dev"])


def row(name: str, own: dict[str, dict[str, float | None]]) -> str:
    """A line of the table."""
    values = [own.get(condition, {}).get(measure) for condition, measure, _ in COLUMNS]
    cells = ["–" if value is None else f"{value:.2f}" for value in values]
    return f"| {name} | {' | '.join(cells)} |"


def table(folders: Iterable[Path], models: Path, more: list[str]) -> Iterable[str]:
    """The lines of the table, as they are ready."""
    yield f"| treebank | {' | '.join(f'{condition}: {name}' for condition, _, name in COLUMNS)} |"
    yield "|---" + "|--:" * len(COLUMNS) + "|"
    for folder in folders:
        model = models / folder.name
        if not model.exists():
            train(folder, model, more)
        yield row(folder.name, scores(model))


def main() -> None:
    """Print the table."""
    options = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    options.add_argument("folder", type=Path)
    options.add_argument("names", nargs="*")
    options.add_argument("-o", "--models", type=Path, default=Path("models"))
    end = sys.argv.index("--") if "--" in sys.argv else len(sys.argv)
    chosen, more = options.parse_args(sys.argv[1:end]), sys.argv[end + 1 :]
    found = sorted(one.parent for one in chosen.folder.glob("*/*train.conllu.gz"))
    chosen.models.mkdir(parents=True, exist_ok=True)
    wanted = [one for one in found if not chosen.names or one.name in chosen.names]
    for line in table(wanted, chosen.models, more):
        print(line, flush=True)


if __name__ == "__main__":
    main()
