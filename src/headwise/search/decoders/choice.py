"""Choice of a decoder by the kind of trees."""

from headwise.search.decoders.base import Decoder
from headwise.search.decoders.projective import ProjectiveDecoder


def decoder_of(*, projective: bool, higher: bool, single_root: bool) -> Decoder:
    """The decoder of projective or all trees, with or without scores of higher-order parts."""
    if projective:
        return ProjectiveDecoder(single_root)
    # Most models are projective, and start faster without the other kernels.
    from headwise.search.decoders.climb import ClimbDecoder
    from headwise.search.decoders.nonprojective import NonProjectiveDecoder

    return ClimbDecoder(single_root) if higher else NonProjectiveDecoder(single_root)
