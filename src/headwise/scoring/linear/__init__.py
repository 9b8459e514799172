"""The linear scorer: hashed features of words, in, arrays for the scoring kernels, out.

words → atoms (hashed values of each token) → templates (which atoms together) → kernels
"""

from headwise.scoring.linear.arcsets import FEATURE_SETS
from headwise.scoring.linear.atoms import ATOMS, AtomEncoder, EncodedSentences
from headwise.scoring.linear.templates import FeatureSet, Template
from headwise.scoring.linear.words import WordRules

__all__ = [
    "ATOMS",
    "FEATURE_SETS",
    "AtomEncoder",
    "EncodedSentences",
    "FeatureSet",
    "Template",
    "WordRules",
]
