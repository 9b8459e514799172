"""Word similarities as model folders."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from headwise.errors import SourceLocation, UsageError
from headwise.storage.arraychecks import check_array, check_indices, check_weights
from headwise.storage.modelcard import Row, card_of
from headwise.storage.modelfile import ModelFile, reporting_damage
from headwise.storage.packednames import pack_names, unpack_names
from headwise.storage.settings import to_mapping
from headwise.storage.storedsettings import stored_settings
from headwise.text.similarity.words import WordSimilarity

KIND = "similarity"
MOST_SIMILAR = 1.01
"""A cosine, as rounding may leave it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredSimilarity:
    """What a model says of word similarities."""

    learning: WordSimilarity
    tokens: int
    about: dict[str, Any]

    def check(self) -> None:
        """Raise if a value has no meaning."""
        if self.tokens < 0:
            raise UsageError(f"tokens must be 0 or more, not {self.tokens}")


def to_model(similarity: WordSimilarity, about: Mapping[str, Any] | None) -> ModelFile:
    """Word similarities as a model; `about` is what the card shall say besides (the text …)."""
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
    return ModelFile(KIND, settings, arrays, card(similarity, settings))


def of_model(model: ModelFile, location: SourceLocation) -> WordSimilarity:
    """The word similarities that a model is; `location` is for messages."""
    with reporting_damage("similarity", location):
        settings = stored_settings(StoredSimilarity, model.settings, "similarity")
        words = unpack_names(model.array("words"))
        near, cosine = model.array("near"), model.array("cosine")
        shape = (len(words), settings.learning.neighbours)
        check_array("near", near, np.int32, shape)
        check_array("cosine", cosine, np.float32, shape)
        check_indices("near", near, len(words), minimum=-1)
        check_weights("cosine", cosine, 0.0, MOST_SIMILAR)
        return settings.learning.with_words(words, near, cosine, settings.tokens)


def card(similarity: WordSimilarity, settings: Mapping[str, Any]) -> str:
    """The card, in Markdown."""
    rows: list[Row] = [
        ("words", f"{len(similarity.words_):,}"),
        ("tokens of the text", f"{similarity.tokens_:,}"),
        *settings["learning"].items(),
        *settings["about"].items(),
    ]
    return card_of("Words that stand in similar contexts", rows)
