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

ENTITIES = "named entities are out of scope: Headwise finds tokens, tags, lemmas and trees"

DRAWN = "sentence.svg() draws a tree as a picture, headwise.draw_tree(sentence) as text"
FLAGS = "form has Python's methods of strings: word.form.isalpha()"
STAGES = "the stages of a pipeline are its attributes tokeniser, tagger, lemmas and parser"

EXPLAINED = {
    **dict.fromkeys(("ent_iob_", "ent_type", "ent_type_", "entities", "ents", "ner"), ENTITIES),
    **dict.fromkeys(("draw", "print_dependencies", "render", "show", "tree"), DRAWN),
    **dict.fromkeys(
        ("is_alpha", "is_digit", "is_lower", "is_title", "is_upper", "like_num", "shape_"), FLAGS
    ),
    **dict.fromkeys(
        ("add_pipe", "components", "pipe_names", "pipeline", "processors", "remove_pipe"), STAGES
    ),
    "is_stop": "Headwise has no list of stop words",
    **dict.fromkeys(("has_vector", "similarity", "vector", "vocab"), "words have no vectors here"),
    **dict.fromkeys(("doc", "document"), "words and sentences do not know their document"),
    "nbor": "word.sentence[word.id] is the word after it",
    **dict.fromkeys(
        ("left_edge", "right_edge"), "word.subtree has it and the words below it, in their order"
    ),
    **dict.fromkeys(
        ("evaluate", "score"),
        "from headwise.evaluate import evaluate; evaluate(gold, system) compares sentences",
    ),
    **dict.fromkeys(
        ("fit", "train", "update"), "parsers have fit(); `headwise train` trains whole pipelines"
    ),
    "to_disk": "pipelines have save(path), documents conllu()",
    **dict.fromkeys(("lang", "meta"), "`headwise info` describes a model"),
    **dict.fromkeys(("parse", "predict", "process"), "call the pipeline: nlp(text)"),
}
"""Attributes of other libraries (spaCy, Stanza) without a counterpart, and what to do instead."""

ELSEWHERE = {
    "ancestors": "head", "lefts": "children", "rights": "children",
    "n_lefts": "children", "n_rights": "children",
    "dep": "relation", "dep_": "relation", "deprel": "relation",
    "head_index": "head_id",
    "i": "id", "index": "id",
    "idx": "start", "start_char": "start", "end_char": "end",
    "lemma_": "lemma", "lower_": "form.lower()", "orth_": "form", "text_with_ws": "form",
    "noun_chunks": "noun_phrases()",
    "to_json": "to_dicts()",
    "pos": "upos", "pos_": "upos", "tag_": "xpos",
    "sent_id": "id", "dependencies": "words", "is_punct": "upos", "whitespace_": "misc",
    "sent": "sentence", "sents": "sentences", "tokens": "words",
}  # fmt: skip
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
