"""Scores and features of parts of more than one arc, over unpruned arcs."""
