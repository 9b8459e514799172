"""Layers of a network at work: products of whole numbers of at most `LEVELS`, kept as float32."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]

LEVELS = 127
"""The largest whole number of weights and activations."""

MAX_INPUTS = 1040
"""Inputs of a layer: sums of this many products of whole numbers are exact in float32."""


@dataclass(frozen=True, eq=False)
class Layer:
    """x → x · weights · scale + bias; a scale and a bias for each output."""

    weights: NDArray[Any]
    scale: Floats
    bias: Floats

    @cached_property
    def floats(self) -> Floats:
        """The weights as BLAS wants them."""
        return np.ascontiguousarray(self.weights, np.float32)

    def __call__(self, x: Floats) -> Floats:
        found = x @ self.floats
        found *= self.scale
        found += self.bias
        return found


@dataclass(frozen=True, eq=False)
class HiddenLayer:
    """A layer whose outputs, cut at 0, are whole numbers of steps again."""

    layer: Layer
    step: float

    def __call__(self, x: Floats) -> Floats:
        """The outputs as whole numbers; as they are if the step is 0."""
        found = np.maximum(self.layer(x), 0.0)
        return found if self.step == 0 else whole(found, self.step, LEVELS)


@dataclass(frozen=True, eq=False)
class Recurrent:
    """One direction of a layer of the encoder; its inputs are made before."""

    inputs: Layer
    weights: NDArray[Any]
    scale: Floats

    @cached_property
    def floats(self) -> Floats:
        """The weights as BLAS wants them."""
        return np.ascontiguousarray(self.weights, np.float32)


def directions(arrays: Mapping[str, NDArray[Any]], number: int) -> tuple[Recurrent, Recurrent]:
    """Both directions of a layer."""
    weights, scale, bias = (arrays[f"encoder.{number}.{one}"] for one in INPUT)
    recurrent, own_scale = (arrays[f"encoder.{number}.{one}"] for one in RECURRENT)
    forwards, backwards = (
        Recurrent(Layer(weights[d], scale[d], bias[d]), recurrent[d], own_scale[d])
        for d in range(2)
    )
    return forwards, backwards


INPUT = ("input", "input.scale", "input.bias")
RECURRENT = ("recurrent", "recurrent.scale")


def whole(x: Floats, step: float, maximum: int) -> Floats:
    """Numbers as whole numbers of steps, at most `maximum` in magnitude."""
    x *= np.float32(1.0 / step)
    np.rint(x, out=x)
    return np.clip(x, -maximum, maximum, out=x)
