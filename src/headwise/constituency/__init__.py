"""Constituency parsing: a PCFG parser, k-best lists, minimum Bayes risk, PARSEVAL scores.

trees → annotation → markov → grammar, lexicon → pcfg → parser → candidates → mbr → tree
                                                                  ↑   ↓          ↓
                                                                  nbest       parseval
"""

from headwise.constituency.candidates import CandidateList
from headwise.constituency.conventions import Conventions
from headwise.constituency.mbr import MbrTree, mbr_predict, mbr_rerank
from headwise.constituency.nbest import read_nbest, write_nbest
from headwise.constituency.parser import ConstituencyParser
from headwise.constituency.parseval import TreeEvaluation, score_trees

__all__ = [
    "CandidateList",
    "ConstituencyParser",
    "Conventions",
    "MbrTree",
    "TreeEvaluation",
    "mbr_predict",
    "mbr_rerank",
    "read_nbest",
    "score_trees",
    "write_nbest",
]
