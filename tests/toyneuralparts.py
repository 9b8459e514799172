"""Parts on top of a network with random weights, learnt from a toy treebank in a second."""

from functools import cache

from headwise.parsers.neuralparts.parser import NeuralPartsParser
from toynetworks import random_parser
from toytreebank import toy_treebank


@cache
def parts_parser(
    order: int = 3, *, projective: bool = True, single_root: bool = True
) -> NeuralPartsParser:
    base = random_parser(projective=projective, single_root=single_root)
    parser = NeuralPartsParser(order=order, epochs=2, size=10, share=0.001)
    return parser.fit(toy_treebank(40), toy_treebank(20, 7), base=base)
