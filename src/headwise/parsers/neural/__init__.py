"""A dependency parser whose scorer is a neural network, which tags as well."""
