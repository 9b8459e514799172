"""Learning from partial trees: words without a head are latent.

A heads array has -1 where a head is not known. Of all trees that agree with those that are,
probabilistic learners sum the likelihood; the others learn from the best one under the weights of
now:

    log p(given) = log Σ_{trees that agree} exp s(tree) - log Z
"""

from dataclasses import replace

import numpy as np

from headwise.corpus.sentence import Sentence
from headwise.corpus.tree import problems
from headwise.errors import TreeError
from headwise.search.decoders.base import Decoder, HeadsArray, Marginals
from headwise.search.feasibility import has_tree
from headwise.search.scores import Scores


def known_heads(sentence: Sentence) -> list[int]:
    """The heads of all tokens, -1 for the root, and where they are not known."""
    return [-1, *(-1 if head is None else head for head in sentence.heads)]


def is_partial(heads: HeadsArray) -> bool:
    """Whether the head of a word is not known."""
    return bool((heads[1:] < 0).any())


def agreeing(scores: Scores, heads: HeadsArray) -> Scores:
    """Scores of only those trees that have all heads which are known."""
    same = np.arange(len(heads))[:, np.newaxis] == heads
    return replace(scores, arc=np.where(same | (heads < 0), scores.arc, -np.inf))


def completed(decoder: Decoder, scores: Scores, heads: HeadsArray) -> HeadsArray:
    """The best tree that has all heads which are known."""
    return decoder.best(agreeing(scores, heads)).heads if is_partial(heads) else heads


def less_expected(
    found: Marginals, given: Marginals, scores: Scores, tree: HeadsArray
) -> Marginals:
    """What `gradient` takes, with any tree as gold: what is found less what is given, and the tree.

    features of the tree - (found - given + features of the tree) = given - found
    """
    arc = found.arc - given.arc
    arc[tree[1:], np.arange(1, len(tree))] += 1.0
    higher = {part: found.higher[part] - given.higher[part] for part in found.higher}
    if scores.index is not None:
        positions = scores.index.of_tree(tree)
        for part, values in higher.items():
            values[positions[part]] += 1.0
    return replace(found, arc=arc, higher=higher)


def check_partial(sentence: Sentence) -> None:
    """Raise if no tree has the heads that a sentence has."""
    found = problems([-1, *(head or 0 for head in sentence.heads)])
    if found:
        raise TreeError(found[0], sentence.location)


def can_complete(sentence: Sentence, *, single_root: bool | None, projective: bool) -> bool:
    """Whether search finds a tree with the heads that a sentence has, and it has any.

    single_root: None: the sentence itself says whether it has one.
    """
    heads = np.array(known_heads(sentence), np.int64)
    if not (heads >= 0).any():
        return False
    root = int((heads == 0).sum()) <= 1 if single_root is None else single_root
    free = np.zeros((len(heads), len(heads)))
    np.fill_diagonal(free, -np.inf)
    free[:, 0] = -np.inf
    allowed = agreeing(Scores(free), heads).arc > -np.inf
    return has_tree(allowed, (), single_root=root, projective=projective)


def says_roots(heads: HeadsArray) -> bool:
    """Whether heads say if their tree has a single root: all are known, or it has several."""
    return not is_partial(heads) or int((heads == 0).sum()) > 1
