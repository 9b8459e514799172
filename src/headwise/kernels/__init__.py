"""Hot loops, compiled by Numba: functions over arrays that validate nothing.

Nothing here imports anything of ours but other kernels. Public functions around the kernels check
their arguments and raise.
"""
