"""Decoders: from Scores to best trees, k-best lists, marginals, samples and MBR trees."""
