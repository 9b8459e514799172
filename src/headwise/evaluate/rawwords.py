"""The words of a file as character spans of its text, and their alignment to another file.

Two files tokenise the same text in two ways. Without spaces they have the same characters, so a
token is a span of these, and tokens are the same if their spans are. Words of multiword tokens have
no span of their own: where either file has a multiword token, the words of both files are aligned
by their longest common subsequence (CoNLL 2018 shared task).
"""

import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import accumulate

import numpy as np

from headwise.corpus.sentence import Sentence
from headwise.errors import InputError, MismatchError
from headwise.evaluate.align import location_of
from headwise.evaluate.words import Ints

SHOWN = 20
"""Number of characters that a message quotes."""


@dataclass(slots=True, eq=False)
class RawWords:
    """The tokens, words and sentences of a file; spans count characters without spaces."""

    sentences: list[Sentence] = field(default_factory=list)
    tokens: list[str] = field(default_factory=list)
    token_of: list[int] = field(default_factory=list)  # [word]
    in_multiword: list[bool] = field(default_factory=list)  # [word]
    forms: list[str] = field(default_factory=list)  # [word], lowercased
    starts: list[int] = field(default_factory=list)  # [word]: start of its token …
    ends: list[int] = field(default_factory=list)  # … and end
    token_ends: Ints = field(default_factory=lambda: np.zeros(0, np.int64))
    sentence_ends: Ints = field(default_factory=lambda: np.zeros(0, np.int64))

    @classmethod
    def of(cls, sentences: Iterable[Sentence]) -> "RawWords":
        """The words of some sentences."""
        words = cls()
        tokens_before = [0]
        for sentence in sentences:
            words._add(sentence)
            tokens_before.append(len(words.tokens))
        ends = list(accumulate(map(len, words.tokens), initial=0))
        words.starts = [ends[token] for token in words.token_of]
        words.ends = [ends[token + 1] for token in words.token_of]
        words.token_ends = np.array(ends[1:], np.int64)
        words.sentence_ends = np.array(ends, np.int64)[tokens_before[1:]]
        return words

    def _add(self, sentence: Sentence) -> None:
        self.sentences.append(sentence)
        multiword_starts = {row.first for row in sentence.multiwords}
        for token in sentence.tokens():
            form = without_spaces(token.form)
            if not form:
                location = location_of(sentence, len(self.sentences))
                raise InputError(f"word {token.first} consists of spaces only", location)
            count = token.last - token.first + 1
            is_multiword = token.first in multiword_starts
            self.token_of += [len(self.tokens)] * count
            self.in_multiword += [is_multiword] * count
            self.tokens.append(form)
            inside = sentence.forms[token.first - 1 : token.last] if is_multiword else (form,)
            self.forms += [word.lower() for word in inside]

    def __len__(self) -> int:
        return len(self.token_of)

    @property
    def text(self) -> str:
        """All characters, without spaces."""
        return "".join(self.tokens)


def without_spaces(form: str) -> str:
    """A form without spaces of any kind (Unicode category Zs)."""
    if form.isascii():
        return form.replace(" ", "")
    return "".join(letter for letter in form if unicodedata.category(letter) != "Zs")


def check_same_text(gold: RawWords, system: RawWords) -> None:
    """Raise if the two files do not have the same characters."""
    ours, theirs = gold.text, system.text
    if ours == theirs:
        return
    shorter = min(len(ours), len(theirs))
    at = next((i for i in range(shorter) if ours[i] != theirs[i]), shorter)
    number = int(np.searchsorted(gold.sentence_ends, at, side="right"))
    location = None
    if gold.sentences:
        number = min(number, len(gold.sentences) - 1)
        location = location_of(gold.sentences[number], number + 1)
    gold_rest, system_rest = (
        f"continues with {text[at : at + SHOWN]!r}" if at < len(text) else "ends"
        for text in (ours, theirs)
    )
    raise MismatchError(
        f"the files do not contain the same text: without spaces, the gold data {gold_rest} where "
        f"the system output {system_rest}",
        location,
    )


def align_words(gold: RawWords, system: RawWords) -> tuple[Ints, Ints]:
    """The indices of aligned words in both files, in order."""
    pairs: list[tuple[int, int]] = []
    g = s = 0
    while g < len(gold) and s < len(system):
        if gold.in_multiword[g] or system.in_multiword[s]:
            end = gold.ends[g] if gold.in_multiword[g] else system.ends[s]
            first = _start_of_region(gold, system, g, s)
            g, s = _end_of_region(gold, system, *first, end)
            common = common_subsequence(gold.forms[first[0] : g], system.forms[first[1] : s])
            pairs += [(first[0] + i, first[1] + j) for i, j in common]
        elif (gold.starts[g], gold.ends[g]) == (system.starts[s], system.ends[s]):
            pairs.append((g, s))
            g, s = g + 1, s + 1
        elif gold.starts[g] <= system.starts[s]:
            g += 1
        else:
            s += 1
    found = np.array(pairs, np.int64).reshape(-1, 2)
    return found[:, 0], found[:, 1]


def _start_of_region(gold: RawWords, system: RawWords, g: int, s: int) -> tuple[int, int]:
    """Skip a word of the other file that starts before the multiword token."""
    if gold.in_multiword[g]:
        return g, s + (not system.in_multiword[s] and system.starts[s] < gold.starts[g])
    return g + (gold.starts[g] < system.starts[s]), s


def _end_of_region(gold: RawWords, system: RawWords, g: int, s: int, end: int) -> tuple[int, int]:
    """The first words after a region, extended until it ends between multiword tokens."""

    def is_inside(words: RawWords, word: int) -> bool:
        if word >= len(words):
            return False
        return words.starts[word] < end if words.in_multiword[word] else words.ends[word] <= end

    while is_inside(gold, g) or is_inside(system, s):
        from_gold = g < len(gold) and (s >= len(system) or gold.starts[g] <= system.starts[s])
        words, word = (gold, g) if from_gold else (system, s)
        if words.in_multiword[word]:
            end = max(end, words.ends[word])
        g, s = g + from_gold, s + (not from_gold)
    return g, s


def common_subsequence(a: Sequence[str], b: Sequence[str]) -> list[tuple[int, int]]:
    """The longest common subsequence of two sequences, as pairs of indices."""
    # longest[i][j]: the length for a[i:] and b[j:]
    longest = [[0] * (len(b) + 1) for _ in range(len(a) + 1)]
    for i in reversed(range(len(a))):
        for j in reversed(range(len(b))):
            same = 1 + longest[i + 1][j + 1] if a[i] == b[j] else 0
            longest[i][j] = max(same, longest[i + 1][j], longest[i][j + 1])
    i = j = 0
    pairs = []
    while i < len(a) and j < len(b):
        if a[i] == b[j]:
            pairs.append((i, j))
            i, j = i + 1, j + 1
        elif longest[i][j] == longest[i + 1][j]:
            i += 1
        else:
            j += 1
    return pairs
