"""Which decoder finds the trees of a kind."""

from headwise.search.decoders.base import Decoder
from headwise.search.decoders.projective import ProjectiveDecoder


def decoder_of(*, projective: bool, higher: bool, single_root: bool) -> Decoder:
    """The decoder of projective trees or of all, under scores of arcs or of higher parts too."""
    if projective:
        return ProjectiveDecoder(single_root)
    # Most models are projective, and start sooner without the kernels of the others.
    from headwise.search.decoders.climb import ClimbDecoder
    from headwise.search.decoders.nonprojective import NonProjectiveDecoder

    return ClimbDecoder(single_root) if higher else NonProjectiveDecoder(single_root)
