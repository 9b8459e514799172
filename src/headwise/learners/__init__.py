"""Learners, one file each, and the training loop, averages, checkpoints and calibration."""
