"""Pipelines of spaCy with a small model in them."""

import pytest

spacy = pytest.importorskip("spacy", reason="spaCy is not installed (headwise[spacy])")


@pytest.fixture
def nlp(toy_model):
    """English with Headwise after spaCy's tokenizer."""
    made = spacy.blank("en")
    made.add_pipe("headwise", config={"model": str(toy_model)})
    return made
