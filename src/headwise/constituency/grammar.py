"""A PCFG as arrays of rules over numbered symbols, for the CKY kernels.

A state `parent | last h children` stands for the children so far. It is a left part in a chart,
which the parser has built before it uses it: only states that fit the words are ever made. The
first two children make a state together, so that only real unary chains are unary.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from math import log

import numpy as np
import numpy.typing as npt

from headwise.constituency.annotation import START, Symbol
from headwise.constituency.markov import ChildProcess, History
from headwise.kernels.constituents.treechart import Rules

Ints = npt.NDArray[np.int32]
Floats = npt.NDArray[np.float64]

LONGEST_CHAIN = 3
"""Longest chain of unary rules."""

MIN_CHAIN = -12.0
"""Chains of a smaller log-probability are dropped."""

BinaryRule = tuple[int, int, int, float]
"""Left, right, whole and log-probability; the n-th state is -1 - n until all symbols are known."""


@dataclass(frozen=True, slots=True)
class UnaryChain:
    """A path of unary rules without repeated symbols."""

    path: tuple[int, ...]  # symbols from the top
    log_probability: float


@dataclass(frozen=True, slots=True, eq=False)
class Grammar:
    """Rules over numbered symbols: labels and tags first, then states."""

    symbols: tuple[Symbol, ...]  # the real ones
    parents: Ints  # of every symbol: itself, or for a state the symbol that it belongs to
    rules: Rules
    chain_paths: tuple[tuple[int, ...], ...]

    @classmethod
    def of(cls, process: ChildProcess, tags: Iterable[Symbol]) -> "Grammar":
        """The grammar of a Markov process of children."""
        maker = RuleMaker(process)
        maker.make()
        for tag in tags:
            maker.number(tag)
        chains = find_chains(maker.unary)
        reals, states = len(maker.symbols), maker.state_parents
        rules = tables(maker.binary, chains, reals, reals + len(states))
        return cls(
            tuple(maker.symbols),
            np.array([*range(reals), *states], np.int32),
            rules,
            tuple(chain.path for chain in chains),
        )

    @property
    def start(self) -> int:
        """The index of the start symbol."""
        return self.symbols.index(START)


class RuleMaker:
    """Enumerates the rules of a Markov process of children."""

    def __init__(self, process: ChildProcess) -> None:
        self.process = process
        self.symbols: dict[Symbol, int] = {}
        self.state_parents: list[int] = []
        self.binary: list[BinaryRule] = []
        self.unary: list[tuple[int, int, float]] = []  # parent, child, log-probability

    def number(self, symbol: Symbol) -> int:
        """The index of a symbol."""
        return self.symbols.setdefault(symbol, len(self.symbols))

    def make(self) -> None:
        """Enumerate all rules."""
        for parent in self.process.parents:
            self.add_parent(parent)

    def add_parent(self, parent: Symbol) -> None:
        """Add the rules of one symbol, from its first two children on."""
        process, whole = self.process, self.number(parent)
        states: dict[History, int] = {}
        waiting: list[History] = []

        @cache
        def child(kind: int) -> int:
            return self.number(process.below(parent, kind))

        def extend(left: int, weight: float, history: History) -> None:
            for event, p in process.events(parent, history).items():
                kind = event >> 1
                if event & 1:
                    made = whole
                else:
                    after = process.extended(history, kind)
                    if after not in states:
                        states[after] = -1 - len(self.state_parents)
                        self.state_parents.append(whole)
                        waiting.append(after)
                    made = states[after]
                self.binary.append((left, child(kind), made, weight + log(p)))

        for event, p in process.events(parent, None).items():
            if event & 1:
                self.unary.append((whole, child(event >> 1), log(p)))
            else:
                extend(child(event >> 1), log(p), process.extended(None, event >> 1))
        for history in waiting:  # grows during iteration
            extend(states[history], 0.0, history)


def find_chains(steps: Sequence[tuple[int, int, float]]) -> list[UnaryChain]:
    """All paths of unary rules within the limits, sorted by their last symbol."""
    following: dict[int, list[tuple[int, float]]] = defaultdict(list)
    for parent, child, weight in steps:
        following[parent].append((child, weight))
    chains = [UnaryChain((top,), 0.0) for top in following]
    found: list[UnaryChain] = []
    for _ in range(LONGEST_CHAIN):
        chains = [
            UnaryChain((*chain.path, child), chain.log_probability + weight)
            for chain in chains
            for child, weight in following.get(chain.path[-1], ())
            if child not in chain.path and chain.log_probability + weight > MIN_CHAIN
        ]
        found += chains
    return sorted(found, key=lambda chain: (chain.path[-1], chain.path))


def tables(
    binary: Sequence[BinaryRule], chains: Sequence[UnaryChain], reals: int, size: int
) -> Rules:
    """The rules as arrays, sorted so that the same treebank gives the same arrays."""
    parts = np.array([rule[:3] for rule in binary], np.int32).reshape(-1, 3)
    parts[parts < 0] = reals - 1 - parts[parts < 0]
    order = np.lexsort(parts.T[::-1])
    left, right, whole = parts[order].T.copy()
    return rules_of(
        left,
        right,
        whole,
        np.array([rule[3] for rule in binary])[order],
        np.array([chain.path[0] for chain in chains], np.int32),
        np.array([chain.path[-1] for chain in chains], np.int32),
        np.array([chain.log_probability for chain in chains], np.float64),
        reals,
        size,
    )


def rules_of(
    left: Ints,
    right: Ints,
    whole: Ints,
    weight: Floats,
    top: Ints,
    bottom: Ints,
    chain_weight: Floats,
    reals: int,
    size: int,
) -> Rules:
    """Rules sorted by left, right and whole, and chains by bottom, with all derived tables."""
    is_new = np.ones(len(whole), np.bool_)
    is_new[1:] = (left[1:] != left[:-1]) | (right[1:] != right[:-1])
    return Rules(
        pair_starts=starts_of(left[is_new], size),
        pair_right=right[is_new],
        rule_starts=np.append(np.flatnonzero(is_new), len(whole)).astype(np.int32),
        whole=whole,
        left=left,
        right=right,
        weight=weight,
        whole_starts=starts_of(np.sort(whole), size),
        by_whole=np.argsort(whole, kind="stable").astype(np.int32),
        bottom_starts=starts_of(bottom, reals),
        top=top,
        bottom=bottom,
        chain_weight=chain_weight,
        top_starts=starts_of(np.sort(top), reals),
        by_top=np.argsort(top, kind="stable").astype(np.int32),
    )


def starts_of(ordered: Ints, size: int) -> Ints:
    """The start of the run of each number in a sorted array; the last entry is its end."""
    return np.searchsorted(ordered, np.arange(size + 1)).astype(np.int32)
