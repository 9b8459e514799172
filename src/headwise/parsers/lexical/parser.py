"""LexicalParser: counts in a treebank, parses by words that are similar to those it has seen."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np

from headwise.corpus.documents import all_sentences
from headwise.corpus.sentence import MISSING, Sentence
from headwise.corpus.tree import one_root
from headwise.errors import InputError, UsageError
from headwise.learners.crossing import projective_heads
from headwise.parsers.base import NOT_FITTED
from headwise.parsers.lexical.counts import Counts, count_treebank
from headwise.parsers.lexical.lexicon import (
    Lexicon,
    checked_coverage,
    plain_lexicon,
    with_similar_words,
)
from headwise.parsers.lexical.search import LexicalSearch, words_of
from headwise.parsers.lexical.settings import LexicalSettings
from headwise.parsers.unlabelled import UnlabelledParser, learnt_from
from headwise.text.similarity.words import WordSimilarity


@dataclass(kw_only=True, eq=False)
class LexicalParser(LexicalSettings, UnlabelledParser):
    """A parser of words alone, and its rivals of table 5.2."""

    kind = "lexical"
    uses = frozenset({"similarity"})
    without_similarity = "neighbours=0"

    lexicon_: Lexicon = field(init=False, repr=False)
    counts_: Counts = field(init=False, repr=False)
    single_root_: bool = field(init=False, repr=False)

    def fit(
        self,
        sentences: Iterable[Sentence],
        dev: Iterable[Sentence] | None = None,
        *,
        similarity: WordSimilarity | None = None,
    ) -> "LexicalParser":
        """Count in gold trees; `dev` is scored, and decides nothing.

        Crossing arcs are lifted first. `similarity` is needed by models of words, unless their
        probabilities shall not be smoothed (`neighbours` 0).
        """
        self.check()
        self.check_similarity(similarity)
        given = list(all_sentences(sentences))
        dev = None if dev is None else list(all_sentences(dev))
        kept = learnt_from(given, self.longest)
        words = [words_of(sentence, self) for sentence in kept]
        flat = [word for one in words for word in one]
        self.check_words(flat, kept[0])
        lexicon = plain_lexicon(flat)
        covered = {}
        if similarity is not None:
            covered = checked_coverage(similarity, flat)
            lexicon = with_similar_words(lexicon, similarity, self.neighbours)
        trees = [projective_heads(sentence) for sentence in kept]
        self.single_root_ = one_root(self.single_root, trees)
        self.lexicon_ = lexicon
        self.counts_ = count_treebank(
            [lexicon.encode(one) for one in words],
            [np.array(tree, np.int64) for tree in trees],
            lexicon.size,
            self.counts,
        )
        self.report_ = {
            "sentences": len(kept),
            "left_out": len(given) - len(kept),
            "words": len(flat),
            "vocabulary": len(lexicon.known),
            "contexts": len(self.counts_.links.seen),
            "links": int(np.count_nonzero(self.counts_.links.linked)),
            **covered,
        }
        if dev is not None:
            self.report_ |= {f"dev_{key}": 100 * one for key, one in self.scores(dev).items()}
        return self

    def check_words(self, words: Sequence[str], first: Sentence) -> None:
        """Raise if there is nothing to count."""
        if self.model.of_tags and set(words) == {MISSING}:
            raise InputError(f"there are no {self.tags.upper()} tags to count", first.location)
        if any("\n" in word for word in words):
            raise InputError("a word holds a line break", first.location)

    def search(self) -> LexicalSearch:
        if not hasattr(self, "counts_"):
            raise UsageError(NOT_FITTED)
        return LexicalSearch(self, self.lexicon_, self.counts_, self.single_root_)

    def summary(self) -> str:
        report = self.report_
        counts = (
            f"{report['vocabulary']:,} words, {report['contexts']:,} contexts of links, "
            f"{report['links']:,} with a link"
        )
        return ", ".join([counts, *self.dev_summary()])
