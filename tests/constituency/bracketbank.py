"""A small treebank of our own, and random trees."""

import itertools
import random

from hypothesis import strategies as st

from headwise.constituency.bracketing import Bracket, tree_of
from headwise.corpus.brackets import read_brackets
from headwise.corpus.constituents import Leaf, Tree
from headwise.storage.modelfile import ModelFile

LINES = """\
(ROOT (S (NP (DT the) (NN dog)) (VP (VBZ sees) (NP (DT a) (NN cat))) (. .)))
(ROOT (S (NP (PRP she)) (VP (VBZ sees) (NP (DT the) (NN man)) (PP (IN with) (NP (DT a) (NN dog)))) (. .)))
(ROOT (S (NP (PRP she)) (VP (VBZ sees) (NP (NP (DT the) (NN man)) (PP (IN with) (NP (DT a) (NN cat))))) (. .)))
(ROOT (S (NP (NNS dogs)) (VP (VBP bark)) (. .)))
(ROOT (S (VP (VB look)) (. .)))
(ROOT (NP (NNS cats) (CC and) (NNS dogs)))
(ROOT (S (NP (NP (DT a) (NN man)) (PP (IN of) (NP (NNS dogs)))) (VP (VBZ runs)) (. .)))
(ROOT (S (S (VP (VBG running))) (VP (VBZ helps)) (. .)))
""".splitlines()  # noqa: E501


def small_treebank() -> list[Tree]:
    return list(read_brackets(LINES, "small.mrg"))


def tree(text: str) -> Tree:
    (found,) = read_brackets([text])
    return found


def random_tree(words: int, rng: random.Random, labels: str = "ABC") -> Tree:
    """Any nested brackets over some words, also several over the same ones."""
    brackets: list[Bracket] = []
    waiting = [(0, words)]
    while waiting:
        start, end = waiting.pop()
        while rng.random() < 0.45:
            brackets.append(Bracket(rng.choice(labels), start, end))
        cuts = sorted(rng.sample(range(start + 1, end), rng.randint(0, end - start - 1)))
        if cuts:
            bounds = [start, *cuts, end]
            waiting += list(itertools.pairwise(bounds))
    brackets.sort(key=lambda bracket: (bracket.start, -bracket.end))
    return tree_of(brackets, [Leaf("T", f"w{number}") for number in range(words)])


@st.composite
def tree_lists(draw, most_words: int = 5, most_trees: int = 4) -> list[Tree]:
    """Some trees over the same words."""
    rng = random.Random(draw(st.integers(0, 10**9)))
    words = draw(st.integers(1, most_words))
    return [random_tree(words, rng) for _ in range(draw(st.integers(1, most_trees)))]


def altered(model, settings=None, **arrays):
    """A stored model with other settings or arrays."""
    return ModelFile(model.kind, settings or model.settings, {**model.arrays, **arrays}, "")
