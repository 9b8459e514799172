"""Kernels of the neural scorer: gates of the encoder, relations of arcs."""
