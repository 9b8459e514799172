"""Treebanks: files in, `Sentence` out, and back."""
