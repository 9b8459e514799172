"""Benchmark of tokeniser, tagger and lemmatiser: `python benchmarks/text.py FOLDER [NAME …]`.

FOLDER has a folder for each treebank, with files ending in train.conllu.gz and dev.conllu.gz. Every
stage is trained on train and scored on dev: the tokeniser on running text, the tagger on gold
tokens, lemmas on gold tags. Speeds are of one thread, the fastest of several rounds. Prints two
Markdown tables: accuracy, and speed.
"""

import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from headwise.corpus.sentence import Sentence
from headwise.evaluate import evaluate_raw
from headwise.text.lemmas import Lemmatiser
from headwise.text.rawtext import running_text
from headwise.text.tagger import Tagger
from headwise.text.tokeniser import Tokeniser
from measuring import fastest
from pages import head, row
from treebankfolders import arguments, folders_in, sentences_of

ACCURACY = ("tokens", "sentences", "words", "UPOS", "XPOS", "FEATS", "lemmas")
SPEED = ("characters", "tagged words", "lemmas", "training, seconds")
ROUNDS = 3


def accuracy(gold: Sequence[Sentence], found: Sequence[Sentence], column: str) -> float:
    pairs = [
        (a, b)
        for one, other in zip(gold, found, strict=True)
        for a, b in zip(getattr(one, column), getattr(other, column), strict=True)
        if column != "lemmas" or a != "_"
    ]
    return 100 * sum(a == b for a, b in pairs) / len(pairs) if pairs else float("nan")


def measure(folder: Path) -> tuple[list[str], list[str]]:
    """The cells of a treebank in the tables of accuracy and speed."""
    train, dev = sentences_of(folder)
    start = time.perf_counter()
    tokeniser, tagger, lemmas = Tokeniser.fit(train), Tagger.fit(train), Lemmatiser.fit(train)
    training = time.perf_counter() - start
    text, words = running_text(dev).text, sum(map(len, dev))
    scores = evaluate_raw(dev, tokeniser.split(text))
    tagged, lemmatised = tagger.tag(dev), lemmas.lemmatise(dev)

    def lemmatise_anew() -> None:
        # Without the cache of the round before, which would make it too fast.
        Lemmatiser(lemmas.rules, lemmas.exceptions).lemmatise(dev)

    ready = fastest(lambda: Lemmatiser(lemmas.rules, lemmas.exceptions), ROUNDS)
    figures = [scores[name].f1 for name in ("tokens", "sentences", "words")]
    figures += [accuracy(dev, tagged, column) for column in ("upos", "xpos", "feats")]
    figures.append(accuracy(dev, lemmatised, "lemmas"))
    speeds = [
        len(text) / fastest(lambda: tokeniser.split(text), ROUNDS),
        words / fastest(lambda: tagger.tag(dev), ROUNDS),
        words / (fastest(lemmatise_anew, ROUNDS) - ready),
    ]
    shown = ["–" if value != value else f"{value:.2f}" for value in figures]
    return shown, [*(f"{speed:,.0f}" for speed in speeds), f"{training:.0f}"]


def print_table(headings: Sequence[str], rows: Mapping[str, list[str]]) -> None:
    print(head("treebank", *headings))
    for name, cells in rows.items():
        print(row(name, *cells))


def main() -> None:
    chosen = arguments(__doc__).parse_args()
    measured = {one.name: measure(one) for one in folders_in(chosen.folder, chosen.names)}
    print_table(ACCURACY, {name: cells for name, (cells, _) in measured.items()})
    print("\nSpeed per second, and training time:\n")
    print_table(SPEED, {name: cells for name, (_, cells) in measured.items()})


if __name__ == "__main__":
    main()
