"""Kinds of faults, one per file, each with a function `inject(seconds, rng, folder)`."""
