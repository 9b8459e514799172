"""Non-projective search: spanning trees, the Matrix-Tree theorem, sampling."""
