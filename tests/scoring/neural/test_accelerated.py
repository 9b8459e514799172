"""The accelerator's way gives the same numbers to the bit; here JAX computes it on the CPU."""

from dataclasses import replace
from functools import cache

import jax
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from headwise.corpus.sentence import Sentence
from headwise.errors import UsageError
from headwise.inference.answers import ParseOptions
from headwise.inference.neuralsearch import NeuralSearch
from headwise.pipeline.parsing import parse_stream
from headwise.scoring.neural import accelerated as module
from headwise.scoring.neural.accelerated import LENGTHS, AcceleratedNetwork, packed
from headwise.scoring.neural.network import Network
from toynetworks import random_parser, toy_numbers
from toytreebank import toy_treebank

INSIDE = ("tagging", "states", "heads", "modifiers", "relation_heads", "relation_modifiers")


@cache
def both() -> tuple[Network, Network]:
    network = random_parser().search().network
    return network, AcceleratedNetwork.at(network, jax.devices("cpu")[0], 1024)


def searches() -> tuple[NeuralSearch, NeuralSearch]:
    search = random_parser().search()
    return search, replace(search, network=both()[1])


@pytest.mark.parametrize("tags", ["given", "found"])
def test_all_numbers_are_those_of_numpy(tags):
    (cpu, there), data = both(), toy_numbers(40)
    given_tags = data.tags if tags == "given" else np.full_like(data.tags, -1)
    one, two = (net.encode(data.starts, data.features, given_tags) for net in (cpu, there))
    for name in INSIDE:
        assert (getattr(one, name) == getattr(two, name)).all(), name
    assert (cpu.arc_scores(one) == there.arc_scores(two)).all()
    for name, found in there.best_tags(two).items():
        assert (found == cpu.best_tags(one)[name]).all()
    sizes = np.diff(data.starts)
    random = np.random.default_rng(1)
    heads = np.repeat(data.starts[:-1], sizes) + random.integers(0, np.repeat(sizes, sizes))
    forbidden = random.standard_normal((2, len(cpu.relation_scale))).astype(np.float32)
    found = there.best_relations(two, heads, forbidden)
    assert (found == cpu.best_relations(one, heads, forbidden)).all()


def test_products_must_be_kept_apart_from_sums(monkeypatch):
    """What `rounded` is for: where it does nothing, compilers round once, and numbers differ."""
    (cpu, there), data = both(), toy_numbers(40)
    monkeypatch.setattr(module, "rounded", lambda _, product: product)
    jax.clear_caches()
    one, two = (net.encode(data.starts, data.features, data.tags) for net in (cpu, there))
    differ = (cpu.arc_scores(one) != there.arc_scores(two)).any()
    jax.clear_caches()
    if not differ:
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


def test_longer_sentences_go_into_longer_rows():
    (cpu, there), data = both(), toy_numbers(12)
    sizes = [3, LENGTHS[0] + 1, 5]
    rows = np.arange(sum(sizes)) % len(data.features)
    starts = np.cumsum([0, *sizes])
    given_all = starts, data.features[rows], data.tags[rows]
    one, two = cpu.encode(*given_all), there.encode(*given_all)
    assert (cpu.arc_scores(one) == there.arc_scores(two)).all()
    part = cpu.arc_scores(one.part(1, 2))
    assert (there.arc_scores(two.part(1, 2)) == part).all()


@settings(max_examples=60)
@given(
    st.lists(st.one_of(st.integers(2, 140), st.sampled_from([128, 129, 512, 513, 2001])),
             min_size=1, max_size=40),
    st.sampled_from([1, 256, 2**16]),
)  # fmt: skip
def test_every_token_has_a_place_of_its_own(sizes, most_tokens):
    starts = np.cumsum([0, *sizes])
    seen = np.zeros(starts[-1], int)
    for rows in packed(starts, most_tokens):
        length, count = rows.shape
        assert length in LENGTHS
        assert count == 1 or (length * count <= most_tokens and length**2 * count <= 2**24)
        assert len(set(rows.places.tolist())) == len(rows.places)
        seen[rows.tokens] += 1
        for sentence, row, start in zip(rows.sentences, rows.rows, rows.offsets, strict=True):
            own = rows.places[
                (rows.tokens >= starts[sentence]) & (rows.tokens < starts[sentence + 1])
            ]
            assert (own % count == row).all()
            assert (own // count == np.arange(start, start + sizes[sentence])).all()
            assert start + sizes[sentence] <= length
    assert (seen == 1).all()


def test_nothing_is_parsed_as_nothing():
    for search in searches():
        assert search.parse_many([]) == []


def test_other_processes_cannot_have_it():
    _, search = searches()
    sentences = toy_treebank(2, 1)
    with pytest.raises(UsageError, match="threads"):
        list(parse_stream(search, sentences, processes=2))
