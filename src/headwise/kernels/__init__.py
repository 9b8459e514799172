"""Hot loops, compiled by Numba: functions over arrays that validate nothing.

Kernels import nothing of ours but other kernels; only `runtime` imports `headwise.interrupt`, so
that Ctrl-C waits while code is compiled. Public functions around the kernels check their arguments
and raise.
"""
