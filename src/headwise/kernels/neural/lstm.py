# mypy: allow-untyped-defs
"""One step of an LSTM layer for many sentences.

    g = input + (states · R) scale        gates i, f, o and candidate z, side by side
    c = σ(f) c + σ(i) tanh(z)
    h = σ(o) tanh(c)                      kept as the whole number round(h · levels)

Matrix products are made outside: NumPy's are as fast as can be. tanh is a quotient of polynomials
(the seventh convergent of its continued fraction), off by less than 10⁻⁴: exp would not vectorise,
and its last bit differs between machines.
"""

import math

import numpy as np
from numba.extending import register_jitable

from headwise.kernels.primitives.runs import copy_run
from headwise.kernels.runtime.jit import exact_kernel

WIDEST = np.float32(4.97)
"""Where the quotient reaches 1: from here on tanh is taken to be constant."""

HALF, ONE = np.float32(0.5), np.float32(1.0)
A0, A1, A2 = np.float32(135135.0), np.float32(17325.0), np.float32(378.0)
B1, B2, B3 = np.float32(62370.0), np.float32(3150.0), np.float32(28.0)


@register_jitable
def tanh(x):
    """The hyperbolic tangent, nearly."""
    x = min(max(x, -WIDEST), WIDEST)
    y = x * x
    return x * (A0 + y * (A1 + y * (A2 + y))) / (A0 + y * (B1 + y * (B2 + y * B3)))


@register_jitable
def sigmoid(x):
    """The logistic function, nearly."""
    return HALF + HALF * tanh(HALF * x)


@exact_kernel
def lstm_step(inputs, index, products, scale, levels, cells, states, tokens, offset, outputs):
    """Move the first sentences of a batch on by one token; `index` has one entry for each.

    inputs: [row, 4 H], and `index` the row of each sentence's token.
    products: [sentence, 4 H], of states and recurrent weights, to be multiplied by `scale`.
    levels: steps from 0 to 1 of whole numbers; 0 keeps states as they are.
    OUT: cells and states, [sentence, H]; the states also go to `outputs`, in the row that `tokens`
    says and the columns from `offset` on.
    """
    units = cells.shape[1]
    for sentence in range(len(index)):
        row, product = inputs[index[sentence]], products[sentence]
        cell, state = cells[sentence], states[sentence]
        for k in range(units):
            i = row[k] + product[k] * scale[k]
            f = row[units + k] + product[units + k] * scale[units + k]
            z = row[3 * units + k] + product[3 * units + k] * scale[3 * units + k]
            cell[k] = sigmoid(f) * cell[k] + sigmoid(i) * tanh(z)
        for k in range(units):
            o = row[2 * units + k] + product[2 * units + k] * scale[2 * units + k]
            state[k] = sigmoid(o) * tanh(cell[k])
        if levels > 0:
            for k in range(units):
                state[k] = math.floor(state[k] * levels + HALF)
        copy_run(outputs[tokens[sentence]], offset, state, 0, units)
