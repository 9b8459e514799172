"""Candidate lists of dependency trees: from parsers' files, decided by minimum risk, reranked.

files, jackknife → TreeList → decide → Sentence
                    ↓   ↑
              features  reranking
"""

from headwise.candidates.decide import Choice, decide, tune_choice
from headwise.candidates.files import committee, read_candidates, write_candidates
from headwise.candidates.lists import TreeList

__all__ = [
    "Choice",
    "TreeList",
    "committee",
    "decide",
    "read_candidates",
    "tune_choice",
    "write_candidates",
]
