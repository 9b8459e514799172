"""Punctuation attached by rule, as the guidelines of UD have it.

A mark belongs to the unit that it sets off: a following conjunct, the larger of the units that end
and begin at the mark, or else the lowest word whose subtree spans it. Within it, it hangs on the
highest word that leaves the tree projective. Quotation marks and brackets hang on the head of what
they enclose.
"""

from collections.abc import Sequence

from headwise.corpus.sentence import Sentence
from headwise.evaluate.punctuation import is_punctuation_form

PAIRS = {"(": ")", "[": "]", "{": "}", "“": "”", "«": "»", "„": "“", "‘": "’", "``": "''"}
SAME = ('"', "'")
PUNCT = "punct"


def attached_punctuation(sentence: Sentence) -> Sentence:
    """A sentence with a whole tree, its punctuation attached by rule."""
    marks = punctuation_of(sentence)
    words = [word for word in range(1, len(sentence) + 1) if word not in marks]
    if not marks or not words:
        return sentence
    heads = without(sentence.heads, marks)
    chosen, relations = list(sentence.heads), list(sentence.relations)
    enclosed = {mark: pair for pair in pairs_of(sentence, marks) for mark in pair}
    for mark in marks:
        chosen[mark - 1] = head_of_mark(mark, words, heads, relations, enclosed.get(mark))
        relations[mark - 1] = PUNCT
    for word in words:
        chosen[word - 1] = heads[word]
    return sentence.with_tree(chosen, relations)


def punctuation_of(sentence: Sentence) -> set[int]:
    """The words that are punctuation: by their tag, or by their form where they have none."""
    tagged = any(tag == "PUNCT" for tag in sentence.upos)
    rows = enumerate(zip(sentence.forms, sentence.upos, strict=True), 1)
    return {
        word
        for word, (form, tag) in rows
        if (tag == "PUNCT" if tagged else is_punctuation_form(form))
    }


def without(heads: Sequence[int | None], marks: set[int]) -> dict[int, int]:
    """The heads of words, passing over those marks that are heads; a root mark leaves its place."""
    found: dict[int, int] = {}
    for word, head in enumerate(heads, 1):
        while head in marks:
            head = heads[head - 1]
        found[word] = head or 0
    tops = [word for word in found if word not in marks and found[word] == 0]
    for word in tops[1:]:
        found[word] = tops[0]
    return {word: head for word, head in found.items() if word not in marks}


def pairs_of(sentence: Sentence, marks: set[int]) -> list[tuple[int, int]]:
    """Quotation marks and brackets that belong together."""
    found: list[tuple[int, int]] = []
    waiting: list[int] = []
    for word in sorted(marks):
        form = sentence.forms[word - 1]
        opened = sentence.forms[waiting[-1] - 1] if waiting else ""
        if opened and (PAIRS.get(opened) == form or (opened in SAME and opened == form)):
            found.append((waiting.pop(), word))
        elif form in PAIRS or form in SAME:
            waiting.append(word)
    return found


def head_of_mark(
    mark: int,
    words: Sequence[int],
    heads: dict[int, int],
    relations: Sequence[str],
    pair: tuple[int, int] | None,
) -> int:
    """The head of a punctuation mark."""
    if pair is not None:
        inner = [word for word in words if pair[0] < word < pair[1]]
        entering = [word for word in inner if not pair[0] < heads[word] < pair[1]]
        if len(entering) == 1:
            return entering[0]
    before = [word for word in words if word < mark]
    after = [word for word in words if word > mark]
    if not before or not after:
        return path(words[0], heads)[-1]
    left, right = path(before[-1], heads), path(after[0], heads)
    ending = [word for word in left if word not in right]
    beginning = [word for word in right if word not in left]
    if beginning and relations[beginning[-1] - 1].startswith("conj"):
        return beginning[-1]
    units = [unit[-1] for unit in (ending, beginning) if unit]
    sizes = [sum(unit in path(word, heads) for word in words) for unit in units]
    if units and sizes.count(max(sizes)) == 1:
        return units[sizes.index(max(sizes))]
    return next(word for word in left if word in right)


def path(word: int, heads: dict[int, int]) -> list[int]:
    """A word, its head, and so on up to the root."""
    found = [word]
    while heads[found[-1]]:
        found.append(heads[found[-1]])
    return found
