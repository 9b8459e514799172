"""Projective search: one recurrence for each factorisation, for every semiring."""
