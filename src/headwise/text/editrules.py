"""Edit rules: how a lemma is made from a form, by its case, its start and its end."""

from difflib import SequenceMatcher
from typing import Literal, NamedTuple, get_args

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
