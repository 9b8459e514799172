"""`headwise convert`: from one format to another."""

from pathlib import Path
from typing import Annotated

import typer

from headwise.cli.options import FORMAT_NAMES, From, HeadRules
from headwise.cli.pace import is_terminal, progress


def convert(
    source: Annotated[Path, typer.Argument(help="What to read; - is standard input.")],
    target: Annotated[Path, typer.Argument(help="What to write; - is standard output.")],
    from_format: From = None,
    to_format: Annotated[
        str | None,
        typer.Option(
            "--to", help=f"Format of the output: {FORMAT_NAMES} (brackets only from brackets)."
        ),
    ] = None,
    head_rules: HeadRules = None,
    strict: Annotated[
        bool, typer.Option("--strict", help="Refuse unusual blank lines instead of warning.")
    ] = False,
) -> None:
    """Convert a treebank, by the files' endings or as named.

    The output appears whole or not at all. Endings in .gz and .xz are compressed.

    Example: `headwise convert wsj.mrg wsj.conllu --head-rules yamada-matsumoto`
    """
    from headwise.corpus.formats import convert_file

    with progress("converting", source) as pace:
        if is_terminal(target):
            pace.stop()
        convert_file(source, target, from_format, to_format, head_rules=head_rules, strict=strict)
