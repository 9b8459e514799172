"""`headwise compare`: is the difference between two systems significant?"""

from pathlib import Path
from typing import Annotated

import typer

from headwise.cli.options import (
    AllowMissing,
    From,
    HeadRules,
    Json,
    Punctuation,
    Subtypes,
    refuse_two_standard_inputs,
)
from headwise.cli.output import print_json, print_tables
from headwise.cli.progressbar import progress
from headwise.corpus.formats import read_sentences


def compare(
    gold: Annotated[Path, typer.Argument(help="Gold trees.")],
    a: Annotated[Path, typer.Argument(metavar="A", help="Trees of system A.")],
    b: Annotated[Path, typer.Argument(metavar="B", help="Trees of system B.")],
    format_name: From = None,
    head_rules: HeadRules = None,
    punctuation: Punctuation = "auto",
    subtypes: Subtypes = True,
    allow_missing: AllowMissing = False,
    rounds: Annotated[int, typer.Option(min=1, help="Number of resamples.")] = 10_000,
    seed: Annotated[int, typer.Option(min=0, help="Random seed for resampling.")] = 0,
    as_json: Json = False,
) -> None:
    """Score two systems and test whether their differences are significant.

    McNemar's test on heads, the paired bootstrap, and Yeh's randomisation test.

    Example: `headwise compare gold.conllu monday.conllu tuesday.conllu`
    """
    from headwise.evaluate import compare as compared
    from headwise.evaluate.report import comparison_table

    refuse_two_standard_inputs(gold, a, b)
    with progress("comparing", gold, a, b):
        found = compared(
            read_sentences(gold, format_name, head_rules=head_rules),
            read_sentences(a, format_name, head_rules=head_rules),
            read_sentences(b, format_name, head_rules=head_rules),
            punctuation=punctuation,
            subtypes=subtypes,
            allow_missing=allow_missing,
            rounds=rounds,
            seed=seed,
        )
    if as_json:
        print_json(found.to_json())
    else:
        print_tables(comparison_table(found, (a.name, b.name)))
