import pytest

from headwise.search.decoders.choice import decoder_of
from headwise.search.decoders.climb import ClimbDecoder
from headwise.search.decoders.nonprojective import NonProjectiveDecoder
from headwise.search.decoders.projective import ProjectiveDecoder


@pytest.mark.parametrize(
    ("projective", "higher", "kind"),
    [
        (True, False, ProjectiveDecoder),
        (True, True, ProjectiveDecoder),
        (False, False, NonProjectiveDecoder),
        (False, True, ClimbDecoder),
    ],
)
@pytest.mark.parametrize("single_root", [True, False])
def test_the_decoder_fits_trees_and_parts(projective, higher, kind, single_root):
    found = decoder_of(projective=projective, higher=higher, single_root=single_root)
    assert found == kind(single_root)
