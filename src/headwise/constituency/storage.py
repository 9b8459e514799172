"""A PCFG as arrays and JSON data."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from headwise.constituency.annotation import START, Symbol
from headwise.constituency.grammar import Grammar
from headwise.constituency.grammarchecks import check_chains, check_entries, check_rules
from headwise.constituency.lexicon import Entry, PcfgLexicon
from headwise.constituency.pcfg import TreebankGrammar
from headwise.errors import UsageError
from headwise.kernels.constituents.treechart import Rules
from headwise.storage.modelfile import ModelFile

Arrays = dict[str, npt.NDArray[Any]]


@dataclass(frozen=True, slots=True)
class StoredGrammar:
    """The stored names of a grammar: symbols, words and word classes."""

    symbols: tuple[tuple[str, str, tuple[str, ...], bool], ...]
    words: tuple[str, ...]
    classes: tuple[str, ...]

    def check(self) -> None:
        """Raise if a value is invalid."""
        if START not in self.named():
            raise UsageError(f"symbols: the start symbol {START} is missing")

    def named(self) -> tuple[Symbol, ...]:
        """The symbols."""
        return tuple(Symbol(*one) for one in self.symbols)


def grammar_settings(grammar: TreebankGrammar) -> dict[str, Any]:
    """The names of a grammar: symbols, words and word classes."""
    return {
        "symbols": [
            [symbol.label, symbol.mark, list(symbol.above), symbol.is_tag]
            for symbol in grammar.grammar.symbols
        ],
        "words": list(grammar.lexicon.words),
        "classes": list(grammar.lexicon.classes),
    }


def grammar_arrays(name: str, grammar: TreebankGrammar) -> Arrays:
    """The arrays of a grammar: rules, chains and lexical entries."""
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


def grammar_from(name: str, settings: StoredGrammar, model: ModelFile) -> TreebankGrammar:
    """The grammar of that name in a model, validated for the search kernels."""
    symbols = settings.named()
    is_tag = np.array([symbol.is_tag for symbol in symbols], np.bool_)

    def array(key: str) -> npt.NDArray[Any]:
        return model.array(f"{name}.{key}")

    rules, parents = Rules(**{key: array(key) for key in Rules._fields}), array("parents")
    check_rules(name, rules, parents, is_tag)
    chains = array("chain_starts"), array("chain_symbols")
    check_chains(name, *chains, rules, is_tag)
    entries = array("entry_starts"), array("entry_symbols"), array("entry_weights")
    check_entries(name, *entries, len(settings.words) + len(settings.classes) + 1, is_tag)
    paths = _split(chains[1].tolist(), chains[0])
    lexicon = _lexicon(settings, symbols, *entries)
    return TreebankGrammar(Grammar(symbols, parents, rules, tuple(paths)), lexicon)


def _lexicon(
    settings: StoredGrammar,
    symbols: tuple[Symbol, ...],
    starts: npt.NDArray[Any],
    tags: npt.NDArray[Any],
    weights: npt.NDArray[Any],
) -> PcfgLexicon:
    """The lexicon of a grammar; entries are of words, of word classes, and of all other words."""
    pairs = list(zip(tags.tolist(), weights.tolist(), strict=True))
    entries: list[Entry] = _split(pairs, starts)
    words = len(settings.words)
    return PcfgLexicon(
        dict(zip(settings.words, entries[:words], strict=True)),
        dict(zip(settings.classes, entries[words:-1], strict=True)),
        entries[-1],
        tuple(symbol.label if symbol.is_tag else "" for symbol in symbols),
    )


def _starts(rows: Iterable[tuple[Any, ...]]) -> npt.NDArray[np.int32]:
    return np.cumsum([0, *(len(row) for row in rows)]).astype(np.int32)


def _split(items: list[Any], starts: npt.NDArray[Any]) -> list[tuple[Any, ...]]:
    bounds = starts.tolist()
    return [tuple(items[a:b]) for a, b in pairwise(bounds)]
