"""Atoms: the properties of a token that templates can use, as hashed values.

    word     the form, normalised by `WordRules`
    backoff  what the word backs off to
    lemma    LEMMA
    upos     UPOS, the coarse tag; if missing, a coarsened XPOS
    xpos     XPOS, the fine tag, as far as a `TagReduction` keeps it
    tag      both together
    feats    FEATS

There is no vocabulary to grow or store: values are hashed, the same on every machine.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from threading import Lock
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from headwise.corpus.sentence import MISSING, Sentence
from headwise.errors import MismatchError
from headwise.kernels.arcs.features import COARSE, EncodedTokens
from headwise.scoring.linear.tagreduction import WHOLE, TagReduction
from headwise.scoring.linear.texttable import Columns, TextTable, hash_of, hash_text
from headwise.scoring.linear.words import WordRules

ATOMS = ("word", "backoff", "lemma", "upos", "xpos", "tag", "feats")
assert ATOMS[COARSE] == "upos"
TAG_LIKE = frozenset({"upos", "xpos", "tag"})
"""Atoms that depend on the tag only."""

TagColumns = Literal["both", "upos", "xpos", "none"]
"""Which columns of tags are used."""

COUNTED_TAGS = (
    frozenset({"VERB", "VB", "V"}),
    frozenset({"PUNCT", "``", "''", ",", ".", ":", "PU"}),
    frozenset({"CCONJ", "CONJ", "CC", "C"}),
)
"""Coarse tags (UD, Penn, Chinese) of the words counted between head and modifier."""

NO_UPOS = np.uint64(hash_of("upos")(MISSING))

ARCS_OF_A_PIECE = 1 << 17
"""Arcs scored before their trees are searched, so that they fit the cache."""

MIX = np.uint64(0x9E3779B97F4A7C15)


@dataclass(frozen=True, slots=True, eq=False)
class EncodedSentences:
    """Sentences as atoms: the tokens of all sentences, each with its root first."""

    starts: NDArray[np.int64]  # [sentence + 1]
    tokens: EncodedTokens

    def __len__(self) -> int:
        return len(self.starts) - 1

    def __reduce__(self) -> tuple[Any, ...]:
        """In another process, matrices have the layout that kernels are compiled for, too."""
        return _received, (self.starts, self.tokens)

    def arrays(self) -> Iterator[NDArray[Any]]:
        """All that a model sees of them."""
        yield from (self.starts, *self.tokens)

    @property
    def words(self) -> int:
        """The number of words."""
        return int(self.starts[-1]) - len(self)

    @property
    def arc_starts(self) -> NDArray[np.int64]:
        """Where the arcs [head, modifier] of each sentence start, one after the other."""
        return np.concatenate([[0], np.cumsum(np.diff(self.starts) ** 2)])

    def words_of(self, number: int) -> int:
        """The number of words of one sentence."""
        return int(self.starts[number + 1] - self.starts[number]) - 1

    def sentence(self, number: int) -> EncodedTokens:
        """The tokens of one sentence."""
        return self._tokens(self.starts[number], self.starts[number + 1])

    def part(self, first: int, end: int) -> "EncodedSentences":
        """The sentences from `first` up to, but not including, `end`."""
        starts = self.starts[first : end + 1]
        return EncodedSentences(starts - starts[0], self._tokens(starts[0], starts[-1]))

    def _tokens(self, a: np.int64, b: np.int64) -> EncodedTokens:
        whole = self.tokens
        return EncodedTokens(
            whole.atoms[:, a:b],
            whole.tags[a:b],
            whole.backed_off[a:b],
            whole.counted[:, a:b],
            whole.guide[a:b],
        )


class AtomEncoder:
    """Encodes sentences as atoms, caching the hashes of texts."""

    def __init__(
        self,
        words: WordRules | None = None,
        tags: TagColumns = "both",
        atoms: Collection[str] = ATOMS,
        reduction: TagReduction = WHOLE,
    ) -> None:
        """Set the word rules, the columns of tags, the atoms in use, and how XPOS is reduced."""
        self.words = words or WordRules()
        self.words.check()
        self.tags = tags
        self.atoms = frozenset(atoms)
        self.reduction = reduction
        word, backoff = self.words.word, self.words.prefix_or_word
        self._forms = TextTable(
            hash_of("word", word), hash_of("backoff", backoff), self._has_prefix, hash_of("", word)
        )
        self._lemmas = TextTable(hash_of("lemma"), hash_of("backoff", backoff), hash_of(""))
        self._tables = {name: TextTable(hash_of(name)) for name in ("upos", "feats")}
        self._xpos = TextTable(
            hash_of("xpos", reduction.reduced), hash_of("upos", self.words.coarse_tag)
        )
        self._lock = Lock()  # rows are valid until the tables are cleared

    def __reduce__(self) -> tuple[Any, ...]:
        """Do not send the cache to another process."""
        return AtomEncoder, (self.words, self.tags, self.atoms, self.reduction)

    def encode(
        self, sentences: Sequence[Sentence], guides: Sequence[Sentence] | None = None
    ) -> EncodedSentences:
        """The atoms of sentences; `guides` are the same sentences under another parser's trees."""
        starts = np.cumsum([0, *(len(sentence) + 1 for sentence in sentences)])
        with self._lock:
            values, backed_off = self._values(Columns(sentences, starts), int(starts[-1]))
        values["tag"] = (values["upos"] ^ (values["xpos"] * MIX)) * MIX
        tokens = EncodedTokens(
            atoms=_stacked([values[name] for name in ATOMS]),
            tags=values["tag"],
            backed_off=backed_off,
            counted=_stacked([_marks(values["upos"], kind) for kind in COUNTED_TAGS]),
            guide=_guide(sentences, guides, starts),
        )
        return EncodedSentences(starts, tokens)

    def _values(
        self, columns: Columns, count: int
    ) -> tuple[dict[str, NDArray[np.uint64]], NDArray[np.bool_]]:
        """The values of all atoms but `tag`, and for every token whether its word backs off."""
        unseen = np.zeros(count, np.uint64)
        values = dict.fromkeys(ATOMS, unseen)
        found = self._forms.look_up(columns["forms"], count)
        values["word"], values["backoff"], has_prefix, word = found
        backed_off = has_prefix.astype(np.bool_)
        if self.words.backoff == "lemma" or "lemma" in self.atoms:
            values["lemma"], backoff, lemma = self._lemmas.look_up(columns["lemmas"], count)
            if self.words.backoff == "lemma":
                values["backoff"] = backoff
                backed_off = (lemma != word) & (lemma != np.uint64(hash_text("\0" + MISSING)))
        upos = columns["upos"] if self.tags in ("both", "upos") else columns.empty()
        xpos = columns["xpos"] if self.tags in ("both", "xpos") else columns.empty()
        (values["upos"],) = self._tables["upos"].look_up(upos, count)
        values["xpos"], coarse = self._xpos.look_up(xpos, count)
        if self.tags == "both":
            values["upos"] = np.where(values["upos"] == NO_UPOS, coarse, values["upos"])
        if "feats" in self.atoms:
            (values["feats"],) = self._tables["feats"].look_up(columns["feats"], count)
        return values, backed_off

    def _has_prefix(self, form: str) -> int:
        return int(self.words.prefix(self.words.word(form)) is not None)


def _stacked(rows: list[NDArray[Any]]) -> NDArray[Any]:
    """Rows as a matrix that is never contiguous.

    Slices of a matrix are not contiguous either, so that kernels are compiled for one layout only.
    """
    matrix = np.empty((len(rows), len(rows[0]) + 1), rows[0].dtype)[:, :-1]
    return np.stack(rows, out=matrix)


def _received(starts: NDArray[np.int64], tokens: EncodedTokens) -> EncodedSentences:
    """Sentences from another process: pickling makes every matrix contiguous."""
    atoms, counted = _stacked([*tokens.atoms]), _stacked([*tokens.counted])
    return EncodedSentences(starts, tokens._replace(atoms=atoms, counted=counted))


def in_pieces(encoded: EncodedSentences) -> Iterator[EncodedSentences]:
    """The sentences in groups of about `ARCS_OF_A_PIECE` arcs."""
    arcs = np.cumsum(np.diff(encoded.starts) ** 2)
    first = 0
    while first < len(encoded):
        before = arcs[first - 1] if first else 0
        last = max(first + 1, int(np.searchsorted(arcs, before + ARCS_OF_A_PIECE, "right")))
        yield encoded.part(first, last)
        first = last


def _marks(upos: NDArray[np.uint64], kind: frozenset[str]) -> NDArray[np.uint8]:
    """Which tokens have one of these tags."""
    found: NDArray[np.bool_] = (upos[:, None] == _hashes_of(kind)).any(axis=1)
    return found.astype(np.uint8)


@cache
def _hashes_of(kind: frozenset[str]) -> NDArray[np.uint64]:
    return np.array([hash_of("upos")(tag) for tag in sorted(kind)], np.uint64)


def _guide(
    sentences: Sequence[Sentence], guides: Sequence[Sentence] | None, starts: NDArray[np.int64]
) -> NDArray[np.int64]:
    """For every token, roots included, its head in another parser's tree; -1 if unknown."""
    if guides is None:
        return np.full(starts[-1], -1)
    heads: list[int] = []
    for sentence, guide in zip(sentences, guides, strict=True):
        if guide.forms != sentence.forms:
            raise MismatchError(
                "the guide has different words than the sentence", sentence.location
            )
        heads += [-1, *(-1 if head is None else head for head in guide.heads)]
    return np.array(heads, np.int64)
