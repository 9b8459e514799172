"""Models that use tags as features, and sentences without tags."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from headwise.corpus.sentence import MISSING, Sentence, with_columns
from headwise.errors import warn
from headwise.inference.searcher import Searcher

TAG_COLUMNS = {"both": ("upos", "xpos"), "upos": ("upos",), "xpos": ("xpos",), "none": ()}
"""The columns for each value of the setting `tags`."""


def given_columns(sentences: Iterable[Sentence], tags: str) -> list[str]:
    """Those columns of the setting `tags` that are not empty."""
    many = list(sentences)
    return [name for name in TAG_COLUMNS[tags] if not all(s.lacks(name) for s in many)]


def noticing_tags(search: Searcher, sentences: Iterable[Sentence]) -> Iterator[Sentence]:
    """The sentences, with a warning at the first one that lacks tags the model uses."""
    stream = iter(sentences)
    columns = search.tag_columns
    if columns:
        for sentence in stream:
            if len(sentence) and all(map(sentence.lacks, columns)):
                named = " or ".join(name.upper() for name in columns)
                warn(
                    f"the words have no {named} tags, but the parser was trained with tags: its "
                    "trees will be worse; tag them first, or use a model with a tagger",
                    sentence.location,
                )
                yield sentence
                break
            yield sentence
    yield from stream


def with_found_tags(sentence: Sentence, found: Mapping[str, Sequence[str]]) -> Sentence:
    """The sentence with missing tags filled in from `found`, by column.

    UPOS is filled in word by word, XPOS and FEATS only if the whole sentence lacks them.
    """
    columns = {}
    for name in ("upos", "xpos", "feats"):
        own = getattr(sentence, name)
        if name in found and sentence.lacks(name):
            own = tuple(found[name])
        elif name == "upos" and name in found:
            own = tuple(n if o == MISSING else o for o, n in zip(own, found[name], strict=True))
        columns[name] = own
    return with_columns(sentence, sentence.lemmas, **columns)
