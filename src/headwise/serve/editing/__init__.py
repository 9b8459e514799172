"""Correcting treebank files: what is fixed, what is proposed, and how both are kept in the file.

    act → changed sentences → proposed again under all that is fixed → saved

What the file holds is fixed. What it leaves open (`_`) is proposed by the model, and enters the
file when a sentence is checked. Constraints that no column has room for are comments (`marks.py`).
"""
