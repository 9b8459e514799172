"""File-level functions behind `headwise constituency`."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from headwise.constituency.candidates import CandidateList, check_words
from headwise.constituency.mbr import mbr_predict, mbr_rerank
from headwise.constituency.nbest import read_nbest
from headwise.constituency.parser import ConstituencyParser
from headwise.constituency.parseval import score_trees
from headwise.corpus.brackets import read_brackets
from headwise.corpus.constituents import Tree, remove_traces
from headwise.corpus.files import read_lines, source_name
from headwise.corpus.formats import read_sentences
from headwise.corpus.sentence import Sentence
from headwise.errors import InputError, LimitError, UsageError
from headwise.reranking.rows import check_as_many
from headwise.search.decoders.decodenames import DecodeName, decode_name
from headwise.search.probabilities import TunedScale, candidate_probabilities, tune_scale

NO_BREAK_SPACE = "\xa0"
"""Replaces a space within a word, which brackets cannot contain."""

LONGEST = 400
"""Default length limit in words: parsing takes O(n³) time."""


def read_trees(*paths: str | Path) -> Iterator[Tree]:
    """The trees of bracket files, in order."""
    for path in paths:
        yield from read_brackets(read_lines(path), source_name(path))


def parse_file(
    parser: ConstituencyParser,
    path: str | Path,
    k: int,
    *,
    tags: str | None = None,
    format_name: str | None = None,
    longest: int = LONGEST,
) -> Iterator[CandidateList]:
    """The k best trees of every sentence of a file; tags: the column to use (xpos or upos).

    A sentence of more than `longest` words is an error.
    """
    if tags not in (None, "xpos", "upos"):
        raise UsageError(f"tags must be xpos or upos, not {tags!r}")
    for number, sentence in enumerate(read_sentences(path, format_name), 1):
        if len(sentence) > longest:
            raise LimitError(
                f"the sentence has {len(sentence)} words, more than the limit of {longest}: split "
                "it, or raise the limit (--longest)",
                sentence.location,
            )
        given = None if tags is None else tags_of(sentence, tags)
        forms = [form.replace(" ", NO_BREAK_SPACE) for form in sentence.forms]
        yield parser.kbest(forms, k, given, sentence.id or str(number))


def tags_of(sentence: Sentence, column: str) -> list[str]:
    """The tags of a sentence, none of which may be missing."""
    tags = list(getattr(sentence, column))
    if "_" in tags or "" in tags:
        missing = next(at for at, tag in enumerate(tags, 1) if tag in ("_", ""))
        message = f"word {missing} has no {column.upper()}; parse without --tags"
        raise InputError(message, sentence.location)
    return tags


def decide(candidates: CandidateList, decode: DecodeName, scale: float = 1.0) -> Tree:
    """The tree chosen from a candidate list: the most probable, or minimum Bayes risk."""
    if decode_name(decode) == "map":
        return candidates.best
    choose = mbr_rerank if decode == "mbr-rerank" else mbr_predict
    return choose(candidates, candidate_probabilities(candidates.scores, scale)).tree


def decide_file(
    path: str | Path, decode: DecodeName, scale: float = 1.0, format_name: str | None = None
) -> Iterator[Tree]:
    """The trees chosen for every sentence of a file of candidate lists."""
    for candidates in read_nbest(path, format_name):
        yield decide(candidates, decode, scale)


def check_pairs(lists: Sequence[CandidateList], gold: Sequence[Tree]) -> None:
    """Raise unless candidate lists and gold trees are of the same sentences."""
    check_as_many(lists, gold)
    for candidates, right in zip(lists, gold, strict=True):
        bare = remove_traces(right)
        if bare is not None:
            leaves = list(bare.leaves())
            check_words(leaves, candidates.trees[0], candidates.sentence_id, "the gold tree")


def tune_decoder(
    lists: Iterable[CandidateList], gold: Iterable[Tree], decode: DecodeName
) -> TunedScale:
    """The scale of the scores with the best F1 on development data, for this decoder."""
    kept, right = list(lists), list(gold)
    check_pairs(kept, right)

    def f1(scale: float) -> float:
        trees = (decide(candidates, decode, scale) for candidates in kept)
        return float(score_trees(right, trees).ratios().ratios()[2])

    return tune_scale(f1)
