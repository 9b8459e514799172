"""Relations of arcs: features, scores, learning."""
