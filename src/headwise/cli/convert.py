"""`headwise convert`: convert treebanks between formats."""

from pathlib import Path
from typing import Annotated

import typer

from headwise.cli.options import FORMAT_NAMES, From, HeadRules
from headwise.cli.progressbar import is_terminal, progress
from headwise.corpus.formats import convert_file


def convert(
    source: Annotated[Path, typer.Argument(help="Input file (- for standard input).")],
    target: Annotated[Path, typer.Argument(help="Output file (- for standard output).")],
    from_format: From = None,
    to_format: Annotated[
        str | None,
        typer.Option("--to", help=f"Output format: {FORMAT_NAMES} (brackets only from brackets)."),
    ] = None,
    head_rules: HeadRules = None,
    strict: Annotated[
        bool, typer.Option("--strict", help="Reject irregular blank lines instead of warning.")
    ] = False,
) -> None:
    """Convert a treebank to another format, by default chosen by the file extensions.

    The output file is written completely or not at all; .gz and .xz are compressed.

    Example: `headwise convert wsj.mrg wsj.conllu --head-rules yamada-matsumoto`
    """
    with progress("converting", source) as bar:
        if is_terminal(target):
            bar.stop()
        convert_file(source, target, from_format, to_format, head_rules=head_rules, strict=strict)
