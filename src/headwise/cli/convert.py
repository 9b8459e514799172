"""`headwise convert`: from one format to another."""

from pathlib import Path
from typing import Annotated

import typer

from headwise.cli.options import FORMAT_NAMES, From


def convert(
    source: Annotated[Path, typer.Argument(help="What to read; - is standard input.")],
    target: Annotated[Path, typer.Argument(help="What to write; - is standard output.")],
    from_format: From = None,
    to_format: Annotated[
        str | None,
        typer.Option(
            "--to", help=f"Format of the output: {FORMAT_NAMES} (brackets can only be read)."
        ),
    ] = None,
    head_rules: Annotated[
        str | None,
        typer.Option(
            help="Head rules for brackets: yamada-matsumoto (the default), collins, chinese, "
            "or a file of your own.",
        ),
    ] = None,
) -> None:
    """Convert a treebank, by the files' endings or as named.

    The output appears whole or not at all. Endings in .gz and .xz are compressed.

    Example: `headwise convert wsj.mrg wsj.conllu --head-rules yamada-matsumoto`
    """
    from headwise.corpus.formats import read_sentences, write_sentences

    sentences = read_sentences(source, from_format, head_rules=head_rules)
    write_sentences(target, sentences, to_format)
