"""Paper 003, tables 5.1 and 5.2: the strictly lexicalised model and its rivals.

    python experiments/paper_003_lexical.py [--treebanks FOLDER] [--text FILE]

Models learn from the whole training data and parse development sentences of up to 40 words. English
words are compared by the raw text and the words of the training data, Chinese ones by the words of
the training data alone, as there is no other Chinese text here.
"""

import json
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from runs import RESULTS, TREEBANKS, arguments_of, like, sentences_of, with_others

from headwise.corpus.files import read_lines
from headwise.corpus.plaintext import tokens_of
from headwise.corpus.sentence import Sentence, is_given
from headwise.evaluate import evaluate
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


def file_of(name: str) -> Path:
    """Where a result is kept."""
    return RESULTS / f"lexical-{name}.json"


def names() -> tuple[str, ...]:
    """The treebanks of the tables."""
    return with_others(NAMES, file_of)


def similarities(name: str, train: Sequence[Sentence], text: Path) -> dict[bool, WordSimilarity]:
    """Similar words, with and without telling sides apart."""
    is_english = like(name) == "en_ewt"
    least = 5 if is_english else 2

    def lines() -> Any:
        yield from (sentence.forms for sentence in train)
        if is_english:
            yield from map(tokens_of, read_lines(text))

    return {sides: WordSimilarity(least=least, sides=sides).fit(lines()) for sides in (False, True)}


def scores_of(parser: LexicalParser, dev: Sequence[Sentence]) -> dict[str, Any]:
    """Accuracy by length, and speed."""
    start = time.perf_counter()
    parsed = parser.predict(dev)
    seconds = time.perf_counter() - start
    found: dict[str, Any] = {"sentences_a_second": round(len(dev) / seconds, 1)}
    for longest in LENGTHS:
        pairs = [pair for pair in zip(dev, parsed, strict=True) if len(pair[0]) <= longest]
        own = evaluate(*zip(*pairs, strict=True), rounds=1).to_json()
        found[str(longest)] = {key: own[key] for key in ("words", "uas", "undirected")}
    return found


def perform(name: str, treebanks: Path, text: Path) -> None:
    """Train every model on a treebank, and keep what came out."""
    train = sentences_of(treebanks, name, "train")
    dev = [one for one in sentences_of(treebanks, name, "dev") if len(one) <= LENGTHS[-1]]
    similar = similarities(name, train, text)
    tags: TagColumn = "upos" if is_given(train[0].upos) else "xpos"  # of brackets
    result: dict[str, Any] = {"treebank": name, "sentences": len(dev), "models": {}}
    for label, (sides, settings) in MODELS.items():
        parser = LexicalParser(tags=tags, **settings)
        start = time.perf_counter()
        parser.fit(train, similarity=similar[sides] if parser.needs_similarity else None)
        seconds = round(time.perf_counter() - start, 1)
        report = {key: parser.report_.get(key) for key in ("covered_words", "covered_tokens")}
        result["models"][label] = {"seconds": seconds, **report, **scores_of(parser, dev)}
        print(name, label, result["models"][label]["40"], flush=True)
    file_of(name).write_text(json.dumps(result, indent=1, sort_keys=True) + "\n")


def length_rows() -> list[list[object]]:
    """Table 5.1: undirected accuracy by the longest sentence."""
    rows: list[list[object]] = [["thesis, CTB4", *PRINTED_1.values()]]
    for name in names():
        for label in list(MODELS)[:2]:
            own = result_of(name, label)
            rows.append([f"{name}: {label}", *(figure(own, str(length)) for length in LENGTHS)])
    return rows


def model_rows() -> list[list[object]]:
    """Table 5.2: undirected accuracy and UAS of every model on sentences of up to 40 words."""
    rows: list[list[object]] = []
    for label in MODELS:
        found = [result_of(name, label) for name in names()]
        ours = [figure(own, "40", key) for own in found for key in ("undirected", "uas")]
        printed = PRINTED_2[label[:3]] if "," not in label else ""
        rows.append([label, *ours, printed])
    return rows


def result_of(name: str, label: str) -> dict[str, Any]:
    """What came out of one model; nothing if it was not run."""
    if not file_of(name).exists():
        return {}
    found: dict[str, Any] = json.loads(file_of(name).read_text())["models"].get(label, {})
    return found


def figure(own: dict[str, Any], length: str, key: str = "undirected") -> str:
    """A score, or a dash."""
    return f"{own[length][key]:.2f}" if own else "–"


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
