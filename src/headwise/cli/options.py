"""Arguments and options that several commands share."""

from pathlib import Path
from typing import Annotated

import typer

from headwise.errors import UsageError

FORMAT_NAMES = "conllu, conllx, brackets, tokens, jsonl"

DECODE_HELP = (
    "mbr: a new tree, of minimum Bayes risk; mbr-rerank: the candidate of minimum Bayes risk; "
    "map: the most probable candidate."
)
Decode = Annotated[str, typer.Option(help=DECODE_HELP)]

Output = Annotated[
    Path, typer.Option("--output", "-o", help="What to write; - is standard output.")
]
Model = Annotated[Path, typer.Option("--model", "-m", help="A model made by `train`: a folder.")]
NewModel = Annotated[Path, typer.Option("--output", "-o", help="The model to write: a folder.")]
Force = Annotated[bool, typer.Option("--force", help="Replace a model that is there.")]

Json = Annotated[bool, typer.Option("--json", help="Print JSON instead of tables.")]

From = Annotated[
    str | None,
    typer.Option(
        "--from", help=f"Format of the input: {FORMAT_NAMES}. By default the name's ending says."
    ),
]

HeadRules = Annotated[
    str | None,
    typer.Option(
        help="Head rules for brackets: yamada-matsumoto (the default), collins, chinese, "
        "or a file of your own.",
    ),
]

Punctuation = Annotated[
    str,
    typer.Option(
        help="What is punctuation: upos (PUNCT), chinese or penn (XPOS tags), unicode (forms), "
        "or auto: the first of these that the gold file has."
    ),
]

Subtypes = Annotated[bool, typer.Option(help="Compare relations with their subtypes (nsubj:pass).")]

AllowMissing = Annotated[
    bool, typer.Option(help="Count words without a head as wrong instead of stopping.")
]


def refuse_two_standard_inputs(*paths: Path) -> None:
    """Standard input can be read once."""
    if sum(str(path) == "-" for path in paths) > 1:
        raise UsageError("only one file can be - (standard input)")


def split_at_commas(names: str) -> list[str]:
    """Names with commas between them, and perhaps blanks."""
    return [name.strip() for name in names.split(",") if name.strip()]


def numbers_in(text: str, option: str) -> list[float]:
    """Numbers with commas between them."""
    try:
        return [float(one) for one in text.split(",")]
    except ValueError:
        message = f"{option} has numbers with commas between them, not {text!r}"
        raise UsageError(message) from None


def check_tuning(scale: float | None, *files: Path) -> None:
    """Refuse what does not go with `--tune`, which reads its files twice."""
    if scale is not None:
        raise UsageError("--tune finds the scale: give no --scale")
    if any(str(file) == "-" for file in files):
        raise UsageError("--tune reads candidates twice: give files, not standard input")
