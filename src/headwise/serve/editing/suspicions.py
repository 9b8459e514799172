"""The suspicious values of a ranking (`headwise review`), found again in the file."""

from collections import Counter
from collections.abc import Sequence

from headwise.corpus.sentence import Sentence
from headwise.review.ranking import Ranking, Suspicion


def by_place(ranking: Ranking, sentences: Sequence[Sentence]) -> dict[int, list[Suspicion]]:
    """The suspicious values of each sentence, by its place in the file.

    A sentence is found by its `sent_id`, if no other one has it, or else by its number.
    """
    counts = Counter(one.id for one in sentences)
    places = {one.id: place for place, one in enumerate(sentences) if counts[one.id] == 1}
    found: dict[int, list[Suspicion]] = {}
    for one in ranking.suspicions:
        place = one.number - 1
        if one.sentence is not None:
            place = places.get(one.sentence, place)
        if place < len(sentences):
            found.setdefault(place, []).append(one)
    return found


def left_in(found: Sequence[Suspicion], sentence: Sentence) -> list[Suspicion]:
    """Those that a sentence still has: what was corrected is not suspicious any more."""
    return [one for one in found if one.fits(sentence)]
