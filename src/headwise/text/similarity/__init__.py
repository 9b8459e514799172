"""Distributional word similarity: which words stand in the same contexts (Wang 2008, 3.6.2).

text → contexts (who stands beside whom) → PMI vectors → cosines → the nearest words of each
"""
