"""Word similarities as model folders."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from headwise.errors import ModelError, Place
from headwise.settings import from_mapping, to_mapping
from headwise.similarity.words import WordSimilarity
from headwise.storage.modelcard import Row, card_of
from headwise.storage.modelfile import ModelFile, holding_together, load_model, save_model
from headwise.storage.packednames import pack_names, unpack_names

KIND = "similarity"


def save_similarity(
    path: str | Path,
    similarity: WordSimilarity,
    *,
    about: Mapping[str, Any] | None = None,
    force: bool = False,
) -> None:
    """Save word similarities; `about` is what the card shall say besides (the text …)."""
    similarity.similar("")  # something must have been learnt
    settings = {
        "learning": to_mapping(similarity),
        "tokens": similarity.tokens_,
        "about": dict(about or {}),
    }
    arrays: dict[str, NDArray[Any]] = {
        "words": pack_names(similarity.words_),
        "near": similarity.near_,
        "cosine": similarity.cosine_,
    }
    save_model(path, ModelFile(KIND, settings, arrays, card(similarity, settings)), force=force)


def load_similarity(path: str | Path) -> WordSimilarity:
    """Word similarities that were saved."""
    model, place = load_model(path, KIND), Place(str(path))
    with holding_together("similarity", place):
        similarity = from_mapping(WordSimilarity, model.settings["learning"], place)
        tokens = int(model.settings["tokens"])
        words = unpack_names(model.array("words"))
    near, cosine = model.array("near"), model.array("cosine")
    shape = (len(words), similarity.neighbours)
    if (near.shape, cosine.shape) != (shape, shape):
        raise ModelError("its tables have other sizes than its settings say", place)
    if near.dtype != np.int32 or (near.size and not -1 <= near.min() <= near.max() < len(words)):
        raise ModelError("it names similar words that it does not have", place)
    if cosine.dtype != np.float32 or not (cosine >= 0).all() or not (cosine < 1.01).all():
        raise ModelError("its similarities are no cosines", place)
    return similarity.with_words(words, near, cosine, tokens)


def card(similarity: WordSimilarity, settings: Mapping[str, Any]) -> str:
    """The card, in Markdown."""
    rows: list[Row] = [
        ("words", f"{len(similarity.words_):,}"),
        ("tokens of the text", f"{similarity.tokens_:,}"),
        *settings["learning"].items(),
        *settings["about"].items(),
    ]
    return card_of("Words that stand in similar contexts", rows)
