"""Attributes that do not exist: the error names the one that was probably meant."""

import difflib

ENTITIES = "named entities are out of scope: Headwise finds tokens, tags, lemmas and trees"

ELSEWHERE = {
    "ancestors": "head", "lefts": "children", "rights": "children",
    "dep": "relation", "dep_": "relation", "deprel": "relation",
    "ent_iob_": ENTITIES, "ent_type": ENTITIES, "ent_type_": ENTITIES, "entities": ENTITIES,
    "ents": ENTITIES, "ner": ENTITIES,
    "head_index": "head_id",
    "i": "id", "index": "id",
    "idx": "start", "start_char": "start", "end_char": "end",
    "lemma_": "lemma", "lower_": "form.lower()", "orth_": "form",
    "noun_chunks": "noun_phrases()",
    "to_disk": "conllu()", "to_json": "to_dicts()",
    "pos": "upos", "pos_": "upos", "tag_": "xpos",
    "sent_id": "id", "dependencies": "words", "is_punct": "upos", "whitespace_": "misc",
    "sent": "sentence", "sents": "sentences", "tokens": "words",
}  # fmt: skip
"""What other libraries (spaCy, Stanza) call an attribute, and what it is here."""


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
    meant = ELSEWHERE.get(name)
    if meant is ENTITIES:
        return f": {meant}"
    if meant is None or meant.partition("(")[0].partition(".")[0] not in known:
        near = difflib.get_close_matches(name, known, n=1)
        meant = near[0] if near else None
    return None if meant is None else f"; did you mean {meant!r}?"
