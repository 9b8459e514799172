"""Scores of trees against gold trees, and whether differences between systems are real.

sentences → align → words (arrays) → measures (counts per sentence) → attachment: evaluate
                                                                    → comparison: compare
"""

from headwise.evaluate.attachment import AttachmentScores, Evaluation, evaluate
from headwise.evaluate.comparison import Comparison, compare

__all__ = ["AttachmentScores", "Comparison", "Evaluation", "compare", "evaluate"]
