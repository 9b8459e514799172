"""What callers give to a pipeline: arguments of other libraries are told what they are here."""

import pytest

from headwise.errors import UsageError
from toypipelines import toy_pipeline


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"n_process": 2}, "unknown argument 'n_process': processes=… here"),
        ({"n_jobs": 2}, r"unknown argument 'n_jobs': jobs=… here \(threads\)"),
        ({"disable": ["parser"]}, "'disable': without a stage, a pipeline is dataclasses.replace"),
        ({"kbest": 2}, r"'kbest': options=headwise.ParseOptions\(kbest=…\)"),
        ({"nothing": 2}, "unknown argument 'nothing'$"),
    ],
)
def test_arguments_of_other_libraries_are_named(arguments, message):
    nlp = toy_pipeline()
    with pytest.raises(UsageError, match=message):
        nlp.pipe(["A cat."], **arguments)
    with pytest.raises(UsageError, match=message):
        nlp("A cat.", **arguments)
