"""From files to files: what the command line does, as functions."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from headwise.constituency.candidates import CandidateList, check_words
from headwise.constituency.conventions import Conventions
from headwise.constituency.mbr import mbr_predict, mbr_rerank
from headwise.constituency.nbest import read_nbest
from headwise.constituency.parser import ConstituencyParser
from headwise.constituency.parseval import score_trees
from headwise.corpus.brackets import read_brackets
from headwise.corpus.constituents import Tree, remove_traces
from headwise.corpus.files import read_lines, source_name
from headwise.corpus.formats import read_sentences
from headwise.corpus.sentence import Sentence
from headwise.errors import InputError, LimitError, MismatchError, UsageError
from headwise.search.decoders.decodenames import DecodeName, decode_name
from headwise.search.probabilities import TunedScale, candidate_probabilities, tune_scale

NO_BREAK_SPACE = "\xa0"
"""What stands for a space within a word: brackets cannot hold one."""

LONGEST = 400
"""Words of the longest sentence that is parsed, if nothing is said: search grows as n³."""


def read_trees(*paths: str | Path) -> Iterator[Tree]:
    """The trees of bracket files, one after the other."""
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
    """The k best trees of every sentence of a file; tags: a column (xpos, upos) to keep.

    A sentence of more than `longest` words is an error.
    """
    if tags not in (None, "xpos", "upos"):
        raise UsageError(f"tags are in the column xpos or upos, not {tags!r}")
    for number, sentence in enumerate(read_sentences(path, format_name), 1):
        if len(sentence) > longest:
            raise LimitError(
                f"a sentence of {len(sentence)} words; the longest that is parsed has {longest}: "
                "split it, or allow longer ones (--longest)",
                sentence.location,
            )
        given = None if tags is None else tags_of(sentence, tags)
        forms = [form.replace(" ", NO_BREAK_SPACE) for form in sentence.forms]
        yield parser.kbest(forms, k, given, sentence.id or str(number))


def tags_of(sentence: Sentence, column: str) -> list[str]:
    """The tags of a sentence, all of them."""
    tags = list(getattr(sentence, column))
    if "_" in tags or "" in tags:
        missing = next(at for at, tag in enumerate(tags, 1) if tag in ("_", ""))
        message = f"word {missing} has no {column.upper()}; parse without --tags"
        raise InputError(message, sentence.location)
    return tags


def decide(candidates: CandidateList, decode: DecodeName, scale: float = 1.0) -> Tree:
    """A tree of a candidate list: the most probable, or one of minimum Bayes risk."""
    if decode_name(decode) == "map":
        return candidates.best
    choose = mbr_rerank if decode == "mbr-rerank" else mbr_predict
    return choose(candidates, candidate_probabilities(candidates.scores, scale)).tree


def decide_file(
    path: str | Path, decode: DecodeName, scale: float = 1.0, format_name: str | None = None
) -> Iterator[Tree]:
    """A tree for every sentence of a file of candidate lists."""
    for candidates in read_nbest(path, format_name):
        yield decide(candidates, decode, scale)


def check_pairs(lists: Sequence[CandidateList], gold: Sequence[Tree]) -> None:
    """Raise unless lists and right trees are of the same sentences."""
    if len(lists) != len(gold):
        message = f"{len(lists)} candidate lists, but {len(gold)} right trees"
        longer = lists[len(gold) :] or gold[len(lists) :]
        raise MismatchError(f"{message}; this one has no partner", longer[0].location)
    for candidates, right in zip(lists, gold, strict=True):
        bare = remove_traces(right)
        if bare is not None:
            leaves = list(bare.leaves())
            check_words(leaves, candidates.trees[0], candidates.sentence_id, "the right tree")


def tune_decoder(
    lists: Iterable[CandidateList],
    gold: Iterable[Tree],
    decode: DecodeName,
    conventions: Conventions | None = None,
) -> TunedScale:
    """The scale of the scores that gives the best F1 on development data, if it decodes so."""
    kept, right = list(lists), list(gold)
    check_pairs(kept, right)

    def f1(scale: float) -> float:
        trees = (decide(candidates, decode, scale) for candidates in kept)
        return float(score_trees(right, trees, conventions).ratios().ratios()[2])

    return tune_scale(f1)
