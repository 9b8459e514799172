"""Evaluation of parses against gold trees, and significance of differences between systems.

sentences → align → words (arrays) → measures (counts per sentence) → attachment: evaluate
                                                                    → comparison: compare
sentences → rawwords (alignment of different tokenisations) → raw: evaluate_raw
"""

from headwise.evaluate.attachment import AttachmentScores, Evaluation, evaluate
from headwise.evaluate.calibration import Calibration, calibration
from headwise.evaluate.comparison import Comparison, compare
from headwise.evaluate.raw import RawScores, evaluate_raw

__all__ = [
    "AttachmentScores",
    "Calibration",
    "Comparison",
    "Evaluation",
    "RawScores",
    "calibration",
    "compare",
    "evaluate",
    "evaluate_raw",
]
