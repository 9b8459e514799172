"""A PCFG as a dependency parser: head rules convert its trees into dependencies.

It takes the role of Collins's parser in McDonald et al. (2005), table 3, alone and as a guide.
"""

from collections.abc import Callable, Sequence

from headwise.constituency.files import read_trees
from headwise.constituency.parser import ConstituencyParser
from headwise.corpus.constituents import Tree, remove_traces
from headwise.corpus.dependencies import to_sentence
from headwise.corpus.folds import folds_of
from headwise.corpus.formats import DEFAULT_HEAD_RULES
from headwise.corpus.headrules import HeadRules
from headwise.corpus.sentence import Sentence
from headwise.experiments.treebanks import Treebank

FOLDS = 5
"""Folds of the training data, each parsed by a grammar of the others, for guided training."""

StatusCallback = Callable[[str], None]


def trained_grammar(treebank: Treebank, on_status: StatusCallback) -> ConstituencyParser:
    """A grammar trained on the training data."""
    on_status("training a grammar")
    return ConstituencyParser().fit(read_trees(*treebank.bracket_paths("train")))


def grammar_trees(
    parser: ConstituencyParser, treebank: Treebank, split: str, on_status: StatusCallback
) -> list[Sentence]:
    """A split of the treebank as parsed by a grammar."""
    return parsed(parser, list(read_trees(*treebank.bracket_paths(split))), treebank, on_status)


def jackknifed_trees(treebank: Treebank, on_status: StatusCallback) -> list[Sentence]:
    """The training data, each fold parsed by a grammar trained on the others."""
    trees = list(read_trees(*treebank.bracket_paths("train")))
    found: list[Sentence] = []
    for number, (others, own) in enumerate(folds_of(trees, FOLDS), 1):
        on_status(f"grammar {number} of {FOLDS}")
        found += parsed(ConstituencyParser().fit(others), own, treebank, on_status)
    return found


def parsed(
    parser: ConstituencyParser, trees: Sequence[Tree], treebank: Treebank, on_status: StatusCallback
) -> list[Sentence]:
    """The trees of a grammar for the words and gold tags of trees, as dependencies."""
    rules = HeadRules.load(treebank.files.head_rules or DEFAULT_HEAD_RULES)
    found = []
    for number, tree in enumerate(trees):
        if number % 50 == 0:
            on_status(f"parsing with the grammar: {number:,} of {len(trees):,}")
        leaves = list((remove_traces(tree) or tree).leaves())
        best = parser.parse([leaf.form for leaf in leaves], [leaf.tag for leaf in leaves])
        found.append(to_sentence(best, rules))
    return found
