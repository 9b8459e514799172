"""Random alterations of the arrays and settings of a model.

The result is saved by `save_model` with valid checksums, so that only the loader's checks of the
contents protect the kernels.
"""

import random
from collections.abc import Callable
from copy import deepcopy
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from headwise.errors import ModelError
from headwise.storage.modelfile import ModelFile
from headwise.storage.sparse import pack_sparse, unpack_all

Array = NDArray[Any]


def extremes(dtype: np.dtype[Any]) -> list[Any]:
    """Edge cases of a numeric type."""
    if dtype.kind == "f":
        limits = np.finfo(dtype)
        return [np.nan, np.inf, -np.inf, limits.max, limits.min, limits.tiny, 0, -1, 1]
    if dtype.kind == "b":
        return [False, True]
    whole = np.iinfo(dtype)
    return [whole.max, whole.min, 0, 1, 127, whole.max - 1] + [-1] * (dtype.kind == "i")


def one_number(array: Array, rng: random.Random) -> Array:
    """Change one number: to an edge case, a neighbour, or another number of the array."""
    changed = array.copy().reshape(-1)
    if not len(changed):
        return array
    at, other = rng.randrange(len(changed)), rng.randrange(len(changed))
    with np.errstate(all="ignore"):
        near = [changed[at] ^ True] if array.dtype == bool else [changed[at] + 1, changed[at] - 1]
        changed[at] = rng.choice([*extremes(array.dtype), *near, *near, changed[other]])
    return changed.reshape(array.shape)


def all_numbers(array: Array, rng: random.Random) -> Array:
    """Set all numbers to the same edge case."""
    return np.full_like(array, rng.choice(extremes(array.dtype)))


def any_bits(array: Array, rng: random.Random) -> Array:
    """Replace some or all numbers by random bits."""
    data = np.frombuffer(rng.randbytes(array.nbytes), array.dtype).reshape(array.shape)
    share = rng.choice((0.01, 0.3, 1.0))
    chosen = np.array([rng.random() < share for _ in range(min(array.size, 1 << 12))], np.bool_)
    return np.where(np.resize(chosen, array.shape), data, array) if array.size else array


def shuffled(array: Array, rng: random.Random) -> Array:
    """Reorder the numbers: reversed, sorted, two of them swapped, or at random."""
    flat = array.copy().reshape(-1)
    if len(flat) < 2:
        return array
    way = rng.randrange(4)
    if way == 0:
        flat = flat[::-1]
    elif way == 1:
        flat = np.sort(flat)
    elif way == 2:
        a, b = rng.randrange(len(flat)), rng.randrange(len(flat))
        flat[[a, b]] = flat[[b, a]]
    else:
        flat = np.random.default_rng(rng.randrange(1 << 30)).permutation(flat)
    return flat.reshape(array.shape)


def other_length(array: Array, rng: random.Random) -> Array:
    """Truncate, empty, repeat or extend the array."""
    return rng.choice(
        (
            lambda: array[: rng.randrange(len(array) + 1)] if array.ndim else array,
            lambda: array[:0] if array.ndim else array,
            lambda: np.concatenate([array, array]) if array.ndim else array,
            lambda: np.concatenate([array, array[-1:]]) if array.ndim else array,
        )
    )()


def other_type(array: Array, rng: random.Random) -> Array:
    """Change the type or shape of the array."""
    types = (np.int8, np.uint8, np.int32, np.int64, np.uint64, np.float32, np.float64, np.bool_)
    with np.errstate(all="ignore"):
        return rng.choice(
            (
                lambda: array.astype(rng.choice(types)),
                lambda: array.reshape(1, *array.shape),
                lambda: array.reshape(-1, 1),
                lambda: array.reshape(-1),
            )
        )()


ARRAY_CHANGES: tuple[Callable[[Array, random.Random], Array], ...] = (
    one_number, one_number, one_number, all_numbers, any_bits, shuffled, shuffled, other_length,
    other_type,
)  # fmt: skip


def nested(depth: int) -> list[Any]:
    """Nested lists."""
    found: list[Any] = []
    for _ in range(depth):
        found = [found]
    return found


VALUES: tuple[Any, ...] = (
    None, True, False, 0, 1, -1, 2, 7, 255, 2**31 - 1, 2**31, 2**63 - 1, 2**63, -(2**63), 10**99,
    0.0, -0.0, 0.5, -1.5, 1e-320, 1e300, -1e300, 1e39, "", "a", "\x00", "\n", "ROOT", "x" * 3000,
    [], [[]], [0], [None], ["a"], ["a", "a"], {}, {"a": 1}, {"": {}}, nested(150),
)  # fmt: skip
"""Replacements for settings."""


def keys_of(value: Any) -> list[Any]:
    """The keys of a dict or indices of a list; none of anything else."""
    if isinstance(value, dict):
        return list(value)
    return list(range(len(value))) if isinstance(value, list) else []


def random_path(settings: Any, rng: random.Random) -> tuple[list[Any], Any]:
    """The path to a random value within settings, and its container."""
    way, holder, value = [], settings, settings
    while keys := keys_of(value):
        holder = value
        way.append(rng.choice(keys))
        value = holder[way[-1]]
        if rng.random() < 0.2:
            break
    return way, holder


def altered_settings(settings: Any, rng: random.Random) -> tuple[Any, str]:
    """Settings with something replaced, removed, added, or moved."""
    changed = deepcopy(settings)
    way, holder = random_path(changed, rng)
    if not way:
        return changed, "settings unchanged"
    what = rng.choice(("replaced", "replaced", "replaced", "removed", "added", "moved"))
    new = rng.choice(VALUES)
    if what == "removed":
        del holder[way[-1]]
    elif what == "added" and isinstance(holder, dict):
        holder["more"] = deepcopy(new)
    elif what == "added":
        holder.append(deepcopy(rng.choice([new, holder[-1]])))
    else:
        others, within = random_path(settings, rng)
        holder[way[-1]] = deepcopy(within[others[-1]] if what == "moved" else new)
    return changed, f"setting {'.'.join(map(str, way))} {what}"


def altered_arrays(arrays: dict[str, Array], rng: random.Random) -> tuple[dict[str, Array], str]:
    """Arrays of which one is altered, removed, or replaced by another.

    A packed table is altered as it is stored, or unpacked first and packed again.
    """
    try:
        plain = unpack_all(arrays)
    except ModelError:  # it was altered before
        plain = {}
    name = rng.choice(sorted({*arrays, *plain}))
    if name in arrays and rng.random() < 0.1:
        rest = {key: array for key, array in arrays.items() if key != name}
        if rng.random() < 0.5:
            return rest, f"array {name} removed"
        other = rng.choice(sorted(arrays))
        return rest | {name: arrays[other]}, f"array {name} is {other}"
    change = rng.choice(ARRAY_CHANGES)
    if name in arrays:
        return {**arrays, name: change(arrays[name], rng)}, f"array {name} {change.__name__}"
    rest = {key: array for key, array in arrays.items() if not key.startswith(f"{name}.")}
    return rest | pack_sparse(name, change(plain[name], rng)), f"table {name} {change.__name__}"


def altered(model: ModelFile, rng: random.Random) -> tuple[ModelFile, str]:
    """A model with one or a few alterations, and their description."""
    alterations = []
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        if rng.random() < 0.4 or not model.arrays:  # the last one may have been removed
            settings, what = altered_settings(model.settings, rng)
            model = replace(model, settings=settings)
        else:
            arrays, what = altered_arrays(dict(model.arrays), rng)
            model = replace(model, arrays=arrays)
        alterations.append(what)
    return model, "; ".join(alterations)
