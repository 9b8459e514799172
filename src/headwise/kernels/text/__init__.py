"""Characters, tags, words and their counts."""
