import pytest

import oracle
from headwise.search.parts import Factorisation, Part


def test_every_word_has_one_part_of_each_type() -> None:
    found = [part for part, _ in oracle.parts((-1, 2, 0, 4, 2, 4))]
    for part in Part:
        assert found.count(part) == (12 if part is Part.STOP else 5)


def test_what_does_not_exist_is_written_by_the_head() -> None:
    found = set(oracle.parts((-1, 0, 1, 1)))
    assert (Part.GRAND_TRI_SIBLING, (0, 0, 0, 0, 1)) in found
    assert (Part.SIBLING, (1, 1, 2)) in found
    assert (Part.TRI_SIBLING, (1, 1, 2, 3)) in found
    assert (Part.STOP, (1, 0, 1)) in found
    assert (Part.STOP, (1, 1, 3)) in found


def test_indices_say_what_they_are() -> None:
    assert Part.ARC.indices == ("head", "modifier")
    assert Part.GRAND_TRI_SIBLING.indices == (
        "grandparent",
        "head",
        "inner sibling",
        "sibling",
        "modifier",
    )


@pytest.mark.parametrize(
    ("factorisation", "parts"),
    [
        (Factorisation.ARCS, {Part.ARC}),
        (Factorisation.SIBLINGS, {Part.ARC, Part.SIBLING, Part.STOP}),
        (Factorisation.GRANDCHILDREN, {Part.ARC, Part.GRANDCHILD, Part.STOP}),
        (Factorisation.GRAND_TRI_SIBLINGS, set(Part)),
    ],
)
def test_factorisations_enclose_smaller_parts(
    factorisation: Factorisation, parts: set[Part]
) -> None:
    assert set(factorisation.parts) == parts
