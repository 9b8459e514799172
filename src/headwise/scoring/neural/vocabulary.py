"""What a network knows by name: words, vectors, tags and relations of its treebank."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from headwise.corpus.sentence import MISSING, Sentence

TAG_COLUMNS = ("upos", "xpos", "feats")
"""The columns that a network predicts, and may be given."""

ABSENT = -1
"""In the place of the index of a tag, a relation or a head that is not known."""

UNKNOWN, ROOT, FIRST_WORD = 0, 1, 2
"""Indices of words: one for all unknown ones, one for the root, then those of the vocabulary."""


@dataclass(frozen=True, slots=True, eq=False)
class Vocabulary:
    """Names in the order of their indices.

    words: lowercased forms with an embedding of their own, the most frequent first; the first has
        index `FIRST_WORD`.
    vectors: words with a pretrained vector; the first has index 1, 0 is for all others.
    upos, xpos, feats: values of these columns; as an input, the first has index 1, 0 is none.
    relations: values of DEPREL.
    roots, inner: those of words whose head is the root, and those of all others.
    characters: those with an embedding of their own; none if the network reads no characters.
    """

    words: tuple[str, ...]
    vectors: tuple[str, ...]
    upos: tuple[str, ...]
    xpos: tuple[str, ...]
    feats: tuple[str, ...]
    relations: tuple[str, ...]
    roots: tuple[str, ...]
    inner: tuple[str, ...]
    characters: tuple[str, ...] = ()

    @classmethod
    def of(
        cls,
        sentences: Sequence[Sentence],
        vectors: Sequence[str] = (),
        min_count: int = 2,
        others: Mapping[str, int] | None = None,
        *,
        characters: bool = False,
    ) -> "Vocabulary":
        """The vocabulary of a treebank; words and `characters` must occur `min_count` times.

        others: counts of lowercased words of text that is learnt from besides.
        """
        counts = Counter(form.lower() for one in sentences for form in one.forms)
        counts.update(others or {})
        frequent = (word for word, count in counts.items() if count >= min_count)
        words = sorted(frequent, key=lambda word: (-counts[word], word))
        tags = {
            name: values((getattr(one, name) for one in sentences), missing=name == "feats")
            for name in TAG_COLUMNS
        }  # most words of some languages have no FEATS: that is a value
        of_roots: set[str] = set()
        of_others: set[str] = set()
        for one in sentences:
            for head, relation in zip(one.heads, one.relations, strict=True):
                (of_others if head else of_roots).add(relation)
        return cls(
            tuple(words),
            tuple(vectors),
            **tags,
            relations=values(one.relations for one in sentences),
            roots=tuple(sorted(of_roots - {MISSING})),
            inner=tuple(sorted(of_others - {MISSING})),
            characters=frequent_characters(sentences, min_count) if characters else (),
        )

    def tags(self, column: str) -> tuple[str, ...]:
        """The values of a column of tags."""
        found: tuple[str, ...] = getattr(self, column)
        return found

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns of tags that the treebank has."""
        return tuple(name for name in TAG_COLUMNS if self.tags(name))


def frequent_characters(sentences: Sequence[Sentence], min_count: int) -> tuple[str, ...]:
    """The characters of a treebank that occur `min_count` times."""
    counts = Counter(character for one in sentences for form in one.forms for character in form)
    return tuple(sorted(character for character, count in counts.items() if count >= min_count))


def values(columns: Iterable[Sequence[str]], *, missing: bool = False) -> tuple[str, ...]:
    """The values of a column, the most frequent first; with `missing`, `_` is one of them."""
    counts = Counter(value for column in columns for value in column)
    found = sorted(counts, key=lambda value: (-counts[value], value))
    if found == [MISSING]:
        return ()
    return tuple(value for value in found if missing or value != MISSING)
