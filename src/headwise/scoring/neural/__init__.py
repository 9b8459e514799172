"""The neural scorer: words in, scores of arcs, relations and tags out, in whole numbers."""
