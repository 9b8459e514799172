import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from headwise.learners.neural.quantising import quantised, step_for, whole_columns
from headwise.parsers.neural.storage import shapes_of
from toynetworks import random_parameters, random_parser, toy_numbers, toy_vectors


@given(st.lists(st.lists(st.floats(-5, 5, width=32), min_size=3, max_size=3), min_size=1))
def test_columns_are_restored_to_half_a_step(rows):
    weights = np.array(rows, np.float32)
    numbers, scale = whole_columns(weights)
    assert numbers.dtype == np.int8
    assert np.abs(numbers.astype(int)).max() <= 127
    assert (np.abs(numbers * scale - weights) <= 0.5001 * scale + 1e-9).all()


def test_steps_hold_nearly_everything():
    values = np.random.default_rng(0).standard_normal(100_000).astype(np.float32)
    step = step_for(values, 127)
    assert (np.abs(values) > 127 * step).mean() <= 1e-4
    assert step_for(np.zeros(10, np.float32), 127) > 0


def test_arrays_have_the_shapes_and_types_that_models_have():
    arrays, steps = quantised(random_parameters(), toy_vectors(), toy_numbers())
    parser = random_parser()
    assert {name: one.shape for name, one in arrays.items()} == shapes_of(parser, arrays["vectors"])
    assert all(step > 0 for step in steps.values())
    for name, one in arrays.items():
        is_number = name.endswith((".scale", ".bias", ".distance"))
        assert one.dtype == (np.float32 if is_number else np.int8), name


def test_a_sample_of_one_sentence_is_enough():
    _, steps = quantised(random_parameters(), toy_vectors(), toy_numbers(1))
    assert steps["arcs"] == pytest.approx(steps["arcs"])
    assert np.isfinite(list(steps.values())).all()
