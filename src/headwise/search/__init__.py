"""Numbers in, trees out: parts, `Scores`, constraints, and the decoders that search them."""
