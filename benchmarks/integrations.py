"""What integrations cost: spaCy against Headwise alone, one job or worker against two.

python benchmarks/integrations.py spacy TREEBANK      component and Headwise on the same tokens
python benchmarks/integrations.py jobs TEXT           1 and 2 of `headwise parse --jobs`
python benchmarks/integrations.py ray TEXT            1 and 2 workers of a local Ray cluster
python benchmarks/integrations.py estimate --speed W  10¹² words on paper, from words/s of a core
"""

import argparse
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from headwise.corpus.formats import read_sentences
from headwise.corpus.sentence import Sentence
from headwise.pipeline.models import as_pipeline

WORDS = 10**12
CORES = 64
BYTES_A_WORD = {"text": 5.0, "CoNLL-U": 58.1}
"""Measured on UD English EWT, development set, parsed from raw text."""


def best_of_three(work: Callable[[], object]) -> float:
    """The seconds of the shortest of three runs."""
    seconds = []
    for _ in range(3):
        start = time.perf_counter()
        work()
        seconds.append(time.perf_counter() - start)
    return min(seconds)


def compare_spacy(treebank: str) -> None:
    import spacy
    from spacy.tokens import Doc

    nlp, alone = spacy.blank("en"), as_pipeline()
    component = nlp.add_pipe("headwise")
    given = [Sentence.from_words(one.forms) for one in read_sentences(treebank)]
    words = sum(map(len, given))

    def docs() -> list[Doc]:
        return [
            Doc(nlp.vocab, words=one.forms, sent_starts=[True] + [False] * (len(one) - 1))
            for one in given
        ]

    made = docs()
    found = list(component.pipe(made, batch_size=1000))
    answers = list(alone.annotate(given))
    same = all(
        [0 if t.head.i == t.i else t.head.i + 1 for t in doc] == list(answer.heads)
        for doc, answer in zip(found, answers, strict=True)
    )
    own = words / best_of_three(lambda: list(alone.annotate(given)))
    theirs = words / best_of_three(lambda: list(component.pipe(made, batch_size=1000)))
    print(f"Headwise alone {own:,.0f} words/s, in spaCy {theirs:,.0f} ({theirs / own:.0%})")
    print(f"the same heads: {same}")


def compare_jobs(text: str) -> None:
    from wholecommand import cost_of

    for jobs in (1, 2):
        with tempfile.TemporaryDirectory() as folder:
            output = Path(folder) / "out.conllu"
            cost = cost_of("parse", text, "-o", output, "--jobs", jobs)
        print(f"--jobs {jobs}: {cost.wall:.1f} s, {cost.processor:.1f} s of CPU")


def compare_workers(text: str) -> None:
    from headwise.integrations.ray import parse_files

    with tempfile.TemporaryDirectory() as folder:
        content = Path(text).read_bytes()
        for number in range(8):
            (Path(folder) / f"{number}.txt").write_bytes(content)
        for workers in (1, 2):
            output = Path(folder) / f"out{workers}"
            summary = parse_files([f"{folder}/*.txt"], output, workers=workers)
            print(f"{workers} worker(s): {summary}")


def estimate(speed: float) -> list[str]:
    """The table of what 10¹² words take."""
    hours = WORDS / speed / 3600
    rows = [
        "| machines of 64 cores | hours | text read, MB/s | CoNLL-U written, MB/s |",
        "|--:|--:|--:|--:|",
    ]
    for machines in (1, 10, 100):
        seconds = hours * 3600 / machines / CORES
        rates = [WORDS * size / seconds / 1e6 for size in BYTES_A_WORD.values()]
        rows.append(f"| {machines} | {seconds / 3600:,.0f} | {rates[0]:,.0f} | {rates[1]:,.0f} |")
    sizes = ", ".join(
        f"{WORDS * size / 1e12:,.1f} TB of {name}" for name, size in BYTES_A_WORD.items()
    )
    return [*rows, "", f"In all {hours:,.0f} core hours, {sizes}."]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("what", choices=["spacy", "jobs", "ray", "estimate"])
    parser.add_argument("file", nargs="?", help="a treebank, or a text")
    parser.add_argument("--speed", type=float, default=34_794, help="words per second of a core")
    given = parser.parse_args()
    if given.what == "estimate":
        print("\n".join(estimate(given.speed)))
    elif given.file is None:
        parser.error("name a file")
    else:
        {"spacy": compare_spacy, "jobs": compare_jobs, "ray": compare_workers}[given.what](
            given.file
        )


if __name__ == "__main__":
    main()
