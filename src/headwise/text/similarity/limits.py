"""How many similar words can be asked for: a limit that settings know without loading any code."""

MOST_NEIGHBOURS = 10_000
"""There is a table of so many similar words of each word."""
