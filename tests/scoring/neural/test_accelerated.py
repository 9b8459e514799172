"""The accelerator's way gives the same numbers to the bit; here JAX computes it on the CPU."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

jax = pytest.importorskip("jax", reason="accelerators need JAX (the extra neural)")

from headwise.corpus.sentence import Sentence
from headwise.errors import UsageError
from headwise.inference.answers import ParseOptions
from headwise.inference.neuralsearch import NeuralSearch
from headwise.pipeline.parsing import parse_stream
from headwise.scoring.neural import jaxarithmetic, jaxnetwork
from headwise.scoring.neural.accelerated import AcceleratedNetwork
from headwise.scoring.neural.network import EncodedTokens, Network
from toynetworks import optimised, random_parser, toy_numbers
from toytreebank import toy_treebank


@cache
def both() -> tuple[Network, Network]:
    network = random_parser().search().network
    return network, AcceleratedNetwork.at(network, jax.devices("cpu")[0], 1024)


def searches() -> tuple[NeuralSearch, NeuralSearch]:
    search = random_parser().search()
    return search, replace(search, network=both()[1])


@pytest.fixture
def recompiled():
    """What a test replaces is compiled, as for users, and is not left to other tests."""
    compiled = jaxnetwork.encoded, jaxnetwork.best_relations
    with optimised():
        for one in compiled:
            one.clear_cache()
        yield
        for one in compiled:
            one.clear_cache()


def assert_equal(one: EncodedTokens, two: EncodedTokens) -> None:
    for name, numbers in vars(one).items():
        assert (numbers == getattr(two, name)).all(), name


def encodings(tags: str = "given"):
    data = toy_numbers(40)
    given = data.tags if tags == "given" else np.full_like(data.tags, -1)
    return [one.encode(data.starts, data.features, given) for one in both()]


@pytest.mark.usefixtures("recompiled")
@pytest.mark.parametrize("tags", ["given", "found"])
def test_all_numbers_are_those_of_numpy(tags):
    (cpu, there), (one, two) = both(), encodings(tags)
    assert_equal(one, two.on_cpu())
    assert (cpu.arc_scores(one) == there.arc_scores(two)).all()
    for name, found in there.best_tags(two).items():
        assert (found == cpu.best_tags(one)[name]).all()
    sizes = np.diff(one.starts)
    random = np.random.default_rng(1)
    heads = np.repeat(one.starts[:-1], sizes) + random.integers(0, np.repeat(sizes, sizes))
    forbidden = random.standard_normal((2, len(cpu.arrays["relations.product.scale"]))).astype(
        np.float32
    )
    found = there.best_relations(two, heads, forbidden)
    assert (found == cpu.best_relations(one, heads, forbidden)).all()


@pytest.mark.usefixtures("recompiled")
def test_the_division_of_the_device_does_not_matter(monkeypatch):
    """That of CUDA is off by up to two last places; two dozen show in fewer numbers.

    Thirty would be too many: last places above 2 are twice as large as those below.
    """

    def divide(x, y):
        bits = jax.lax.bitcast_convert_type(x * (1 / y), "int32")
        return jax.lax.bitcast_convert_type(bits + 12 * (bits & 4) - 24, "float32")

    monkeypatch.setattr(jaxarithmetic.jnp, "divide", divide)
    one, two = encodings("found")
    assert_equal(one, two.on_cpu())


@pytest.mark.usefixtures("recompiled")
def test_products_must_be_kept_apart_from_sums(monkeypatch):
    """What `rounded` is for: where it does nothing, compilers round once, and numbers differ."""
    monkeypatch.setattr(jaxnetwork, "rounded", lambda _, product: product)
    (cpu, there), (one, two) = both(), encodings()
    if (cpu.arc_scores(one) == there.arc_scores(two)).all():
        pytest.skip("this compiler, or this CPU, does not contract products and sums")


@pytest.mark.parametrize(
    "options",
    [ParseOptions(), ParseOptions(marginals=True), ParseOptions(kbest=3)],
    ids=["plain", "marginals", "kbest"],
)
def test_answers_are_the_same(options):
    sentences = [Sentence.from_words(one.forms) for one in toy_treebank(20, 3)]
    one, two = (list(parse_stream(search, sentences, options)) for search in searches())
    assert one == two


def test_tags_that_are_given_are_kept():
    sentences = toy_treebank(5, 4)
    one, two = (search.parse_many(sentences) for search in searches())
    assert one == two


def test_the_longest_sentence_that_is_allowed_goes_into_a_row_of_its_own():
    words = [word for one in toy_treebank(400, 6) for word in one.forms]
    sentences = [Sentence.from_words(words[:size]) for size in (3, 2000, 5)]
    found = []
    for search in searches():
        encoded = search.encode(sentences)
        heads = np.arange(-1, len(encoded.given) - 1)
        heads = np.maximum(heads - np.repeat(encoded.starts[:-1], np.diff(encoded.starts)), 0)
        relations = search.labeller.label_many(encoded, heads)
        found.append((encoded, relations, search.tagged(sentences, encoded)))
    (one, relations, tagged), (two, same_relations, same_tagged) = found
    assert (relations == same_relations).all()
    assert tagged == same_tagged
    cpu, there = both()
    assert (cpu.arc_scores(one.tokens) == there.arc_scores(two.tokens)).all()
    part = cpu.arc_scores(one.part(2, 3).tokens)
    assert (there.arc_scores(two.part(2, 3).tokens) == part).all()


def test_nothing_is_parsed_as_nothing():
    for search in searches():
        assert search.parse_many([]) == []


def test_other_processes_cannot_have_it():
    _, search = searches()
    sentences = toy_treebank(2, 1)
    with pytest.raises(UsageError, match="threads"):
        list(parse_stream(search, sentences, processes=2))
