import pickle

import pytest

from headwise.errors import (
    ConstraintError,
    FormatError,
    InputError,
    LimitError,
    ModelError,
    UsageError,
)
from headwise.serve.requesterrors import RequestError, request_error, too_many


@pytest.mark.parametrize(
    ("error", "status", "code"),
    [
        (FormatError("x"), 400, "invalid_data"),
        (UsageError("x"), 400, "not_possible"),
        (LimitError("x"), 413, "sentence_too_long"),
        (ConstraintError("x"), 422, "impossible_constraints"),
        (ModelError("x"), 503, "model_unavailable"),
        (too_many(3), 429, "overloaded"),
    ],
)
def test_what_errors_mean_over_http(error, status, code):
    found = request_error(error)
    assert (found.status, found.code) == (status, code)
    assert found.message in str(error)


def test_clashes_of_constraints_are_told_from_other_invalid_input():
    try:
        try:
            raise ConstraintError("no tree")
        except ConstraintError as error:
            raise InputError("no tree") from error
    except InputError as error:
        assert request_error(error).status == 422


def test_what_nobody_expected_says_nothing_of_itself():
    found = request_error(ValueError("the users' text"))
    assert found.status == 500
    assert "users" not in str(found.content)


def test_errors_of_workers_arrive_as_they_were():
    sent = too_many(2)
    found = pickle.loads(pickle.dumps(sent))
    assert isinstance(found, RequestError)
    assert (found.status, found.content, found.headers) == (
        429, sent.content, {"Retry-After": "2"},
    )  # fmt: skip
