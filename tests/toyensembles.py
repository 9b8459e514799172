"""Committees of small parsers of several kinds, and models of them."""

from dataclasses import replace
from functools import cache

from headwise.corpus.sentence import Sentence
from headwise.learners.neural.quantising import quantised
from headwise.parsers.ensemble.member import Member
from headwise.parsers.ensemble.parser import EnsembleParser
from headwise.parsers.graph.parser import DependencyParser
from headwise.parsers.neural.parser import NeuralParser
from headwise.pipeline.pipeline import Pipeline
from headwise.text.lemmas import Lemmatiser
from headwise.text.tagger import Tagger, TaggerTraining
from headwise.text.tokeniser import Tokeniser, TokeniserTraining
from toynetworks import TINY, random_parameters, random_parser, toy_numbers, toy_vectors
from toytreebank import SMALL, toy_treebank


@cache
def toy_tagger() -> Tagger:
    return Tagger.fit(toy_treebank(60), TaggerTraining(bits=14, epochs=2, members=1))


@cache
def linear_parser(order: int = 1) -> DependencyParser:
    made = DependencyParser(features="paper-000", epochs=1, order=order, tables=SMALL)
    return made.fit(toy_treebank(60))


def other_network() -> NeuralParser:
    """A network with other weights than `random_parser`, and trees that may cross."""
    first = random_parser(projective=False, single_root=False)
    parser = NeuralParser(sizes=TINY)
    for name, value in vars(first).items():
        if name.endswith("_"):
            setattr(parser, name, value)
    parser.arrays_, parser.steps_ = quantised(random_parameters(1), toy_vectors(), toy_numbers())
    return parser


@cache
def linear_member() -> Member:
    return Member(linear_parser(), toy_tagger(), Lemmatiser.fit(toy_treebank(60)))


@cache
def mixed_ensemble() -> EnsembleParser:
    """A network and a linear parser with its tagger."""
    return EnsembleParser(members=[Member(random_parser()), linear_member()])


@cache
def linear_pipeline() -> Pipeline:
    """A whole pipeline of the toy treebank."""
    texts = [with_spaces(one) for one in toy_treebank(60)]
    return Pipeline(
        tokeniser=Tokeniser.fit(texts, TokeniserTraining(bits=12)),
        tagger=toy_tagger(),
        lemmas=linear_member().lemmas,
        parser=linear_parser(),
        name="linear",
    )


def with_spaces(sentence: Sentence) -> Sentence:
    """A sentence that says that a space comes after every token but the last two."""
    misc = ["_"] * len(sentence)
    misc[-2] = "SpaceAfter=No"
    text = " ".join(sentence.forms[:-1]) + sentence.forms[-1]
    return replace(sentence, misc=tuple(misc), comments=(f"# text = {text}",))
