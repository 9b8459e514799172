"""Arguments and options shared by several commands."""

from pathlib import Path
from typing import Annotated

import typer

from headwise.corpus.formats import DEFAULT_HEAD_RULES, FORMATS
from headwise.corpus.headrules import RULE_SETS
from headwise.errors import UsageError

FORMAT_NAMES = ", ".join(FORMATS)

DECODE_HELP = (
    "mbr: the tree of minimum Bayes risk; mbr-rerank: the candidate of minimum Bayes risk; "
    "map: the most probable candidate."
)
Decode = Annotated[str, typer.Option(help=DECODE_HELP)]

Output = Annotated[
    Path, typer.Option("--output", "-o", help="Output file (- for standard output).")
]
Model = Annotated[Path, typer.Option("--model", "-m", help="Model folder, written by `train`.")]
NewModel = Annotated[Path, typer.Option("--output", "-o", help="Model folder to write.")]
Force = Annotated[bool, typer.Option("--force", help="Overwrite an existing model.")]

Json = Annotated[bool, typer.Option("--json", help="Print JSON instead of tables.")]

From = Annotated[
    str | None,
    typer.Option("--from", help=f"Input format: {FORMAT_NAMES} [default: by file extension]."),
]

HeadRules = Annotated[
    str | None,
    typer.Option(
        help=f"Head rules for brackets: {', '.join(RULE_SETS)}, or a file "
        f"[default: {DEFAULT_HEAD_RULES}].",
    ),
]

Gold = Annotated[Path, typer.Argument(help="Gold trees.")]
SystemA = Annotated[Path, typer.Argument(metavar="A", help="Trees of system A.")]
SystemB = Annotated[Path, typer.Argument(metavar="B", help="Trees of system B.")]
Rounds = Annotated[int, typer.Option(min=1, help="Number of resamples.")]
Seed = Annotated[int, typer.Option(min=0, help="Random seed for resampling.")]
Tune = Annotated[
    Path | None, typer.Option(help="Gold trees of these sentences, to tune the scale on.")
]

Punctuation = Annotated[
    str,
    typer.Option(
        help="Definition of punctuation: upos (PUNCT), chinese or penn (XPOS tags), unicode (word "
        "forms), or auto (the first that the gold file supports)."
    ),
]

Subtypes = Annotated[bool, typer.Option(help="Count relation subtypes (nsubj:pass).")]

AllowMissing = Annotated[
    bool, typer.Option(help="Count words without a head as wrong instead of raising an error.")
]

StopWords = Annotated[
    int, typer.Option(min=0, help="Context windows extend across this many most frequent words.")
]
Vocabulary = Annotated[int, typer.Option(min=2, help="Largest vocabulary size.")]
MinCount = Annotated[
    int, typer.Option("--min-count", "--least", min=1, help="Lowest frequency of a word.")
]
Lowercase = Annotated[bool, typer.Option("--lowercase/--keep-case", help="Lowercase word forms.")]


def refuse_two_standard_inputs(*paths: Path) -> None:
    """Raise if standard input is named more than once: it can be read only once."""
    if sum(str(path) == "-" for path in paths) > 1:
        raise UsageError("only one file can be - (standard input)")


def split_at_commas(names: str) -> list[str]:
    """Comma-separated names."""
    return [name.strip() for name in names.split(",") if name.strip()]


def numbers_in(text: str, option: str) -> list[float]:
    """Comma-separated numbers."""
    try:
        return [float(one) for one in text.split(",")]
    except ValueError:
        message = f"{option} takes comma-separated numbers, not {text!r}"
        raise UsageError(message) from None


def check_tuning(scale: float | None, *files: Path) -> None:
    """Reject what cannot be combined with `--tune`, which reads its files twice."""
    if scale is not None:
        raise UsageError("--tune chooses the scale: remove --scale")
    if any(str(file) == "-" for file in files):
        raise UsageError("--tune reads candidates twice: give files, not standard input")
