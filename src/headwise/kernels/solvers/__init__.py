"""Quadratic programmes and other optimisation of the large-margin learners."""
