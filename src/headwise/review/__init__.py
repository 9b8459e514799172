"""What is probably wrong in a treebank: parsers of the other folds judge every value of a file.

sentences → folds → Judges (parser, tagger) → Opinion of each value → Ranking, least likely first
"""
