"""What is learnt from: a treebank as links, similar words, and how words go together."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from headwise.corpus.sentence import Sentence
from headwise.corpus.tree import one_root
from headwise.kernels.solvers.linkmargin import Links
from headwise.learners.crossing import projective_heads
from headwise.parsers.lexical.lexicon import (
    Lexicon,
    plain_lexicon,
    with_similar_words,
)
from headwise.parsers.linkmargin.links import (
    NO_TIES,
    RANKS,
    SCALES,
    Association,
    PairTable,
    Ties,
    linked,
    similar_ties,
)
from headwise.parsers.linkmargin.programme import Programme
from headwise.parsers.linkmargin.settings import LinkMarginSettings
from headwise.text.similarity.words import WordSimilarity


@dataclass(frozen=True, slots=True, eq=False)
class MarginData:
    """A treebank to learn links from."""

    lexicon: Lexicon
    links: Links
    table: PairTable
    ties: Ties
    single_root: bool

    def __len__(self) -> int:
        return len(self.links.token) - 1

    @property
    def words(self) -> int:
        """The number of words."""
        return int(self.links.token[-1]) - len(self)

    def programme(self, settings: LinkMarginSettings, beta: float) -> Programme:
        """What is to be solved."""
        pmi, distance = "pmi" in settings.features, "distance" in settings.features
        scales = (pmi * SCALES[0], distance * SCALES[1], distance * SCALES[2])
        return Programme(
            self.links,
            self.ties,
            len(self.table.keys),
            settings.loss,
            beta,
            settings.laplacian,
            scales,
            self.single_root,
        )


def words_of(sentence: Sentence, lowercase: bool) -> Sequence[str]:
    """The words of a sentence, as the model knows them."""
    return [form.lower() for form in sentence.forms] if lowercase else sentence.forms


def margin_data(
    sentences: Sequence[Sentence],
    settings: LinkMarginSettings,
    similarity: WordSimilarity | None,
    association: Association | None,
) -> MarginData:
    """Sentences to learn from, crossing arcs lifted."""
    words = [words_of(sentence, settings.lowercase) for sentence in sentences]
    flat = [word for one in words for word in one]
    lexicon = plain_lexicon(flat)
    if similarity is not None:
        neighbours = max(settings.neighbours, RANKS - 1)
        lexicon = with_similar_words(lexicon, similarity, neighbours)
    trees = [projective_heads(sentence) for sentence in sentences]
    links, table = linked(
        [lexicon.encode(one) for one in words],
        [np.array(tree, np.int64) for tree in trees],
        lexicon.size,
        words,
        association,
    )
    ties = NO_TIES
    if settings.laplacian > 0:
        ties = similar_ties(table, lexicon, settings.ties)
    return MarginData(lexicon, links, table, ties, one_root(settings.single_root, trees))
