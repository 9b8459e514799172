"""What scripts share that need more than an experiment file: treebanks by name, and results."""

import argparse
import json
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import inf
from pathlib import Path
from typing import Any, TypeVar

from headwise.constituency.files import read_trees
from headwise.corpus.constituents import Tree
from headwise.corpus.sentence import Sentence
from headwise.evaluate import evaluate
from headwise.experiments.plan import Catalogue
from headwise.experiments.treebanks import Treebank
from headwise.storage.settings import read_settings

Choice = TypeVar("Choice")
Item = TypeVar("Item")

HERE = Path(__file__).parent
RESULTS = HERE / "results"
TREEBANKS = HERE / "../../shared/treebanks"


CATALOGUE = read_settings(HERE / "treebanks.toml", Catalogue).treebanks
LIKE = {"English": "en_ewt", "Chinese": "zh_gsd"}
"""Of each language the treebank whose settings and printed figures others have, too."""


def sentences_of(treebanks: Path, name: str, split: str, longest: float = inf) -> list[Sentence]:
    """The sentences of one split of a treebank of the catalogue, up to a length in words."""
    found = Treebank(name, CATALOGUE[name], (treebanks,)).sentences(split)
    return [one for one in found if len(one) <= longest]


def trees_of(treebanks: Path, name: str, split: str) -> list[Tree]:
    """The constituent trees of one split; those of NAME may be a treebank of their own."""
    own = f"{name}-trees" if f"{name}-trees" in CATALOGUE else name
    return list(read_trees(*Treebank(own, CATALOGUE[own], (treebanks,)).bracket_paths(split)))


def like(name: str) -> str:
    """The treebank of the same language that we have."""
    return LIKE.get(CATALOGUE[name].language, "zh_gsd")


def arguments_of(description: str, names: Sequence[str]) -> argparse.ArgumentParser:
    """The command line of a script: where treebanks are, and which of them it is about.

    Any treebank of the catalogue will do: put your own copy of a licensed one where it says.
    """
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--treebanks", type=Path, default=TREEBANKS, help="the folder of them all")
    parser.add_argument("--on", nargs="*", choices=list(CATALOGUE), default=names, metavar="NAME")
    return parser


def with_others(names: Sequence[str], file_of: Callable[[str], Path]) -> tuple[str, ...]:
    """The treebanks of a table: those that are always in it, and others that have results."""
    return (*names, *(one for one in CATALOGUE if one not in names and file_of(one).exists()))


@dataclass(frozen=True)
class Kept:
    """What came out of a script, in a file for each treebank.

    treebanks: those that are always in its tables.
    """

    kind: str
    treebanks: Sequence[str]

    def file_of(self, *names: str) -> Path:
        """Where a result is kept."""
        return RESULTS / f"{'-'.join([self.kind, *names])}.json"

    def names(self) -> tuple[str, ...]:
        """The treebanks of the tables."""
        return with_others(self.treebanks, self.file_of)

    def read(self, *names: str) -> dict[str, Any]:
        """What came out so far; nothing if nothing was run."""
        path = self.file_of(*names)
        found: dict[str, Any] = json.loads(path.read_text("utf-8")) if path.exists() else {}
        return found

    def write(self, result: dict[str, Any], *names: str) -> None:
        """Keep what came out."""
        RESULTS.mkdir(exist_ok=True)
        text = json.dumps(result, indent=1, sort_keys=True) + "\n"
        self.file_of(*names).write_text(text, "utf-8")


def scores_up_to(
    longest: int, gold: Sequence[Sentence], parsed: Sequence[Sentence], *measures: str
) -> dict[str, Any]:
    """Measures of the sentences up to a length."""
    pairs = [pair for pair in zip(gold, parsed, strict=True) if len(pair[0]) <= longest]
    own = evaluate(*zip(*pairs, strict=True), rounds=1).to_json()
    return {key: own[key] for key in measures}


def by_length(parser: Any, dev: Sequence[Sentence], lengths: Sequence[int]) -> dict[str, Any]:
    """Accuracy of a parser on sentences of up to each length, and its speed."""
    start = time.perf_counter()
    parsed = parser.predict(dev)
    seconds = time.perf_counter() - start
    found: dict[str, Any] = {"sentences_a_second": round(len(dev) / seconds, 1)}
    for longest in lengths:
        found[str(longest)] = scores_up_to(longest, dev, parsed, "words", "uas", "undirected")
    return found


def table(header: Iterable[str], rows: Iterable[Sequence[object]]) -> str:
    """A table in Markdown."""
    names = list(header)
    lines = ["| " + " | ".join(names) + " |", "|---|" + "--:|" * (len(names) - 1)]
    lines += ["| " + " | ".join(map(str, row)) + " |" for row in rows]
    return "\n".join(lines) + "\n"


def figure(own: dict[str, Any], *keys: str) -> str:
    """A score of a result, or a dash if there is none."""
    for key in keys:
        own = own.get(key, {})
    return f"{own:.2f}" if own else "–"


def p_text(p: float) -> str:
    """A p-value as it is shown."""
    return f"{p:.3f}" if p >= 0.001 else "< 0.001"


def crossed(
    found: Mapping[Choice, Sequence[Item]], gain: Callable[[Choice, int], float]
) -> tuple[list[Item], list[Choice]]:
    """The items of each half by the choice that is best on the other half; and both choices.

    gain: of a choice on a half, 0 (the first, third, … item) or 1.
    """
    chosen = []
    for half in (0, 1):
        gains = {choice: gain(choice, 1 - half) for choice in found}
        chosen.append(max(gains, key=gains.__getitem__))
    items = list(found[chosen[0]])
    items[1::2] = found[chosen[1]][1::2]
    return items, chosen
