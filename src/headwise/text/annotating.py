"""Tags and lemmas for sentences that lack them: what a stage does to a batch that has some."""

from collections.abc import Callable, Sequence

from headwise.corpus.sentence import Sentence
from headwise.text.lemmas import Lemmatiser
from headwise.text.tagger import Tagger

Annotator = Callable[[Sequence[Sentence]], Sequence[Sentence]]
"""Gives a batch of sentences tags and lemmas."""


def with_tags(batch: Sequence[Sentence], tagger: Tagger, *, own: bool) -> Sequence[Sentence]:
    """The sentences with tags; those that they have are kept, unless `own` asks for new ones."""
    bare = [own or not has_tags(sentence) for sentence in batch]
    batch = changed(batch, bare, tagger.tag)
    half = [
        not is_tagged and tagger.could_fill(sentence)
        for sentence, is_tagged in zip(batch, bare, strict=True)
    ]
    return changed(batch, half, tagger.fill)


def with_lemmas(
    batch: Sequence[Sentence], lemmatiser: Lemmatiser, *, own: bool
) -> Sequence[Sentence]:
    """Tagged sentences with lemmas; those that they have are kept, unless `own` asks for new."""
    bare = [own or sentence.lacks("lemmas") for sentence in batch]
    return changed(batch, bare, lemmatiser.lemmatise)


def changed(
    batch: Sequence[Sentence], which: Sequence[bool], change: Annotator
) -> Sequence[Sentence]:
    """The sentences; those that `which` marks go through a change together."""
    if not any(which):
        return batch
    if all(which):
        return change(batch)
    new = iter(change([one for one, is_marked in zip(batch, which, strict=True) if is_marked]))
    return [next(new) if is_marked else one for one, is_marked in zip(batch, which, strict=True)]


def has_tags(sentence: Sentence) -> bool:
    """Whether a sentence brings tags of its own."""
    return not (sentence.lacks("upos") and sentence.lacks("xpos"))
