"""Variables of kernels: which are values, and that no array is lost or kept for ever."""

import gc
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import pytest
from numba.core.compiler import run_frontend
from numba.core.runtime import _nrt_python, rtsys

from headwise.kernels.runtime.borrow import borrowed, kept
from headwise.kernels.runtime.jit import helper, kernel, maker
from headwise.kernels.runtime.lowering import assigned, lasting


class Pair(NamedTuple):
    left: Any
    right: Any
    scale: float


def lasting_names(function: Any) -> set[str]:
    """The variables of a function that are values, without what Numba adds to their names."""
    blocks = run_frontend(function).blocks
    return {re.sub(r"\.\d+$", "", name) for name in lasting(blocks, assigned(blocks))}


def test_a_variable_is_a_value_if_it_is_assigned_once_before_all_uses() -> None:
    def several(flag: bool, count: int) -> int:
        once = count + 1
        twice = 0
        if flag:
            perhaps = once
            twice = once
        for _ in range(count):
            twice += once
            if flag:
                twice += perhaps
        return twice

    names = lasting_names(several)
    assert {"once", "flag", "count"} <= names
    assert not {"twice", "perhaps"} & names


@helper
def total(pair: Any) -> float:
    found = 0.0
    for k in range(len(pair.left)):
        row = pair.right if pair.left[k] > 0 else pair.left
        found += row[k] * pair.scale
    return found


@maker
def halves(pair: Any) -> Any:
    middle = len(pair.left) // 2
    return Pair(pair.left[:middle], pair.right[middle:], pair.scale)


@kernel
def member(pair: Any) -> Any:
    return pair.left


@kernel
def itself(pair: Any) -> Any:
    other = pair
    return other, (pair.right, 1)


@kernel
def one_or_new(pair: Any, old: bool) -> Any:
    found = pair.left
    if not old:
        found = np.ones(3)
    return found


@kernel
def nested(pair: Any) -> Any:
    both = halves(pair)
    some = (both, pair.left)
    left, right, _ = some[0]
    return total(both), left, right


@kernel
def swapped(pair: Any, times: int) -> Any:
    left, right = pair.left, pair.right
    for _ in range(times):
        left, right = right, left
    return left


@kernel
def of_borrowed(count: int) -> Any:
    owned = Pair(np.ones(count), np.zeros(count), 2.0)
    pair = borrowed(owned)
    for k in range(count):
        pair.right[k] = pair.left[k] + k
    found = owned.right
    kept(owned)
    return found


def a_pair() -> Pair:
    return Pair(np.array([1.0, 2.0, 0.0, 4.0]), np.array([5.0, 6.0, 7.0, 8.0]), 2.0)


CALLS = {
    "member": (lambda: member(a_pair()), [1.0, 2.0, 0.0, 4.0]),
    "itself": (lambda: itself(a_pair())[0].right, [5.0, 6.0, 7.0, 8.0]),
    "in a tuple": (lambda: itself(a_pair())[1][0], [5.0, 6.0, 7.0, 8.0]),
    "old": (lambda: one_or_new(a_pair(), True), [1.0, 2.0, 0.0, 4.0]),
    "new": (lambda: one_or_new(a_pair(), False), [1.0, 1.0, 1.0]),
    "nested": (lambda: nested(a_pair())[2], [7.0, 8.0]),
    "swapped": (lambda: swapped(a_pair(), 3), [5.0, 6.0, 7.0, 8.0]),
    "of borrowed": (lambda: of_borrowed(3), [1.0, 2.0, 3.0]),
}


@pytest.fixture
def counted() -> Iterator[None]:
    """Numba counts what it allocates and frees."""
    _nrt_python.memsys_enable_stats()
    yield
    _nrt_python.memsys_disable_stats()


@pytest.mark.usefixtures("counted")
@pytest.mark.parametrize("name", CALLS)
def test_results_outlive_arguments_and_nothing_is_left(name: str) -> None:
    call, expected = CALLS[name]
    call()
    gc.collect()
    before = rtsys.get_allocation_stats()
    results = [call() for _ in range(3)]
    filler = [np.full(4, -1.0) for _ in range(100)]  # in the place of what was freed too early
    assert [result.tolist() for result in results] == [expected] * 3
    del results, filler
    gc.collect()
    after = rtsys.get_allocation_stats()
    assert after.alloc - before.alloc == after.free - before.free


def test_a_helper_sums_what_it_was_lent() -> None:
    assert nested(a_pair())[0] == 2.0 * (7.0 + 8.0)
