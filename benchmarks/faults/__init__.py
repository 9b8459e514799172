"""Ways to make trouble, one a file: each has `look_for_trouble(seconds, rng, folder)`."""
