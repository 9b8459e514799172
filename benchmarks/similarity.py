"""Benchmark of `headwise similarity build`: seconds and peak memory on texts of growing size.

    python benchmarks/similarity.py [TEXT] [--tokens 5 20 40] [--change 0.05]

The text is made of the given one: its sentences are repeated, but from the second time on each word
is replaced with probability `--change` by another one, drawn by frequency, or by a rare one, of
which there are more the longer the text is. So new words and pairs keep appearing. The whole
command is measured, in a new process.
"""

import argparse
import gzip
import random
import tempfile
from collections.abc import Iterator
from pathlib import Path

from headwise.text.similarity.contexts import count_contexts, numbered
from headwise.text.similarity.words import WordSimilarity
from wholecommand import cost_of

TEXT = Path(__file__).parent / "../../shared/text/en-raw.txt.gz"
MILLION = 1_000_000
NEW = 0.1
"""The share of replaced words that become rare ones."""


def lines_of(path: Path) -> list[list[str]]:
    """The sentences of a text."""
    with gzip.open(path, "rt", encoding="utf-8") as text:
        return [line.split() for line in text]


def grown(sentences: list[list[str]], tokens: int, change: float) -> Iterator[list[str]]:
    """Sentences of `tokens` tokens, changed here and there from the second time on."""
    dice, made = random.Random(0), 0
    words = [word for sentence in sentences for word in sentence]
    while True:
        for sentence in sentences:
            if made >= tokens:
                return
            first_time = made < len(words)
            made += len(sentence)
            yield (
                sentence
                if first_time
                else [
                    other_word(dice, words, made) if dice.random() < change else word
                    for word in sentence
                ]
            )


def other_word(dice: random.Random, words: list[str], made: int) -> str:
    """A word by frequency, or a rare one: there are more of them the longer the text is."""
    if dice.random() < NEW:
        return f"new-{dice.randrange(made // 200)}"
    return dice.choice(words)


def main() -> None:
    """Print a row for each size."""
    parser = argparse.ArgumentParser(description="Speed and memory of word similarity.")
    parser.add_argument("text", nargs="?", type=Path, default=TEXT)
    parser.add_argument("--tokens", type=int, nargs="+", default=[5, 20, 40], help="in millions")
    parser.add_argument("--change", type=float, default=0.05)
    options = parser.parse_args()
    sentences = lines_of(options.text)
    print("| tokens | words | pairs | seconds | peak MB |\n|--:|--:|--:|--:|--:|")
    for millions in options.tokens:
        with tempfile.TemporaryDirectory() as folder:
            text, target = Path(folder) / "text.txt", Path(folder) / "similar"
            with text.open("w", encoding="utf-8") as file:
                for sentence in grown(sentences, millions * MILLION, options.change):
                    file.write(" ".join(sentence) + "\n")
            cost = cost_of("similarity", "build", text, "-o", target)
            words, pairs = sizes(text)
        print(f"| {millions},000,000 | {words:,} | {pairs:,} | {cost.wall:.0f} ", end="")
        print(f"| {cost.megabytes:,.0f} |", flush=True)


def sizes(path: Path) -> tuple[int, int]:
    """The number of known words, and of pairs of a word and a context."""
    known = WordSimilarity()
    with path.open(encoding="utf-8") as lines:
        text = numbered((line.lower().split() for line in lines), known.vocabulary, known.least)
    words = len(text.words)
    return words, len(count_contexts(text.blocks(), words, known.stop_words).word)


if __name__ == "__main__":
    main()
