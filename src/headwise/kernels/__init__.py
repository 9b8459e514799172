"""Hot loops, compiled by Numba: functions over arrays that validate nothing.

Nothing here imports anything of ours but other kernels; only `jit` imports `headwise.interrupt`, so
that Ctrl-C waits while code is compiled. Public functions around the kernels check their arguments
and raise.
"""
