"""Rerankers: which candidate of a list is the best, by features of whole trees.

lists + features → rows (sparse vectors) → learners → LinearReranker → probabilities

Trees of any kind: what a feature is, is said by functions of a tree.
"""

from headwise.reranking.linear import LEARNERS, LinearReranker

__all__ = ["LEARNERS", "LinearReranker"]
