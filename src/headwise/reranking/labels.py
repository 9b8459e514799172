"""The labels in a reranker's training data: trees with others are rejected."""

import difflib
from collections.abc import Iterable

from headwise.errors import InputError, SourceLocation, quoted

ALL_LABELS: frozenset[str] = frozenset()
"""Of rerankers trained without recording labels: all are accepted."""


def check_labels(labels: Iterable[str], known: frozenset[str], location: SourceLocation) -> None:
    """Raise if a tree has a label that was not in the training data."""
    unknown = sorted(set(labels) - known)
    if not known or not unknown:
        return
    (nearest,) = difflib.get_close_matches(unknown[0], sorted(known), 1, cutoff=0)
    raise InputError(
        f"the label {quoted(unknown[0])} is not in the reranker's training data (most similar: "
        f"{quoted(nearest)}): candidates need the labels that it was trained on",
        location,
    )
