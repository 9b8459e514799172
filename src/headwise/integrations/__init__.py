"""Headwise inside other tools: spaCy, data frames, NLTK, NetworkX, a Ray cluster.

Each library is an extra, imported where it is used; without it, an error names the command that
installs it.
"""
