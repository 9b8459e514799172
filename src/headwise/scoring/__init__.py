"""Scorers: sentences in, `Scores` out."""
