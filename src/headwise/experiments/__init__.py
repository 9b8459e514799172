"""Experiments: a TOML file lists what to train and which columns to tabulate.

file (plan.py) → treebanks (treebanks.py) → runs (runs.py) → results (results.py)
                                                                  ↓
                 Markdown, JSON, CSV (formats.py), plots ← table (table.py)
"""
