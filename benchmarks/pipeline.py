"""Benchmark of a pipeline: `python benchmarks/pipeline.py [--model FOLDER] [--words N]`.

The default is the bundled model. Scores are those on the development set of UD English EWT beside
the repository (../shared/treebanks), or of another treebank (`--dev FILE`). Speed is that of the
whole command, from a file of raw text to a file of CoNLL-U, in a new process and one thread. Prints
two Markdown tables; with `--into README.md` they replace those between two marks in that file.
"""

import argparse
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path

from headwise.corpus.conllu import read_conllu
from headwise.corpus.sample import read_sample
from headwise.corpus.sentence import Sentence
from headwise.pipeline.models import as_pipeline
from headwise.pipeline.storage import score_table
from headwise.pipeline.training.pipelinescores import pipeline_scores
from headwise.text.rawtext import running_text
from wholecommand import as_for_users, cost_of

EWT = Path(__file__).parents[2] / "shared/treebanks/en_ewt/en_ewt-ud-dev.conllu.gz"
BEGIN, END = "<!-- made by benchmarks/pipeline.py -->", "<!-- until here -->"


def speed_table(
    model: list[object], gold: list[Sentence], words: int, rounds: int
) -> Iterable[str]:
    """Seconds and memory of one sentence and of a long text, the best of several rounds.

    Before them the first sentence after installation, when nothing is compiled yet.
    """
    known = sum(map(len, gold))
    copies = max(1, round(words / known))
    with tempfile.TemporaryDirectory() as folder:
        source, target = Path(folder) / "text.txt", Path(folder) / "parsed.conllu"
        source.write_text("\n\n".join([running_text(gold).text] * copies), encoding="utf-8")
        first = cost_of("parse", *model, "One sentence.", compiled_in=Path(folder))
        cost_of("parse", *model, "One sentence.")  # compiles the kernels, or loads them
        short = min(cost_of("parse", *model, "One sentence.") for _ in range(rounds))
        long = min(cost_of("parse", *model, source, "-o", target) for _ in range(rounds))
    total = copies * known
    yield "| | seconds | CPU seconds | words per second | peak MB |"
    yield "|---|--:|--:|--:|--:|"
    yield f"| first sentence, compiling | {first.wall:.0f} | {first.processor:.0f} | | |"
    yield f"| one sentence | {short.wall:.2f} | {short.processor:.2f} | | {short.megabytes:.0f} |"
    yield (
        f"| {total:,} words | {long.wall:.2f} | {long.processor:.2f} | {total / long.wall:,.0f} "
        f"| {long.megabytes:.0f} |"
    )


def loading_seconds(model: Path | None) -> float:
    """How long a new process takes to import the package and load a model."""
    argument = "" if model is None else repr(str(model))
    script = f"""
import time
start = time.perf_counter()
import headwise
headwise.load({argument})
print(time.perf_counter() - start)
"""
    done = subprocess.run(
        [sys.executable, "-c", script],
        capture_output=True,
        text=True,
        check=True,
        env=as_for_users(),
    )
    return float(done.stdout)


def put(lines: list[str], page: Path) -> None:
    """Put lines between the marks of a page."""
    text = page.read_text(encoding="utf-8")
    before, begin, rest = text.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        sys.exit(f"{page} has no marks for the tables: {BEGIN} … {END}")
    page.write_text(before + begin + "\n".join(["", *lines, ""]) + end + after, encoding="utf-8")


def main() -> None:
    """Print both tables."""
    options = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    options.add_argument("--model", type=Path)
    options.add_argument("--dev", type=Path, default=EWT)
    options.add_argument("--words", type=int, default=1_000_000)
    options.add_argument("--rounds", type=int, default=3)
    options.add_argument("--into", type=Path, help="page with marks, such as README.md")
    chosen = options.parse_args()
    gold = list(read_conllu(chosen.dev) if chosen.dev.exists() else read_sample())
    pipeline = as_pipeline(chosen.model)
    loaded = min(loading_seconds(chosen.model) for _ in range(chosen.rounds))
    lines = [f"Model `{pipeline.name}` {pipeline.version}, loaded in {loaded:.2f} s.", ""]
    lines += [*score_table(pipeline_scores(pipeline, gold)), ""]
    model: list[object] = ["--model", chosen.model] if chosen.model else []
    lines += speed_table(model, gold, chosen.words, chosen.rounds)
    print("\n".join(lines))
    if chosen.into is not None:
        put(lines, chosen.into)


if __name__ == "__main__":
    main()
