"""What parsers share whose scores become probabilities at temperatures."""

from collections.abc import Iterable, Sequence
from dataclasses import fields
from typing import Any, Self

from headwise.corpus.documents import all_sentences
from headwise.corpus.sentence import Sentence
from headwise.inference.searcher import Searcher
from headwise.inference.temperatures import UNFITTED, ModelTemperatures, Temperatures
from headwise.parsers.base import Parser, check_gold
from headwise.text.annotating import has_tags


class CalibratedParser(Parser):
    """A parser with temperatures, which are fitted when all else has been learnt."""

    temperatures_: ModelTemperatures

    def calibrate(
        self,
        sentences: Iterable[Sentence],
        given: Sequence[Sentence] | None = None,
        *,
        tagged: Sequence[Sentence] | None = None,
        guides: Sequence[Sentence] | None = None,
    ) -> Self:
        """Fit what makes scores probabilities to gold trees that the parser has not learnt from.

        `fit` does so if it is given `dev`. Every second sentence is fitted to, up to 1,000; how far
        probabilities can be trusted on the others is then in `report_["calibration"]`.

        given: the same sentences as the parser shall see them, with tags or without; by default as
            they are, or without tags if it finds them by itself.
        tagged: the same with tags that are given, not found: others are fitted for such. By default
            the sentences as they are, if the parser finds tags by itself and they have some.
        guides: the same under the trees of another parser, if it learnt with such.
        """
        gold = list(all_sentences(sentences))
        check_gold(gold)
        if given is None and self.finds_tags():
            given = list(map(bare, gold))
            tagged = gold if tagged is None and any(map(has_tags, gold)) else tagged
        self.temperatures_ = UNFITTED
        found = self._fitted(gold, given or gold, guides)
        others = None if tagged is None else self._fitted(gold, tagged, guides)
        self.temperatures_ = ModelTemperatures(
            **{one.name: getattr(found, one.name) for one in fields(found)}, given_tags=others
        )
        search = self.search()
        self.report_["calibration"] = reliability(search, gold, given or gold, guides)
        self.report_.pop("calibration_given_tags", None)
        if tagged is not None:
            measured = reliability(search.for_given_tags(), gold, tagged, guides)
            self.report_["calibration_given_tags"] = measured
        return self

    def _fitted(
        self,
        gold: Sequence[Sentence],
        given: Sequence[Sentence],
        guides: Sequence[Sentence] | None,
    ) -> Temperatures:
        """What is fitted to half of some sentences."""
        from headwise.learners import calibrating

        half = parts(calibrating.for_temperatures(len(gold)), gold, given, guides)
        return calibrating.fitted(calibrating.Answers(self.search(), *half))


def reliability(
    search: Searcher,
    gold: Sequence[Sentence],
    given: Sequence[Sentence],
    guides: Sequence[Sentence] | None,
) -> dict[str, Any]:
    """How far probabilities can be trusted on the other half."""
    from headwise.learners import calibrating

    half = parts(calibrating.for_reliability(len(gold)), gold, given, guides)
    found = calibrating.reliability(search, *half)
    return {name: one.to_json() for name, one in found.items()}


def parts(
    chosen: range,
    gold: Sequence[Sentence],
    given: Sequence[Sentence],
    guides: Sequence[Sentence] | None,
) -> tuple[list[Sentence], list[Sentence], list[Sentence] | None]:
    """Some of the sentences."""
    own = None if guides is None else [guides[n] for n in chosen]
    return [gold[n] for n in chosen], [given[n] for n in chosen], own


def bare(sentence: Sentence) -> Sentence:
    """A sentence without tags, for parsers that find their own."""
    return Sentence.from_words(sentence.forms)
