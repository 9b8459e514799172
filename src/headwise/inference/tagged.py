"""Models that have learnt to look at tags, and sentences that have none."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from headwise.corpus.sentence import MISSING, Sentence, is_given, with_columns
from headwise.errors import warn
from headwise.inference.searcher import Searcher

TAG_COLUMNS = {"both": ("upos", "xpos"), "upos": ("upos",), "xpos": ("xpos",), "none": ()}
"""The columns that a choice of tags stands for."""


def given_columns(sentences: Iterable[Sentence], tags: str) -> list[str]:
    """The columns of a choice of tags that hold any."""
    many = list(sentences)
    return [name for name in TAG_COLUMNS[tags] if any(is_given(getattr(s, name)) for s in many)]


def noticing_tags(search: Searcher, sentences: Iterable[Sentence]) -> Iterator[Sentence]:
    """The sentences; there is a warning at the first without tags, if the model looks at some."""
    stream = iter(sentences)
    columns = search.tag_columns
    if columns:
        for sentence in stream:
            if len(sentence) and all(map(sentence.lacks, columns)):
                _warn_of_tags(sentence, columns)
                yield sentence
                break
            yield sentence
    yield from stream


def _warn_of_tags(sentence: Sentence, columns: Sequence[str]) -> None:
    named = " or ".join(name.upper() for name in columns)
    where = f"{sentence.location}: " if str(sentence.location) else ""
    message = (
        f"{where}the words have no {named} tags, but the parser was trained with tags: its "
        "trees will be worse; tag them first, or use a model with a tagger"
    )
    warn(message)


def with_found_tags(sentence: Sentence, found: Mapping[str, Sequence[str]]) -> Sentence:
    """A sentence with tags where it has none, by column.

    UPOS is filled in word by word; XPOS and FEATS where the sentence has none.
    """
    columns = {}
    for name in ("upos", "xpos", "feats"):
        own = getattr(sentence, name)
        if name in found and not is_given(own):
            own = tuple(found[name])
        elif name == "upos" and name in found:
            own = tuple(n if o == MISSING else o for o, n in zip(own, found[name], strict=True))
        columns[name] = own
    return with_columns(sentence, sentence.lemmas, **columns)
