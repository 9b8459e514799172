"""Sentences with other tags and lemmas, made as fast as they are read."""

from headwise.corpus.sentence import Sentence

Column = tuple[str, ...]


def with_columns(
    sentence: Sentence, lemmas: Column, upos: Column, xpos: Column, feats: Column
) -> Sentence:
    """The same sentence with other tags and lemmas, one for each word.

    It is what `dataclasses.replace` gives, in a third of the time.
    """
    return Sentence(
        sentence.forms,
        lemmas,
        upos,
        xpos,
        feats,
        sentence.heads,
        sentence.relations,
        sentence.deps,
        sentence.misc,
        sentence.comments,
        sentence.extras,
        sentence.layout,
        sentence.path,
        sentence.line,
        sentence.start,
    )
