"""A committee of trained models as one parser: the averages of their probabilities."""
