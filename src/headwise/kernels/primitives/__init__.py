"""What all kernels build on: semirings, vector lanes, hash maps, random numbers."""
