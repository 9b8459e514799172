"""Makes `en-fast`, a model that comes with the package, the same to the bit every time.

    python experiments/embedded_model.py             # trains it and puts it into the package
    python experiments/embedded_model.py --check     # trains it and compares it with what is there

It learns from the training part of UD English EWT and from text that `en` has parsed; which epoch
is kept, and the scores of its card, are decided by the development part. Treebank and text lie
beside the repository (../shared), or where `--treebank` and `--text` say. It takes 4 GB of memory.
"""

import argparse
import sys
import tempfile
from pathlib import Path

from headwise.cli.trainingprogress import training_progress
from headwise.learners.labelsettings import LabellerSettings
from headwise.parsers.graph.parser import DependencyParser
from headwise.pipeline.models import EMBEDDED
from headwise.pipeline.training.recipe import Recipe
from headwise.pipeline.training.teaching import Teaching
from headwise.pipeline.training.trainfiles import TrainingFiles, save, train_files
from headwise.scoring.linear.pruner import PrunerSettings
from headwise.scoring.linear.tables import TableSizes
from headwise.storage.modelfile import FILES

SHARED = Path(__file__).parents[2] / "shared"
EWT, TEXT = SHARED / "treebanks/en_ewt", SHARED / "text/en-open.txt.gz"
PARSER = DependencyParser(
    order=3,
    epochs=5,
    drop_up_to=1,  # for 18 instead of 25 MB; it costs a tenth of a point
    pruner=PrunerSettings(share=0.02),  # much faster than by default, and LAS is the same
    labeller=LabellerSettings(members=3, epochs=5),
    tables=TableSizes(labels=23),
)
RECIPE = Recipe(tags="both")
ABOUT = {
    "language": "English",
    "treebank": "Universal Dependencies, English EWT, training part (CC BY-SA 4.0)",
    "text": "sentences of Common Voice (CC0) and prose of MDN web docs by Mozilla contributors "
    "(CC BY-SA 2.5), parsed by the model `en`",
    "licence": "CC BY-SA 4.0, which is the treebank's "
    "(https://creativecommons.org/licenses/by-sa/4.0/)",
}
NAME = "en-fast"
MOST_BYTES = 20_000_000


def train(treebank: Path, text: Path, model: Path) -> None:
    """Train the model."""
    parts = [treebank / f"en_ewt-ud-{part}.conllu.gz" for part in ("train", "dev")]
    teaching = Teaching(teachers=("en",), text=(str(text),))
    files = TrainingFiles(
        train=parts[0], dev=parts[1], model=model, about=ABOUT, teaching=teaching, force=True
    )
    with training_progress() as callback:
        pipeline, report = train_files(files, PARSER, callback, recipe=RECIPE)
    save(files, pipeline, RECIPE, report)
    for condition, scores in report["dev"].items():
        print(condition, scores)
    files.log_path.unlink()


def size_of(model: Path) -> int:
    """The bytes of a model."""
    return sum((model / name).stat().st_size for name in FILES)


def difference(model: Path, other: Path) -> str | None:
    """The first file that differs between two models, or None."""
    for name in FILES:
        if (
            not (other / name).exists()
            or (model / name).read_bytes() != (other / name).read_bytes()
        ):
            return name
    return None


def main() -> int:
    """Make the model, or compare it; the exit code."""
    options = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    options.add_argument("--treebank", type=Path, default=EWT, help="a folder")
    options.add_argument("--text", type=Path, default=TEXT, help="a file, a sentence a line")
    options.add_argument("--check", action="store_true", help="compare it with the one in place")
    chosen = options.parse_args()
    place = EMBEDDED / NAME
    if not chosen.check:
        train(chosen.treebank, chosen.text, place)
        print(f"{place}: {size_of(place):,} bytes")
        return int(size_of(place) > MOST_BYTES)
    with tempfile.TemporaryDirectory() as folder:
        made = Path(folder) / NAME
        train(chosen.treebank, chosen.text, made)
        found = difference(made, place)
    print(f"{place} is the same" if found is None else f"{place} differs in {found}")
    return int(found is not None)


if __name__ == "__main__":
    sys.exit(main())
