"""What integrations cost: spaCy against Headwise alone, one job or worker against two.

python benchmarks/integrations.py spacy TREEBANK      component and Headwise on the same words
python benchmarks/integrations.py jobs TEXT           1 and 2 of `headwise parse --jobs`
python benchmarks/integrations.py ray TEXT            1 and 2 workers of a local Ray cluster
python benchmarks/integrations.py estimate --speed W  10¹² words on paper, from words/s of a core

Both English models are measured, each in commands of its own. TEXT has a sentence a line, such as
../shared/text/en-raw.txt.gz; as much is read of it as `--minutes` allow. With `--into PAGE`, tables
replace those between two marks in that page. Nothing else may run meanwhile: the load of the
machine is printed beforehand.
"""

import argparse
import gzip
import hashlib
import json
import os
import tempfile
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from headwise.corpus.formats import read_sentences
from headwise.corpus.sentence import Sentence
from headwise.inference.answers import ParseOptions
from headwise.integrations.ray.manifest import NAME
from headwise.pipeline.models import as_pipeline
from headwise.text.rawtext import running_text
from measuring import fastest_in_turn
from pages import head, put
from wholecommand import cost_of

MODELS = {"en": 10_000, "en-fast": 30_000}
"""The English models, and roughly their words per second, which says how much text is measured."""

WORDS = 10**12
CORES = 64
FILES = 64
"""Into how many files the text for Ray is cut."""

ROUNDS = 3
SENTENCES_A_TEXT = 10
SOME = 10
"""Of how many sentences one is asked about with probabilities, which takes longer."""


class Sizes(NamedTuple):
    """Bytes per word of text, and of CoNLL-U."""

    text: float
    conllu: float


USUAL_SIZES = Sizes(5.0, 58.1)
"""Measured on UD English EWT, development set, parsed from raw text."""


def spacy_table(treebank: Path) -> Iterator[str]:
    """Words per second of the component and of Headwise alone, and whether their heads agree."""
    yield head("model", "input", "Headwise alone", "in spaCy", "", texts=2)
    gold = list(read_sentences(treebank))
    for model in MODELS:
        for name, words, alone, component in spacy_runs(gold, model):
            own, theirs = fastest_in_turn({0: alone, 1: component}, ROUNDS).values()
            yield (
                f"| `{model}` | {name} | {words / own:,.0f} | {words / theirs:,.0f} "
                f"| {100 * own / theirs:.0f} % |"
            )


def spacy_runs(
    gold: Sequence[Sentence], model: str
) -> Iterator[tuple[str, int, Callable[[], object], Callable[[], object]]]:
    """What is measured: the input, its words, and what parses it alone and in spaCy."""
    import spacy
    from spacy.tokens import Doc

    alone = as_pipeline(model)
    given = [Sentence.from_words(one.forms) for one in gold]
    texts = [
        running_text(gold[start : start + SENTENCES_A_TEXT]).text
        for start in range(0, len(gold), SENTENCES_A_TEXT)
    ]
    words = sum(map(len, gold))
    nlp = spacy.blank("en")
    component = nlp.add_pipe("headwise", config={"model": model})
    docs = [
        Doc(nlp.vocab, words=one.forms, sent_starts=[True] + [False] * (len(one) - 1))
        for one in given
    ]
    for doc, answer in zip(component.pipe(docs), alone.annotate(given), strict=True):
        found = [0 if token.head.i == token.i else token.head.i + 1 for token in doc]
        assert found == list(answer.heads), doc
    yield (
        "given tokens",
        words,
        lambda: list(alone.annotate(given)),
        lambda: list(component.pipe(docs, batch_size=1000)),
    )
    yield "raw text", words, lambda: list(alone.pipe(texts)), lambda: list(nlp.pipe(texts))
    surer = spacy.blank("en")
    sure = surer.add_pipe("headwise", config={"model": model, "confidence": True})
    some, same = docs[::SOME], given[::SOME]
    yield (
        "given tokens, confidence",
        sum(map(len, same)),
        lambda: list(alone.annotate(same, ParseOptions(marginals=True))),
        lambda: list(sure.pipe(some, batch_size=1000)),
    )


def write_corpus(text: Path, words: int, folder: Path, files: int) -> int:
    """Write the first words of a text into files, with blank lines; return their number."""
    written = 0
    with gzip.open(text, "rt") if text.suffix == ".gz" else text.open() as lines:
        for number in range(files):
            part: list[str] = []
            while written < words * (number + 1) // files:
                paragraph = list(islice(lines, 8))
                if not paragraph:
                    break
                written += sum(len(line.split()) for line in paragraph)
                part += [*paragraph, "\n"]
            (folder / f"{number:03}.txt").write_text("".join(part))
    return written


def jobs_table(text: Path, minutes: float) -> Iterator[str]:
    """Words per second of one and two jobs, and of two commands side by side.

    Two commands share nothing but the machine: no jobs can do more than they. Raw text is parsed in
    processes, CoNLL-U in threads.
    """
    yield "| model | input | words | `--jobs 1` | `--jobs 2` | | two commands at once | |"
    yield "|---|---|--:|--:|--:|--:|--:|--:|"
    for model, speed in MODELS.items():
        with tempfile.TemporaryDirectory() as scratch:
            folder = Path(scratch)
            wanted = int(minutes * 60 / len(MODELS) / 2 / 2.6 * speed)
            words = write_corpus(text, wanted, folder, 1)
            warm_up(model, folder)
            for name, source in (("raw text", "000.txt"), ("CoNLL-U", "000.txt.1.conllu")):
                parse = partial(local_seconds, folder / source, model)
                one, two = parse(1, 1), parse(2, 2)
                results = [folder / f"{source}.{number}.conllu" for number in (1, 2)]
                assert results[0].read_bytes() == results[1].read_bytes()
                with ThreadPoolExecutor(2) as pool:
                    both = max(pool.map(parse, (1, 1), (3, 4)))
                yield (
                    f"| `{model}` | {name} | {words:,} | {words / one:,.0f} | {words / two:,.0f} "
                    f"| {one / two:.2f} | {2 * words / both:,.0f} | {2 * one / both:.2f} |"
                )


def local_seconds(source: Path, model: str, jobs: int, number: int) -> float:
    """The seconds of a whole command on this machine."""
    call = ("-q", "-m", model, "--own-tags", "--jobs", jobs, "-o", f"{source}.{number}.conllu")
    return cost_of("parse", source, *call).wall


def warm_up(model: str, folder: Path) -> None:
    """Compile what is needed, or load it into the memory of the system."""
    few = folder / "few.text"
    few.write_text("The dogs see a cat.\n\n" * 500)
    cost_of("parse", "-q", "--text", "-m", model, few, "-o", folder / "few.conllu")


def digest(paths: Sequence[Path]) -> str:
    """A digest of the contents of files."""
    whole = hashlib.sha256()
    for path in paths:
        whole.update(path.read_bytes())
    return whole.hexdigest()


def ray_table(text: Path, minutes: float) -> Iterator[str]:
    """Words per second of one and two workers, whole commands; then what 10¹² words take."""
    yield head("model", "words", "one worker", "two workers", "")
    estimates: list[str] = []
    for model, speed in MODELS.items():
        with tempfile.TemporaryDirectory() as scratch:
            folder = Path(scratch)
            wanted = int(minutes * 60 / len(MODELS) / 1.7 * speed)
            (folder / "in").mkdir()
            write_corpus(text, wanted, folder / "in", FILES)
            warm_up(model, folder)
            one, two = (ray_seconds(folder, model, workers) for workers in (1, 2))
            words, sizes = finished(folder / "2"), sizes_of(folder)
            assert digest(outputs(folder / "1")) == digest(outputs(folder / "2"))
        yield (
            f"| `{model}` | {words:,} | {words / one:,.0f} | {words / two:,.0f} | {one / two:.2f} |"
        )
        estimates += ["", *estimate(words / two / 2, model, sizes)]
    yield from estimates


def ray_seconds(folder: Path, model: str, workers: int) -> float:
    """The seconds of a whole command, the start of Ray included."""
    call = ("-q", "-m", model, "--engine", "ray", "--jobs", workers, "-o", folder / str(workers))
    return cost_of("parse", folder / "in" / "*.txt", *call).wall


def outputs(folder: Path) -> list[Path]:
    """What a command has written."""
    return sorted(folder.glob("*.conllu"))


def finished(folder: Path) -> int:
    """The words that a manifest has."""
    rows = map(json.loads, (folder / NAME).read_text().splitlines()[1:])
    return sum(row["words"] for row in rows)


def sizes_of(folder: Path) -> Sizes:
    """Bytes per word of what was read and written."""
    words = finished(folder / "2")
    text, conllu = (
        sum(path.stat().st_size for path in paths)
        for paths in ((folder / "in").iterdir(), outputs(folder / "2"))
    )
    return Sizes(text / words, conllu / words)


def estimate(speed: float, model: str, sizes: Sizes = USUAL_SIZES) -> Iterator[str]:
    """The table of what 10¹² words take, from the words per second of a core."""
    hours = WORDS / speed / 3600
    yield f"With `{model}`, {speed:,.0f} words per second and core:"
    yield ""
    yield f"| machines of {CORES} cores | hours | text read, MB/s | CoNLL-U written, MB/s |"
    yield "|--:|--:|--:|--:|"
    for machines in (1, 10, 100):
        seconds = hours * 3600 / machines / CORES
        rates = [WORDS * size / seconds / 1e6 for size in sizes]
        yield f"| {machines} | {seconds / 3600:,.0f} | {rates[0]:,.0f} | {rates[1]:,.0f} |"
    text, conllu = (WORDS * size / 1e12 for size in sizes)
    yield ""
    yield f"In all {hours:,.0f} core hours, {text:,.1f} TB of text, {conllu:,.1f} TB of CoNLL-U."


def main() -> None:
    """Measure, and print tables."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("what", choices=["spacy", "jobs", "ray", "estimate"])
    parser.add_argument("file", nargs="?", type=Path, help="a treebank, or a text")
    parser.add_argument("--minutes", type=float, default=4.5, help="how long to parse, roughly")
    parser.add_argument("--speed", type=float, default=34_794, help="words per second of a core")
    parser.add_argument("--into", type=Path, metavar="PAGE", help="a page for the tables")
    given = parser.parse_args()
    if given.what == "estimate":
        lines = estimate(given.speed, "en-fast")
    elif given.file is None:
        parser.error("name a file")
    else:
        print(f"load before: {os.getloadavg()[0]:.2f} of {os.cpu_count()} cores")
        lines = {
            "spacy": lambda: spacy_table(given.file),
            "jobs": lambda: jobs_table(given.file, given.minutes),
            "ray": lambda: ray_table(given.file, given.minutes),
        }[given.what]()
    shown = []
    for line in lines:
        print(line, flush=True)
        shown.append(line)
    if given.into is not None:
        put(shown, given.into, given.what)


if __name__ == "__main__":
    main()
