"""What a sentence and a document share: they are sequences of their words, and read-only.

Where an attribute does not exist or cannot be set, the error says what was probably meant.
"""

import difflib
from collections.abc import Iterator
from dataclasses import FrozenInstanceError
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar, overload

if TYPE_CHECKING:
    from headwise.corpus.word import Word


T = TypeVar("T")


def by_name(named: dict[str, str]) -> dict[str, str]:
    """What is said of names, by name."""
    return {name: said for said, names in named.items() for name in names.split()}


EXPLAINED = by_name(
    {
        "named entities are out of scope: Headwise finds tokens, tags, lemmas and trees": (
            "ent_iob_ ent_type ent_type_ entities ents ner"
        ),
        "sentence.svg() draws a tree as a picture, headwise.draw_tree(sentence) as text": (
            "draw print_dependencies render show tree"
        ),
        "form has Python's methods of strings: word.form.isalpha()": (
            "is_alpha is_digit is_lower is_title is_upper like_num shape_"
        ),
        "the stages of a pipeline are its attributes tokeniser, tagger, lemmas and parser": (
            "add_pipe components pipe_names pipeline processors remove_pipe"
        ),
        "Headwise has no list of stop words": "is_stop",
        "words have no vectors here": "has_vector similarity vector vocab",
        "words and sentences do not know their document": "doc document",
        "word.sentence[word.id] is the word after it": "nbor",
        "word.subtree has it and the words below it, in their order": "left_edge right_edge",
        "from headwise.evaluate import evaluate; evaluate(gold, system) compares sentences": (
            "evaluate score"
        ),
        "parsers have fit(); `headwise train` trains whole pipelines": "fit train update",
        "pipelines have save(path), documents conllu()": "to_disk",
        "`headwise info` describes a model": "lang meta",
        "call the pipeline: nlp(text)": "parse predict process",
    }
)
"""Attributes of other libraries (spaCy, Stanza) without a counterpart, and what to do instead."""

ELSEWHERE = by_name({
    "head": "ancestors", "children": "lefts rights n_lefts n_rights",
    "relation": "dep dep_ deprel", "head_id": "head_index", "id": "i index sent_id",
    "start": "idx start_char", "end": "end_char",
    "lemma": "lemma_", "form": "orth_ text_with_ws", "form.lower()": "lower_",
    "noun_phrases()": "noun_chunks", "to_dicts()": "to_json",
    "upos": "pos pos_ is_punct", "xpos": "tag_", "misc": "whitespace_",
    "words": "dependencies tokens", "sentence": "sent", "sentences": "sents",
})  # fmt: skip
"""What other libraries (spaCy, Stanza) call an attribute, and what it is here."""


def read_only(cls: type[T]) -> type[T]:
    """A frozen dataclass whose error says how to make changed copies; goes above `@dataclass`.

    With slots, Python's own error for an attribute that is not a field is a `TypeError` about
    `super`.
    """

    def refuse(self: object, name: str, *_: object) -> NoReturn:
        raise FrozenInstanceError(
            f"documents, sentences and words are read-only: {type(self).__name__}.{name} cannot "
            "be set; `sentence.with_tree(…)` and `dataclasses.replace(sentence, …)` give changed "
            "copies"
        )

    cls.__setattr__ = cls.__delattr__ = refuse  # type: ignore[method-assign]
    return cls


def unknown_attribute(owner: object, name: str) -> AttributeError:
    """The error for an attribute that `owner` does not have."""
    said = f"{type(owner).__name__} has no attribute {name!r}"
    hint = None if name.startswith("_") else hint_for(owner, name)
    error = AttributeError(f"{said}{hint}" if hint else said)
    error.name = name  # and not `obj`: Python would add a suggestion of its own
    return error


def hint_for(owner: object, name: str) -> str | None:
    """What was probably meant, if anything comes near it."""
    known = [one for one in dir(type(owner)) if not one.startswith("_")]
    if name in known:  # it is there, and could not be worked out
        return None
    if name in EXPLAINED:
        return f": {EXPLAINED[name]}"
    meant = ELSEWHERE.get(name, name)
    for one in (meant, f"{meant}s"):  # a sentence has the columns of its words
        if attribute_of(one) in known:
            return f"; did you mean {one!r}?"
    if isinstance(owner, WordSequence):
        from headwise.corpus.word import Word

        if hasattr(Word, attribute_of(meant)):
            return f": its words have {meant!r}"
    near = [] if name in ELSEWHERE else difflib.get_close_matches(name, known, n=1)
    return f"; did you mean {near[0]!r}?" if near else None


def attribute_of(expression: str) -> str:
    """The attribute that `form.lower()` begins with."""
    return expression.partition("(")[0].partition(".")[0]


class WordSequence:
    """A sequence of words that are built when first asked for.

    They are kept outside the fields of the dataclasses under this class, so that they are not
    compared, pickled or copied.
    """

    __slots__ = ("_words",)
    _words: "tuple[Word, ...]"

    def _build_words(self) -> "tuple[Word, ...]":
        raise NotImplementedError

    @property
    def words(self) -> "tuple[Word, ...]":
        """The words: each knows its columns, its position in the text and its neighbours."""
        try:
            return self._words
        except AttributeError:  # the first time
            object.__setattr__(self, "_words", self._build_words())
            return self._words

    def __iter__(self) -> "Iterator[Word]":
        return iter(self.words)

    @overload
    def __getitem__(self, index: int) -> "Word": ...
    @overload
    def __getitem__(self, index: slice) -> "tuple[Word, ...]": ...
    def __getitem__(self, index: int | slice) -> "Word | tuple[Word, ...]":
        """A word, counted from 0, or a slice of the words."""
        return self.words[index]

    def to_pandas(self: Any) -> Any:
        """A data frame of its words, a row each."""
        from headwise.integrations.frames import to_pandas

        return to_pandas(self)

    def to_spacy(self: Any, vocab: Any = None) -> Any:
        """A Doc of spaCy, by default over a new vocabulary."""
        from headwise.integrations.spacy import to_spacy

        return to_spacy(self, vocab)

    def to_networkx(self: Any) -> Any:
        """A directed graph of NetworkX: arcs from heads to dependents."""
        from headwise.integrations.graphs import to_networkx

        return to_networkx(self)

    def to_nltk(self: Any) -> Any:
        """A DependencyGraph of NLTK for a sentence; a list of them for a document."""
        from headwise.integrations.graphs import to_nltk

        return to_nltk(self)

    def to_displacy(self: Any) -> Any:
        """What `displacy.render(…, manual=True)` draws: words and arcs, for each sentence."""
        from headwise.integrations.graphs import to_displacy

        return to_displacy(self)

    def __getattr__(self, name: str) -> object:
        """Name the attribute that was probably meant."""
        raise unknown_attribute(self, name)
