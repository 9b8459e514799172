"""Heads and relations that a sentence has, as constraints on the trees that are searched.

A word whose relation is that of roots is a root, and a word of any other relation is not.
"""

from collections.abc import Collection, Iterable, Iterator

from headwise.corpus.check import root_problem
from headwise.corpus.sentence import MISSING, Sentence
from headwise.errors import warn
from headwise.search.constraints import Constraints

ROOTS = frozenset({"root"})
"""What UD calls the relation of roots."""


def given_constraints(sentence: Sentence, roots: Collection[str] = ROOTS) -> Constraints:
    """What the heads and relations of a sentence say of its tree; `roots` are relations of roots.

    A head that is given counts, whatever the relation says of it.
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
    """The sentences; there is a warning at the first head that contradicts its relation."""
    stream = iter(sentences)
    for sentence in stream:
        yield sentence
        pairs = zip(sentence.heads, sentence.relations, strict=True)
        for word, (head, relation) in enumerate(pairs, 1):
            problem = root_problem(head, relation)
            if problem is not None:
                where = f"{sentence.location}: " if str(sentence.location) else ""
                message = f"{where}word {word}: {problem}; both are given, and so both are kept"
                warn(message)
                yield from stream
                return
