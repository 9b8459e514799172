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
        found = fitted_to_half(self.search(), gold, given or gold, guides)
        others = None
        if tagged is not None:
            others = fitted_to_half(self.search(), gold, tagged, guides)
        self.temperatures_ = ModelTemperatures(
            **{one.name: getattr(found, one.name) for one in fields(found)}, given_tags=others
        )
        search = self.search()
        self.report_["calibration"] = measured_on_others(search, gold, given or gold, guides)
        self.report_.pop("calibration_given_tags", None)
        if tagged is not None:
            own = search.for_given_tags()
            self.report_["calibration_given_tags"] = measured_on_others(own, gold, tagged, guides)
        return self


def fitted_to_half(
    search: Searcher,
    gold: Sequence[Sentence],
    given: Sequence[Sentence],
    guides: Sequence[Sentence] | None,
) -> Temperatures:
    """What is fitted to half of some sentences."""
    from headwise.learners.calibrating import Answers, fitted, for_temperatures

    return fitted(Answers(search, *chosen(for_temperatures(len(gold)), gold, given, guides)))


def measured_on_others(
    search: Searcher,
    gold: Sequence[Sentence],
    given: Sequence[Sentence],
    guides: Sequence[Sentence] | None,
) -> dict[str, Any]:
    """How far probabilities can be trusted on the other half."""
    from headwise.learners.calibrating import for_reliability, reliability

    found = reliability(search, *chosen(for_reliability(len(gold)), gold, given, guides))
    return {name: one.to_json() for name, one in found.items()}


def chosen(numbers: range, *lists: Sequence[Sentence] | None) -> list[Any]:
    """The sentences with some numbers from each list; None stays None."""
    return [None if one is None else [one[number] for number in numbers] for one in lists]


def bare(sentence: Sentence) -> Sentence:
    """A sentence without tags, for parsers that find their own."""
    return Sentence.from_words(sentence.forms)
