"""A grammar of numbers: what search needs of a treebank, and the names to read its answers by."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from headwise.constituency.annotation import Symbol
from headwise.constituency.markov import BinaryRule, ChildProcess, State, UnaryRule
from headwise.kernels.cky import Rules

Ints = npt.NDArray[np.int32]

LONGEST_CHAIN = 3
"""How many unary steps may follow each other."""

LEAST_CHAIN = -12.0
"""Chains of a smaller log-probability are left out."""


@dataclass(frozen=True, slots=True)
class Chain:
    """A path of unary rules without a repeated symbol."""

    path: tuple[int, ...]  # symbols from the top
    log_probability: float


@dataclass(frozen=True, slots=True, eq=False)
class Grammar:
    """Rules over numbered symbols: labels and tags first, then states."""

    symbols: tuple[Symbol, ...]  # the real ones
    parents: Ints  # of every symbol: itself, or of a state the symbol that it is part of
    rules: Rules
    chain_paths: tuple[tuple[int, ...], ...]

    @classmethod
    def of(cls, process: ChildProcess, tags: Iterable[Symbol]) -> "Grammar":
        """The rules of a process of children."""
        binary, unary = list(process.binary_rules()), list(process.unary_rules())
        numbers: dict[Symbol | State, int] = {}
        for symbol in (*process.parents, *tags):
            numbers.setdefault(symbol, len(numbers))
        for rule in binary:  # symbols that smoothing put in new places
            for part in (rule.left, rule.right):
                if isinstance(part, Symbol):
                    numbers.setdefault(part, len(numbers))
        for step in unary:
            numbers.setdefault(step.child, len(numbers))
        real = tuple(symbol for symbol in numbers if isinstance(symbol, Symbol))
        for rule in binary:
            for symbol in (rule.left, rule.whole):
                numbers.setdefault(symbol, len(numbers))
        chains = find_chains(unary, numbers)
        rules = tables(binary, chains, numbers, len(real))
        parents = [numbers[part.parent if isinstance(part, State) else part] for part in numbers]
        return cls(
            real, np.array(parents, np.int32), rules, tuple(chain.path for chain in chains)
        )


def find_chains(steps: Sequence[UnaryRule], numbers: dict[Symbol | State, int]) -> list[Chain]:
    """All paths of unary rules, as far as the limits go."""
    following: dict[int, list[tuple[int, float]]] = defaultdict(list)
    for step in steps:
        following[numbers[step.parent]].append((numbers[step.child], step.log_probability))
    chains = [Chain((top,), 0.0) for top in following]
    found: list[Chain] = []
    for _ in range(LONGEST_CHAIN):
        chains = [
            Chain((*chain.path, child), chain.log_probability + weight)
            for chain in chains
            for child, weight in following.get(chain.path[-1], ())
            if child not in chain.path and chain.log_probability + weight > LEAST_CHAIN
        ]
        found += chains
    return sorted(found, key=lambda chain: (chain.path[-1], chain.path))


def tables(
    binary: Sequence[BinaryRule],
    chains: Sequence[Chain],
    numbers: dict[Symbol | State, int],
    reals: int,
) -> Rules:
    """The rules as arrays, sorted so that the same treebank gives the same arrays."""
    rows = sorted(
        (numbers[r.left], numbers[r.right], numbers[r.whole], r.log_probability) for r in binary
    )
    left, right, whole = np.array([row[:3] for row in rows], np.int32).reshape(-1, 3).T.copy()
    top = np.array([chain.path[0] for chain in chains], np.int32)
    bottom = np.array([chain.path[-1] for chain in chains], np.int32)
    size = len(numbers)
    is_new = np.ones(len(rows), np.bool_)
    is_new[1:] = (np.diff(left) != 0) | (np.diff(right) != 0)
    rule_starts = np.append(np.flatnonzero(is_new), len(rows)).astype(np.int32)
    return Rules(
        pair_starts=starts_of(left[is_new], size),
        pair_right=right[is_new],
        rule_starts=rule_starts,
        whole=whole,
        right=right,
        weight=np.array([row[3] for row in rows]),
        whole_starts=starts_of(np.sort(whole), size),
        by_whole=np.argsort(whole, kind="stable").astype(np.int32),
        left=left,
        bottom_starts=starts_of(bottom, reals),
        top=top,
        chain_weight=np.array([chain.log_probability for chain in chains]),
        top_starts=starts_of(np.sort(top), reals),
        by_top=np.argsort(top, kind="stable").astype(np.int32),
        bottom=bottom,
    )


def starts_of(ordered: Ints, size: int) -> Ints:
    """Where the run of each number begins in an ordered array; the last entry is its end."""
    return np.searchsorted(ordered, np.arange(size + 1)).astype(np.int32)
