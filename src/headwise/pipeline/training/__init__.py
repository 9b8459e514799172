"""From treebank files to a model folder."""
