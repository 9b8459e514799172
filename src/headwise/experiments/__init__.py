"""Experiments: a file says what to train and how to show it, the rest follows.

file (plan.py) → treebanks (treebanks.py) → runs (runs.py) → results (results.py)
                                                                  ↓
                 Markdown, JSON, CSV (formats.py), plots ← table (table.py)
"""
