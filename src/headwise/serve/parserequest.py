"""What a request asks for, and how its JSON says it."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from headwise.errors import quoted
from headwise.inference.answers import BEST_TREES, ParseOptions
from headwise.serve.requesterrors import RequestError, bad_request
from headwise.serve.settings import ServeSettings

KINDS = ("text", "tokens", "conllu")
"""What can be parsed: raw text, lists of tokens, or sentences in CoNLL-U."""

FORMATS = ("json", "conllu")
OPTIONS = ("model", "own_tags", "kbest", "marginals", "candidates", "constraints", "format")

BREAKS = re.compile(r"[\t\n\r]")
SHOWN = 0.01
"""The least probability of candidates that JSON lists with `marginals`."""

TREES_SIZE = 1 << 22
"""The largest size of a request for several trees, unless longer bodies are allowed: the k best
trees of long texts would fill the memory."""


@dataclass(frozen=True, slots=True)
class ParseRequest:
    """What to parse, and what to answer.

    kind, data: what is parsed; beside `KINDS`, as UDPipe has them: presegmented, horizontal and
        vertical text.
    steps: how far sentences are annotated: with trees, with tags, or not at all.
    ranges: whether MISC says where tokens stand.
    format: of the answer; beside `FORMATS`, `udpipe:` and its name of a format.
    longest: words of the longest sentence that may be parsed.
    own_tags: whether tags of the input are replaced.
    options: what to find besides the best trees.
    """

    kind: str
    data: Any
    own_tags: bool = False
    options: ParseOptions = BEST_TREES
    steps: Literal["tokens", "tags", "trees"] = "trees"
    ranges: bool = False
    format: str = "json"
    longest: int = 500

    @property
    def size(self) -> int:
        """How much work it is, in characters; several trees are as much as more text."""
        length = len(self.data)
        if self.kind == "tokens":
            length = sum(len(form) + 1 for sentence in self.data for form in sentence)
        return length * (self.options.kbest or 1)


def read_request(
    data: Any, settings: ServeSettings, accept: str
) -> tuple[str | None, ParseRequest]:
    """The model that the JSON of a request names, if any, and what it asks for."""
    if not isinstance(data, dict):
        raise bad_request('a request is a JSON object: {"text": …}')
    unknown = sorted(set(data) - {*KINDS, *OPTIONS})
    if unknown:
        raise bad_request(
            f"unknown key {quoted(unknown[0])}; known are {', '.join((*KINDS, *OPTIONS))}"
        )
    given = [kind for kind in KINDS if data.get(kind) is not None]
    if len(given) != 1:
        raise bad_request("give one of text, tokens and conllu")
    kind, format_name = given[0], format_of(data, accept)
    marginals, candidates = flag(data, "marginals"), probability(data, "candidates")
    if marginals and candidates is None and format_name == "json":
        candidates = SHOWN
    request = ParseRequest(
        kind,
        checked_data(kind, data[kind]),
        own_tags=flag(data, "own_tags"),
        options=ParseOptions(
            number(data, "kbest", settings.kbest),
            marginals,
            flag(data, "constraints"),
            candidates=candidates,
        ),
        format=format_name,
        longest=settings.sentence_words,
    )
    if request.size > max(settings.body_bytes, TREES_SIZE):
        raise RequestError(
            413, "too_many_trees", "these are too many trees of so much text: ask for fewer (kbest)"
        )
    if request.options.constraints and kind != "conllu":
        raise bad_request("constraints are heads of the input: give it as conllu")
    model = data.get("model")
    if model is not None and not isinstance(model, str):
        raise bad_request("model must be a name")
    return model, request


def checked_data(kind: str, value: Any) -> Any:
    """What is to be parsed, if it is of the right type and can be encoded."""
    if kind == "tokens":
        return [tokens(one) for one in items(value, "tokens must be a list of sentences")]
    return text(value, f"{kind} must be a string")


def tokens(value: Any) -> list[str]:
    """The tokens of a sentence."""
    wrong = "a sentence of tokens is a list of strings, not empty, without tabs and line ends"
    found = [text(one, wrong) for one in items(value, wrong)]
    if not found or not all(one.strip() and not BREAKS.search(one) for one in found):
        raise bad_request(wrong)
    return found


def items(value: Any, wrong: str) -> list[Any]:
    """A list."""
    if not isinstance(value, list):
        raise bad_request(wrong)
    return value


def text(value: Any, wrong: str) -> str:
    """A string, which JSON may have made of half characters."""
    if not isinstance(value, str):
        raise bad_request(wrong)
    try:
        value.encode()
    except UnicodeEncodeError:
        raise bad_request("a string holds a lone surrogate, which is not a character") from None
    return value


def flag(data: Mapping[str, Any], key: str) -> bool:
    """An option that is on or off."""
    value = data.get(key, False)
    if not isinstance(value, bool):
        raise bad_request(f"{key} must be true or false")
    return value


def number(data: Mapping[str, Any], key: str, most: int) -> int | None:
    """An option that is a number from 1, or absent."""
    value = data.get(key)
    if value is None:
        return None
    if type(value) is not int or not 1 <= value <= most:
        raise bad_request(f"{key} must be a number from 1 to {most}")
    return value


def probability(data: Mapping[str, Any], key: str) -> float | None:
    """An option that is a probability above 0, or absent."""
    value = data.get(key)
    if value is None:
        return None
    if type(value) not in (int, float) or not 0 < value <= 1:
        raise bad_request(f"{key} must be a probability above 0 and up to 1")
    return float(value)


def format_of(data: Mapping[str, Any], accept: str) -> str:
    """The format of the answer: what the request says, or else what the client accepts."""
    named = data.get("format")
    if named is None:
        return "conllu" if "conllu" in accept or accept.startswith("text/plain") else "json"
    if named not in FORMATS:
        raise bad_request(f"format must be one of {', '.join(FORMATS)}")
    return str(named)
