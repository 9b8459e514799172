"""A treebank grammar as plain data: arrays and what JSON can hold."""

from collections.abc import Iterable
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from headwise.constituency.annotation import Symbol
from headwise.constituency.grammar import Grammar
from headwise.constituency.lexicon import Entry, Lexicon
from headwise.constituency.pcfg import TreebankGrammar
from headwise.errors import ModelError
from headwise.kernels.treechart import Rules
from headwise.storage.modelfile import ModelFile

Arrays = dict[str, npt.NDArray[Any]]


def grammar_settings(grammar: TreebankGrammar) -> dict[str, Any]:
    """Names: symbols, words and kinds of words."""
    return {
        "symbols": [
            [symbol.label, symbol.mark, list(symbol.above), symbol.is_tag]
            for symbol in grammar.grammar.symbols
        ],
        "words": list(grammar.lexicon.words),
        "classes": list(grammar.lexicon.classes),
    }


def grammar_arrays(name: str, grammar: TreebankGrammar) -> Arrays:
    """Numbers: rules, chains, and what each word may be."""
    lexicon, paths = grammar.lexicon, grammar.grammar.chain_paths
    entries = [*lexicon.words.values(), *lexicon.classes.values(), lexicon.others]
    arrays: Arrays = {
        "parents": grammar.grammar.parents,
        "chain_starts": _starts(paths),
        "chain_symbols": np.array([step for path in paths for step in path], np.int32),
        "entry_starts": _starts(entries),
        "entry_symbols": np.array([x for entry in entries for x, _ in entry], np.int32),
        "entry_weights": np.array([w for entry in entries for _, w in entry], np.float64),
        **grammar.grammar.rules._asdict(),
    }
    return {f"{name}.{key}": array for key, array in arrays.items()}


def grammar_from(name: str, model: ModelFile) -> TreebankGrammar:
    """The grammar of that name in a model."""
    try:
        return _grammar_from(name, model)
    except (KeyError, IndexError, TypeError, ValueError) as error:
        raise ModelError(f"the {name} grammar of this model does not hold together") from error


def _grammar_from(name: str, model: ModelFile) -> TreebankGrammar:
    names = model.settings[name]
    symbols = tuple(
        Symbol(label, mark, tuple(above), is_tag) for label, mark, above, is_tag in names["symbols"]
    )

    def array(key: str) -> npt.NDArray[Any]:
        return model.array(f"{name}.{key}")

    rules = Rules(**{key: array(key) for key in Rules._fields})
    _check(rules, array("parents"), len(symbols))
    paths = _split(array("chain_symbols").tolist(), array("chain_starts"))
    pairs = zip(array("entry_symbols").tolist(), array("entry_weights").tolist(), strict=True)
    entries: list[Entry] = _split(list(pairs), array("entry_starts"))
    words, classes = names["words"], names["classes"]
    lexicon = Lexicon(
        dict(zip(words, entries[: len(words)], strict=True)),
        dict(zip(classes, entries[len(words) : -1], strict=True)),
        entries[-1],
        tuple(symbol.label if symbol.is_tag else "" for symbol in symbols),
    )
    return TreebankGrammar(Grammar(symbols, array("parents"), rules, tuple(paths)), lexicon)


def _check(rules: Rules, parents: npt.NDArray[Any], reals: int) -> None:
    """Raise unless every number points to something: kernels do not look."""
    size, pairs = len(parents), len(rules.pair_right)
    count, chains = len(rules.whole), len(rules.top)
    limits = {
        "pair_starts": (size + 1, pairs + 1),
        "pair_right": (pairs, reals),
        "rule_starts": (pairs + 1, count + 1),
        "whole": (count, size),
        "left": (count, size),
        "right": (count, reals),
        "whole_starts": (size + 1, count + 1),
        "by_whole": (count, count),
        "bottom_starts": (reals + 1, chains + 1),
        "top": (chains, reals),
        "bottom": (chains, reals),
        "top_starts": (reals + 1, chains + 1),
        "by_top": (chains, chains),
    }
    for key, (length, limit) in limits.items():
        numbers = getattr(rules, key)
        if numbers.dtype != np.int32 or numbers.shape != (length,):
            raise ValueError(key)
        if length and not 0 <= numbers.min() <= numbers.max() < limit:
            raise ValueError(key)
    for key, length in (("weight", count), ("chain_weight", chains)):
        numbers = getattr(rules, key)
        if numbers.dtype != np.float64 or numbers.shape != (length,) or np.isnan(numbers).any():
            raise ValueError(key)
    if parents.dtype != np.int32 or not 0 <= parents.min() <= parents.max() < reals:
        raise ValueError("parents")


def _starts(rows: Iterable[tuple[Any, ...]]) -> npt.NDArray[np.int32]:
    return np.cumsum([0, *(len(row) for row in rows)]).astype(np.int32)


def _split(items: list[Any], starts: npt.NDArray[Any]) -> list[tuple[Any, ...]]:
    bounds = starts.tolist()
    return [tuple(items[a:b]) for a, b in pairwise(bounds)]
