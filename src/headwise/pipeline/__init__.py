"""Raw text to trees: stages in a row, documents, models by name or path."""
