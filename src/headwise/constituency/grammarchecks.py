"""Validation of a stored grammar: everything that the CKY kernels assume about its arrays.

Most tables of a grammar follow from its rules and chains; they are recomputed and compared. In
addition, tags must produce words and nothing else, so that a tree has one tag per word.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from headwise.constituency.grammar import rules_of
from headwise.errors import ModelError
from headwise.kernels.constituents.treechart import Rules
from headwise.storage.arraychecks import check_array, check_indices, check_starts, check_weights

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
