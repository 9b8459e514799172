"""Kinds of words: what a treebank says of a word that helps to find where sentences end.

A kind packs four things into a number: the most frequent UPOS of the word and the second one (if it
has a quarter of the word's tokens), whether it is written with a capital inside sentences, and how
often it starts one.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping

from headwise.corpus.sentence import Sentence

MOST_TAGS = 30
"""How many UPOS tags are told apart; the rarest others are one."""

OTHER_TAG, TAGS, LEVELS = MOST_TAGS + 1, MOST_TAGS + 2, 4
MOST_KINDS = TAGS * TAGS * LEVELS * LEVELS

_CAPITALS = (0.1, 0.8)
_STARTS = (0.05, 0.3)
"""Shares of a word's tokens between which it counts as another kind."""

FEWEST = 3
"""How often a word must occur for its share of starts to mean something."""


def word_kinds(sentences: Iterable[Sentence]) -> tuple[dict[str, int], Counter[str]]:
    """The kinds of all tokens of a treebank, in small letters, and how often each occurs.

    A multiword token has the UPOS of its first word.
    """
    counts, starts, inner, capitals = Counter[str](), Counter[str](), Counter[str](), Counter[str]()
    tags: dict[str, Counter[str]] = defaultdict(Counter)
    for sentence in sentences:
        for token in sentence.tokens():
            form, lower = token.form, token.form.lower()
            counts[lower] += 1
            tags[lower][sentence.upos[token.first - 1]] += 1
            if token.first == 1:
                starts[lower] += 1
            else:
                inner[lower] += 1
                capitals[lower] += form[:1] != lower[:1]
    codes = _tag_codes(tags)
    kinds = {}
    for word, count in sorted(counts.items()):
        case = _level(capitals[word], inner[word], _CAPITALS) if inner[word] else 0
        start = _level(starts[word], count, _STARTS) if count >= FEWEST else 0
        kinds[word] = (_tag_pair(tags[word], codes, count) * LEVELS + case) * LEVELS + start
    return kinds, counts


def _tag_codes(tags: Mapping[str, Counter[str]]) -> dict[str, int]:
    """Numbers of tags, from 1."""
    totals: Counter[str] = sum(tags.values(), Counter())
    usual = sorted(totals, key=lambda tag: (-totals[tag], tag))[:MOST_TAGS]
    return {tag: number for number, tag in enumerate(sorted(usual), 1)}


def _tag_pair(found: Counter[str], codes: Mapping[str, int], count: int) -> int:
    best = sorted(found, key=lambda tag: (-found[tag], tag))
    second = best[1] if len(best) > 1 and 4 * found[best[1]] >= count else None
    first_code = codes.get(best[0], OTHER_TAG)
    return first_code * TAGS + (codes.get(second, OTHER_TAG) if second is not None else 0)


def _level(part: int, whole: int, bounds: tuple[float, float]) -> int:
    return 1 + sum(part >= bound * whole for bound in bounds)
