"""Trained models at work: what may be asked of them, and how their answers are written."""
