"""The labels that a reranker met when it learned: trees with others are not its kind of trees."""

import difflib
from collections.abc import Iterable

from headwise.errors import InputError, SourceLocation, quoted

ALL_LABELS: frozenset[str] = frozenset()
"""Of rerankers that learned without noting labels: they take all."""


def check_labels(labels: Iterable[str], known: frozenset[str], location: SourceLocation) -> None:
    """Raise if the reranker has never met a label of a tree."""
    unknown = sorted(set(labels) - known)
    if not known or not unknown:
        return
    (nearest,) = difflib.get_close_matches(unknown[0], sorted(known), 1, cutoff=0)
    raise InputError(
        f"the label {quoted(unknown[0])} is unknown to this reranker (the nearest it knows is "
        f"{quoted(nearest)}): candidates must be labelled as those that it learned from",
        location,
    )
