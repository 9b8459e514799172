"""Work in several processes, and how rarely they collect garbage."""
