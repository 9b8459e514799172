"""How many similar words can be asked for: a limit that settings know without loading any code."""

MOST_NEIGHBOURS = 10_000
"""The most similar words of each word that a table can hold."""
