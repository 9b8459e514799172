"""Hashes of words, and of those that were met before."""

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from headwise.corpus.sentence import Sentence
from headwise.scoring.linear import texttable
from headwise.scoring.linear.atoms import AtomEncoder
from headwise.scoring.linear.texttable import hash_text


def test_memory_is_bounded(monkeypatch):
    monkeypatch.setattr(texttable, "MOST_KEPT", 10)
    encoder = AtomEncoder()
    sentences = [Sentence.from_words([f"w{i}"]) for i in range(100)]
    many = encoder.encode(sentences)
    encoder.encode(sentences[:1])
    assert len(encoder._forms) < 10
    monkeypatch.setattr(texttable, "MOST_KEPT", 1000)
    np.testing.assert_array_equal(many.tokens.atoms, AtomEncoder().encode(sentences).tokens.atoms)


def test_threads_may_share_an_encoder(monkeypatch):
    monkeypatch.setattr(texttable, "MOST_KEPT", 20)  # tables are cleared all the time
    sentences = [Sentence.from_words([f"w{i % 97}", f"v{i % 89}"]) for i in range(2000)]
    batches = [sentences[i : i + 10] for i in range(0, len(sentences), 10)]
    encoder = AtomEncoder()
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(encoder.encode, batches))
    for batch, encoded in zip(batches, found, strict=True):
        expected = AtomEncoder().encode(batch)
        np.testing.assert_array_equal(encoded.tokens.atoms, expected.tokens.atoms)


def test_hashes_are_the_same_in_every_process():
    code = "from headwise.scoring.linear.texttable import hash_text; print(hash_text('Baum'))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert int(done.stdout) == hash_text("Baum")
