import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from headwise.learners.neural import batches
from headwise.learners.neural.batches import (
    batches_of,
    filled,
    packed,
    row_lengths,
    stored_numbers,
)
from headwise.scoring.neural.vocabulary import ABSENT
from toynetworks import toy_numbers, toy_vocabulary
from toytreebank import toy_treebank


@given(st.lists(st.integers(2, 40), min_size=1, max_size=80))
def test_rows_have_every_sentence_once_and_room_for_it(sizes):
    rows = packed(np.array(sizes), range(len(sizes)), 40)
    assert sorted(one for row in rows for one in row) == list(range(len(sizes)))
    assert all(sum(sizes[one] for one in row) <= 40 for row in rows)


@given(st.lists(st.integers(2, 300), min_size=1, max_size=60), st.integers(50, 3000))
def test_batches_have_every_sentence_once(sizes, tokens):
    sizes = np.array(sizes)
    found = batches_of(sizes, range(len(sizes)), tokens)
    assert sorted(n for one in found for row in one.rows for n in row) == list(range(len(sizes)))
    assert {one.length for one in found} <= set(row_lengths(sizes))
    for one in found:
        assert len(one.rows) <= one.count
        assert all(sizes[row].sum() <= one.length for row in one.rows)


def test_filled_rows_say_where_sentences_are():
    data = toy_numbers(9)
    (batch,) = batches_of(data.sizes, range(9), 640)
    rows = filled(data, batch)
    assert rows.first.sum() == rows.last.sum() == 9
    assert (rows.sentence > 0).sum() == data.starts[-1]
    for row, own in enumerate(batch.rows):
        place = 0
        for number in own:
            start, end = data.starts[number : number + 2]
            size = end - start
            assert rows.first[row, place]
            assert rows.last[row, place + size - 1]
            heads = data.heads[start:end]
            wanted = np.where(heads == ABSENT, ABSENT, heads + place)
            assert rows.heads[row, place : place + size].tolist() == wanted.tolist()
            assert (rows.features[row, place : place + size] == data.features[start:end]).all()
            place += size


def test_numbers_are_those_of_the_vocabulary():
    data, vocabulary = toy_numbers(3, seed=5), toy_vocabulary()
    sentences = toy_treebank(3, 5)
    for number, one in enumerate(sentences):
        start, end = data.starts[number] + 1, data.starts[number + 1]
        assert [vocabulary.upos[n] for n in data.tags[start:end, 0]] == list(one.upos)
        assert [vocabulary.relations[n] for n in data.relations[start:end]] == list(one.relations)
        assert data.heads[start:end].tolist() == list(one.heads)
        assert data.heads[start - 1] == data.relations[start - 1] == ABSENT


def test_numbers_on_disk_are_those_in_memory(tmp_path, monkeypatch):
    monkeypatch.setattr(batches, "SENTENCES_AT_A_TIME", 4)
    memory = toy_numbers(13)
    disk = stored_numbers(iter(toy_treebank(13, 5)), toy_vocabulary(), tmp_path)
    for name in ("starts", "features", "tags", "heads", "relations"):
        assert (getattr(disk, name) == getattr(memory, name)).all(), name
    assert isinstance(disk.features, np.memmap)
    assert not list(tmp_path.iterdir())
    (batch,) = batches_of(disk.sizes, range(9), 640)
    for one, other in zip(filled(disk, batch), filled(memory, batch), strict=True):
        assert (one == other).all()
