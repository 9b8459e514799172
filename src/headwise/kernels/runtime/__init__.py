"""How kernels are compiled, cached and called: all that relies on Numba's internals is here.

jit          the decorators of all kernels
borrow       arrays without reference counts, in kernels
codegen      what intrinsics are written with
versions     which versions of Numba are known from the inside
known        how these compile kernels
  lowering     with few instructions
  helpers      as parts of kernels
  results      which return Python objects without running Python code
  kernelcache  and whose code is cached (`cachefolders`, `shipped`, `lean`, `notice`)
plain        how other versions compile kernels, by Numba's public API
elsewhere    kernels that another process compiles
"""
