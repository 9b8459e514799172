"""A sentence: the ten columns of its words, and everything else its file said.

Columns are kept as in the file: entry `i` of a column belongs to word `i + 1`, and `_` stands
for "not given" in every text column. Only HEAD is turned into numbers, `None` where missing.
"""

from collections.abc import Iterable, Sequence, Sized
from dataclasses import dataclass, field, replace
from operator import attrgetter
from reprlib import repr as shortened
from typing import TYPE_CHECKING, Any

from headwise.corpus.extras import (
    EmptyNode,
    Multiword,
    SurfaceToken,
    find_form,
    has_no_space_after,
    joined,
)
from headwise.corpus.tree import checked_heads, known_heads
from headwise.corpus.wordsequence import WordSequence, read_only
from headwise.errors import InputError, SourceLocation, UsageError, counted, quoted

if TYPE_CHECKING:
    from headwise.corpus.phrases import Phrase
    from headwise.corpus.word import Word


WORDS = "the words of a sentence"
"""What messages call them."""

MISSING = "_"
"""What a text column holds where nothing is given."""


@dataclass(frozen=True, slots=True)
class Layout:
    """What a file's white space was, so that it can be written back to the byte."""

    newline: str = "\n"
    blanks_before: int = 0  # blank lines that stand before the sentence and close no other
    blanks_after: int = 1  # blank lines that close the sentence
    unfinished: bool = False  # the file ended within the last line
    mixed: bool = False  # blank lines end otherwise than rows; they are written alike


STANDARD_LAYOUT = Layout()


COLUMNS = ("forms", "lemmas", "upos", "xpos", "feats", "heads", "relations", "deps", "misc")
"""The columns after the ID, in their order in CoNLL-U."""

CONTENT = (*COLUMNS, "comments", "extras")
"""The fields that a file gives and equality compares."""

all_columns = attrgetter(*COLUMNS)
text_columns = attrgetter(*(name for name in COLUMNS if name != "heads"))
_content = attrgetter(*CONTENT)


@read_only
@dataclass(frozen=True, slots=True, repr=False)
class Sentence(WordSequence):
    """One sentence with all ten columns, multiword rows, empty nodes and comments.

    It is a sequence of its words: `sentence[0]`, `len(sentence)`, `for word in sentence`.
    """

    forms: tuple[str, ...]
    lemmas: tuple[str, ...]
    upos: tuple[str, ...]
    xpos: tuple[str, ...]
    feats: tuple[str, ...]
    heads: tuple[int | None, ...]
    relations: tuple[str, ...]
    deps: tuple[str, ...]
    misc: tuple[str, ...]
    comments: tuple[str, ...] = ()  # whole lines, `#` included
    extras: tuple[Multiword | EmptyNode, ...] = ()  # in file order
    layout: Layout = field(default=STANDARD_LAYOUT, compare=False)
    path: str | None = field(default=None, compare=False)  # the file it was read from …
    line: int | None = field(default=None, compare=False)  # … and the line it starts on
    start: int = field(default=0, compare=False)  # where its text starts in that of its document
    # Its CoNLL-U text as read, and whether all but its tree was checked when it was read. A changed
    # copy made by `dataclasses.replace` inherits neither.
    source: str | None = field(default=None, init=False, compare=False, repr=False)
    checked: bool = field(default=False, init=False, compare=False, repr=False)

    @classmethod
    def from_words(
        cls,
        forms: Sequence[str],
        *,
        lemmas: Sequence[str] | None = None,
        upos: Sequence[str] | None = None,
        xpos: Sequence[str] | None = None,
        feats: Sequence[str] | None = None,
        heads: Sequence[int | None] | None = None,
        relations: Sequence[str] | None = None,
        misc: Sequence[str] | None = None,
        comments: Sequence[str] = (),
        location: SourceLocation | None = None,
        start: int = 0,
    ) -> "Sentence":
        """Make a sentence from the columns one has; the others are left empty."""
        check_text_column(WORDS, forms)
        check_text_column("comments", comments)

        def column(name: str, values: Sequence[str] | None) -> tuple[str, ...]:
            if values is None:
                return (MISSING,) * len(forms)
            return text_column(name, values, len(forms), location)

        given = checked_heads(heads, len(forms), location) if heads is not None else None
        return cls(
            forms=tuple(forms),
            lemmas=column("lemmas", lemmas),
            upos=column("UPOS tags", upos),
            xpos=column("XPOS tags", xpos),
            feats=column("FEATS", feats),
            heads=given if given is not None else (None,) * len(forms),
            relations=column("relations", relations),
            deps=column("DEPS", None),
            misc=column("MISC", misc),
            comments=tuple(comments),
            path=location.path if location else None,
            line=location.line if location else None,
            start=start,
        )

    @property
    def extent(self) -> int:
        """About how many characters it has: its CoNLL-U text if kept, or comments and words."""
        if self.source is not None:
            return len(self.source)
        return sum(map(len, self.comments)) + sum(map(len, self.forms))

    def as_read(self, source: str | None) -> "Sentence":
        """This sentence, marked as read and checked; `source` is its CoNLL-U text, if kept."""
        object.__setattr__(self, "source", source)
        object.__setattr__(self, "checked", True)
        return self

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Sentence):
            return NotImplemented
        return bool(_content(self) == _content(other))

    def __len__(self) -> int:
        return len(self.heads)

    def __repr__(self) -> str:
        name = f" {shortened(self.id)}" if self.id else ""
        return f"<Sentence{name}: {counted(len(self), 'word')}, {shortened(self.text)}>"

    __str__ = __repr__  # part of a text must not pass for the text

    @property
    def multiwords(self) -> tuple[Multiword, ...]:
        """The multiword tokens, in order."""
        return tuple(row for row in self.extras if isinstance(row, Multiword))

    @property
    def empty_nodes(self) -> tuple[EmptyNode, ...]:
        """The empty nodes, in order."""
        return tuple(row for row in self.extras if isinstance(row, EmptyNode))

    @property
    def location(self) -> SourceLocation:
        """Where the sentence starts, for messages."""
        return SourceLocation(self.path, self.line, self.id)

    @property
    def has_tree(self) -> bool:
        """Whether every word has a head."""
        return None not in self.heads

    def count_missing(self, column: str) -> int:
        """The number of words that have nothing in a text column, such as `upos`."""
        values: tuple[str, ...] = getattr(self, column)
        return values.count(MISSING)

    def lacks(self, column: str) -> bool:
        """Whether no word has anything in a text column."""
        return self.count_missing(column) == len(self)

    def comment(self, key: str) -> str | None:
        """The value of the first comment `# key = value`, or None."""
        return comment_value(self.comments, key)

    @property
    def id(self) -> str | None:
        """The `sent_id` comment."""
        return self.comment("sent_id")

    @property
    def text(self) -> str:
        """The `text` comment; where there is none, the words joined by their SpaceAfter."""
        given = self.comment("text")
        return given if given is not None else joined(self.tokens())

    def tokens(self) -> list[SurfaceToken]:
        """The surface tokens: multiword tokens, and the words outside them."""
        starts = {row.first: row for row in self.multiwords}
        tokens, word = [], 1
        while word <= len(self):
            row = starts.get(word)
            if row is None:
                row_form, row_misc, last = self.forms[word - 1], self.misc[word - 1], word
            else:
                row_form, row_misc, last = row.form, row.misc, row.last
            tokens.append(SurfaceToken(row_form, word, last, not has_no_space_after(row_misc)))
            word = last + 1
        return tokens

    def _build_words(self) -> "tuple[Word, ...]":
        from headwise.corpus.word import words_of

        return words_of(self)

    @property
    def root(self) -> "Word | None":
        """The word at the top of the tree (the first of several); None if there is no tree."""
        return self.words[self.heads.index(0)] if 0 in self.heads else None

    @property
    def end(self) -> int:
        """Where its text ends in that of its document, as `start` says where it starts."""
        return self.start + len(self.text)

    def noun_phrases(self) -> "tuple[Phrase, ...]":
        """Nouns, names and pronouns with what belongs to them, found by UD relations."""
        from headwise.corpus.phrases import noun_phrases

        return noun_phrases(self)

    def to_dicts(self) -> list[dict[str, Any]]:
        """A dictionary for each word, as rows of a table."""
        from headwise.corpus.tabular import word_dicts

        return word_dicts([self])

    def conllu(self) -> str:
        """All of it as CoNLL-U."""
        from headwise.corpus.conllu import format_conllu

        return "".join(format_conllu([self]))

    def svg(self) -> str:
        """The tree as an SVG picture."""
        from headwise.draw.svg import svg_tree

        return svg_tree(self)

    def _repr_svg_(self) -> str | None:
        """What a notebook shows: the tree, if there is one."""
        return self.svg() if self.has_tree and len(self) else None

    def _repr_html_(self) -> str | None:
        """The same for notebooks that prefer HTML; a long tree can be scrolled."""
        picture = self._repr_svg_()
        return None if picture is None else f'<div style="overflow-x:auto">{picture}</div>'

    def offsets(self) -> tuple[tuple[int, int], ...]:
        """Where each word starts and ends in `text`; words of a multiword token share its span."""
        text, spans, cursor = self.text, [], 0
        for token in self.tokens():
            span = find_form(text, token.form, cursor)
            if span is None:
                raise InputError(
                    f"word {token.first} {quoted(token.form)} is not at character {cursor} of the "
                    "text",
                    self.location,
                )
            spans.extend([span] * (token.last - token.first + 1))
            cursor = span[1]
        return tuple(spans)

    def with_tree(
        self, heads: Sequence[int | None], relations: Sequence[str] | None = None
    ) -> "Sentence":
        """The same sentence under another tree.

        An enhanced graph that was built on another tree would contradict the new one, so if any
        head or relation changes, DEPS is emptied for all words and empty nodes. Change trees in
        this way: `dataclasses.replace` would leave DEPS as it was.
        """
        count = len(self.forms)
        new_heads = known_heads(heads, count) or checked_heads(heads, count, self.location)
        if relations is None:
            return self.with_found_tree(new_heads, self.relations)
        new_relations = text_column("relations", relations, count, self.location)
        return self.with_found_tree(new_heads, new_relations)

    def with_found_tree(
        self, heads: tuple[int | None, ...], relations: tuple[str, ...]
    ) -> "Sentence":
        """The same as `with_tree`, of a tree that search found: it is not checked again."""
        if heads == self.heads and relations == self.relations:
            return self
        tree = heads, relations, (MISSING,) * len(heads)
        extras = tuple(map(_without_deps, self.extras)) if self.extras else ()
        found = _with(self, self.lemmas, self.upos, self.xpos, self.feats, tree, extras)
        return found.as_read(None) if self.checked else found


def check_text_column(name: str, values: object) -> None:
    """Raise unless these are texts, in a list or the like, as words, tags and relations are."""
    if isinstance(values, str):  # whose items are its characters
        raise UsageError(f"{name} are a list, not one text: split it")
    if not isinstance(values, Sized) or not isinstance(values, Iterable):
        raise UsageError(f"{name} are a list, not {type(values).__name__}")
    for value in values:
        if not isinstance(value, str):
            raise UsageError(f"{name} are text, not {type(value).__name__}")


def text_column(
    name: str, values: Sequence[str], count: int, location: SourceLocation | None
) -> tuple[str, ...]:
    """A text column of `count` words."""
    check_text_column(name, values)
    if len(values) != count:
        raise InputError(f"{len(values)} {name} for {count} words", location)
    return tuple(values)


def _without_deps(row: Multiword | EmptyNode) -> Multiword | EmptyNode:
    """The same row outside any enhanced graph; a multiword token never is in one."""
    if isinstance(row, Multiword):
        return row
    return replace(row, columns=(*row.columns[:7], MISSING, *row.columns[8:]))


def key_of(comment: str) -> str | None:
    """The key of a comment `# key = value`, or None."""
    key, equals, _ = comment[1:].partition("=")
    return key.strip() if equals else None


def comment_value(comments: Sequence[str], key: str) -> str | None:
    """The value of the first comment line `# key = value`, or None."""
    for line in comments:
        name, equals, value = line[1:].partition("=")
        if equals and name.strip() == key:
            return value.removeprefix(" ")
    return None


Column = tuple[str, ...]


def with_columns(
    sentence: Sentence, lemmas: Column, upos: Column, xpos: Column, feats: Column
) -> Sentence:
    """The same sentence with other tags and lemmas, one for each word."""
    tree = sentence.heads, sentence.relations, sentence.deps
    return _with(sentence, lemmas, upos, xpos, feats, tree, sentence.extras)


def _with(
    one: Sentence,
    lemmas: Column,
    upos: Column,
    xpos: Column,
    feats: Column,
    tree: tuple[tuple[int | None, ...], Column, Column],
    extras: tuple[Multiword | EmptyNode, ...],
) -> Sentence:
    """A sentence with other tags, lemmas and extras, and another tree: heads, relations and DEPS.

    It is what `dataclasses.replace` gives, in a third of the time.
    """
    return Sentence(
        one.forms, lemmas, upos, xpos, feats, *tree, one.misc, one.comments, extras,
        one.layout, one.path, one.line, one.start,
    )  # fmt: skip
