"""Atoms: what templates can see of a token, as hashed values.

    word     the form, by the rules of `WordRules`
    backoff  what the word backs off to
    lemma    LEMMA
    upos     UPOS, the coarse tag
    xpos     XPOS, the fine tag
    tag      both together
    feats    FEATS

There is no alphabet to grow or to ship: values are hashed, the same on every machine.
"""

import hashlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from headwise.corpus.sentence import MISSING, Sentence
from headwise.errors import MismatchError
from headwise.features.words import WordRules
from headwise.kernels.arc_features import Tokens

ATOMS = ("word", "backoff", "lemma", "upos", "xpos", "tag", "feats")
TAG_LIKE = frozenset({"upos", "xpos", "tag"})
"""Atoms that depend on nothing but the tag."""

TagColumns = Literal["both", "upos", "xpos", "none"]
"""Which columns of tags are looked at."""

COUNTED_TAGS = (frozenset({"VERB"}), frozenset({"PUNCT"}), frozenset({"CCONJ", "CONJ"}))
"""UPOS of the kinds of words that are counted between head and modifier."""

MOST_KEPT = 1 << 20
"""Hashes of how many different values are kept: a stream of text must not fill the memory."""

ROOT = "\0"
"""What stands for the root in every column: no word, and too short to back off."""

MIX = np.uint64(0x9E3779B97F4A7C15)


def hash_text(text: str) -> int:
    """A 64-bit hash, the same everywhere and always."""
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "little")


class HashCache(dict[str, int]):
    """Hashes of the values of one column, worked out when first met."""

    def __init__(self, name: str, value: Callable[[str], str] = str) -> None:
        """Remember what to hash: `value` of a text, told apart from other columns by a name."""
        super().__init__()
        self.name = name
        self.value = value

    def __missing__(self, text: str) -> int:
        """Hash a text that was not met before."""
        if len(self) >= MOST_KEPT:
            self.clear()
        found = self[text] = hash_text(f"{self.name}\0{self.value(text)}")
        return found

    def column(self, columns: Sequence[Sequence[str]]) -> NDArray[np.uint64]:
        """The hashes of the entries of some columns, each preceded by that of the root."""
        return np.fromiter(map(self.__getitem__, _rooted(columns)), np.uint64)


@dataclass(frozen=True, slots=True, eq=False)
class EncodedSentences:
    """Sentences as atoms: tokens one after the other, each sentence's root first."""

    starts: NDArray[np.int64]  # [sentence + 1]
    tokens: Tokens

    def __len__(self) -> int:
        """The number of sentences."""
        return len(self.starts) - 1

    def sentence(self, number: int) -> Tokens:
        """The tokens of one sentence."""
        return self._tokens(self.starts[number], self.starts[number + 1])

    def part(self, first: int, end: int) -> "EncodedSentences":
        """Some of the sentences, from the first up to and without the one at `end`."""
        starts = self.starts[first : end + 1]
        return EncodedSentences(starts - starts[0], self._tokens(starts[0], starts[-1]))

    def _tokens(self, a: np.int64, b: np.int64) -> Tokens:
        whole = self.tokens
        return Tokens(
            whole.atoms[:, a:b],
            whole.tags[a:b],
            whole.backed_off[a:b],
            whole.counted[:, a:b],
            whole.guide[a:b],
        )


class BackoffFlags(dict[str, bool]):
    """For every form whether its word has a back-off, worked out when first met."""

    def __init__(self, words: WordRules) -> None:
        """Remember the rules."""
        super().__init__()
        self.words = words

    def __missing__(self, form: str) -> bool:
        """Look at a form that was not met before."""
        if len(self) >= MOST_KEPT:
            self.clear()
        found = self[form] = self.words.prefix(self.words.word(form)) is not None
        return found


class AtomEncoder:
    """Turns sentences into atoms, remembering the hashes of what it has met."""

    def __init__(self, words: WordRules | None = None, tags: TagColumns = "both") -> None:
        """Say how words are made, and which tags count."""
        self.words = words or WordRules()
        self.words.check()
        self.tags = tags
        self._columns = {
            "word": HashCache("word", self.words.word),
            "backoff": HashCache("backoff", self.words.prefix_or_word),
            "lemma": HashCache("lemma"),
            "upos": HashCache("upos"),
            "xpos": HashCache("xpos"),
            "feats": HashCache("feats"),
        }
        self._has_prefix = BackoffFlags(self.words)

    def encode(
        self, sentences: Sequence[Sentence], guides: Sequence[Sentence] | None = None
    ) -> EncodedSentences:
        """The atoms of some sentences; `guides` are the same ones under another parser's trees."""
        forms = [sentence.forms for sentence in sentences]
        lemmas = [sentence.lemmas for sentence in sentences]
        backs_off_to_lemma = self.words.backoff == "lemma"
        values = {
            "word": self._columns["word"].column(forms),
            "backoff": self._columns["backoff"].column(lemmas if backs_off_to_lemma else forms),
            "lemma": self._columns["lemma"].column(lemmas),
            "upos": self._tags("upos", sentences),
            "xpos": self._tags("xpos", sentences),
            "feats": self._columns["feats"].column([sentence.feats for sentence in sentences]),
        }
        values["tag"] = (values["upos"] ^ (values["xpos"] * MIX)) * MIX
        starts = np.cumsum([0, *(len(column) + 1 for column in forms)])
        tokens = Tokens(
            atoms=np.stack([values[name] for name in ATOMS]),
            tags=values["tag"],
            backed_off=self._backed_off(forms, lemmas),
            counted=np.stack([self._marks(values["upos"], kind) for kind in COUNTED_TAGS]),
            guide=_guide(sentences, guides),
        )
        return EncodedSentences(starts, tokens)

    def _tags(self, name: str, sentences: Sequence[Sentence]) -> NDArray[np.uint64]:
        """A column of tags; empty if it does not count."""
        if self.tags in ("both", name):
            columns = [getattr(sentence, name) for sentence in sentences]
        else:
            columns = [(MISSING,) * len(sentence) for sentence in sentences]
        return self._columns[name].column(columns)

    def _backed_off(
        self, forms: Sequence[Sequence[str]], lemmas: Sequence[Sequence[str]]
    ) -> NDArray[np.bool_]:
        """For every token, roots included, whether its word has a back-off."""
        if self.words.backoff == "lemma":
            pairs = zip(_rooted(forms), _rooted(lemmas), strict=True)
            differ = (lemma not in (MISSING, self.words.word(form)) for form, lemma in pairs)
            return np.fromiter(differ, np.bool_)
        return np.fromiter(map(self._has_prefix.__getitem__, _rooted(forms)), np.bool_)

    def _marks(self, upos: NDArray[np.uint64], kind: frozenset[str]) -> NDArray[np.uint8]:
        wanted = np.array([self._columns["upos"][tag] for tag in sorted(kind)], np.uint64)
        return np.isin(upos, wanted).astype(np.uint8)


def _guide(sentences: Sequence[Sentence], guides: Sequence[Sentence] | None) -> NDArray[np.int64]:
    """For every token, roots included, its head in another parser's tree; -1 where not known."""
    if guides is None:
        return np.full(sum(len(sentence) + 1 for sentence in sentences), -1)
    heads: list[int] = []
    for sentence, guide in zip(sentences, guides, strict=True):
        if guide.forms != sentence.forms:
            raise MismatchError("the guide has other words than the sentence", sentence.place)
        heads += [-1, *(-1 if head is None else head for head in guide.heads)]
    return np.array(heads, np.int64)


def _rooted(columns: Sequence[Sequence[str]]) -> Iterator[str]:
    """The entries of some columns, each column preceded by the root's."""
    return chain.from_iterable(chain((ROOT,), column) for column in columns)
