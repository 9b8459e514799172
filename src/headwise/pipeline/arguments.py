"""What callers give to a pipeline: checks of what their type checkers would have refused.

Arguments that other libraries have, or that belong into the options, are named where they belong.
"""

from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields
from typing import Any

from headwise.errors import UsageError, quoted
from headwise.inference.answers import ParseOptions, checked_options

WITHOUT_STAGES = "without a stage, a pipeline is dataclasses.replace(nlp, parser=None)"
ELSEWHERE = {
    "n_process": "processes=… here", "n_processes": "processes=… here",
    "n_jobs": "jobs=… here (threads)", "n_threads": "jobs=… here", "threads": "jobs=… here",
    "disable": WITHOUT_STAGES, "enable": WITHOUT_STAGES, "exclude": WITHOUT_STAGES,
}  # fmt: skip
"""What other libraries (spaCy, scikit-learn) call an argument, and what it is here."""


def refuse_unknown(arguments: Mapping[str, object]) -> None:
    """Raise if there are arguments that a pipeline does not have."""
    for name in arguments:
        where = ELSEWHERE.get(name)
        if name in {one.name for one in fields(ParseOptions)}:
            where = f"options=headwise.ParseOptions({name}=…)"
        raise UsageError(f"unknown argument {name!r}" + (f": {where}" if where else ""))


def check_options(options: object) -> None:
    """Raise unless this can be asked about a document."""
    if checked_options(options).trees is not None:
        raise UsageError("a document has one tree per sentence: call `annotate` for several")


def check_text(text: object) -> None:
    """Raise unless this is text: callers without type checkers give paths, sentences or nothing."""
    if not isinstance(text, str):
        raise UsageError(
            f"a pipeline reads text (str), not {type(text).__name__}; many texts are for `pipe`, "
            "sentences for `annotate`"
        )


def check_texts(texts: Any) -> Iterable[Any]:
    """The texts, unless they are something else; one text would be taken for its characters."""
    if isinstance(texts, str):
        raise UsageError("`pipe` takes many texts, as a list; call the pipeline with one")
    if not isinstance(texts, Iterable):
        raise UsageError(f"`pipe` takes many texts, as a list, not {type(texts).__name__}")
    return texts


def untied(pairs: Iterable[Any], contexts: deque[Any]) -> Iterator[str]:
    """The texts of pairs, and (OUT) what else is in each."""
    for pair in pairs:
        if not isinstance(pair, tuple) or len(pair) != 2:
            raise UsageError(f"as_tuples: expected pairs (text, anything), not {quoted(pair)}")
        contexts.append(pair[1])
        yield pair[0]
