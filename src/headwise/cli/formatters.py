"""Output of parsed trees: file formats, drawings and tables."""

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path

from headwise.cli.output import shows_colours, speaks_unicode
from headwise.corpus.formats import CONLLU, FORMATS, TOKENS, Formatter, format_of
from headwise.corpus.output import write_text
from headwise.corpus.sentence import Sentence
from headwise.errors import UsageError

STANDARD_STREAM = Path("-")
TREE, SVG, TSV, PARQUET = "tree", "svg", "tsv", "parquet"
Writer = Callable[[Iterable[Sentence]], None]
OUTPUT_NAMES = ", ".join(
    [name for name, entry in FORMATS.items() if entry.format is not None]
    + [f"{TSV} (a table)", PARQUET, f"{TREE} (drawn)", SVG]
)


def writer_of(output: Path, name: str | None, *, flush: bool = False) -> Writer:
    """A function that writes trees in the named format, or as the file extension says.

    With `flush`, each tree is written before the next sentence is read.
    """
    chosen = name or output.suffix.removeprefix(".")
    if chosen == TREE:
        return partial(draw, output, flush=flush)
    if chosen == PARQUET:
        return parquet_writer(output, flush=flush)
    if chosen == SVG and flush:
        raise UsageError("--flush writes tree by tree; an SVG image contains all trees")
    formatter = formatter_of(output, name)
    return lambda sentences: write_text(output, formatter(sentences), flush=flush)


def parquet_writer(output: Path, *, flush: bool) -> Writer:
    """A function that writes the words of trees as a Parquet file."""
    from headwise.integrations.libraries import library
    from headwise.integrations.parquet import write_parquet

    library("pyarrow.parquet")  # or say so before anything is parsed
    if flush or output == STANDARD_STREAM:
        raise UsageError("Parquet is written to a file, many rows at a time: -o words.parquet")
    return partial(write_parquet, output)


def formatter_of(output: Path, name: str | None) -> Formatter:
    """The formatter by name, or for the extension of the output file."""
    from headwise.corpus.tabular import format_tsv

    if name is None and output != STANDARD_STREAM and output.is_dir():
        raise UsageError(f"-o {output} is a folder; name a file in it")
    chosen = name or output.suffix.removeprefix(".")
    if not chosen and output.exists() and not output.is_file():  # a device such as /dev/null
        chosen = name = CONLLU.name
    if chosen in (SVG, TSV):
        return format_tsv if chosen == TSV else pictured
    try:
        entry = format_of(output, name)
    except UsageError:
        problem = f"unknown format {name!r}" if name else f"{output} has no known file extension"
        raise UsageError(f"{problem}; choose --to from {OUTPUT_NAMES}") from None
    if entry is TOKENS and name is None:
        raise UsageError(
            f"{output}: plain text cannot store trees; name the file .conllu, or choose --to from "
            f"{OUTPUT_NAMES}"
        )
    if entry.format is None:
        raise UsageError(f"trees cannot be written as {entry.name}; choose from {OUTPUT_NAMES}")
    return entry.format


def draw(output: Path, sentences: Iterable[Sentence], *, flush: bool) -> None:
    """Draw trees: coloured on a terminal, in ASCII where the terminal has nothing else."""
    from headwise.draw.terminal import titled_tree

    terminal = output == STANDARD_STREAM
    colour = terminal and shows_colours()
    ascii_only = terminal and not speaks_unicode()
    drawings = (titled_tree(one, colour=colour, ascii_only=ascii_only) for one in sentences)
    write_text(output, drawings, drawn=True, flush=flush)


def pictured(sentences: Iterable[Sentence]) -> Iterator[str]:
    """One SVG image of all trees. The only output that keeps all trees in memory."""
    from headwise.draw.svg import svg_page, svg_tree

    trees = list(sentences)
    yield svg_tree(trees[0]) if len(trees) == 1 else svg_page(trees)
