"""What parsers share whose scores are `Scores`: every question about the trees of a sentence."""

from abc import abstractmethod
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from headwise.corpus.documents import all_sentences
from headwise.corpus.sentence import MISSING, Sentence
from headwise.inference.tagged import noticing_tags
from headwise.parsers.base import Words, as_sentence, check_gold
from headwise.parsers.calibrated import CalibratedParser
from headwise.search.decoders.base import Marginals, ScoredTree
from headwise.search.scores import Scores
from headwise.text.annotating import has_tags


class ArcParser(CalibratedParser):
    """A parser that scores arcs, or parts of several, and finds relations.

    A guide is the sentence under another parser's tree, for parsers that were trained with guides.
    """

    @abstractmethod
    def search(self) -> Any:
        """The trained model at work."""

    @property
    def finds_relations(self) -> bool:
        """Whether its trees have relations that it has chosen: not if there were none to learn."""
        return self.search().labeller is not None

    def predict(
        self, sentences: Iterable[Words], guides: Sequence[Sentence] | None = None
    ) -> list[Sentence]:
        from headwise.learners.data import check_guides

        given = [as_sentence(words) for words in sentences]
        check_guides(given, guides)
        search = self.search()
        found: list[Sentence] = search.parse_many(list(noticing_tags(search, given)), guides)
        return found

    def parse(self, words: Words, guide: Sentence | None = None) -> Sentence:
        return self.predict([words], None if guide is None else [guide])[0]

    def kbest(
        self, words: Words, k: int, guide: Sentence | None = None
    ) -> list[tuple[Sentence, float]]:
        """The k best trees of a sentence, with their scores, best first.

        A score is the logarithm of what is proportional to the tree's probability, at the
        temperature of the model, as in `marginals` and `# score` of `headwise parse --kbest`.
        """
        return self.trees(words, guide, lambda search, scores: search.kbest(scores, k))

    def sample(
        self, words: Words, count: int, guide: Sentence | None = None
    ) -> list[tuple[Sentence, float]]:
        """Trees of a sentence drawn by their probability, with their scores; always the same."""
        return self.trees(words, guide, lambda search, scores: search.sample(scores, count))

    def trees(
        self,
        words: Words,
        guide: Sentence | None,
        find: Callable[[Any, Scores], list[ScoredTree]],
    ) -> list[tuple[Sentence, float]]:
        """Trees of a sentence that are found under its scores."""
        search, sentence = self.search_for(words)
        encoded = search.encode([sentence], None if guide is None else [guide])
        (sentence,) = search.tagged([sentence], encoded)
        found = find(search, search.scores_of(encoded.sentence(0)))
        return [
            (search.lowered(sentence.with_tree(tree.heads[1:].tolist(), relations[1:])), tree.score)
            for tree in found
            for relations in [search.relations_of(encoded, tree.heads)]
        ]

    def search_for(self, words: Words) -> tuple[Any, Sentence]:
        """A sentence, and what searches it: with tags or without."""
        search = self.search()
        (sentence,) = noticing_tags(search, [as_sentence(words)])
        return search.for_given_tags() if has_tags(sentence) else search, sentence

    def marginals(self, words: Words, guide: Sentence | None = None) -> Marginals:
        """The probabilities of all arcs of a sentence: `arc[head, modifier]`, root 0."""
        search, sentence = self.search_for(words)
        found: Marginals = search.marginals(search.scores(sentence, guide))
        return found

    def score(
        self, sentences: Iterable[Sentence], guides: Sequence[Sentence] | None = None
    ) -> float:
        return self.scores(sentences, guides)["uas"]

    def scores(
        self, sentences: Iterable[Sentence], guides: Sequence[Sentence] | None = None
    ) -> dict[str, float]:
        """The share of words with the right head (`uas`), and with the right relation too (`las`).

        From 0 to 1, over all words; `las` over those that have a relation, NaN if none has.
        `headwise.evaluate.evaluate` has more to say.
        """
        golds = list(all_sentences(sentences))
        check_gold(golds)
        heads = labels = 0
        for gold, own in zip(golds, self.predict(golds, guides), strict=True):
            pairs = zip(gold.heads, own.heads, gold.relations, own.relations, strict=True)
            right = [r == s != MISSING for h, g, r, s in pairs if h == g]
            heads, labels = heads + len(right), labels + sum(right)
        words = sum(map(len, golds))
        labelled = words - sum(one.relations.count(MISSING) for one in golds)
        las = labels / labelled if labelled else float("nan")
        return {"uas": heads / words, "las": las}
