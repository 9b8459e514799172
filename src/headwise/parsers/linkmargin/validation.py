"""β by cross-validation: the value whose links are right most often in sentences left out."""

from collections.abc import Callable, Sequence

import numpy as np

from headwise.corpus.sentence import Sentence
from headwise.errors import InputError
from headwise.parsers.linkmargin.association import Association
from headwise.parsers.linkmargin.data import MarginData, margin_data
from headwise.parsers.linkmargin.programme import Iterate
from headwise.parsers.linkmargin.search import LinkModel, LinkSearch
from headwise.parsers.linkmargin.settings import LinkMarginSettings
from headwise.parsers.linkmargin.solving import Saved, solve
from headwise.parsers.unlabelled import accuracies
from headwise.text.similarity.words import WordSimilarity

NEAR = 0.02
"""Folds are solved as far as this gap: near enough to tell values of β apart."""


def link_model(
    data: MarginData, at: Iterate, settings: LinkMarginSettings, association: Association | None
) -> LinkModel:
    """The weights of an iterate as a model, as exact as its file will hold them."""
    pair = at.weights.pair.astype(np.float32).astype(np.float64)
    return LinkModel(
        data.lexicon,
        data.table,
        at.weights._replace(pair=pair),
        association,
        data.single_root,
        settings.neighbours,
        settings.lowercase,
    )


def check_folds(sentences: Sequence[Sentence], settings: LinkMarginSettings) -> None:
    """Raise if there are fewer sentences than folds."""
    if len(sentences) < settings.folds:
        raise InputError(
            f"there are {len(sentences)} sentences to learn from, too few for a "
            f"cross-validation with {settings.folds} folds: give more, fewer folds, or one beta",
            sentences[0].location,
        )


def validated(
    sentences: Sequence[Sentence],
    settings: LinkMarginSettings,
    similarity: WordSimilarity | None,
    association: Association | None,
    saved: Saved,
    save: Callable[[], None],
) -> dict[str, list[float]]:
    """Undirected accuracy on every fold, learnt from the others, for each β, as text.

    Those that were saved are not done again; `save` is called after each fold. IN/OUT saved.
    """
    check_folds(sentences, settings)
    for fold in range(settings.folds):
        missing = [one for one in settings.betas if len(saved.validation.get(str(one), [])) <= fold]
        if not missing:
            continue
        others = [one for place, one in enumerate(sentences) if place % settings.folds != fold]
        held_out = list(sentences[fold :: settings.folds])
        data = margin_data(others, settings, similarity, association)
        for beta in missing:
            programme = data.programme(settings, beta)
            at = solve(data, programme, settings, tolerance=max(settings.tolerance, NEAR))
            search = LinkSearch(link_model(data, at, settings, association))
            own = accuracies(held_out, search.parse_many(held_out))[1]
            saved.validation.setdefault(str(beta), []).append(own)
        save()
    return saved.validation
