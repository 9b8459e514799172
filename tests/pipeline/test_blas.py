"""Parsing takes the threads that it was given, and no more."""

import threading

import pytest

from headwise.corpus.sample import read_sample
from headwise.inference.answers import ParseOptions
from headwise.pipeline.blas import BlasThreads
from headwise.pipeline.parsing import parse_stream

blas = BlasThreads()


@pytest.fixture(autouse=True)
def two_threads():
    before = blas.get()
    blas.set(2)
    if blas.get() != 2:
        pytest.skip("NumPy is not linked with OpenBLAS")
    yield
    blas.set(before)


class Watched:
    """A searcher that notes how many threads products have where it is called."""

    uses_guides, tag_columns, on_accelerator = False, (), False

    def __init__(self):
        self.seen = []

    def parse_many(self, sentences, guides):
        self.seen.append(blas.get())
        return sentences

    def encode(self, sentences, guides):
        return self.parse_many([], guides)

    def tagged(self, sentences, encoded):
        raise ZeroDivisionError


def test_a_batch_is_parsed_in_one_thread_and_others_have_theirs_again():
    search, sentences = Watched(), list(read_sample())
    assert list(parse_stream(search, sentences)) == sentences
    with pytest.raises(ZeroDivisionError):
        list(parse_stream(search, sentences, ParseOptions(marginals=True)))
    assert search.seen == [1, 1]
    assert blas.get() == 2


def test_the_last_one_at_work_restores_the_threads():
    entered, leave = threading.Event(), threading.Event()

    def work():
        with blas.as_one():
            entered.set()
            leave.wait(60)

    other = threading.Thread(target=work)
    with blas.as_one():
        other.start()
        assert entered.wait(60)
    assert blas.get() == 1
    leave.set()
    other.join()
    assert blas.get() == 2
    with blas.as_one(), blas.as_one():
        assert blas.get() == 1
    assert blas.get() == 2
