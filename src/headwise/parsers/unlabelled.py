"""What parsers have in common that find heads and no relations, in scikit-learn's manners."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Self

from headwise.corpus.documents import all_sentences
from headwise.corpus.projectivise import projectivise
from headwise.corpus.sentence import Sentence
from headwise.corpus.tree import heads_array, is_projective
from headwise.errors import InputError
from headwise.inference.searcher import Searcher
from headwise.learners.crossing import warn_of_crossing
from headwise.learners.data import check_tree
from headwise.parameters import parameters_of, set_parameters
from headwise.storage.modelfile import Storage

ONLY_PROJECTIVE = (
    "parsers of this learner are always projective; of the others, --decoder non-projective finds "
    "crossing arcs"
)


class UnlabelledParser(ABC):
    """It parses by what it has learnt, and says how good it is."""

    report_: dict[str, Any]
    finds_relations = False

    @abstractmethod
    def search(self) -> Searcher:
        """The trained model at work."""

    @classmethod
    @abstractmethod
    def storage(cls) -> Storage[Any]:
        """How it becomes a model, and comes back."""

    def save(
        self, path: str | Path, *, about: dict[str, Any] | None = None, force: bool = False
    ) -> None:
        """Save what was learnt as a model folder; `about` is for its card (the treebank …)."""
        self.storage().save(path, self, about=about, force=force)

    @classmethod
    def load(cls, path: str | Path) -> Self:
        """A parser that was saved."""
        storage: Storage[Self] = cls.storage()
        return storage.load(path)

    def predict(self, sentences: Iterable[Sentence | Sequence[str]]) -> list[Sentence]:
        """The sentences under their best trees."""
        given = [
            words if isinstance(words, Sentence) else Sentence.from_words(words)
            for words in sentences
        ]
        return self.search().parse_many(given)

    def score(self, sentences: Iterable[Sentence]) -> float:
        """The share of words with the right head, from 0 to 1."""
        return self.scores(sentences)["uas"]

    def scores(self, sentences: Iterable[Sentence]) -> dict[str, float]:
        """The share of words with the right head (`uas`), and of links either way (`undirected`).

        From 0 to 1, over all words; `headwise.evaluate.evaluate` has more to say.
        """
        golds = list(all_sentences(sentences))
        if not golds:
            raise InputError("there is no sentence to score")
        for sentence in golds:
            check_tree(sentence)
        uas, undirected = accuracies(golds, self.predict(golds))
        return {"uas": uas, "undirected": undirected}

    def get_params(self, deep: bool = True) -> dict[str, Any]:  # noqa: ARG002, RUF100
        """The parameters as they were given."""
        return parameters_of(self)

    def set_params(self, **parameters: Any) -> Self:
        """Change parameters; they count from the next `fit` on."""
        set_parameters(self, parameters)
        return self


def accuracies(gold: Sequence[Sentence], found: Sequence[Sentence]) -> tuple[float, float]:
    """The shares of words with the right head, and of links that are right either way round."""
    right = linked = 0
    for one, own in zip(gold, found, strict=True):
        links = {frozenset(link) for link in enumerate(one.heads, 1)}
        right += sum(h == g for h, g in zip(one.heads, own.heads, strict=True))
        linked += sum(frozenset(link) in links for link in enumerate(own.heads, 1))
    words = sum(map(len, gold))
    return right / words, linked / words


def learnt_from(sentences: Sequence[Sentence], longest: int | None) -> list[Sentence]:
    """The sentences that are learnt from: those that are not too long; all must have trees."""
    if not sentences:
        raise InputError("there is no sentence to learn from")
    for sentence in sentences:
        check_tree(sentence)
    kept = [one for one in sentences if longest is None or len(one) <= longest]
    if not kept:
        raise InputError(
            f"all {len(sentences)} sentences have more than {longest} words",
            sentences[0].location,
        )
    warn_of_crossing(kept, ONLY_PROJECTIVE)
    return kept


def projective_heads(sentence: Sentence) -> list[int]:
    """The tree of a sentence, its crossing arcs lifted."""
    heads = heads_array([head for head in sentence.heads if head is not None])
    if is_projective(heads):
        return heads
    return projectivise(heads, [""] * len(heads), "none")[0]
