"""Candidate lists for tests, in files and out of them."""

from headwise.corpus.sentence import Sentence

FORMS = ("we", "saw", "old", "men")
TREES = ((2, 0, 4, 2), (2, 0, 2, 2), (0, 1, 4, 2))


def candidate(heads, relations=None, comments=(), forms=FORMS):
    """One tree of a sentence."""
    named = relations or ["root" if head == 0 else "dep" for head in heads]
    return Sentence.from_words(
        forms, upos=["X"] * len(forms), heads=heads, relations=named, comments=comments
    )


def ranked(heads, rank, score, name="s1", relations=None):
    """One tree as `headwise parse --kbest` writes it."""
    comments = (f"# sent_id = {name}/{rank}", f"# score = {score}")
    return candidate(heads, relations, comments)
