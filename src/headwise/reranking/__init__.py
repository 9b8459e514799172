"""Candidate lists of trees: from parsers' files, decided by minimum risk, reranked.

files, jackknife → TreeList → decide → Sentence
                    ↓   ↑
   features → rows (sparse vectors) → learners → LinearReranker → probabilities

Rerankers take trees of any kind: functions of a tree say what a feature is.
"""

from headwise.reranking.decide import Choice, decide, tune_choice
from headwise.reranking.files import committee, read_candidates, write_candidates
from headwise.reranking.linear import LEARNERS, LinearReranker
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
