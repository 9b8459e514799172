"""A PCFG as arrays and JSON data, and everything that the CKY kernels assume about these arrays.

Most tables of a grammar follow from its rules and chains; they are recomputed and compared. In
addition, tags must produce words and nothing else, so that a tree has one tag per word.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt
from numpy.typing import NDArray

from headwise.constituency.annotation import START, Symbol
from headwise.constituency.grammar import Grammar, rules_of
from headwise.constituency.lexicon import Entry, PcfgLexicon
from headwise.constituency.pcfg import TreebankGrammar
from headwise.errors import ModelError, UsageError
from headwise.kernels.constituents.treechart import Rules
from headwise.storage.arraychecks import check_array, check_indices, check_starts, check_weights
from headwise.storage.modelfile import ModelFile

Bools = NDArray[np.bool_]


def check_rules(name: str, rules: Rules, parents: NDArray[Any], is_tag: Bools) -> None:
    """Raise unless rules and chains are those of a grammar over symbols and states."""
    reals = len(is_tag)
    check_array(f"{name}.parents", parents, np.int32, (None,))
    check_indices(f"{name}.parents", parents, reals)
    size = len(parents)
    if size < reals or (parents[:reals] != np.arange(reals)).any():
        raise ModelError(f"array '{name}.parents' does not match its symbols: it is damaged")
    check_numbers(name, rules, ("left", "right", "whole"), "weight", (size, reals, size))
    check_numbers(name, rules, ("top", "bottom"), "chain_weight", (reals, reals))
    check_sorted(f"{name}.whole", rules.left, rules.right, rules.whole)
    check_sorted(f"{name}.bottom", rules.bottom)
    if is_tag[rules.top].any() or is_tag[rules.whole[rules.whole < reals]].any():
        raise ModelError(f"the {name} grammar derives a tag from something else than a word")
    made = rules_of(
        rules.left, rules.right, rules.whole, rules.weight,
        rules.top, rules.bottom, rules.chain_weight, reals, size,
    )  # fmt: skip
    for key in Rules._fields:
        found, wanted = getattr(rules, key), getattr(made, key)
        check_array(f"{name}.{key}", found, wanted.dtype.type, wanted.shape)
        if not np.array_equal(found, wanted):
            raise ModelError(f"array '{name}.{key}' does not follow from the rules: it is damaged")


def check_numbers(
    name: str, rules: Rules, keys: tuple[str, ...], weight: str, below: tuple[int, ...]
) -> None:
    """Raise unless arrays of the length of their weights have symbols below the bounds."""
    weights = getattr(rules, weight)
    check_array(f"{name}.{weight}", weights, np.float64, (None,))
    check_weights(f"{name}.{weight}", weights)
    for key, bound in zip(keys, below, strict=True):
        check_array(f"{name}.{key}", getattr(rules, key), np.int32, weights.shape)
        check_indices(f"{name}.{key}", getattr(rules, key), bound)


def check_sorted(name: str, *columns: NDArray[Any]) -> None:
    """Raise unless rows are sorted lexicographically by their columns."""
    equal = np.ones(max(0, len(columns[0]) - 1), np.bool_)
    for column in columns:
        if (equal & (column[1:] < column[:-1])).any():
            raise ModelError(f"array {name!r} is out of order: the model is damaged")
        equal &= column[1:] == column[:-1]


def check_chains(
    name: str, starts: NDArray[Any], symbols: NDArray[Any], rules: Rules, is_tag: Bools
) -> None:
    """Raise unless chains are paths of labels from their top to their bottom."""
    check_array(f"{name}.chain_starts", starts, np.int32, (len(rules.top) + 1,))
    check_array(f"{name}.chain_symbols", symbols, np.int32, (None,))
    check_starts(f"{name}.chain_starts", starts, len(symbols), fewest=2)
    check_indices(f"{name}.chain_symbols", symbols, len(is_tag))
    ends = symbols[starts[:-1]], symbols[starts[1:] - 1]
    if not (np.array_equal(ends[0], rules.top) and np.array_equal(ends[1], rules.bottom)):
        raise ModelError(f"array '{name}.chain_symbols' has other ends than its chains")
    inner = np.ones(len(symbols), np.bool_)
    inner[starts[1:] - 1] = False
    if is_tag[symbols[inner]].any():
        raise ModelError(f"array '{name}.chain_symbols' has a tag inside a chain")


def check_entries(
    name: str,
    starts: NDArray[Any],
    tags: NDArray[Any],
    weights: NDArray[Any],
    count: int,
    is_tag: Bools,
) -> None:
    """Raise unless every entry has tags, and nothing else."""
    check_array(f"{name}.entry_starts", starts, np.int32, (count + 1,))
    check_array(f"{name}.entry_symbols", tags, np.int32, (None,))
    check_array(f"{name}.entry_weights", weights, np.float64, tags.shape)
    check_starts(f"{name}.entry_starts", starts, len(tags), fewest=1)
    check_indices(f"{name}.entry_symbols", tags, len(is_tag))
    check_weights(f"{name}.entry_weights", weights)
    if not is_tag[tags].all():
        raise ModelError(f"array '{name}.entry_symbols' has symbols that are not tags")


Arrays = dict[str, npt.NDArray[Any]]


@dataclass(frozen=True, slots=True)
class StoredGrammar:
    """The stored names of a grammar: symbols, words and word classes."""

    symbols: tuple[tuple[str, str, tuple[str, ...], bool], ...]
    words: tuple[str, ...]
    classes: tuple[str, ...]

    def check(self) -> None:
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
