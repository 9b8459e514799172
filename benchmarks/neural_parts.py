"""Whether higher-order parts on top of a trained network find better trees than it does alone.

    python benchmarks/neural_parts.py MODEL TRAIN --dev DEV [--sentences N] [--set folds=4 …]

MODEL has a neural parser; parts are learnt on TRAIN (or on N of its sentences, evenly spread), and
the epoch is chosen on DEV, which is scored as well: gains are, if anything, too large. Prints a row
for the network alone and for each kind of parts: UAS and LAS (all tokens, relations without
subtypes) under own and gold tags, the p-value of the difference in UAS from the network under own
tags (randomisation test), words per second of CPU time of parsing from words (own tags), and
seconds of CPU time of learning, the scores of the network included.
"""

import argparse
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from headwise.corpus.formats import read_sentences
from headwise.corpus.sentence import Sentence
from headwise.evaluate.comparison import compare
from headwise.parsers.arcparser import ArcParser
from headwise.parsers.neural.parser import NeuralParser
from headwise.parsers.neuralparts.parser import NeuralPartsParser
from headwise.pipeline.models import as_pipeline
from headwise.pipeline.training.config import parsed_settings
from headwise.storage.settings import read_settings
from pages import figures, head, row

ROWS: dict[str, dict[str, Any]] = {
    "siblings (order 2)": {"order": 2},
    "siblings and grandchildren": {"parts": ["sibling", "grandchild", "stop"]},
    "grand-siblings (order 3)": {"order": 3},
}
COLUMNS = (
    "own tags: UAS", "LAS", "p", "gold tags: UAS", "LAS", "words/s", "seconds", "oracle UAS",
    "heads a word",
)  # fmt: skip


def spread(sentences: Sequence[Sentence], count: int | None) -> list[Sentence]:
    """A number of the sentences, evenly spread."""
    if count is None or count >= len(sentences):
        return list(sentences)
    return [sentences[number * len(sentences) // count] for number in range(count)]


def parsed(parser: ArcParser, sentences: Sequence[Sentence]) -> tuple[list[Sentence], float]:
    """The sentences under the trees of a parser, and its words per second of CPU time."""
    start = time.process_time()
    found = parser.predict(sentences)
    return found, sum(map(len, sentences)) / (time.process_time() - start)


def row_of(
    parser: ArcParser, network: NeuralParser, dev: Sequence[Sentence]
) -> tuple[list[float], float]:
    """The scores of a parser, the p-value of what it gains in UAS, and its words per second."""
    bare = [Sentence.from_words(one.forms) for one in dev]
    parser.predict(bare[:2])  # kernels are compiled or loaded
    scores: list[float] = []
    p, speed = 1.0, 0.0
    for number, given in enumerate((bare, dev)):
        own, words_a_second = parsed(parser, given)
        found = compare(dev, parsed(network, given)[0], own, subtypes=False).all_tokens
        scores += [found["uas"].b, found["las"].b]
        if number == 0:
            p, speed = found["uas"].randomisation_p, words_a_second
    return [*scores, p], speed


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the table."""
    options = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    options.add_argument("model")
    options.add_argument("train", type=Path)
    options.add_argument("--dev", required=True, type=Path)
    options.add_argument("--sentences", type=int)
    options.add_argument("--set", action="append", default=[], dest="settings")
    chosen = options.parse_args(arguments)
    network = as_pipeline(chosen.model).parser
    if not isinstance(network, NeuralParser):
        options.error(f"{chosen.model} has no neural parser")
    train = spread(list(read_sentences(chosen.train)), chosen.sentences)
    dev = list(read_sentences(chosen.dev))
    print(head("parts", *COLUMNS))
    report("none: the network alone", *row_of(network, network, dev), 0.0, {})
    for name, own in ROWS.items():
        given = {**parsed_settings(chosen.settings), **own}
        parser = read_settings(None, NeuralPartsParser, changes=given)
        start = time.process_time()
        parser.fit(train, dev, base=network)
        seconds = time.process_time() - start
        kept = parser.report_["pruner"]
        report(name, *row_of(parser, network, dev), seconds, kept)


def report(
    name: str, scores: Sequence[float], speed: float, seconds: float, kept: dict[str, float]
) -> None:
    """Print a row."""
    uas, las, gold_uas, gold_las, p = scores
    cells = [*figures((uas, las)), f"{p:.3f}", *figures((gold_uas, gold_las))]
    cells += [f"{speed:,.0f}", f"{seconds:.0f}"]
    cells += figures((kept["oracle_uas"], kept["heads_a_word"])) if kept else ["", ""]
    print(row(name, *cells), flush=True)


if __name__ == "__main__":
    main()
