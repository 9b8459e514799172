"""Lemmas of tagged words: an edit rule by the longest known suffix, and a dictionary of exceptions.

rules        (tag, capital?, suffix) → the rule of most words like that, the longest suffix first;
             the tag is the whole of UPOS, XPOS and FEATS, or UPOS alone
exceptions   (form, tag) → the lemma, for words of the treebank that the rules get wrong
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from typing import Any, Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray

from headwise.corpus.sentence import MISSING, Sentence, with_columns
from headwise.errors import ModelError, UsageError
from headwise.progress import Progress, silent
from headwise.storage.arraychecks import check_array
from headwise.storage.sparse import pack_sparse, unpack_sparse
from headwise.storage.storedsettings import check_texts, stored_settings
from headwise.text.remembered import Remembered

CaseName = Literal["lower", "keep", "title"]
LOWER, KEEP, TITLE = CASES = get_args(CaseName)


class EditRule(NamedTuple):
    """Change the case of a form, then cut off and add characters at both ends."""

    case: str
    cut_start: int
    add_start: str
    cut_end: int
    add_end: str

    def apply(self, form: str) -> str | None:
        """The lemma of a form; None if nothing of the form would be left."""
        cased = in_case(form, self.case)
        end = len(cased) - self.cut_end
        if end <= self.cut_start:
            return None
        return self.add_start + cased[self.cut_start : end] + self.add_end


def in_case(form: str, case: str) -> str:
    """A form in small letters, as it is, or with a capital at its start only."""
    if case == LOWER:
        return form.lower()
    return form if case == KEEP else form[:1].upper() + form[1:].lower()


def edit_rule(form: str, lemma: str) -> EditRule | None:
    """The rule that keeps most of a form; None if form and lemma have nothing in common."""
    best, kept = None, 0
    for case in CASES:
        cased = in_case(form, case)
        start = _common_start(cased, lemma)
        if start > kept:
            best = EditRule(case, 0, "", len(cased) - start, lemma[start:])
            kept = start
    if kept * 2 >= min(len(form), len(lemma)):
        return best
    for case in CASES:
        cased = in_case(form, case)
        a, b, size = SequenceMatcher(None, cased, lemma, False).find_longest_match()
        if size > kept:
            end = len(cased) - a - size
            best = EditRule(case, a, lemma[:b], end, lemma[b + size :])
            kept = size
    return best


def _common_start(a: str, b: str) -> int:
    size = 0
    for x, y in zip(a, b, strict=False):
        if x != y:
            break
        size += 1
    return size


LONGEST_SUFFIX = 7
FEWEST_WORDS = 2
"""The least number of words with a suffix that counts."""

Word = tuple[str, str, str, str]
"""Form, UPOS, XPOS, FEATS."""

Key = tuple[str, str, str]
"""Tag, `A` for words with a capital, and suffix."""


@dataclass(frozen=True, slots=True)
class StoredLemmatiser:
    """What a model says of a lemmatiser: the fields of its edit rules."""

    rules: tuple[tuple[CaseName, int, str, int, str], ...]

    def check(self) -> None:
        """Raise if a value has no meaning."""
        if any(min(rule[1], rule[3]) < 0 for rule in self.rules):
            raise UsageError("rules: no rule cuts off fewer than 0 characters")
        for _, _, start, _, end in self.rules:
            check_texts("rules", (start, end), may_be_empty=True)


@dataclass(eq=False, repr=False)
class Lemmatiser:
    """Gives words their lemmas; `_` if the treebank had none."""

    rules: Mapping[Key, EditRule]
    exceptions: Mapping[tuple[str, str], str]
    _kept: Remembered[Word, str] = field(init=False)
    _tables: dict[tuple[str, str], dict[str, EditRule]] = field(init=False)

    def __repr__(self) -> str:
        """How much it knows."""
        return f"<Lemmatiser of {len(self.rules)} rules, {len(self.exceptions)} exceptions>"

    def __post_init__(self) -> None:
        """Start with nothing remembered, and the rules where they are found quickly."""
        self._kept = Remembered(self._lemma, _length)
        self._tables = defaultdict(dict)
        for (tag, capital, suffix), rule in self.rules.items():
            self._tables[tag, capital][suffix] = rule

    @classmethod
    def fit(
        cls,
        sentences: Iterable[Sentence],
        progress: Progress = silent,
    ) -> "Lemmatiser":
        """Learn from a treebank. It is one step for `progress`."""
        words: dict[Word, Counter[str]] = defaultdict(Counter)
        for one in sentences:
            for word, lemma in zip(zip(*_columns(one), strict=True), one.lemmas, strict=True):
                if lemma != MISSING or word[0] == MISSING:
                    words[word][lemma] += 1
        if all(set(lemmas) == {MISSING} for lemmas in words.values()):
            return cls({}, {})
        usual = {word: lemmas.most_common(1)[0][0] for word, lemmas in words.items()}
        learnt = cls(_learn_rules(usual), {})
        found = cls(learnt.rules, _exceptions(learnt, words, usual))
        progress("lemmas", 1, 1)
        return found

    def lemmatise(self, sentences: Sequence[Sentence]) -> list[Sentence]:
        """The tagged sentences with their lemmas; what they had there is replaced."""
        lemma = self._kept.__getitem__
        return [
            with_columns(
                one,
                tuple(map(lemma, zip(*_columns(one), strict=True))),
                one.upos,
                one.xpos,
                one.feats,
            )
            for one in sentences
        ]

    def _lemma(self, word: Word) -> str:
        form, upos, xpos, feats = word
        if not self.rules:
            return MISSING
        for tag in (f"{upos} {xpos} {feats}", upos):
            found = self.exceptions.get((form, tag))
            if found is not None:
                return found
        return self._by_rule(word)

    def _by_rule(self, word: Word) -> str:
        form, upos, xpos, feats = word
        lower, capital = form.lower(), _capital(form)
        whole = self._tables.get((f"{upos} {xpos} {feats}", capital), {})
        coarse = self._tables.get((upos, capital), {})
        for length in range(min(LONGEST_SUFFIX, len(lower)), -1, -1):
            suffix = lower[len(lower) - length :]
            rule = whole.get(suffix) or coarse.get(suffix)
            lemma = rule.apply(form) if rule else None
            if lemma is not None:
                return lemma
        return form

    def to_model(self) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
        """Settings and arrays that a model file holds."""
        numbers: dict[EditRule, int] = {}
        keys = [
            (*key, str(numbers.setdefault(rule, len(numbers)))) for key, rule in self.rules.items()
        ]
        exceptions = [(*key, lemma) for key, lemma in self.exceptions.items()]
        settings = {"rules": [list(rule) for rule in numbers]}
        return settings, _packed("suffixes", keys) | _packed("exceptions", exceptions)

    @classmethod
    def from_model(
        cls, settings: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]
    ) -> "Lemmatiser":
        """A lemmatiser from what `to_model` gave."""
        stored = stored_settings(StoredLemmatiser, settings, "lemmatiser")
        rules = {str(number): EditRule(*row) for number, row in enumerate(stored.rules)}
        try:
            suffixes = {
                (tag, capital, suffix): rules[number]
                for tag, capital, suffix, number in _unpacked(arrays, "suffixes")
            }
            exceptions = {
                (form, tag): lemma for form, tag, lemma in _unpacked(arrays, "exceptions")
            }
            check_texts("exceptions", exceptions.values())
        except (KeyError, ValueError, UsageError) as error:
            raise ModelError(f"its lemmatiser is damaged: {error}") from error
        return cls(suffixes, exceptions)


def _columns(sentence: Sentence) -> tuple[tuple[str, ...], ...]:
    return sentence.forms, sentence.upos, sentence.xpos, sentence.feats


def _length(word: Word) -> int:
    return len(word[0])  # no lambda: pipelines are sent to other processes


def _keys(word: Word) -> Iterable[Key]:
    """What a rule applies to: every suffix, with the whole tag and with UPOS."""
    form, upos, xpos, feats = word
    lower, capital = form.lower(), _capital(form)
    for length in range(min(LONGEST_SUFFIX, len(lower)) + 1):
        suffix = lower[len(lower) - length :]
        yield f"{upos} {xpos} {feats}", capital, suffix
        yield upos, capital, suffix


def _capital(form: str) -> str:
    return "A" if form[:1] != form[:1].lower() else "a"


def _learn_rules(usual: Mapping[Word, str]) -> dict[Key, EditRule]:
    """For every suffix of enough words the commonest rule.

    Rules that put something in front of a word are too seldom right for words never met.
    """
    votes: dict[Key, Counter[EditRule]] = defaultdict(Counter)
    for word, lemma in usual.items():
        rule = edit_rule(word[0], lemma)
        if rule is not None and not rule.add_start:
            for key in _keys(word):
                votes[key][rule] += 1
    chosen = {
        key: min(rules.items(), key=lambda pair: (-pair[1], pair[0]))[0]
        for key, rules in votes.items()
        if rules.total() >= FEWEST_WORDS or not key[2]
    }
    return dict(sorted(chosen.items()))


def _exceptions(
    learnt: Lemmatiser, words: Mapping[Word, Counter[str]], usual: Mapping[Word, str]
) -> dict[tuple[str, str], str]:
    """The lemmas of words that the rules get wrong; of a form and UPOS, for tags never met too."""
    found: dict[tuple[str, str], str] = {}
    by_upos: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for word, lemmas in words.items():
        by_upos[word[0], word[1]] += lemmas
    for key, lemmas in by_upos.items():
        found[key] = lemmas.most_common(1)[0][0]
    wrong = {word[:2] for word, lemma in usual.items() if learnt._by_rule(word) != lemma}
    found = {key: lemma for key, lemma in found.items() if key in wrong}
    for word, lemma in usual.items():
        key = (word[0], word[1])
        if found.get(key, lemma) != lemma:
            found[word[0], f"{word[1]} {word[2]} {word[3]}"] = lemma
    return dict(sorted(found.items()))


def _packed(name: str, rows: Iterable[Sequence[str]]) -> dict[str, NDArray[Any]]:
    """Rows of texts as a packed table of bytes; no text of a treebank holds a tab or a line end."""
    text = "\n".join("\t".join(row) for row in rows)
    return pack_sparse(name, np.frombuffer(text.encode(), np.uint8))


def _unpacked(arrays: Mapping[str, NDArray[Any]], name: str) -> list[list[str]]:
    array = unpack_sparse(name, arrays)
    check_array(name, array, np.uint8, (None,))
    text = array.tobytes().decode()
    return [row.split("\t") for row in text.split("\n")] if text else []
