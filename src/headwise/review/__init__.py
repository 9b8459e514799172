"""Probable annotation errors in a treebank, found by models trained on the other folds.

sentences → folds → Judges (parser, tagger) → Opinion of each value → Ranking, least likely first
"""
