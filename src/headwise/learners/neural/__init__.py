"""Training of networks, with JAX as the library of automatic differentiation."""
