"""How answers are written: formats of files, and pictures and tables to look at."""

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from headwise.cli.output import shows_colours, speaks_unicode
from headwise.errors import UsageError

if TYPE_CHECKING:
    from headwise.corpus.formats import Formatter
    from headwise.corpus.sentence import Sentence

STANDARD_STREAM = Path("-")
TREE, SVG, TSV = "tree", "svg", "tsv"
Writer = Callable[[Iterable["Sentence"]], None]
OUTPUT_NAMES = f"conllu, jsonl, conllx, tokens, {TSV} (a table), {TREE} (drawn), {SVG}"


def writer_of(output: Path, name: str | None, *, flush: bool = False) -> Writer:
    """What writes the answers: in the format named, or as the ending of the output's name says.

    With `flush`, every answer is written before the next sentence is read.
    """
    chosen = name or output.suffix.removeprefix(".")
    if chosen == TREE:
        return partial(draw, output, flush=flush)
    if chosen == SVG and flush:
        raise UsageError("--flush writes tree by tree; an SVG picture holds all trees")
    return partial(write, output, formatter_of(output, name), flush)


def formatter_of(output: Path, name: str | None) -> "Formatter":
    """The format of a file, as named or as the ending of its name says."""
    from headwise.corpus.formats import CONLLU, TOKENS, format_of
    from headwise.corpus.tabular import format_tsv

    if name is None and output != STANDARD_STREAM and output.is_dir():
        raise UsageError(f"-o {output}: this is a folder; name a file in it")
    chosen = name or output.suffix.removeprefix(".")
    if not chosen and output.exists() and not output.is_file():  # a device, as /dev/null is
        chosen = name = CONLLU.name
    if chosen in (SVG, TSV):
        return format_tsv if chosen == TSV else pictured
    try:
        entry = format_of(output, name)
    except UsageError:
        said = f"there is no format {name!r}" if name else f"{output} does not tell its format"
        raise UsageError(f"{said}; trees are written as {OUTPUT_NAMES}") from None
    if entry is TOKENS and name is None:
        raise UsageError(
            f"{output}: text holds no trees; name the file .conllu, or say --to with one of "
            f"{OUTPUT_NAMES}"
        )
    if entry.format is None:
        raise UsageError(f"trees are not written as {entry.name}, but as {OUTPUT_NAMES}")
    return entry.format


def write(
    output: Path, formatter: "Formatter", flush: bool, sentences: Iterable["Sentence"]
) -> None:
    """Write trees in the format of a file."""
    from headwise.corpus.output import write_text

    write_text(output, formatter(sentences), flush=flush)


def draw(output: Path, sentences: Iterable["Sentence"], *, flush: bool) -> None:
    """Draw trees; only a terminal gets colours, and only an old one ASCII."""
    from headwise.corpus.output import write_text
    from headwise.draw.terminal import titled_tree

    terminal = output == STANDARD_STREAM
    colour = terminal and shows_colours()
    ascii_only = terminal and not speaks_unicode()
    drawings = (titled_tree(one, colour=colour, ascii_only=ascii_only) for one in sentences)
    write_text(output, drawings, drawn=True, flush=flush)


def pictured(sentences: Iterable["Sentence"]) -> Iterator[str]:
    """One picture of all trees. It is the only output that holds them all in memory."""
    from headwise.draw.svg import svg_page, svg_tree

    trees = list(sentences)
    yield svg_tree(trees[0]) if len(trees) == 1 else svg_page(trees)
