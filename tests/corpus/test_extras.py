"""Rows that are not words."""

from headwise.corpus.extras import EmptyNode, Multiword, find_form
from headwise.corpus.sample import read_sample

COLUMNS = ("form", "lemma", "upos", "xpos", "feats", "_", "_", "_", "misc")


def test_a_multiword_token():
    token = Multiword(3, 4, COLUMNS, 2)
    assert (token.id, token.form, token.misc, token.position) == ("3-4", "form", "misc", 2)


def test_an_empty_node_stands_after_its_word():
    node = EmptyNode(8, 1, COLUMNS)
    assert (node.id, node.form, node.position) == ("8.1", "form", 8)


def test_both_are_read_where_they_stand():
    extras = [one for sentence in read_sample() for one in sentence.extras]
    assert {type(one) for one in extras} == {Multiword, EmptyNode}
    for one in extras:
        expected = one.first - 1 if isinstance(one, Multiword) else one.after
        assert one.position == expected


def test_a_space_in_a_form_matches_any_space():
    assert find_form("um 10\u00a0000 Kronen", "10 000", 2) == (3, 9)
    assert find_form("um 10_000 Kronen", "10 000", 2) is None
