"""`headwise parse`: trees for sentences."""

import gc
from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from headwise.cli.options import From, refuse_two_standard_inputs
from headwise.cli.output import speaks_unicode
from headwise.cli.pace import paced
from headwise.errors import UsageError

if TYPE_CHECKING:
    from headwise.answers import Wanted
    from headwise.corpus.formats import Formatter
    from headwise.corpus.sentence import Sentence

TREE = "tree"
STANDARD_STREAM = Path("-")


def parse(
    files: Annotated[
        list[Path] | None,
        typer.Argument(
            help="Sentences, file after file; - is standard input, and so is no file at all."
        ),
    ] = None,
    model: Annotated[Path, typer.Option("--model", "-m", help="A model: a folder.")] = ...,  # type: ignore[assignment]
    output: Annotated[
        Path, typer.Option("--output", "-o", help="What to write; - is standard output.")
    ] = STANDARD_STREAM,
    from_format: From = None,
    to_format: Annotated[
        str | None,
        typer.Option(
            "--to",
            help="Format of the output: conllu, jsonl, conllx, text, or tree (drawn). By default "
            "the name's ending says, and standard output is conllu.",
        ),
    ] = None,
    kbest: Annotated[
        int | None,
        typer.Option(
            min=1,
            help="So many best trees a sentence: sent_id/1, /2 …, with their scores. With --decode "
            "mbr or mbr-rerank, the candidates that one tree is made of.",
        ),
    ] = None,
    decode: Annotated[
        str,
        typer.Option(
            help="map: the most probable tree; mbr: the tree of minimum Bayes risk, over all trees "
            "or over candidates; mbr-rerank: the candidate of minimum Bayes risk."
        ),
    ] = "map",
    samples: Annotated[
        int | None,
        typer.Option(min=1, help="With --decode mbr or mbr-rerank: so many samples as candidates."),
    ] = None,
    marginals: Annotated[
        bool,
        typer.Option(
            "--marginals",
            help="Probabilities of heads and relations, in MISC; of trees, in comments.",
        ),
    ] = False,
    constraints: Annotated[
        bool, typer.Option("--constraints", help="Keep the heads that the input has.")
    ] = False,
    guide: Annotated[
        Path | None,
        typer.Option(help="The same sentences under another parser's trees, for models that ask."),
    ] = None,
    jobs: Annotated[int, typer.Option("--jobs", "-j", min=1, help="Threads.")] = 1,
) -> None:
    """Parse sentences of CoNLL-U, CoNLL-X, JSON lines or tokenised text.

    Tags are those of the input. Comments, multiword tokens and empty nodes are kept. Output files
    appear whole or not at all.

    Example: `headwise parse --model english raw.conllu -o parsed.conllu`
    """
    from headwise.corpus.output import write_text
    from headwise.models import load
    from headwise.parsing import parse_stream

    sources = files or [STANDARD_STREAM]
    refuse_two_standard_inputs(*sources, *([guide] if guide else []))
    formatter = formatter_of(output, to_format)
    wanted = wanted_of(decode, kbest, samples, marginals=marginals, constraints=constraints)
    sentences = sentences_of(sources, from_format)
    guides = sentences_of([guide], from_format) if guide else None
    search = load(model).search()
    gc.freeze()  # or what was imported would be looked through for garbage again and again
    answers = parse_stream(search, sentences, wanted, guides=guides, jobs=jobs)
    write_text(output, formatter(paced(answers)))


def wanted_of(
    decode: str, kbest: int | None, samples: int | None, *, marginals: bool, constraints: bool
) -> "Wanted":
    """What is asked of each sentence."""
    from headwise.answers import Wanted
    from headwise.decoders.decoding import Decoding, decode_name

    name = decode_name(decode)
    decoding = Decoding(name, kbest if name != "map" else None, samples)
    return Wanted(kbest if name == "map" else None, marginals, constraints, decoding)


def sentences_of(files: list[Path], format_name: str | None) -> Iterator["Sentence"]:
    """The sentences of files, one after the other; all of them must be there at the start."""
    from headwise.corpus.formats import existing, read_sentences

    formats = [existing(file, format_name).name for file in files]
    return (
        sentence
        for file, name in zip(files, formats, strict=True)
        for sentence in read_sentences(file, name)
    )


def formatter_of(output: Path, name: str | None) -> "Formatter":
    """How the answers are written."""
    from headwise.corpus.formats import format_of

    if name == TREE:
        return partial(drawn, ascii_only=output == STANDARD_STREAM and not speaks_unicode())
    entry = format_of(output, name)
    if entry.format is None:
        raise UsageError(f"trees cannot be written as {entry.name}")
    return entry.format


def drawn(sentences: Iterable["Sentence"], *, ascii_only: bool) -> Iterator[str]:
    """Trees to look at."""
    from headwise.draw.terminal import titled_tree

    return (titled_tree(sentence, ascii_only=ascii_only) for sentence in sentences)
