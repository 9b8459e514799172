"""Paper 003, tables 5.1 and 5.2: the strictly lexicalised model and its rivals.

    python experiments/paper_003_lexical.py [--treebanks FOLDER] [--text FILE]

Models learn from the whole training data and parse development sentences of up to 40 words. English
words are compared by the raw text and the words of the training data, Chinese ones by the words of
the training data alone, as there is no other Chinese text here.
"""

import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from runs import TREEBANKS, Kept, arguments_of, by_length, figure, like, sentences_of, table

from headwise.corpus.files import read_lines
from headwise.corpus.plaintext import tokens_of
from headwise.corpus.sentence import Sentence
from headwise.parsers.lexical.parser import LexicalParser
from headwise.parsers.lexical.settings import TagColumn
from headwise.text.similarity.words import WordSimilarity

NAMES = ("en_ewt", "zh_gsd")
LENGTHS = (10, 15, 20, 40)
TEXT = TREEBANKS / "../text/en-raw.txt.gz"

MODELS: dict[str, tuple[bool, dict[str, Any]]] = {
    "(a) strictly lexicalised conditional": (False, {}),
    "(a), contexts by side": (True, {}),
    "(a), not smoothed": (False, {"neighbours": 0}),
    "(b) at most one word different": (False, {"variant": "one-word"}),
    "(b), contexts by side": (True, {"variant": "one-word"}),
    "(c) strictly lexicalised joint": (False, {"variant": "joint"}),
    "(d) unlexicalised conditional": (False, {"variant": "tags"}),
    "(e) unlexicalised joint": (False, {"variant": "joint-tags"}),
}
"""Each model: whether similar words tell sides apart, and its settings."""

PRINTED_1 = {10: 90.8, 15: 85.6, 20: 84.0, 40: 79.9}
PRINTED_2 = {"(a)": 79.9, "(b)": 77.7, "(c)": 66.3, "(d)": 71.1, "(e)": 71.1}
"""Undirected accuracy on test sentences of CTB4; table 5.2 has those of up to 40 words."""


KEPT = Kept("lexical", NAMES)
file_of, names = KEPT.file_of, KEPT.names


def text_of(name: str, sentences: Sequence[Sentence], text: Path) -> Iterator[Sequence[str]]:
    """What words are compared by: sentences of the training data, and raw text if there is any."""
    yield from (sentence.forms for sentence in sentences)
    if like(name) == "en_ewt":
        yield from map(tokens_of, read_lines(text))


def similar_words(
    name: str, train: Sequence[Sentence], text: Path, *, sides: bool = False
) -> WordSimilarity:
    """Similar words, with or without telling sides apart."""
    least = 5 if like(name) == "en_ewt" else 2
    return WordSimilarity(least=least, sides=sides).fit(text_of(name, train, text))


def perform(name: str, treebanks: Path, text: Path) -> None:
    """Train every model on a treebank, and keep what came out."""
    train = sentences_of(treebanks, name, "train")
    dev = sentences_of(treebanks, name, "dev", LENGTHS[-1])
    similar = {sides: similar_words(name, train, text, sides=sides) for sides in (False, True)}
    tags: TagColumn = "xpos" if train[0].lacks("upos") else "upos"  # of brackets
    result: dict[str, Any] = {"treebank": name, "sentences": len(dev), "models": {}}
    for label, (sides, settings) in MODELS.items():
        parser = LexicalParser(tags=tags, **settings)
        start = time.perf_counter()
        parser.fit(train, similarity=similar[sides] if parser.needs_similarity else None)
        seconds = round(time.perf_counter() - start, 1)
        report = {key: parser.report_.get(key) for key in ("covered_words", "covered_tokens")}
        result["models"][label] = {
            "seconds": seconds,
            **report,
            **by_length(parser, dev, LENGTHS),
        }
        print(name, label, result["models"][label]["40"], flush=True)
    KEPT.write(result, name)


def length_table() -> str:
    """Table 5.1: undirected accuracy by the longest sentence."""
    rows: list[list[object]] = [["thesis, CTB4", *PRINTED_1.values()]]
    for name in names():
        for label in list(MODELS)[:2]:
            own = result_of(name, label)
            found = (figure(own, str(length), "undirected") for length in LENGTHS)
            rows.append([f"{name}: {label}", *found])
    return table(("undirected accuracy", *(f"≤ {n} words" for n in LENGTHS)), rows)


def model_table() -> str:
    """Table 5.2: undirected accuracy and UAS of every model on sentences of up to 40 words."""
    rows: list[list[object]] = []
    for label in MODELS:
        found = [result_of(name, label) for name in names()]
        ours = [figure(own, "40", key) for own in found for key in ("undirected", "uas")]
        printed = PRINTED_2[label[:3]] if "," not in label else ""
        rows.append([label, *ours, printed])
    titles = [f"{name}: {key}" for name in names() for key in ("undirected", "UAS")]
    return table(("≤ 40 words", *titles, "thesis: undirected"), rows)


TABLES = {"lexical-lengths": length_table, "lexical-models": model_table}
"""Tables of the pages, by name."""


def result_of(name: str, label: str) -> dict[str, Any]:
    """What came out of one model; nothing if it was not run."""
    found: dict[str, Any] = KEPT.read(name).get("models", {}).get(label, {})
    return found


def main() -> None:
    """Perform what is missing."""
    parser = arguments_of("Tables 5.1 and 5.2 of Wang (2008).", NAMES)
    parser.add_argument("--text", type=Path, default=TEXT)
    options = parser.parse_args()
    for name in options.on:
        if not file_of(name).exists():
            perform(name, options.treebanks, options.text)


if __name__ == "__main__":
    main()
