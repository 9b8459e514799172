"""The children of a constituent as a Markov process.

Children are chosen from left to right, each with whether it is the last, given the parent and as
many children before as the horizontal order says:

    P(children | parent) = Π_i P(child_i, last_i | parent, child_{i-h} … child_{i-1})

Probabilities are interpolated from the full context down to the parent without what it knows of
its place, by weights that grow with how often a context was seen and shrink with how many
different things followed it (Witten & Bell 1991).
"""

from dataclasses import dataclass

from headwise.constituency.annotation import Annotation, Production, Symbol

History = tuple[int, ...]
"""The kinds of the children before, at most as many as the horizontal order."""

Context = tuple[Symbol, History | None]
"""A parent, or what it is anywhere, and the children before; None where there were none."""

Events = dict[int, float]
"""What comes next: twice the kind of a child, plus one if it is the last."""


@dataclass(frozen=True, slots=True)
class Smoothing:
    """How much is believed that was not seen."""

    confidence: float = 1.0  # one kind of child in a context weighs as so many sightings of it
    reach: int = 2  # a child must have been seen after so many of the last children
    least: float = 1e-4  # what is less probable than this does not happen


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
        anywhere = Symbol(parent.label, parent.mark)
        if history is None:
            return [(parent, None), (anywhere, None)]
        recent = [history[start:] for start in range(len(history) + 1)]
        return [(name, part) for part in recent for name in (parent, anywhere)]

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

    def below(self, parent: Symbol, kind: int) -> Symbol:
        """A child of some kind with what it knows of its place."""
        bare = self.kinds[kind]
        order = self.annotation.tag_vertical if bare.is_tag else self.annotation.vertical
        above = (parent.label, *parent.above)[: order - 1]
        return Symbol(bare.label, bare.mark, above, bare.is_tag)
