"""The strictly lexicalised conditional model (Wang 2008, chapter 5): no tags, no weights, counts.

treebank → Counts (links, ends) ┐
                                ├→ probabilities → ChartScores → ChartDecoder → heads
text → WordSimilarity → Lexicon ┘
"""
