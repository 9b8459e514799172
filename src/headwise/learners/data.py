"""Treebanks as training data: sentences as atoms, gold trees that the search can reach."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from headwise.corpus.projectivise import Encoding, names_in, nested_order, projectivise, reorder
from headwise.corpus.sentence import MISSING, Sentence
from headwise.corpus.tree import is_projective, is_single_rooted, one_root, problems
from headwise.errors import InputError, MismatchError, SourceLocation, TreeError
from headwise.inference.lengths import check_length
from headwise.learners.base import Loss
from headwise.learners.crossing import warn_of_crossing
from headwise.learners.partial import can_complete, check_partial, known_heads, says_roots
from headwise.learners.settings import TrainingSettings
from headwise.scoring.linear.atoms import AtomEncoder, EncodedSentences
from headwise.scoring.linear.labels import (
    LabelInventory,
    Labels,
    has_labels,
    lacks_label,
    learn_inventory,
)
from headwise.search.decoders.base import HeadsArray

PUNCTUATION = "PUNCT"

HANDLE_CROSSING = (
    "to find crossing arcs, train with --decoder non-projective, or with --set crossing=lift-head, "
    "which restores lifted arcs after parsing"
)


@dataclass(frozen=True, slots=True, eq=False)
class TrainingData:
    """Sentences to learn from."""

    encoded: EncodedSentences
    golds: list[HeadsArray]
    costs: list[NDArray[np.float64]]  # what a wrong head of each token costs, and …
    tree_cost: float  # … what any number of them costs
    single_root: bool
    left_out: int
    unpruned: list[NDArray[np.bool_]] | None = None  # arcs that a pruner keeps, and those of gold
    inventory: LabelInventory | None = None  # where labels are learnt with arcs, and …
    labels: list[Labels] | None = None  # … the gold ones
    unlabelled: EncodedSentences | None = None  # sentences without trees, and …
    unlabelled_left_out: int = 0  # … how many were too short or too long

    def __len__(self) -> int:
        return len(self.golds)

    @property
    def words(self) -> int:
        """The number of words."""
        return self.encoded.words

    def arrays(self) -> Iterator[NDArray[Any]]:
        """All that is learnt from."""
        yield from (*self.encoded.arrays(), *self.golds, *self.costs)
        yield from self.labels or ()
        if self.unlabelled is not None:
            yield from self.unlabelled.arrays()


def learnable(
    sentences: Sequence[Sentence], longest: int | None = None, *, partial: bool = False
) -> list[Sentence]:
    """The sentences of at most `longest` words; raise if there are none, or one lacks its tree.

    partial: whether heads may be missing.
    """
    if not sentences:
        raise InputError("there is no sentence to learn from")
    for sentence in sentences:
        check_tree(sentence, partial=partial)
    kept = [one for one in sentences if longest is None or len(one) <= longest]
    if not kept:
        raise InputError(
            f"all {len(sentences)} sentences have more than {longest} words",
            sentences[0].location,
        )
    return kept


def training_data(
    sentences: Sequence[Sentence],
    settings: TrainingSettings,
    encoder: AtomEncoder,
    guides: Sequence[Sentence] | None = None,
) -> TrainingData:
    """Sentences to learn from, prepared as the settings say."""
    if not sentences:
        raise InputError("there is no sentence to learn from")
    check_labels(sentences, settings)
    check_guides(sentences, guides)
    others: Sequence[Sentence | None] = [None] * len(sentences) if guides is None else guides
    kept: list[Sentence] = []
    guiding: list[Sentence] = []
    for sentence, guide in zip(sentences, others, strict=True):
        check_tree(sentence, partial=settings.partial)
        ready = reachable(sentence, settings, guide)
        if ready is not None:
            kept.append(ready[0])
            guiding += [ready[1]] if ready[1] is not None else []
    if settings.decoder == "projective" and settings.crossing == "lift":
        warn_of_crossing([one for one in sentences if one.has_tree], HANDLE_CROSSING)
    if not kept:
        raise InputError(
            f"none of {len(sentences)} sentences can be learnt from: all are too long, lack "
            "relations or heads, or have trees that the settings leave out",
            sentences[0].location,
        )
    golds = [np.array(known_heads(sentence), np.int64) for sentence in kept]
    encoded = encoder.encode(kept, None if guides is None else guiding)
    inventory = labels = None
    if settings.labels == "joint":
        inventory, labels = gold_labels(kept, encoded)
    loss = settings.chosen_learner().tree_loss()
    return TrainingData(
        encoded,
        golds,
        [costs_of(sentence, loss) for sentence in kept],
        float(loss == "complete"),
        one_root(settings.single_root, (one.tolist() for one in golds if says_roots(one))),
        len(sentences) - len(kept),
        inventory=inventory,
        labels=labels,
    )


def gold_labels(
    sentences: Sequence[Sentence], encoded: EncodedSentences
) -> tuple[LabelInventory, list[Labels]]:
    """The labels of a treebank, and for each sentence the numbers of its own."""
    heads = np.array([h for one in sentences for h in (-1, *one.heads)], np.int64)
    inventory = learn_inventory(sentences, encoded, heads)
    labels = inventory.numbers(one.relations for one in sentences)
    labels[heads == 0] = inventory.root  # arcs that were lifted may have other names
    return inventory, np.split(labels, encoded.starts[1:-1])


def check_labels(sentences: Sequence[Sentence], settings: TrainingSettings) -> None:
    """Raise if relations are to be learnt, and there is no sentence to learn them from.

    Labels of a second stage may be missing altogether: then there is no second stage.
    """
    if settings.labels == "none":
        return
    if not has_labels(sentences):
        if settings.labels == "joint":
            message = "there are no relations to learn joint labels from"
            raise InputError(message, sentences[0].location)
        return
    if all(map(lacks_label, sentences)):
        raise InputError(
            "in every sentence a word has no relation, so that there is nothing to learn labels "
            "from: fill in DEPREL, or train heads only (labels: none)",
            SourceLocation(sentences[0].path),
        )


def check_guides(sentences: Sequence[Sentence], guides: Sequence[Sentence] | None) -> None:
    """Raise if guides are not those of the sentences, one each and with the same words."""
    if guides is None:
        return
    for sentence, guide in zip(sentences, guides, strict=False):
        if guide.forms != sentence.forms:
            raise MismatchError("the guide has other words than the sentence", guide.location)
    if len(guides) != len(sentences):
        last = [*sentences, *guides][-1].location
        message = f"{len(guides)} guiding trees for {len(sentences)} sentences"
        raise MismatchError(message, SourceLocation(last.path))


def check_tree(sentence: Sentence, *, partial: bool | None = None) -> None:
    """Raise if a sentence has no tree to learn from or to compare with.

    partial: whether heads may be missing; None if nothing is to be learnt from such trees.
    """
    if not len(sentence):
        raise TreeError("there is no word", sentence.location)
    if not sentence.has_tree:
        if partial:
            check_partial(sentence)
            return
        word = sentence.heads.index(None) + 1
        advice = "" if partial is None else "; --partial learns from trees that lack some heads"
        message = f"word {word} has no head: gold trees are needed here{advice}"
        raise TreeError(message, sentence.location)
    found = problems(known_heads(sentence))
    if found:
        raise TreeError(found[0], sentence.location)


def reachable(
    sentence: Sentence, settings: TrainingSettings, guide: Sentence | None
) -> tuple[Sentence, Sentence | None] | None:
    """The sentence (and its guide) under a tree that the search can find, or None."""
    heads = known_heads(sentence)
    if settings.longest is not None and len(sentence) > settings.longest:
        return None
    if settings.labels == "joint" and lacks_label(sentence):
        return None
    check_length(sentence)
    if not sentence.has_tree:
        projective, root = settings.decoder == "projective", settings.single_root
        found = can_complete(sentence, single_root=root, projective=projective)
        return (sentence, guide) if found else None
    if settings.single_root and not is_single_rooted(heads):
        return None
    if settings.decoder == "non-projective" or is_projective(heads):
        return sentence, guide
    if settings.crossing == "leave-out":
        return None
    if settings.crossing.startswith("lift"):
        return lifted(sentence, settings.encoding), guide
    order = nested_order(heads)
    return reordered(sentence, order), guide and reordered(guide, order)


def lifted(sentence: Sentence, encoding: Encoding) -> Sentence:
    """The sentence under a projective tree, whose relations may say how to undo it.

    What would be said with the help of a missing relation is missing, too.
    """
    heads, relations = projectivise(known_heads(sentence), ["", *sentence.relations], encoding)
    if MISSING in sentence.relations:
        relations = [
            MISSING if MISSING in names_in(relation) else relation for relation in relations
        ]
    return sentence.with_tree(heads[1:], relations[1:])


def reordered(sentence: Sentence, order: Sequence[int]) -> Sentence:
    """The sentence with its words in another order, `order[0]` being the root."""

    def column(values: Sequence[str]) -> list[str]:
        return [values[word - 1] for word in order[1:]]

    moved = reorder([-1, *(head or 0 for head in sentence.heads)], order)[1:]
    known = [sentence.heads[word - 1] is not None for word in order[1:]]
    return Sentence.from_words(
        column(sentence.forms),
        lemmas=column(sentence.lemmas),
        upos=column(sentence.upos),
        xpos=column(sentence.xpos),
        feats=column(sentence.feats),
        heads=[head if is_known else None for head, is_known in zip(moved, known, strict=True)],
        relations=column(sentence.relations),
        location=sentence.location,
    )


def costs_of(sentence: Sentence, loss: Loss) -> NDArray[np.float64]:
    """What a wrong head of each token costs."""
    costs = np.full(len(sentence) + 1, float(loss != "complete"))
    if loss == "no-punctuation":
        costs[1:] = [tag != PUNCTUATION for tag in sentence.upos]
    costs[0] = 0.0
    costs[1:][[head is None for head in sentence.heads]] = 0.0
    return costs
