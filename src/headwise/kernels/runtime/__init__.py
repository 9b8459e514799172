"""How kernels are compiled, cached and called."""
