"""The body of an answer, made in a worker."""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from headwise import __version__
from headwise.corpus.conllu import format_conllu
from headwise.corpus.extras import joined
from headwise.corpus.jsonlines import as_object
from headwise.corpus.plaintext import format_tokens
from headwise.corpus.sentence import Sentence
from headwise.corpus.word import commented_number
from headwise.inference.candidates import HEADS, RELATIONS, read_item
from headwise.serve.parserequest import ParseRequest

if TYPE_CHECKING:
    from headwise.pipeline.pipeline import Pipeline

NORMALISED = "normalized_spaces"
"""UDPipe's option for a sentence per line."""

SPACES = {"s": " ", "t": "\t", "r": "\r", "n": "\n", "p": "|"}
"""What stands for spaces in MISC, after a backslash."""

NUMBERS = ("score", "tree_prob", "labelled_tree_prob")
"""Comments that are numbers, which JSON gives as such too."""


def write_answer(
    pipeline: "Pipeline", request: ParseRequest, sentences: Sequence[Sentence]
) -> bytes:
    """The body of the answer to a request."""
    if request.format == "conllu":
        return "".join(format_conllu(sentences)).encode()
    if request.format != "json":
        return udpipe_answer(pipeline, request.format, sentences)
    objects = [as_answer(one) for one in sentences]
    if request.options.kbest is not None:
        number_trees(objects)
    return dumped({"model": pipeline.name, "version": pipeline.version, "sentences": objects})


def dumped(content: dict[str, Any]) -> bytes:
    """Content as JSON."""
    return json.dumps(content, ensure_ascii=False, separators=(",", ":")).encode()


def as_answer(sentence: Sentence) -> dict[str, Any]:
    """A sentence as JSON lines have it, with its probabilities as numbers."""
    found = as_object(sentence)
    for key in NUMBERS:
        value = commented_number(sentence, key)
        if value is not None:
            found[key] = value
    for word in found["words"]:
        if word["misc"] is not None and f"{HEADS}=" in word["misc"]:
            move_candidates(word)
    return found


def move_candidates(word: dict[str, Any]) -> None:
    """Take the candidates of a word out of its MISC, and list them: OUT word."""
    kept: list[str] = []
    for item in word["misc"].split("|"):
        key, _, value = item.partition("=")
        candidates = read_item(key, value) if key in (HEADS, RELATIONS) else None
        if candidates is None:
            kept.append(item)
        elif key == HEADS:
            word["heads"] = [
                {"head": int(name), "probability": chance} for name, chance in candidates
            ]
        else:
            word["relations"] = [
                {"relation": name, "probability": chance} for name, chance in candidates
            ]
    word["misc"] = "|".join(kept) or None


def number_trees(objects: Sequence[dict[str, Any]]) -> None:
    """Say of several trees which is the n-th of which sentence: OUT objects."""
    number = 0
    for one in objects:
        rank = int(one["id"].rpartition("/")[2])
        number += rank == 1
        one["sentence"], one["rank"] = number, rank


# ------------------------------------------------------------------ as UDPipe answers


def format_vertical(sentences: Iterable[Sentence]) -> Iterator[str]:
    """A word per line, and a blank line after each sentence."""
    return ("\n".join((*one.forms, "", "")) for one in sentences)


def format_lines(sentences: Iterable[Sentence]) -> Iterator[str]:
    """The text of a sentence per line, and a blank line before each paragraph but the first."""
    for number, one in enumerate(sentences):
        begins = any(line.startswith(("# newdoc", "# newpar")) for line in one.comments)
        yield f"{chr(10) if number and begins else ''}{joined(one.tokens())}\n"


def format_texts(sentences: Iterable[Sentence]) -> Iterator[str]:
    """The texts of sentences with the spaces that they had, as far as MISC knows them."""
    for one in sentences:
        misc = dict(enumerate(one.misc, 1)) | {row.first: row.misc for row in one.multiwords}
        for token in one.tokens():
            items = dict(item.partition("=")[::2] for item in misc[token.first].split("|"))
            inside = items.get("SpacesInToken")
            yield unescaped(items.get("SpacesBefore", ""))
            yield token.form if inside is None else unescaped(inside)
            yield unescaped(items.get("SpacesAfter", " " if token.space_after else ""))


def unescaped(spaces: str) -> str:
    r"""Spaces as MISC writes them: `\s`, `\t`, `\r`, `\n`, `\p` (|) and `\\`."""
    return re.sub(r"\\(.)", lambda found: SPACES.get(found[1], found[1]), spaces)


UDPIPE_OUTPUTS: dict[str, Callable[[Iterable[Sentence]], Iterator[str]]] = {
    "udpipe:conllu": format_conllu,
    "udpipe:horizontal": format_tokens,
    "udpipe:vertical": format_vertical,
    "udpipe:plaintext": format_texts,
    f"udpipe:plaintext={NORMALISED}": format_lines,
}


def udpipe_answer(pipeline: "Pipeline", output: str, sentences: Sequence[Sentence]) -> bytes:
    """The answer of UDPipe's `/process`: a text in JSON."""
    from headwise.pipeline.pipeline import signed

    written = signed(pipeline, sentences) if output == "udpipe:conllu" else sentences
    result = "".join(UDPIPE_OUTPUTS[output](written))
    by = f"headwise {__version__}, model {pipeline.name} {pipeline.version}"
    return dumped({"model": pipeline.name, "acknowledgements": [by], "result": result})
