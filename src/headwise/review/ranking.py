"""The ranking of suspicious values, least likely first, and its file."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from headwise.corpus.sentence import Sentence
from headwise.errors import InputError, SourceLocation, UsageError
from headwise.review.opinions import ATTRIBUTES, COLUMNS, Opinion, background_share
from headwise.storage.jsonfile import read_json_file
from headwise.storage.settings import from_mapping

FORMAT = "headwise review 1"


@dataclass(frozen=True, slots=True)
class Suspicion:
    """A value that the models would not have chosen.

    number: the index of the sentence in the file, from 1; sentence: its `sent_id`.
    probability: of the value; expected_probability: of the most likely one, `expected`.
    """

    number: int
    sentence: str | None
    word: int
    form: str
    column: str
    value: str
    probability: float
    expected: str
    expected_probability: float

    def check(self) -> None:
        """Raise if the numbers are out of range: the file may come from anywhere."""
        if self.column not in COLUMNS or self.number < 1 or self.word < 1:
            raise UsageError("this is no value of a word")
        if not all(0 <= one < 1.001 for one in (self.probability, self.expected_probability)):
            raise UsageError("this is no probability")

    def fits(self, sentence: Sentence) -> bool:
        """Whether a sentence still has this value."""
        if self.word > len(sentence) or sentence.forms[self.word - 1] != self.form:
            return False
        return value_of(sentence, self.word, self.column) == self.value


def value_of(sentence: Sentence, word: int, column: str) -> str:
    """The value of a column for a word."""
    if column == "head":
        head = sentence.heads[word - 1]
        return "_" if head is None else str(head)
    value: str = getattr(sentence, ATTRIBUTES[column])[word - 1]
    return value


def suspicions(opinions: Sequence[Opinion], sentences: Sequence[Sentence]) -> list[Suspicion]:
    """The values that the models would not have chosen; `opinions` are those of a whole fold."""
    found = []
    for column in COLUMNS:
        own = [one for one in opinions if one.column == column]
        share = background_share(own)
        found += [
            suspicion(one, sentences[one.sentence], share)
            for one in own
            if one.value != one.expected
        ]
    return ranked(found)


def suspicion(one: Opinion, sentence: Sentence, share: float) -> Suspicion:
    """An opinion as a suspicion: its probability, and where the value is."""
    return Suspicion(
        number=one.sentence + 1,
        sentence=sentence.id,
        word=one.word,
        form=sentence.forms[one.word - 1],
        column=one.column,
        value=one.value,
        probability=(1 - share) * one.chance + share * one.background,
        expected=one.expected,
        expected_probability=(1 - share) * one.expected_chance + share * one.expected_background,
    )


def ranked(found: Iterable[Suspicion]) -> list[Suspicion]:
    """The least likely values first; ties by the probability of the correction."""
    return sorted(
        found,
        key=lambda one: (one.probability, -one.expected_probability, one.number, one.word),
    )


@dataclass(frozen=True, slots=True)
class Ranking:
    """The suspicious values of a file, least likely first, and how many values were judged."""

    file: str
    judged: Mapping[str, int]
    suspicions: tuple[Suspicion, ...]

    def top(self, count: int) -> "Ranking":
        """The first `count` suspicions."""
        return Ranking(self.file, self.judged, self.suspicions[:count])

    def by_place(self, sentences: Sequence[Sentence]) -> dict[int, list[Suspicion]]:
        """The suspicious values of each sentence of a file, by its index.

        A sentence is found by its `sent_id`, if no other one has it, or else by its number.
        """
        counts = Counter(one.id for one in sentences)
        places = {one.id: place for place, one in enumerate(sentences) if counts[one.id] == 1}
        found: dict[int, list[Suspicion]] = {}
        for one in self.suspicions:
            place = one.number - 1
            if one.sentence is not None:
                place = places.get(one.sentence, place)
            if place < len(sentences):
                found.setdefault(place, []).append(one)
        return found

    def to_json(self) -> dict[str, Any]:
        """The ranking as JSON data; probabilities have six digits."""
        rows = [asdict(one) for one in self.suspicions]
        for row in rows:
            for name in ("probability", "expected_probability"):
                row[name] = float(f"{row[name]:.6g}")
        return {
            "format": FORMAT, "file": self.file, "judged": dict(self.judged), "suspicions": rows
        }  # fmt: skip


def read_ranking(path: str | Path) -> Ranking:
    """Read a ranking from a file."""
    try:
        return ranking_of(read_json_file(Path(path)))
    except (TypeError, ValueError, LookupError, AttributeError, InputError):
        message = "this is not a ranking: write one with `headwise review FILE -o RANKING.json`"
        raise InputError(message, SourceLocation(str(path))) from None


def ranking_of(data: Any) -> Ranking:
    """The ranking from JSON data, as `to_json` returns it."""
    if data["format"] != FORMAT:
        raise ValueError(data["format"])
    found = tuple(from_mapping(Suspicion, row) for row in data["suspicions"])
    return Ranking(str(data["file"]), dict(data["judged"]), found)
