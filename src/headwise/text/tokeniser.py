"""From raw text to tokens and sentences, with exact offsets: trained on a treebank's text."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count, pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from headwise.corpus.extras import Multiword
from headwise.corpus.sentence import MISSING, Sentence
from headwise.errors import NOWHERE, InputError, SourceLocation
from headwise.kernels.primitives.hashmap import HashMap, map_of
from headwise.kernels.text.char_classify import (
    INSIDE,
    LINE,
    SENTENCE_END,
    TOKEN_END,
    classify,
    learn_characters,
)
from headwise.kernels.text.pieces import find_pieces
from headwise.kernels.text.wordhash import SPACE, Characters, hash_words
from headwise.progress import Progress, silent
from headwise.storage.arraychecks import check_array, check_indices, check_power_of_two
from headwise.storage.modelfile import needed_array
from headwise.storage.quantise import quantise, scale_of
from headwise.storage.settings import check_types
from headwise.storage.sparse import pack_sparse, unpack_sparse
from headwise.storage.storedsettings import check_factor, stored_settings
from headwise.text.characters import encode_forms, encode_text, fixed_places
from headwise.text.cutting import LONGEST_SENTENCE, CutNotice
from headwise.text.multiwords import Multiwords, StoredMultiwords
from headwise.text.rawtext import running_text
from headwise.text.wordkinds import MOST_KINDS, word_kinds

MOST_BITS = 22
"""Of the number of lines of a table: a model that is loaded takes four times what it has stored."""

MOST_SPACES = 256
"""How many different spaces are remembered, and how long: a stream must not fill the memory."""

_ESCAPES = {
    " ": "\\s", "\t": "\\t", "\n": "\\n", "\r": "\\r", "|": "\\p", "\\": "\\\\"
}  # fmt: skip
"""How spaces are written in MISC, after UDPipe."""


@dataclass(frozen=True)
class TokeniserTraining:
    """How a tokeniser is trained."""

    epochs: int = 6
    bits: int = 20  # of the number of lines of the table
    margin: float = 3.0
    seed: int = 1
    members: int = 2  # how many are trained, in different orders of sentences, and averaged
    words: bool = True  # whether the words around a gap are seen, and the sentence so far


@dataclass(frozen=True, slots=True)
class StoredTokeniser:
    """What a model says of a tokeniser."""

    across_spaces: bool
    scale: float
    multiwords: StoredMultiwords

    def check(self) -> None:
        """Raise if a value has no meaning."""
        check_factor("scale", self.scale)


@dataclass(frozen=True, slots=True, eq=False)
class TokenisedText:
    """A text and its tokens: `text[starts[i] : ends[i]]`; what lies between them are spaces."""

    text: str
    starts: NDArray[np.int64]
    ends: NDArray[np.int64]
    sentences: NDArray[np.int64]  # [sentence + 1]: the first token
    cuts: tuple[int, ...] = ()  # those of them that are there because a sentence was too long

    def __len__(self) -> int:
        """The number of sentences."""
        return len(self.sentences) - 1


@dataclass(eq=False, repr=False)
class Tokeniser:
    """Splits text into sentences and tokens, and multiword tokens into words."""

    table: NDArray[np.int8]  # [line, class], flat
    scale: float  # of the weights, which changes no answer
    known: HashMap  # of the words of the treebank, with their kinds
    sees_words: bool  # whether kinds of words are known, which older models do not have
    across_spaces: bool  # whether a token may hold a space
    multiwords: Multiwords

    def __repr__(self) -> str:
        """How much it knows."""
        return f"<Tokeniser of {np.count_nonzero(self.known[1] >= 0)} known tokens>"

    @classmethod
    def fit(
        cls,
        sentences: Sequence[Sentence],
        training: TokeniserTraining | None = None,
        progress: Progress = silent,
    ) -> "Tokeniser":
        """Learn from a treebank; `progress` is called with the epochs done and their total."""
        training = training or TokeniserTraining()
        check_types(training)
        gold = running_text(sentences)
        if not gold.text.strip():
            raise InputError("there is no text to learn a tokeniser from")
        kind_of, counts = word_kinds(sentences)
        words = sorted(kind_of)
        hashes = hash_words(encode_forms(words)).lower
        kinds = np.array([kind_of[word] for word in words], np.int32)
        # A word that occurs once is unknown in training, as it would be without its sentence.
        repeated = np.array([counts[word] > 1 for word in words])
        often = map_of(hashes[repeated], kinds[repeated])
        table = _learn(encode_all(gold.text), gold.classes, often, training, progress)
        scale = scale_of(table)
        return cls(
            quantise(table, scale),
            scale,
            map_of(hashes, kinds),
            training.words,
            any(" " in word for word in words),
            Multiwords.learn(sentences),
        )

    def tokenise(self, text: str) -> TokenisedText:
        """The tokens and sentences of a text; a blank line always ends a sentence."""
        characters = encode_all(text)
        classes = self._classified(characters)
        between, inside = map(np.flatnonzero, fixed_places(text, characters))
        classes[between] = np.maximum(classes[between], TOKEN_END)
        classes[inside] = INSIDE
        return _cut(text, characters, classes)

    def _classified(self, characters: Characters) -> NDArray[np.uint8]:
        """What is after each character; pieces of a long text, which take the most, are let go."""
        pieces = find_pieces(characters, self.known)
        found: NDArray[np.uint8] = classify(
            characters, pieces, self.known, self.table, _shift(self.table), self.across_spaces,
            self.sees_words,
        )  # fmt: skip
        return found

    def tokenise_sentence(self, text: str) -> TokenisedText:
        """The tokens of a text that is one sentence."""
        found = self.tokenise(text)
        count = len(found.starts)
        bounds = np.array([0, count] if count else [0], np.int64)
        return TokenisedText(text, found.starts, found.ends, bounds)

    def split(self, text: str) -> list[Sentence]:
        """The sentences of a text, with their words; MISC says where spaces were."""
        tokenised = self.tokenise(text)
        CutNotice().tell_of_tokens(tokenised)
        return list(self.sentences(tokenised))

    def sentences(
        self,
        tokenised: TokenisedText,
        *,
        offset: int = 0,
        numbers: Iterator[int] | None = None,
        location: SourceLocation | None = None,
    ) -> Iterator[Sentence]:
        """Tokenised text as sentences, multiword tokens split.

        `offset` is where the text starts in a longer one, `numbers` gives sentences their
        `sent_id`, if given; `location` is the file and the line in which it starts.
        """
        text, location, counted = tokenised.text, location or NOWHERE, 0
        line, count = location.line, len(tokenised.starts)
        # Sentence by sentence: all tokens of a long block would take thirty times its bytes.
        for a, b in pairwise(tokenised.sentences.tolist()):
            bounds, ends = tokenised.starts[a : b + 1].tolist(), tokenised.ends[a:b].tolist()
            start = bounds[0]
            forms = [text[x:y] for x, y in zip(bounds, ends, strict=False)]
            if b == count:
                bounds.append(len(text))
            after = [text[x:y] for x, y in zip(ends, bounds[1:], strict=True)]
            comments = [f"# sent_id = {next(numbers)}"] if numbers is not None else []
            comments.append(f"# text = {text[start : ends[-1]].translate(_ONE_LINE)}")
            spaces = text[:start] if a == 0 else ""
            if line is not None:
                line, counted = line + text.count("\n", counted, start), start
            here = SourceLocation(location.path, line)
            yield self._sentence(forms, after, spaces, comments, offset + start, here)

    def _sentence(
        self,
        forms: list[str],
        after: list[str],
        before: str,
        comments: list[str],
        start: int,
        location: SourceLocation,
    ) -> Sentence:
        miscs = list(map(_MISC.__getitem__, after))
        if before:
            note = f"SpacesBefore={_escaped(before)}"
            miscs[0] = note if miscs[0] == MISSING else f"{miscs[0]}|{note}"
        words, misc, extras = forms, miscs, []
        split = list(map(self.multiwords.words.__getitem__, forms))
        if any(split):
            words, misc = [], []
            for form, own, inside in zip(forms, miscs, split, strict=True):
                if inside:
                    columns = (form, *[MISSING] * 7, own)
                    first = len(words) + 1
                    extras.append(Multiword(first, len(words) + len(inside), columns, len(words)))
                words += inside or (form,)
                misc += [MISSING] * len(inside) if inside else [own]
        empty = (MISSING,) * len(words)
        return Sentence(
            forms=tuple(words),
            lemmas=empty,
            upos=empty,
            xpos=empty,
            feats=empty,
            heads=(None,) * len(words),
            relations=empty,
            deps=empty,
            misc=tuple(misc),
            comments=tuple(comments),
            extras=tuple(extras),
            path=location.path,
            line=location.line,
            start=start,
        )

    def to_model(self) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
        """Settings and arrays that a model file holds."""
        settings = {
            "across_spaces": self.across_spaces,
            "scale": self.scale,
            "multiwords": self.multiwords.settings(),
        }
        keys, values = self.known
        filled = np.flatnonzero(values >= 0)
        filled = filled[np.argsort(keys[filled])]
        arrays = pack_sparse("table", self.table) | {"known": keys[filled]}
        return settings, arrays | ({"kinds": values[filled]} if self.sees_words else {})

    @classmethod
    def from_model(
        cls, settings: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]
    ) -> "Tokeniser":
        """A tokeniser from what `to_model` gave."""
        stored = stored_settings(StoredTokeniser, settings, "tokeniser")
        table, hashes = unpack_sparse("table", arrays), needed_array(arrays, "known")
        check_array("table", table, np.int8, (None,))
        check_array("known", hashes, np.uint64, (None,))
        lines, rest = divmod(len(table), LINE)
        check_power_of_two("table", 0 if rest else lines, maximum=1 << MOST_BITS)
        kinds = arrays.get("kinds", np.zeros(len(hashes), np.int32))
        check_array("kinds", kinds, np.int32, (len(hashes),))
        check_indices("kinds", kinds, MOST_KINDS)
        return cls(
            table,
            stored.scale,
            map_of(hashes, kinds),
            "kinds" in arrays,
            stored.across_spaces,
            stored.multiwords.multiwords(),
        )


def encode_all(text: str) -> Characters:
    """The characters of a text, as one token."""
    return encode_text(text, np.array([0, len(text)], np.int64))


def _learn(
    characters: Characters,
    gold: NDArray[np.uint8],
    known: HashMap,
    training: TokeniserTraining,
    progress: Progress,
) -> NDArray[np.float32]:
    """The averaged weights after some passes over the text, summed over all members."""
    ends = np.flatnonzero(gold == SENTENCE_END) + 1
    starts = np.concatenate([[0], ends[:-1]])
    pieces, done = find_pieces(characters, known), count(1)
    order = np.stack([starts, ends, np.searchsorted(pieces.ends, starts, side="right")], axis=1)
    found = np.zeros(LINE << training.bits, np.float32)
    for member in range(training.members):
        table, totals, step = np.zeros_like(found), np.zeros(len(found), np.float64), 0
        random = np.random.default_rng(training.seed + member)
        for _ in range(training.epochs):
            step, _ = learn_characters(
                characters, pieces, known, gold, table, totals, _shift(table), step,
                np.float32(training.margin), random.permutation(order), training.words,
            )  # fmt: skip
            progress("tokeniser", next(done), training.members * training.epochs)
        found += (table - totals / max(step, 1)).astype(np.float32)
    return found


def _shift(table: NDArray[Any]) -> np.uint64:
    """By how many bits hashes are shifted to give a line of the table."""
    return np.uint64(64 - (len(table) // LINE).bit_length() + 1)


def _cut(text: str, characters: Characters, classes: NDArray[np.uint8]) -> TokenisedText:
    """Tokens from the classes of characters."""
    ends = np.flatnonzero(classes >= TOKEN_END) + 1
    visible = np.flatnonzero(characters.classes != SPACE)
    # A token starts with the first visible character after the end of the one before it.
    after = np.searchsorted(visible, np.concatenate([[0], ends[:-1]]) if len(ends) else ends)
    starts = visible[after] if len(ends) else ends
    last = np.flatnonzero(classes[ends - 1] == SENTENCE_END) + 1
    bounds = np.concatenate([[0], last]).astype(np.int64)
    cuts = [
        token
        for first, end in pairwise(bounds.tolist())
        for token in range(first + LONGEST_SENTENCE, end, LONGEST_SENTENCE)
    ]
    if cuts:
        bounds = np.sort(np.concatenate([bounds, np.array(cuts, np.int64)]))
    return TokenisedText(text, starts, ends, bounds, tuple(cuts))


class _Misc(dict[str, str]):
    """What MISC says of the spaces after a token, worked out when first met."""

    def __missing__(self, space: str) -> str:
        note = f"SpacesAfter={_escaped(space)}"
        if len(self) < MOST_SPACES and len(space) <= MOST_SPACES:
            self[space] = note
        return note


_MISC = _Misc({" ": MISSING, "": "SpaceAfter=No"})


def _escaped(space: str) -> str:
    return "".join(_ESCAPES.get(letter, letter) for letter in space)


_ONE_LINE = str.maketrans("\n\r\t", "   ")
"""A comment is one line."""
