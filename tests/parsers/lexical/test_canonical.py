"""The order in which links are built."""

from headwise.parsers.lexical.canonical import canonical_links
from oracle import trees


def test_the_order_is_that_of_the_example():
    # Investors continue to pour cash into money funds (figure 2.1)
    heads = [-1, 2, 0, 2, 3, 4, 4, 8, 6]
    assert canonical_links(heads) == [
        (4, 5, "R"), (7, 8, "L"), (6, 8, "R"), (4, 6, "R"),
        (3, 4, "R"), (2, 3, "R"), (1, 2, "L"), (0, 2, "R"),
    ]  # fmt: skip


def test_every_link_comes_once_and_after_all_below_it():
    seen = set()
    every = trees(5, projective=True, single_root=False)
    for heads in every:
        links = canonical_links(heads)
        seen.add(tuple(links))
        arcs = [(v, u) if side == "L" else (u, v) for u, v, side in links]
        assert sorted(arcs) == sorted((heads[m], m) for m in range(1, 6))
        for place, (_, modifier) in enumerate(arcs):
            assert modifier not in [head for head, _ in arcs[place:]]
        for head in range(6):
            own = [m for h, m in arcs if h == head]
            right, left = [m for m in own if m > head], [m for m in own if m < head]
            assert own == [*sorted(right), *sorted(left, reverse=True)]
    assert len(seen) == len(every)  # different trees are built in different ways


def test_a_long_chain_does_not_overflow():
    heads = [-1, *range(5000)]
    assert canonical_links(heads)[0] == (4999, 5000, "R")
