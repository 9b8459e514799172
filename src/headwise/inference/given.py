"""Given heads and relations as constraints on the search.

A word with the relation of roots must be a root; a word with any other relation must not.
"""

from collections.abc import Collection, Iterable, Iterator

from headwise.corpus.check import root_problem
from headwise.corpus.sentence import MISSING, Sentence
from headwise.errors import warn
from headwise.search.constraints import Constraints

ROOTS = frozenset({"root"})
"""The relation of roots in UD."""


def given_constraints(sentence: Sentence, roots: Collection[str] = ROOTS) -> Constraints:
    """The constraints that follow from given heads and relations; `roots` are relations of roots.

    A given head takes precedence over a relation that contradicts it.
    """
    heads: dict[int, int] = {}
    not_roots = []
    for word, (head, relation) in enumerate(
        zip(sentence.heads, sentence.relations, strict=True), 1
    ):
        if head is not None:
            heads[word] = head
        elif relation.partition(":")[0] in roots:
            heads[word] = 0
        elif relation != MISSING:
            not_roots.append((0, word))
    return Constraints(heads=heads, forbidden=tuple(not_roots))


def noticing_roots(sentences: Iterable[Sentence]) -> Iterator[Sentence]:
    """The sentences, with a warning at the first head that contradicts its relation."""
    stream = iter(sentences)
    for sentence in stream:
        yield sentence
        pairs = zip(sentence.heads, sentence.relations, strict=True)
        for word, (head, relation) in enumerate(pairs, 1):
            problem = root_problem(head, relation)
            if problem is not None:
                message = f"word {word}: {problem}; both are given, and so both are kept"
                warn(message, sentence.location)
                yield from stream
                return
