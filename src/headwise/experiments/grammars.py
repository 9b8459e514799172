"""A PCFG as a dependency parser: head rules convert its trees into dependencies.

It takes the role of Collins's parser in McDonald et al. (2005), table 3, alone and as a guide.
"""

from collections.abc import Sequence

from headwise.constituency.files import read_trees
from headwise.constituency.parser import ConstituencyParser
from headwise.corpus.constituents import Tree, remove_traces
from headwise.corpus.folds import folds_of
from headwise.corpus.formats import DEFAULT_HEAD_RULES
from headwise.corpus.headrules import HeadRules, to_sentence
from headwise.corpus.sentence import Sentence
from headwise.experiments.treebanks import Treebank
from headwise.progress import Progress

FOLDS = 5
"""Folds of the training data, each parsed by a grammar of the others, for guided training."""


def trained_grammar(treebank: Treebank, progress: Progress) -> ConstituencyParser:
    """A grammar of the training data."""
    progress("training a grammar", 0, 1)
    return ConstituencyParser().fit(read_trees(*treebank.bracket_paths("train")))


def grammar_trees(
    parser: ConstituencyParser, treebank: Treebank, split: str, progress: Progress
) -> list[Sentence]:
    """A part of the treebank as a grammar parses it."""
    return parsed(parser, list(read_trees(*treebank.bracket_paths(split))), treebank, progress)


def jackknifed_trees(treebank: Treebank, progress: Progress) -> list[Sentence]:
    """The training data, each part of it as a grammar of the others parses it."""
    trees = list(read_trees(*treebank.bracket_paths("train")))
    found: list[Sentence] = []
    for number, (others, own) in enumerate(folds_of(trees, FOLDS), 1):
        progress("training a grammar", number, FOLDS)
        found += parsed(ConstituencyParser().fit(others), own, treebank, progress)
    return found


def parsed(
    parser: ConstituencyParser, trees: Sequence[Tree], treebank: Treebank, progress: Progress
) -> list[Sentence]:
    """The trees of a grammar for the words and gold tags of trees, as dependencies."""
    rules = HeadRules.load(treebank.files.head_rules or DEFAULT_HEAD_RULES)
    found = []
    for number, tree in enumerate(trees):
        if number % 50 == 0:
            progress("parsing with the grammar", number, len(trees))
        leaves = list((remove_traces(tree) or tree).leaves())
        best = parser.parse([leaf.form for leaf in leaves], [leaf.tag for leaf in leaves])
        found.append(to_sentence(best, rules))
    return found
