"""Higher-order parts on top of a neural parser: `NeuralPartsParser`."""
