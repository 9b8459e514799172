"""Inference: the questions a trained model answers, and how the answers are written."""
