"""Choice of a decoder by the kind of trees."""

from headwise.search.decoders.base import ArcDecoder, Decoder
from headwise.search.decoders.projective import ProjectiveDecoder


def arc_decoder_of(*, projective: bool, single_root: bool) -> ArcDecoder:
    """The decoder of projective or all trees by arc scores."""
    if projective:
        return ProjectiveDecoder(single_root)
    # Most models are projective, and start faster without the other kernels.
    from headwise.search.decoders.nonprojective import NonProjectiveDecoder

    return NonProjectiveDecoder(single_root)


def decoder_of(*, projective: bool, higher: bool, single_root: bool) -> Decoder:
    """The decoder of projective or all trees, with or without scores of higher-order parts."""
    if projective or not higher:
        return arc_decoder_of(projective=projective, single_root=single_root)
    from headwise.search.decoders.climb import ClimbDecoder

    return ClimbDecoder(single_root)
