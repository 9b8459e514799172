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
    return [proposed_or_not(draft) for draft in drafts(pipeline, tasks)]


def complete_many(pipeline: "Pipeline", batches: Sequence[Sequence[Task]]) -> list[list[Sentence]]:
    """The sentences of batches with all that is proposed for them, or as they are at a clash."""
    return [[completed(draft) for draft in drafts(pipeline, tasks)] for tasks in batches]


def measure_many(pipeline: "Pipeline", batches: Sequence[Sequence[Sentence]]) -> list[list[float]]:
    """How certain the model is of each sentence of some batches, as it stands: see `certainty`."""
    tasks = [[Task(sentence) for sentence in sentences] for sentences in batches]
    return [[certainty(draft) for draft in drafts(pipeline, batch)] for batch in tasks]


@dataclass(frozen=True, slots=True)
class Draft:
    """A sentence that is to be parsed.

    tagged: with all tags and lemmas.
    search, encoded: the model at work, and the sentence as numbers; None if nothing can be parsed.
    """

    task: Task
    tagged: Sentence
    search: "Searcher | None" = None
    encoded: Any = None
    error: HeadwiseError | None = None

    @property
    def shown(self) -> Sentence:
        """The sentence with those tags that are to be proposed."""
        return self.tagged if self.task.kind in ("all", "tags") else self.task.sentence

    def parsed_by(self) -> "Searcher | None":
        """What proposes a tree, if one is to be proposed; raises if the sentence is refused."""
        if self.error is not None:
            raise self.error
        return self.search if self.task.kind in ("all", "trees") else None


def drafts(pipeline: "Pipeline", tasks: Sequence[Task]) -> list[Draft]:
    """Sentences, tagged and encoded together; one by one if one of them is refused."""
    try:
        return drafted(pipeline, tasks)
    except HeadwiseError as error:
        if len(tasks) == 1:
            return [Draft(tasks[0], tasks[0].sentence, error=error)]
        return [draft for task in tasks for draft in drafts(pipeline, [task])]


def drafted(pipeline: "Pipeline", tasks: Sequence[Task]) -> list[Draft]:
    """Sentences, tagged and encoded together."""
    parser, given = pipeline.parser, [task.sentence for task in tasks]
    if parser is None or not all(map(len, given)):
        return [Draft(task, with_tags(pipeline, task.sentence)) for task in tasks]
    search, finds_tags = pipeline.search(), parser.finds_tags()
    tagged = given if finds_tags else [with_tags(pipeline, one) for one in given]
    encoded = search.encode(tagged)
    parts = [encoded.part(n, n + 1) for n in range(len(tasks))]
    if finds_tags:
        pairs = zip(given, parts, strict=True)
        tagged = [with_found_tags(pipeline, search, one, part) for one, part in pairs]
    rows = zip(tasks, tagged, parts, strict=True)
    return [Draft(task, sentence, search, part) for task, sentence, part in rows]


def proposed_or_not(draft: Draft) -> Proposal | Clash | HeadwiseError:
    """What a model proposes for a sentence, or why it cannot."""
    try:
        return proposed(draft)
    except ConstraintError as error:
        given = draft.task.sentence
        return Clash(clash_text(given, error), tuple(map(plainly, error.constraints)))
    except HeadwiseError as error:
        return error


def completed(draft: Draft) -> Sentence:
    """A sentence with all that is proposed for it; as it is if nothing can be."""
    try:
        search = draft.parsed_by()
        return draft.shown if search is None else Found.under(search, draft).tree
    except HeadwiseError:
        return draft.task.sentence


@dataclass(frozen=True, slots=True)
class Found:
    """The best tree of a sentence that has all which is fixed.

    search, scores: what has found it, which may be another search than the model's own.
    """

    search: "Searcher"
    scores: Any
    is_calibrated: bool
    heads: NDArray[np.int64]
    tree: Sentence

    @classmethod
    def under(cls, search: "Searcher", draft: Draft) -> "Found":
        """The best tree; raises if there is none."""
        given, encoded = draft.task.sentence, draft.encoded
        constraints = constraints_of(given)
        search, scores, is_calibrated = search_under(search, encoded.sentence(0), constraints)
        heads = search.decoded(scores, MAP)
        relations = filled(given.relations, search.relations_of(encoded, heads)[1:])
        tree = search.lowered(draft.shown.with_tree(heads[1:].tolist(), relations))
        return cls(search, scores, is_calibrated, heads, tree)


def proposed(draft: Draft) -> Proposal:
    """A sentence under the best tree that has all which is fixed, with probabilities."""
    search = draft.parsed_by()
    if search is None:
        return Proposal(draft.shown)
    best = Found.under(search, draft)
    tree, words = best.tree, range(1, len(best.heads))
    arc = best.search.marginals(best.scores).arc
    heads = [candidates(arc[:, word], range(len(best.heads))) for word in words]
    relations = relation_candidates(best.search, draft.encoded, best.heads, draft.task.sentence)
    pairs = zip(tree.relations, relations, strict=True)
    shares = [dict(row).get(relation) for relation, row in pairs]  # where they are candidates
    if not best.is_calibrated:
        heads = [[(head, None) for head, _ in row] for row in heads]
        return Proposal(tree, heads, relations, [None] * len(words), shares, is_uncalibrated=True)
    shown: list[float | None]
    shown = [rounded(arc[head, word]) for word, head in zip(words, tree.heads, strict=True)]
    tree_prob = rounded(best.search.tree_probabilities(best.scores, [best.heads])[0])
    return Proposal(tree, heads, relations, shown, shares, tree_prob)


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
        crossing = search.over_all_trees()
        if crossing is None:
            raise
        scores = crossing.scores_under(tokens, constraints)
        return crossing, scores, not has_pruner(search)


def has_pruner(search: "Searcher") -> bool:
    """Whether a model has a pruner, which `over_all_trees` takes in its place."""
    return isinstance(search, TreeSearch) and search.pruner is not None


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


def certainty(draft: Draft) -> float:
    """The share of heads that are right, as the model expects it; 1 where it has no opinion.

    Heads that the sentence has are judged like those that the model would propose.
    """
    try:
        search = draft.parsed_by()
        if search is None:
            return 1.0
        scores = search.scores_of(draft.encoded.sentence(0))
        best, arc = search.decoded(scores, MAP)[1:].tolist(), search.marginals(scores).arc
    except HeadwiseError:
        return 1.0
    given = draft.task.sentence.heads
    heads = [new if old is None else old for old, new in zip(given, best, strict=True)]
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
    columns: dict[str, Any] = {}
    for name in ("upos", "xpos", "feats"):
        rows = zip(given.upos, getattr(given, name), getattr(found, name), strict=True)
        columns[name] = tuple(new if tag == MISSING else old for tag, old, new in rows)
    return replace(given, **columns)


def with_lemmas(pipeline: "Pipeline", tagged: Sentence) -> Sentence:
    """A sentence with lemmas where it has none."""
    if pipeline.lemmas is None or not tagged.count_missing("lemmas"):
        return tagged
    (found,) = pipeline.lemmas.lemmatise([tagged])
    return replace(tagged, lemmas=tuple(filled(tagged.lemmas, found.lemmas)))


def filled(given: Sequence[str], found: Sequence[str]) -> list[str]:
    """Values that are given, and those that were found for the others."""
    return [new if old == MISSING else old for old, new in zip(given, found, strict=True)]


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
