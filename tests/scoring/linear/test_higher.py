"""Part types and their factorisations."""

import pytest

from headwise.errors import UsageError
from headwise.scoring.linear.higher import parts_named, smallest_factorisation
from headwise.search.parts import Factorisation, Part


def test_part_types_decide_on_the_factorisation():
    assert parts_named(1, ()) == (Part.ARC,)
    assert smallest_factorisation(parts_named(2, ())) is Factorisation.SIBLINGS
    grand = parts_named(1, ("arc", "sibling", "grandchild"))
    assert smallest_factorisation(grand) is Factorisation.GRAND_SIBLINGS
    assert smallest_factorisation(parts_named(4, ())) is Factorisation.GRAND_TRI_SIBLINGS
    with pytest.raises(UsageError, match="unknown part 'cousin'"):
        parts_named(1, ("arc", "cousin"))
    with pytest.raises(UsageError, match="must include arc"):
        parts_named(1, ("sibling",))
