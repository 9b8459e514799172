"""Training of parsers of other kinds than most, from files of similar words and of text."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from headwise.corpus.formats import read_sentences
from headwise.corpus.sentence import Sentence
from headwise.errors import UsageError
from headwise.learners.callbacks import TrainingCallback
from headwise.learners.settings import TrainingSettings
from headwise.parameters import parameters_of
from headwise.parsers.boosting.parser import BoostedParser
from headwise.parsers.boosting.settings import BoostingSettings
from headwise.parsers.lexical.parser import LexicalParser, check_similarity
from headwise.parsers.lexical.settings import LexicalSettings
from headwise.parsers.linkmargin.parser import LinkMarginParser
from headwise.parsers.linkmargin.parser import check_similarity as check_link_similarity
from headwise.parsers.linkmargin.settings import LinkMarginSettings
from headwise.text.similarity.words import WordSimilarity

AnySettings = TrainingSettings | LexicalSettings | LinkMarginSettings | BoostingSettings
"""What the parser of a pipeline is trained with, by its kind."""


def read_similarity(path: Path | None, settings: AnySettings) -> WordSimilarity | None:
    """The similar words that the settings need, found missing before long work is done."""
    found = None if path is None else WordSimilarity.load(path)
    if isinstance(settings, LexicalSettings):
        check_similarity(settings, found)
    elif isinstance(settings, LinkMarginSettings):
        check_link_similarity(settings, found)
    elif found is not None:
        raise UsageError("similar words are for --learner lexical or link-margin")
    return found


def train_lexical(
    settings: LexicalSettings,
    sentences: Sequence[Sentence],
    dev: Sequence[Sentence] | None,
    similarity: WordSimilarity | None,
) -> LexicalParser:
    """Train a lexical parser. It takes seconds: there are no checkpoints and no log."""
    parser = LexicalParser(**parameters_of(settings))
    return parser.fit(sentences, dev, similarity=similarity)


def train_links(
    settings: LinkMarginSettings,
    sentences: Sequence[Sentence],
    dev: Sequence[Sentence] | None,
    similarity: WordSimilarity | None,
    *,
    text: Path | None,
    checkpoint: Path,
    resume: bool,
    callback: TrainingCallback,
) -> LinkMarginParser:
    """Train a parser of links; the words of `text` are counted, too."""
    parser = LinkMarginParser(**parameters_of(settings))
    return parser.fit(
        sentences,
        dev,
        similarity=similarity,
        text=() if text is None else words_in(text),
        checkpoint=checkpoint,
        resume=resume,
        callback=callback,
    )


def train_boosted(
    settings: BoostingSettings,
    sentences: Sequence[Sentence],
    dev: Sequence[Sentence] | None,
    *,
    jobs: int,
    checkpoint: Path,
    resume: bool,
    callback: TrainingCallback,
) -> BoostedParser:
    """Train a boosted parser."""
    parser = BoostedParser(**parameters_of(settings))
    return parser.fit(
        sentences, dev, jobs=jobs, checkpoint=checkpoint, resume=resume, callback=callback
    )


def words_in(path: Path) -> Iterator[Sequence[str]]:
    """The words of sentences of whatever format the name of a file says, one after the other."""
    return (sentence.forms for sentence in read_sentences(path))
