"""Constituent trees: CKY, F1 forests, tree kernels."""
