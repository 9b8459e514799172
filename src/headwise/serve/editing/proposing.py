"""What a model proposes for all that a sentence leaves open, exactly under all that is fixed.

Worker processes do this: tasks and answers are plain data.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from headwise.corpus.sentence import MISSING, Sentence, with_columns
from headwise.errors import ConstraintError, HeadwiseError
from headwise.inference.answers import MAP
from headwise.inference.firstorder import first_order
from headwise.inference.treesearch import TreeSearch
from headwise.search.constraints import Constraint, Constraints
from headwise.serve.editing.marks import ROOT, constraints_of

if TYPE_CHECKING:
    from headwise.inference.searcher import Searcher
    from headwise.pipeline.pipeline import Pipeline

Candidate = tuple[Any, float | None]
"""A head or a relation, and its probability, if that is known."""

MOST_SHOWN = 12
LEAST_SHOWN = 0.0005
"""Heads and relations that are less likely are not listed."""

KINDS = ("all", "trees", "tags", "none")
"""What may be proposed."""


@dataclass(frozen=True, slots=True)
class Task:
    """A sentence, and what is to be proposed for it."""

    sentence: Sentence
    kind: str = "all"


@dataclass(frozen=True, slots=True)
class Proposal:
    """A sentence in which nothing is open any more, as far as it was asked for.

    heads, relations: candidates of each word with their probabilities, most likely first, given
        all that is fixed; relations are those to the head that is shown.
    head_probs, relation_probs: of what is shown.
    tree_prob: the probability of the tree among those that satisfy what is fixed.
    is_uncalibrated: whether heads were found by scores that say nothing of probabilities: those of
        the pruner, where heads that cross were fixed. Probabilities of heads are None then.
    """

    sentence: Sentence
    heads: list[list[Candidate]] = field(default_factory=list)
    relations: list[list[Candidate]] = field(default_factory=list)
    head_probs: list[float | None] = field(default_factory=list)
    relation_probs: list[float | None] = field(default_factory=list)
    tree_prob: float | None = None
    is_uncalibrated: bool = False


@dataclass(frozen=True, slots=True)
class Clash:
    """No tree satisfies all that is fixed: `constraints` is a minimal set of what clashes.

    Each is (kind, first, second): ("head", word, head), ("forbidden", word, head) or
    ("bracket", first, last).
    """

    message: str
    constraints: tuple[tuple[str, int, int], ...]


def propose_many(
    pipeline: "Pipeline", tasks: Sequence[Task]
) -> list[Proposal | Clash | HeadwiseError]:
    """What a model proposes for each of some sentences; one cannot spoil another."""
    return [proposed_or_not(pipeline, task) for task in tasks]


def proposed_or_not(pipeline: "Pipeline", task: Task) -> Proposal | Clash | HeadwiseError:
    """What a model proposes for a sentence, or why it cannot."""
    try:
        return propose(pipeline, task.sentence, task.kind)
    except ConstraintError as error:
        return Clash(clash_text(task.sentence, error), tuple(map(plainly, error.constraints)))
    except HeadwiseError as error:
        return error


def propose(pipeline: "Pipeline", given: Sentence, kind: str = "all") -> Proposal:
    """What a model proposes for a sentence."""
    trees, tags = kind in ("all", "trees"), kind in ("all", "tags")
    if pipeline.parser is None or not len(given):
        return Proposal(with_tags(pipeline, given) if tags else given)
    search = pipeline.search()
    tagged = given if pipeline.parser.finds_tags() else with_tags(pipeline, given)
    encoded = search.encode([tagged])
    if pipeline.parser.finds_tags():
        tagged = with_found_tags(pipeline, search, given, encoded)
    shown = tagged if tags else given
    return with_proposed_tree(search, encoded, given, shown) if trees else Proposal(shown)


def with_proposed_tree(
    search: "Searcher", encoded: Any, given: Sentence, shown: Sentence
) -> Proposal:
    """A sentence under the best tree that has all which is fixed, with probabilities."""
    search, scores, is_calibrated = search_under(search, encoded.sentence(0), constraints_of(given))
    heads = search.decoded(scores, MAP)
    found = search.marginals(scores)
    relations = fitting_relations(given, list(search.relations_of(encoded, heads)[1:]))
    tree = search.lowered(shown.with_tree(heads[1:].tolist(), relations))
    shown_heads = np.array([-1, *tree.heads], np.int64)
    words = range(1, len(given) + 1)
    by_word = relation_candidates(search, encoded, heads, given)
    likely = [candidates(found.arc[:, word], range(len(heads))) for word in words]
    if not is_calibrated:
        in_order: list[list[Candidate]] = [[(head, None) for head, _ in row] for row in likely]
        nothing: list[float | None] = [None] * len(words)
        shares = relation_shares(tree, by_word)
        return Proposal(tree, in_order, by_word, nothing, shares, is_uncalibrated=True)
    return Proposal(
        tree,
        likely,
        by_word,
        [rounded(found.arc[shown_heads[word], word]) for word in words],
        relation_shares(tree, by_word),
        rounded(search.tree_probability(scores, found, heads)),
    )


def relation_shares(
    tree: Sentence, candidates_of: Sequence[Sequence[Candidate]]
) -> list[float | None]:
    """The probabilities of the relations that are shown, where they are among the candidates."""
    pairs = zip(tree.relations, candidates_of, strict=True)
    return [dict(row).get(relation) for relation, row in pairs]


def search_under(
    search: "Searcher", tokens: Any, constraints: Constraints
) -> tuple["Searcher", Any, bool]:
    """The search and the scores of trees that satisfy the constraints; whether it is calibrated.

    Heads that cross are looked for by a model of projective trees, too, if people have fixed them:
    all of its trees over arcs are searched then, at the first order.
    """
    try:
        return search, search.scores_under(tokens, constraints), True
    except ConstraintError:
        crossing = first_order(search)
        if crossing is None:
            raise
        scores = crossing.scores_under(tokens, constraints)
        return crossing, scores, not has_pruner(search)


def has_pruner(search: "Searcher") -> bool:
    """Whether a model has a pruner, which `first_order` takes in its place."""
    return isinstance(search, TreeSearch) and search.pruner is not None


def fitting_relations(given: Sentence, found: Sequence[str]) -> list[str]:
    """Relations that are fixed, and those that were found for the others."""
    return [new if old == MISSING else old for old, new in zip(given.relations, found, strict=True)]


def relation_candidates(
    search: "Searcher", encoded: Any, heads: NDArray[np.int64], given: Sentence
) -> list[list[Candidate]]:
    """The likely relations of each word to its head; one that is fixed is certain."""
    if search.labeller is None:
        return [[(ROOT if head == 0 else "dep", 1.0)] for head in heads[1:].tolist()]
    names, chances = search.labeller.distributions(encoded, heads)
    return [candidates(row, names, MOST_SHOWN) for row in chances[1 : len(given) + 1]]


def candidates(
    chances: NDArray[np.float64], names: Sequence[Any], most: int = MOST_SHOWN
) -> list[Candidate]:
    """What is likely, most likely first."""
    order = np.argsort(-chances, kind="stable")[:most].tolist()
    return [(names[i], rounded(chances[i])) for i in order if chances[i] >= LEAST_SHOWN]


def rounded(chance: float) -> float:
    """A probability as it is sent."""
    return round(min(float(chance), 1.0), 4)


def is_complete(sentence: Sentence) -> bool:
    """Whether a sentence leaves nothing open."""
    open_columns = (sentence.lemmas, sentence.upos, sentence.relations)
    return sentence.has_tree and not any(MISSING in column for column in open_columns)


def measure_many(pipeline: "Pipeline", sentences: Sequence[Sentence]) -> list[float]:
    """How certain the model is of each of some sentences, as they stand: see `certainty`."""
    return [certainty(pipeline, sentence) for sentence in sentences]


def certainty(pipeline: "Pipeline", given: Sentence) -> float:
    """The share of heads that are right, as the model expects it; 1 where it has no opinion.

    Heads that the sentence has are judged like those that the model would propose.
    """
    try:
        search = pipeline.search()
        tagged = given if pipeline.parser.finds_tags() else with_tags(pipeline, given)  # type: ignore[union-attr]
        tokens = search.encode([tagged]).sentence(0)
        scores = search.scores_of(tokens)
        best, arc = search.decoded(scores, MAP)[1:].tolist(), search.marginals(scores).arc
    except HeadwiseError:
        return 1.0
    heads = [new if old is None else old for old, new in zip(given.heads, best, strict=True)]
    return rounded(float(np.mean(arc[heads, np.arange(1, len(heads) + 1)])))


def with_tags(pipeline: "Pipeline", given: Sentence) -> Sentence:
    """A sentence with tags and lemmas where it has none, by stages of their own."""
    empty = (MISSING,) * len(given)
    found = given
    if pipeline.tagger is not None and given.count_missing("upos"):
        if given.count_missing("upos") == given.count_missing("xpos") == len(given):
            (found,) = pipeline.tagger.tag([given])
        else:
            bare = with_columns(given, given.lemmas, given.upos, given.xpos, empty)
            (found,) = pipeline.tagger.fill([bare])
    return with_lemmas(pipeline, overlaid(given, found))


def with_found_tags(
    pipeline: "Pipeline", search: "Searcher", given: Sentence, encoded: Any
) -> Sentence:
    """A sentence with tags where it has none, by the parser, and with lemmas."""
    empty = (MISSING,) * len(given)
    bare = with_columns(given, given.lemmas, given.upos, empty, empty)
    (found,) = search.tagged([bare], encoded)
    return with_lemmas(pipeline, overlaid(given, found))


def overlaid(given: Sentence, found: Sentence) -> Sentence:
    """The sentence with the tags that were found for words without UPOS.

    A word whose UPOS is given has all its tags: `_` in its FEATS means that it has no features.
    """
    is_open = [tag == MISSING for tag in given.upos]
    columns: dict[str, Any] = {
        name: tuple(
            new if opened else old
            for opened, old, new in zip(
                is_open, getattr(given, name), getattr(found, name), strict=True
            )
        )
        for name in ("upos", "xpos", "feats")
    }
    return replace(given, **columns)


def with_lemmas(pipeline: "Pipeline", tagged: Sentence) -> Sentence:
    """A sentence with lemmas where it has none."""
    if pipeline.lemmas is None or not tagged.count_missing("lemmas"):
        return tagged
    (found,) = pipeline.lemmas.lemmatise([tagged])
    pairs = zip(tagged.lemmas, found.lemmas, strict=True)
    return replace(tagged, lemmas=tuple(new if old == MISSING else old for old, new in pairs))


def plainly(constraint: object) -> tuple[str, int, int]:
    """A constraint as plain data."""
    assert isinstance(constraint, Constraint)
    if constraint.bracket is not None:
        return "bracket", *constraint.bracket
    arc = constraint.required or constraint.forbidden
    assert arc is not None
    return ("head" if constraint.required else "forbidden"), arc[1], arc[0]


def clash_text(sentence: Sentence, error: ConstraintError) -> str:
    """What clashes, in the words of the sentence."""
    if not error.constraints:
        return str(error)

    def named(word: int) -> str:
        return f"“{sentence.forms[word - 1]}” ({word})" if word else "the root"

    names = []
    for kind, first, second in map(plainly, error.constraints):
        if kind == "bracket":
            names.append(f"{named(first)} to {named(second)} form one subtree")
        else:
            is_not = "" if kind == "head" else " not"
            names.append(f"the head of {named(first)} is{is_not} {named(second)}")
    start, _, _ = str(error).partition(" satisfies")
    return f"{start} has all of this: {'; '.join(names)}"
