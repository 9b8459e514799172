# mypy: allow-untyped-defs
"""Logistic regression with three classes by L-BFGS within bounds, as two-metric projection.

Weights that are at their bound and would be drawn beyond it stay there; the others move along the
quasi-Newton direction that the last steps suggest for them, are put back to the bound if they come
beyond it, and the step is halved until the objective falls by enough (Bertsekas 1982). There is no
library underneath whose sums depend on the number of its threads.
"""

import numpy as np

from headwise.kernels.runtime.jit import helper, kernel, maker
from headwise.kernels.solvers.link_loss import loss_of

MEMORY = 10
"""How many steps are remembered."""
ENOUGH = 1e-4
"""The share of the fall that the slope promises which a step must reach."""
HALVINGS = 40


@kernel
def solve_links(examples, theta, least, constant, linear, tolerance, steps):
    """Find the weights that minimise loss + constant · Σθ + ½ linear · Σθ², none below `least`.

    IN/OUT: theta, [column, class], where it starts and where it ends.
    Returns the number of steps.
    """
    x = theta.reshape(-1)
    size = len(x)
    slopes, new_slopes, new = np.empty(size), np.empty(size), np.empty((len(theta), 3))
    moves, turns = np.zeros((MEMORY, size)), np.zeros((MEMORY, size))
    direction, free = np.empty(size), np.empty(size, np.bool_)
    stored = 0
    value = loss_of(examples, theta, slopes.reshape(-1, 3))
    value += add_prior(x, slopes, constant, linear)
    for done in range(steps):
        if find_free(x, slopes, least, free) <= tolerance:
            return done
        promise = find_direction(slopes, free, moves, turns, stored, direction)
        if promise >= 0.0:
            stored = 0
            promise = find_direction(slopes, free, moves, turns, stored, direction)
        size_of_step = 1.0 if stored else min(1.0, 1.0 / np.abs(direction).sum())
        for _ in range(HALVINGS):
            fall = take_step(x, direction, slopes, size_of_step, least, new.reshape(-1))
            found = loss_of(examples, new, new_slopes.reshape(-1, 3))
            found += add_prior(new.reshape(-1), new_slopes, constant, linear)
            if found <= value + ENOUGH * fall:
                break
            size_of_step *= 0.5
        if not found < value:
            if stored == 0:
                return done  # rounding: no step is better
            stored = 0
            continue
        stored = remember(x, new.reshape(-1), slopes, new_slopes, moves, turns, stored)
        x[:], slopes[:], value = new.reshape(-1), new_slopes, found
    return steps


@helper
def add_prior(x, slopes, constant, linear):
    """The prior's part of the objective. OUT: its slopes are added."""
    total = 0.0
    for i in range(len(x)):
        total += constant * x[i] + 0.5 * linear * x[i] * x[i]
        slopes[i] += constant + linear * x[i]
    return total


@helper
def find_free(x, slopes, least, free):
    """Find what may move. OUT: free. Returns the steepest slope there."""
    steepest = 0.0
    for i in range(len(x)):
        free[i] = x[i] > least or slopes[i] < 0.0
        if free[i]:
            steepest = max(steepest, abs(slopes[i]))
    return steepest


@helper
def dot(a, b, free):
    """The product of two vectors, of their free entries."""
    total = 0.0
    for i in range(len(a)):
        if free[i]:
            total += a[i] * b[i]
    return total


@maker
def find_direction(slopes, free, moves, turns, stored, direction):
    """The way to go for what is free, from the last steps. OUT: direction. Returns its slope."""
    for i in range(len(slopes)):
        direction[i] = -slopes[i] if free[i] else 0.0
    count = min(stored, MEMORY)
    shares, bends = np.zeros(MEMORY), np.zeros(MEMORY)
    scale = 1.0
    for back in range(1, count + 1):
        at = (stored - back) % MEMORY
        bends[at] = dot(moves[at], turns[at], free)
        if bends[at] <= 1e-12:
            continue
        if scale == 1.0:
            scale = bends[at] / dot(turns[at], turns[at], free)
        shares[at] = dot(moves[at], direction, free) / bends[at]
        add(direction, turns[at], -shares[at], free)
    direction *= scale
    for back in range(count, 0, -1):
        at = (stored - back) % MEMORY
        if bends[at] > 1e-12:
            own = dot(turns[at], direction, free) / bends[at]
            add(direction, moves[at], shares[at] - own, free)
    return dot(direction, slopes, free)


@helper
def add(target, values, factor, free):
    """Add a multiple of a vector where entries are free. OUT: target."""
    for i in range(len(target)):
        if free[i]:
            target[i] += factor * values[i]


@helper
def take_step(x, direction, slopes, size, least, new):
    """Go along a direction, not beyond the bound. OUT: new. Returns the fall that slopes say."""
    fall = 0.0
    for i in range(len(x)):
        new[i] = max(x[i] + size * direction[i], least)
        fall += slopes[i] * (new[i] - x[i])
    return fall


@helper
def remember(x, new, slopes, new_slopes, moves, turns, stored):
    """Keep a step and what it did to the slopes. OUT: moves, turns. Returns how many there were."""
    at = stored % MEMORY
    bend = 0.0
    for i in range(len(x)):
        moves[at, i] = new[i] - x[i]
        turns[at, i] = new_slopes[i] - slopes[i]
        bend += moves[at, i] * turns[at, i]
    return stored + 1 if bend > 1e-12 else stored
