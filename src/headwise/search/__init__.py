"""Search: parts, `Scores`, constraints, and the decoders that turn scores into trees."""
