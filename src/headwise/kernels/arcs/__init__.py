"""Scores, features and pruning of arcs."""
