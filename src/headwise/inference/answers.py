"""The questions that can be asked about a sentence, and how the answers are written into it."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from headwise.corpus.projectivise import plain
from headwise.corpus.sentence import MISSING, Sentence, key_of
from headwise.errors import ConstraintError, InputError, UsageError, cut
from headwise.inference.candidates import head_items, relation_items
from headwise.inference.given import ROOTS, given_constraints
from headwise.inference.searcher import Searcher
from headwise.inference.temperatures import Curve, reported
from headwise.scoring.chances import LabelChances
from headwise.search.decoders.base import ScoredTree
from headwise.search.decoders.decodenames import DECODE_NAMES
from headwise.search.decoders.decoding import Decoding
from headwise.storage.settings import check_types

MAX_TREES = 1000
"""Upper limit of k for the k best trees."""

MAP = Decoding()
"""The best tree."""


@dataclass(frozen=True, slots=True)
class ParseOptions:
    """What to compute for each sentence; options can be combined.

    kbest: the k best trees per sentence, with `sent_id` s/1, s/2 … and their scores in comments.
    samples: the number of trees per sentence drawn by their probability, named in the same way.
    marginals: the probability of each chosen head, as `HeadProb` in MISC, and of its relation
        given the tree, as `LabelProb`; those of the tree, `tree_prob` and `labelled_tree_prob`, in
        comments. Models that tag by themselves add that of UPOS, as `TagProb`.
    candidates: all heads and relations of at least this probability, with it, in MISC, most likely
        first: `Heads=2/0.9512,4/0.0301`, and `Relations=obj/0.9012,…` for the head in the tree.
    constraints: heads that are given in the input are kept, and so are relations.
    decoding: how the one tree is made, if it is not the best: by minimum Bayes risk.
    """

    kbest: int | None = None
    marginals: bool = False
    constraints: bool = False
    decoding: Decoding = MAP
    samples: int | None = None
    candidates: float | None = None

    def check(self) -> None:
        """Raise if the options do not fit together."""
        if self is BEST_TREES:
            return
        if not isinstance(self.decoding, Decoding):
            raise UsageError(
                f"decoding must be a Decoding of one of {', '.join(DECODE_NAMES)}, as "
                f"Decoding('mbr') of headwise.search.decoders.decoding, not {self.decoding!r}"
            )
        check_types(self)
        for kbest in (self.kbest, self.decoding.kbest):
            if kbest is not None and not 1 <= kbest <= MAX_TREES:
                raise UsageError(f"kbest must be from 1 to {MAX_TREES}, not {kbest}")
        if self.samples is not None and not 1 <= self.samples <= MAX_TREES:
            raise UsageError(f"samples must be from 1 to {MAX_TREES}, not {self.samples}")
        if self.candidates is not None and not 0 < self.candidates <= 1:
            raise UsageError(
                f"candidates must be a probability above 0 and up to 1, not {self.candidates}"
            )
        self.decoding.check()
        if self.kbest is not None and self.samples is not None:
            raise UsageError("ask for the best trees or for samples: give one of kbest and samples")
        if self.trees is not None and self.decoding != MAP:
            raise UsageError("minimum Bayes risk gives one tree: give kbest or samples to Decoding")

    @property
    def trees(self) -> int | None:
        """The number of trees requested per sentence; None for the single best one."""
        return self.kbest if self.samples is None else self.samples

    @property
    def is_plain(self) -> bool:
        """Whether only the best trees are requested."""
        asked = self.needs_marginals or self.constraints or self.decoding != MAP
        return self.trees is None and not asked

    @property
    def needs_marginals(self) -> bool:
        """Whether probabilities are requested."""
        return self.marginals or self.candidates is not None


BEST_TREES = ParseOptions()
"""The best tree of each sentence, and nothing else."""


def checked_options(options: object) -> ParseOptions:
    """The options of a call, checked; the best trees by default."""
    if options is None:
        return BEST_TREES
    if isinstance(options, Mapping):
        given = ", ".join(f"{name}={value!r}" for name, value in options.items())
        raise UsageError(
            f"options are an object, not a dictionary: headwise.ParseOptions({cut(given)})"
        )
    if not isinstance(options, ParseOptions):
        raise UsageError(
            "options are an object, headwise.ParseOptions(marginals=True, …), not "
            f"{type(options).__name__}"
        )
    options.check()
    return options


BEGINS = re.compile(r"#\s*new(doc|par)\b")
"""Comments that start a document or a paragraph."""


def analyse(
    search: Searcher, encoded: Any, sentence: Sentence, number: int, options: ParseOptions
) -> list[Sentence]:
    """All answers for one sentence; `number` names it if it has no `sent_id`."""
    scores, trees, found = search_trees(search, encoded, sentence, options)
    likely = [0.0] * len(trees)
    if options.marginals:
        shares = search.tree_probabilities(scores, [tree.heads for tree in trees])
        likely = calibrated(shares, search.temperatures.tree_curve, options).tolist()
    kept = kept_relations(sentence, options)
    answers = []
    for rank, tree in enumerate(trees, 1):
        relations = search.relations_of(encoded, tree.heads)[1:]
        answer = under_tree(sentence, tree.heads[1:].tolist(), relations, keep=options.constraints)
        if options.marginals:
            own = found.arc[tree.heads[1:], np.arange(1, len(tree.heads))]
            sure = calibrated(own, search.temperatures.head_curve, options)
            answer = with_probabilities(answer, "HeadProb", sure)
            answer = commented(answer, "tree_prob", f"{likely[rank - 1]:.4g}")
            tag_chances = search.tag_chances(encoded)
            if tag_chances is not None:
                answer = with_probabilities(answer, "TagProb", tag_chances[1:])
            if search.labeller is not None:
                given = [one is not None for one in kept]
                chances = search.labeller.chances(
                    encoded, tree.heads, search.labeller.label_many(encoded, tree.heads)
                )
                answer = with_label_probabilities(answer, chances, likely[rank - 1], given)
        if options.candidates is not None:
            answer = with_items(answer, head_items(found.arc, options.candidates))
            if search.labeller is not None:
                relation_chances = search.labeller.distributions(encoded, tree.heads)
                items = relation_items(relation_chances, kept, options.candidates)
                answer = with_items(answer, items)
        if options.trees is not None:
            answer = ranked(answer, sentence.id or str(number), rank, tree.score)
        answers.append(search.lowered(answer))
    return answers


def search_trees(
    search: Searcher, encoded: Any, sentence: Sentence, options: ParseOptions
) -> tuple[Any, list[ScoredTree], Any]:
    """Scores of a sentence, its best tree or trees, and marginals if they are requested."""
    tokens = encoded.sentence(0)
    try:
        if options.constraints:
            own = search.relations_of(encoded, np.zeros(len(sentence) + 1, np.int64))[1:]
            scores = search.scores_under(tokens, given_constraints(sentence, {*ROOTS, *own}))
        else:
            scores = search.scores_of(tokens)
        if options.samples is not None:
            trees = search.sample(scores, options.samples)
        elif options.kbest is None:  # not k = 1: ties are broken as in plain parsing
            heads = search.decoded(scores, options.decoding)
            trees = [ScoredTree(heads, search.tree_score(scores, heads))]
        else:
            trees = search.kbest(scores, options.kbest)
        return scores, trees, search.marginals(scores) if options.needs_marginals else None
    except ConstraintError as error:
        raise InputError(str(error), sentence.location) from error


def under_tree(
    sentence: Sentence, heads: Sequence[int], relations: Sequence[str], *, keep: bool
) -> Sentence:
    """The sentence with this tree; relations in `keep` replace those of the tree."""
    if keep:
        relations = [
            old if old != MISSING else new if given is None else plain(new)
            for given, old, new in zip(sentence.heads, sentence.relations, relations, strict=True)
        ]
    return sentence.with_tree(heads, relations)


def kept_relations(sentence: Sentence, options: ParseOptions) -> list[str | None]:
    """The given relations to keep: all of them under constraints, otherwise none."""
    return [
        relation if options.constraints and relation != MISSING else None
        for relation in sentence.relations
    ]


def with_items(sentence: Sentence, items: Sequence[str]) -> Sentence:
    """The sentence with one more item in the MISC of each word."""
    misc = (added(old, item) for old, item in zip(sentence.misc, items, strict=True))
    return replace(sentence, misc=tuple(misc))


def calibrated(chances: ArrayLike, curve: Curve, options: ParseOptions) -> NDArray[np.float64]:
    """Probabilities as they are reported; as they are among trees that satisfy constraints."""
    own = np.clip(chances, 0.0, 1.0)
    return own if options.constraints else reported(own, curve)


def with_probabilities(sentence: Sentence, name: str, chances: NDArray[np.float64]) -> Sentence:
    """The sentence with a probability of each word in MISC, under this name."""
    return with_items(sentence, [f"{name}={chance:.4f}" for chance in chances.tolist()])


def with_label_probabilities(
    sentence: Sentence, chances: LabelChances, tree: float, given: Sequence[bool]
) -> Sentence:
    """The sentence with the probability of each relation, given the tree, and that of all.

    Relations that were `given` have probability 1. Where only some were, the probability of the
    others given these is unknown, and so is that of the labelled tree.
    """
    sure = np.where(given, 1.0, chances.words[1:])
    answer = with_probabilities(sentence, "LabelProb", sure)
    if any(given) and not all(given):
        return answer
    together = tree * (1.0 if all(given) else float(np.exp(chances.log_trees[0])))
    return commented(answer, "labelled_tree_prob", f"{together:.4g}")


def commented(sentence: Sentence, key: str, value: str) -> Sentence:
    """The sentence with this comment; it replaces a comment with the same key."""
    kept = [line for line in sentence.comments if key_of(line) != key]
    return replace(sentence, comments=(*kept, f"# {key} = {value}"))


def added(misc: str, item: str) -> str:
    """MISC with this item; it replaces an item with the same name."""
    name = item.partition("=")[0] + "="
    kept = [one for one in misc.split("|") if one != MISSING and not one.startswith(name)]
    return "|".join([*kept, item])


def ranked(sentence: Sentence, name: str, rank: int, score: float) -> Sentence:
    """One of several trees of a sentence: its rank is in `sent_id`, its score in a comment.

    Comments that start a document or paragraph stay with the first tree only.
    """
    if rank > 1:
        kept = [line for line in sentence.comments if not BEGINS.match(line)]
        sentence = replace(sentence, comments=tuple(kept))
    return renamed(sentence, f"{name}/{rank}", f"{score:.9g}")


def renamed(sentence: Sentence, name: str | None, score: str | None = None) -> Sentence:
    """The sentence with another `sent_id`, and with or without a score comment."""
    comments = [line for line in sentence.comments if key_of(line) != "score"]
    place = next((at for at, line in enumerate(comments) if key_of(line) == "sent_id"), None)
    if place is not None:
        del comments[place]
    if name is not None:
        comments.insert(place or 0, f"# sent_id = {name}")
    if score is not None:
        comments.append(f"# score = {score}")
    return replace(sentence, comments=tuple(comments))
