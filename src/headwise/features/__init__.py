"""What a parser looks at: words in, numbers for the scoring kernels out.

words → atoms (hashed values of each token) → templates (which atoms together) → kernels
"""

from headwise.features.arcsets import FEATURE_SETS
from headwise.features.atoms import ATOMS, AtomEncoder, EncodedSentences
from headwise.features.templates import FeatureSet, Template
from headwise.features.words import WordRules

__all__ = [
    "ATOMS",
    "FEATURE_SETS",
    "AtomEncoder",
    "EncodedSentences",
    "FeatureSet",
    "Template",
    "WordRules",
]
