"""Drawings of trees, in the terminal and as SVG, and tables."""
