"""A toy treebank whose trees can be learnt from tags, in endless supply."""

import numpy as np

from headwise.corpus.sentence import Sentence
from headwise.scoring.linear.tables import TableSizes

SMALL = TableSizes(wide=10, narrow=10, filters=8, parts=10, labels=12)
"""Tables of weights that are quick to fill, average and store."""

WORDS = {
    "DET": ["the", "a"],
    "ADJ": ["green", "considerable", "old"],
    "NOUN": ["tree", "forest", "parser", "understanding"],
    "VERB": ["grows", "sees", "straightens"],
    "ADP": ["in", "behind"],
    "SCONJ": ["that", "which"],
    "PUNCT": [".", "!"],
}


class _Grower:
    """A sentence as it grows from left to right."""

    def __init__(self, rng: np.random.Generator) -> None:
        self.rng = rng
        self.tags: list[str] = []
        self.heads: list[int] = []

    def add(self, tag: str, head: int) -> int:
        self.tags.append(tag)
        self.heads.append(head)
        return len(self.tags)

    def noun_phrase(self, head: int) -> int:
        """Determiner and adjectives under a noun; the noun's position."""
        adjectives = int(self.rng.integers(0, 3))
        noun = len(self.tags) + 1 + adjectives + 1
        self.add("DET", noun)
        for _ in range(adjectives):
            self.add("ADJ", noun)
        return self.add("NOUN", head)

    def sentence(self, crossing: bool) -> Sentence:
        subject = self.noun_phrase(0)
        verb = self.add("VERB", 0)
        self.heads[subject - 1] = verb
        if self.rng.random() < 0.7:
            self.noun_phrase(verb)
        if self.rng.random() < 0.4:
            noun = self.noun_phrase(verb)
            self.tags[noun - 1] = "ADP"  # a head after its words, told by its tag
        if crossing:
            self.add("SCONJ", subject)  # far from its head, behind the verb
        else:
            self.add("PUNCT", verb)
        forms = [str(self.rng.choice(WORDS[tag])) for tag in self.tags]
        return Sentence.from_words(
            forms,
            lemmas=[form.rstrip("s") for form in forms],
            upos=self.tags,
            xpos=self.tags,
            heads=self.heads,
            relations=["root" if head == 0 else "dep" for head in self.heads],
            comments=[f"# text = {' '.join(forms)}"],
        )


def toy_treebank(count: int, seed: int = 0, *, crossing: float = 0.0) -> list[Sentence]:
    """Sentences with trees; a share of them has an arc that crosses another."""
    rng = np.random.default_rng(seed)
    return [_Grower(rng).sentence(bool(rng.random() < crossing)) for _ in range(count)]
