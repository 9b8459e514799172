"""What parsers have in common that find heads and no relations."""

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from headwise.corpus.documents import all_sentences
from headwise.corpus.sentence import Sentence
from headwise.errors import UsageError
from headwise.learners.crossing import warn_of_crossing
from headwise.learners.data import learnable
from headwise.parsers.base import Parser, check_gold
from headwise.storage.modelcard import Row

if TYPE_CHECKING:
    from headwise.text.similarity.words import WordSimilarity


ONLY_PROJECTIVE = (
    "parsers of this learner are always projective; of the others, --decoder non-projective finds "
    "crossing arcs"
)


class UnlabelledParser(Parser):
    """A parser that finds heads and no relations.

    without_similarity: settings under which it needs no similar words, for messages.
    """

    without_similarity: ClassVar[str] = ""

    @property
    def needs_similarity(self) -> bool:
        """Whether it smooths by similar words."""
        return False

    def check_similarity(self, similarity: "WordSimilarity | None") -> None:
        if self.needs_similarity and similarity is None:
            raise UsageError(
                f"{self.kind} smooths by similar words: give a similarity model (--similarity; "
                f"headwise similarity build makes one), or {self.without_similarity} (--set)"
            )
        if not self.needs_similarity and similarity is not None:
            raise UsageError(f"{self.kind} uses no similar words with {self.without_similarity}")

    def scores(self, sentences: Iterable[Sentence]) -> dict[str, float]:
        """The share of words with the right head (`uas`), and of links either way (`undirected`).

        From 0 to 1, over all words; `headwise.evaluate.evaluate` has more to say.
        """
        golds = list(all_sentences(sentences))
        check_gold(golds)
        right, linked = right_words(golds, self.predict(golds))
        words = sum(map(len, golds))
        return {"uas": right / words, "undirected": linked / words}

    def dev_summary(self) -> list[str]:
        """How far similar words cover the treebank, and how good it is on dev, where known."""
        report, parts = self.report_, []
        if "covered_tokens" in report:
            parts.append(f"similar words for {100 * report['covered_tokens']:.1f} % of tokens")
        if "dev_uas" in report:
            figures = f"{report['dev_uas']:.2f}, undirected {report['dev_undirected']:.2f}"
            parts.append(f"dev UAS {figures}")
        return parts


def right_words(gold: Sequence[Sentence], found: Sequence[Sentence]) -> tuple[int, int]:
    """How many words have the right head, and how many links are right either way round."""
    right = linked = 0
    for one, own in zip(gold, found, strict=True):
        links = {frozenset(link) for link in enumerate(one.heads, 1)}
        right += sum(h == g for h, g in zip(one.heads, own.heads, strict=True))
        linked += sum(frozenset(link) in links for link in enumerate(own.heads, 1))
    return right, linked


def learnt_from(sentences: Sequence[Sentence], longest: int | None) -> list[Sentence]:
    """The sentences that are learnt from: those that are not too long; all must have trees."""
    kept = learnable(sentences, longest)
    warn_of_crossing(kept, ONLY_PROJECTIVE)
    return kept


def rows_of_dev(report: Mapping[str, Any]) -> list[Row]:
    """What a card says of development data, if there were any."""
    named = (("dev_uas", "UAS on dev"), ("dev_undirected", "undirected, the same way"))
    return [(text, f"{report[name]:.2f}") for name, text in named if name in report]
