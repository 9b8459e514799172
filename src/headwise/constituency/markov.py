"""The children of a constituent as a Markov process, and the binary rules that it comes to.

Children are chosen from left to right, each with whether it is the last, given the parent and as
many children before as the horizontal order says:

    P(children | parent) = Π_i P(child_i, last_i | parent, child_{i-h} … child_{i-1})

A state `parent | last h children` stands for the children so far. It is a left part in a chart,
which a parser has seen before it uses it: only states that fit the words are ever made. The first
two children make a state together, so that nothing but real chains of constituents is unary.

Probabilities are interpolated from the full context down to the parent's label without what it
knows of its place, by weights that grow with how often a context was seen and shrink with how many
different things followed it (Witten & Bell 1991).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from math import log

from headwise.constituency.annotation import Annotation, Production, Symbol

History = tuple[int, ...]
"""The kinds of the children before, at most as many as the horizontal order."""

Context = tuple[str | Symbol, History | None]
"""A parent, or its label alone, and the children before; None where there were none."""

Events = dict[int, float]
"""What comes next: twice the kind of a child, plus one if it is the last."""


@dataclass(frozen=True, slots=True)
class Smoothing:
    """How much is believed that was not seen."""

    confidence: float = 1.0  # one kind of child in a context weighs as so many sightings of it
    reach: int = 1  # a child must have been seen after so many of the last children
    least: float = 1e-5  # what is less probable than this does not happen


@dataclass(frozen=True, slots=True)
class State:
    """A parent with its children so far, of which the last are known."""

    parent: Symbol
    history: History


@dataclass(frozen=True, slots=True)
class BinaryRule:
    """`whole` is made of `left` and `right`."""

    whole: Symbol | State
    left: Symbol | State
    right: Symbol
    log_probability: float


@dataclass(frozen=True, slots=True)
class UnaryRule:
    """`parent` has one child."""

    parent: Symbol
    child: Symbol
    log_probability: float


class ChildProcess:
    """Counts of children, and what they say."""

    def __init__(self, annotation: Annotation, horizontal: int, smoothing: Smoothing) -> None:
        """Nothing is counted yet."""
        self.annotation = annotation
        self.horizontal = horizontal
        self.smoothing = smoothing
        self.counts: dict[Context, dict[int, int]] = {}
        self.parents: dict[Symbol, None] = {}  # a set that keeps its order
        # A kind is a child without what it knows of its place, which follows from its parent.
        self.kinds: list[Symbol] = []
        self.numbers: dict[Symbol, int] = {}
        self.known: dict[Context, Events] = {}

    def count(self, production: Production) -> None:
        """Learn from one constituent."""
        history: History | None = None
        parent, last = production.parent, len(production.children) - 1
        self.parents.setdefault(parent)
        for at, child in enumerate(production.children):
            kind = self.kind(child)
            event = 2 * kind + (at == last)
            for context in self.contexts(parent, history):
                seen = self.counts.setdefault(context, {})
                seen[event] = seen.get(event, 0) + 1
            history = self.extended(history, kind)

    def kind(self, child: Symbol) -> int:
        """The number of what a child is anywhere."""
        found = self.numbers.get(child)
        if found is None:
            bare = Symbol(child.label, child.mark, is_tag=child.is_tag)
            found = self.numbers.setdefault(bare, len(self.kinds))
            if found == len(self.kinds):
                self.kinds.append(bare)
            self.numbers[child] = found
        return found

    def extended(self, history: History | None, kind: int) -> History:
        """The history after one more child."""
        return (*(history or ()), kind)[-self.horizontal :] if self.horizontal else ()

    def contexts(self, parent: Symbol, history: History | None) -> list[Context]:
        """The contexts of an event, from the fullest to the shortest."""
        if history is None:
            return [(parent, None), (parent.label, None)]
        recent = [history[start:] for start in range(len(history) + 1)]
        return [(name, part) for part in recent for name in (parent, parent.label)]

    def events(self, parent: Symbol, history: History | None) -> Events:
        """The probabilities of all that may come next."""
        key = (parent, history)
        if key not in self.known:
            self.known[key] = self.interpolated(self.contexts(parent, history))
        return self.known[key]

    def interpolated(self, contexts: list[Context]) -> Events:
        """Mix the distributions of contexts, given from the fullest to the shortest."""
        smoothing = self.smoothing
        mixed: Events = {}
        for context in reversed(contexts):
            seen = self.counts.get(context)
            if seen:
                total = sum(seen.values())
                share = total / (total + smoothing.confidence * len(seen)) if mixed else 1.0
                mixed = {event: (1 - share) * p for event, p in mixed.items()}
                for event, count in seen.items():
                    mixed[event] = mixed.get(event, 0.0) + share * count / total
        nearest = min(smoothing.reach, len(contexts[0][1] or ()))
        allowed: set[int] = set()
        for context in contexts:
            if len(context[1] or ()) >= nearest:
                allowed.update(self.counts.get(context, ()))
        return {x: p for x, p in mixed.items() if x in allowed and p >= smoothing.least}

    # -------------------------------------------------------------------------------- rules

    def below(self, parent: Symbol, event: int) -> Symbol:
        """The child of an event with what it knows of its place."""
        kind = self.kinds[event >> 1]
        order = self.annotation.tag_vertical if kind.is_tag else self.annotation.vertical
        above = (parent.label, *parent.above)[: order - 1]
        return Symbol(kind.label, kind.mark, above, kind.is_tag)

    def unary_rules(self) -> Iterator[UnaryRule]:
        """All constituents of one child."""
        for parent in self.parents:
            for event, p in self.events(parent, None).items():
                if event & 1:
                    yield UnaryRule(parent, self.below(parent, event), log(p))

    def binary_rules(self) -> Iterator[BinaryRule]:
        """All rules of two parts, found from the first two children on."""
        for parent in self.parents:
            states: dict[History, None] = {}
            for event, p in self.events(parent, None).items():
                if not event & 1:
                    first = self.extended(None, event >> 1)
                    left = self.below(parent, event)
                    yield from self.rules_after(parent, left, log(p), first, states)
            waiting = list(states)
            for history in waiting:
                before = len(states)
                state = State(parent, history)
                yield from self.rules_after(parent, state, 0.0, history, states)
                if len(states) > before:
                    waiting += list(states)[before:]

    def rules_after(
        self,
        parent: Symbol,
        left: Symbol | State,
        log_left: float,
        history: History,
        states: dict[History, None],
    ) -> Iterator[BinaryRule]:
        """The rules that add a child to a left part; new states are noted."""
        for event, p in self.events(parent, history).items():
            weight = log_left + log(p)
            right = self.below(parent, event)
            if event & 1:
                yield BinaryRule(parent, left, right, weight)
            else:
                after = self.extended(history, event >> 1)
                states.setdefault(after)
                yield BinaryRule(State(parent, after), left, right, weight)
