"""The children of a constituent as a Markov process (horizontal Markovisation).

Children are generated from left to right, each with whether it is the last, given the parent and as
many preceding siblings as the horizontal order says:

    P(children | parent) = Π_i P(child_i, last_i | parent, child_{i-h} … child_{i-1})

Probabilities are interpolated from the full context down to the unannotated parent, with weights
that grow with the frequency of a context and shrink with the number of distinct events in it
(Witten & Bell 1991).
"""

from dataclasses import dataclass

from headwise.constituency.annotation import Annotation, Production, Symbol

History = tuple[int, ...]
"""The kinds of the preceding siblings, at most as many as the horizontal order."""

Context = tuple[Symbol, History | None]
"""A parent, annotated or not, and the preceding siblings; None if there are none."""

Events = dict[int, float]
"""Probabilities of the next event: twice the kind of a child, plus one if it is the last."""


@dataclass(frozen=True, slots=True)
class Smoothing:
    """Hyperparameters of smoothing."""

    confidence: float = 1.0  # pseudo-count per distinct event in a context
    reach: int = 2  # a child must have been seen after this many of the last children
    min_probability: float = 1e-4  # less probable events are dropped


class ChildProcess:
    """Counts of children, and the probabilities estimated from them."""

    def __init__(self, annotation: Annotation, horizontal: int, smoothing: Smoothing) -> None:
        self.annotation = annotation
        self.horizontal = horizontal
        self.smoothing = smoothing
        self.counts: dict[Context, dict[int, int]] = {}
        self.parents: dict[Symbol, None] = {}  # an ordered set
        # A kind is a child without annotation, which follows from its parent.
        self.kinds: list[Symbol] = []
        self.numbers: dict[Symbol, int] = {}
        self.known: dict[Context, Events] = {}

    def count(self, production: Production) -> None:
        """Count one constituent."""
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
        """The index of the unannotated child."""
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
        """The contexts of an event, from the longest to the shortest."""
        anywhere = Symbol(parent.label, parent.mark)
        if history is None:
            return [(parent, None), (anywhere, None)]
        recent = [history[start:] for start in range(len(history) + 1)]
        return [(name, part) for part in recent for name in (parent, anywhere)]

    def events(self, parent: Symbol, history: History | None) -> Events:
        """The probabilities of all next events."""
        key = (parent, history)
        if key not in self.known:
            self.known[key] = self.interpolated(self.contexts(parent, history))
        return self.known[key]

    def interpolated(self, contexts: list[Context]) -> Events:
        """Interpolate the distributions of contexts, given from the longest to the shortest."""
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
        return {x: p for x, p in mixed.items() if x in allowed and p >= smoothing.min_probability}

    def below(self, parent: Symbol, kind: int) -> Symbol:
        """A child of some kind, annotated for its parent."""
        bare = self.kinds[kind]
        order = self.annotation.tag_vertical if bare.is_tag else self.annotation.vertical
        above = (parent.label, *parent.above)[: order - 1]
        return Symbol(bare.label, bare.mark, above, bare.is_tag)
