"""Large margins for links between words (Wang 2008, chapter 6).

words → links without direction, their weights and numbers → solver (dual ascent) → weights
words → pairs seen, or like seen ones → Scores → projective search → tree
"""
