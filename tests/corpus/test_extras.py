from headwise.corpus.extras import find_form


def test_a_space_in_a_form_matches_any_space():
    assert find_form("um 10\u00a0000 Kronen", "10 000", 2) == (3, 9)
    assert find_form("um 10_000 Kronen", "10 000", 2) is None
