"""Benchmark of pipelines: `python benchmarks/pipeline.py [--model MODEL]… [--into README.md]`.

The default is the included models. Scores are those on the development set of UD English EWT beside
the repository (../shared/treebanks), or of another treebank (`--dev FILE`). Speed is that of the
whole command, from a file of raw text to a file of CoNLL-U, in a new process and one thread; the
text is that of GUM's training set (177,410 words), or of another treebank (`--text FILE`): one that
the models have not learnt from, and that repeats nothing, as some work is done once for equal
sentences. Prints two Markdown tables; with `--into` they replace those between two marks of a page.
"""

import argparse
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path

from headwise.corpus.conllu import read_conllu
from headwise.corpus.sample import read_sample
from headwise.corpus.sentence import Sentence
from headwise.pipeline.models import as_pipeline, embedded_names
from headwise.pipeline.storage import score_table
from headwise.pipeline.training.pipelinescores import pipeline_scores
from headwise.text.rawtext import running_text
from pages import head, put
from treebankfolders import SHARED
from wholecommand import cost_of

TREEBANKS = SHARED / "treebanks"
EWT = TREEBANKS / "en_ewt/en_ewt-ud-dev.conllu.gz"
GUM = TREEBANKS / "gum/gum-train.conllu.gz"


def sentences_of(path: Path) -> list[Sentence]:
    """The sentences of a treebank, or those that come with the package if it is not there."""
    return list(read_conllu(path) if path.exists() else read_sample())


def speed_rows(models: list[str], sentences: list[Sentence], rounds: int) -> Iterator[str]:
    """What the whole command takes with each model, the best of several rounds.

    The first sentence is that after installation, when nothing is compiled yet.
    """
    yield head("", "first sentence", "one sentence", "its memory", "words per second", "memory")
    with tempfile.TemporaryDirectory() as folder:
        source, target = Path(folder) / "text.txt", Path(folder) / "parsed.conllu"
        source.write_text(running_text(sentences).text, encoding="utf-8")
        words = sum(map(len, sentences))
        for model in models:
            call = ("parse", "--model", model)
            kernels = Path(folder) / Path(model).name
            first = cost_of(*call, "One sentence.", env={"NUMBA_CACHE_DIR": str(kernels)})
            cost_of(*call, "One sentence.")  # compiles the kernels, or loads them
            short = min(cost_of(*call, "One sentence.") for _ in range(rounds))
            long = min(cost_of(*call, source, "-o", target) for _ in range(rounds))
            yield (
                f"| `{Path(model).name}` | {first.wall:.0f} s | {short.wall:.2f} s "
                f"| {short.megabytes:.0f} MB | {words / long.wall:,.0f} "
                f"| {long.megabytes:.0f} MB |"
            )


def all_scores(models: list[str], gold: list[Sentence]) -> dict[str, Mapping[str, float | None]]:
    """The scores of every model under every condition, a column each."""
    return {
        f"`{Path(model).name}`, {condition}": own
        for model in models
        for condition, own in pipeline_scores(as_pipeline(model), gold).items()
    }


def main() -> None:
    """Print both tables."""
    options = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    options.add_argument("--model", action="append", dest="models")
    options.add_argument("--dev", type=Path, default=EWT)
    options.add_argument("--text", type=Path, default=GUM)
    options.add_argument("--rounds", type=int, default=3)
    options.add_argument("--into", type=Path, help="page with marks, such as README.md")
    chosen = options.parse_args()
    models = chosen.models or embedded_names()
    lines = [*score_table(all_scores(models, sentences_of(chosen.dev))), ""]
    lines += speed_rows(models, sentences_of(chosen.text), chosen.rounds)
    print("\n".join(lines))
    if chosen.into is not None:
        put(lines, chosen.into, "models")


if __name__ == "__main__":
    main()
