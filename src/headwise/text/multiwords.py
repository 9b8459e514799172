"""Multiword tokens: surface tokens such as `don't` that stand for several words.

Treebanks have a closed set of them, learnt as a dictionary, and clitics that hang on any word
(`'s`, `-que`), learnt as endings, with letters before them where these make them sure (`-umque`; in
`atque`, nothing is split). Words that spell their token keep its capitals.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, pairwise
from typing import Any

from headwise.corpus.sentence import Sentence
from headwise.errors import UsageError
from headwise.storage.storedsettings import check_texts
from headwise.text.remembered import Remembered

LONGEST_ENDING = 5
MOST_BEFORE = 2
"""How long a clitic may be, and how many letters before it may belong to the ending."""

FEWEST_WORDS = 3
"""The least number of different words that an ending hangs on to be a clitic …"""

SURE = 0.9
"""… and such a share of all different tokens that end like that is split."""


@dataclass(frozen=True, slots=True)
class StoredMultiwords:
    """What a model says of multiword tokens."""

    tokens: dict[str, tuple[str, ...]]
    endings: tuple[str, ...]  # with a space before the clitic, where letters stand before it

    def check(self) -> None:
        """Raise if a value has no meaning."""
        for token, words in self.tokens.items():
            if not words:
                raise UsageError(f"tokens: {token[:40]!r} must have words")
            check_texts("tokens", words)
        if any(not ending or ending.endswith(" ") for ending in self.endings):
            raise UsageError("endings: one of them is empty")

    def multiwords(self) -> "Multiwords":
        """What multiword tokens are made of."""
        parted = (ending.rpartition(" ") for ending in self.endings)
        return Multiwords(
            self.tokens, {before + clitic: len(clitic) for before, _, clitic in parted}
        )


@dataclass(eq=False)
class Multiwords:
    """What multiword tokens are made of."""

    tokens: Mapping[str, tuple[str, ...]]  # in small letters
    endings: Mapping[str, int]  # in small letters, and how long their clitics are
    words: Remembered[str, tuple[str, ...]] = field(init=False, repr=False)
    """The words of a token; none if it is a word itself."""

    def __post_init__(self) -> None:
        """Start with nothing remembered."""
        self.words = Remembered(self._split, len)

    @classmethod
    def learn(cls, sentences: Iterable[Sentence]) -> "Multiwords":
        """Learn from a treebank: tokens that are split more often than not."""
        split: dict[str, Counter[tuple[str, ...]]] = defaultdict(Counter)
        whole: Counter[str] = Counter()
        for sentence in sentences:
            starts = {row.first for row in sentence.multiwords}
            for token in sentence.tokens():
                form = token.form.lower()
                if token.first in starts:
                    words = sentence.forms[token.first - 1 : token.last]
                    split[form][tuple(word.lower() for word in words)] += 1
                else:
                    whole[form] += 1
        tokens = {
            form: ways.most_common(1)[0][0]
            for form, ways in split.items()
            if ways.total() > whole[form]
        }
        return cls(tokens, _endings(tokens, whole))

    def _split(self, form: str) -> tuple[str, ...]:
        lower = form.lower()
        words = self.tokens.get(lower)
        if words is None:
            for length in range(min(LONGEST_ENDING + MOST_BEFORE, len(form) - 1), 0, -1):
                clitic = self.endings.get(lower[-length:])
                if clitic is not None:
                    return form[:-clitic], form[-clitic:]
            return ()
        if "".join(words) == lower and len(lower) == len(form):
            return tuple(form[a:b] for a, b in pairwise(accumulate(map(len, words), initial=0)))
        if form[:1] != lower[:1]:
            return (words[0][:1].upper() + words[0][1:], *words[1:])
        return words

    def settings(self) -> dict[str, Any]:
        """As JSON holds it: `StoredMultiwords`."""
        tokens = {form: list(words) for form, words in sorted(self.tokens.items())}
        endings = [
            f"{ending[:-clitic]} {ending[-clitic:]}".lstrip(" ")
            for ending, clitic in sorted(self.endings.items())
        ]
        return {"tokens": tokens, "endings": endings}


def _endings(tokens: Mapping[str, Sequence[str]], whole: Mapping[str, int]) -> dict[str, int]:
    """Endings whose last letters are a word wherever a token ends with them: how many letters."""
    totals = Counter[str]()
    clitics: dict[str, Counter[int]] = defaultdict(Counter)
    for form in sorted({*tokens, *whole}):
        words = tokens.get(form, ())
        clitic = len(words[1]) if len(words) == 2 and "".join(words) == form else 0
        for length in range(1, min(LONGEST_ENDING + MOST_BEFORE, len(form) - 1) + 1):
            totals[form[-length:]] += 1
            if 0 < clitic <= min(length, LONGEST_ENDING) and length <= clitic + MOST_BEFORE:
                clitics[form[-length:]][clitic] += 1
    found: dict[str, int] = {}
    for ending in sorted(clitics, key=lambda one: (len(one), one)):
        clitic, count = clitics[ending].most_common(1)[0]
        is_sure = count >= FEWEST_WORDS and count >= SURE * totals[ending]
        is_new = all(found.get(ending[at:]) != clitic for at in range(len(ending) - clitic + 1))
        if is_sure and is_new and " " not in ending:
            found[ending] = clitic
    return found
