"""Candidate lists of trees: read from files, decided by minimum Bayes risk, reranked.

files, jackknife → TreeList → decide → Sentence
                    ↓   ↑
   features → rows (sparse vectors) → learners → LinearReranker → probabilities

Rerankers work on trees of any kind: feature functions of a tree define their features.
"""

from headwise.reranking.decide import Choice, decide, tune_choice
from headwise.reranking.files import committee, read_candidates, write_candidates
from headwise.reranking.learners import LEARNERS
from headwise.reranking.linear import LinearReranker
from headwise.reranking.lists import TreeList

__all__ = [
    "LEARNERS",
    "Choice",
    "LinearReranker",
    "TreeList",
    "committee",
    "decide",
    "read_candidates",
    "tune_choice",
    "write_candidates",
]
