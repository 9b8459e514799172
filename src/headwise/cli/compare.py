"""`headwise compare`: is the difference between two systems significant?"""

from headwise.cli.options import (
    AllowMissing,
    From,
    Gold,
    HeadRules,
    Json,
    Punctuation,
    Rounds,
    Seed,
    Subtypes,
    SystemA,
    SystemB,
    refuse_two_standard_inputs,
)
from headwise.cli.output import print_json, print_tables
from headwise.cli.progressbar import progress
from headwise.corpus.formats import read_sentences


def compare(
    gold: Gold,
    a: SystemA,
    b: SystemB,
    format_name: From = None,
    head_rules: HeadRules = None,
    punctuation: Punctuation = "auto",
    subtypes: Subtypes = True,
    allow_missing: AllowMissing = False,
    rounds: Rounds = 10_000,
    seed: Seed = 0,
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
            *(read_sentences(one, format_name, head_rules=head_rules) for one in (gold, a, b)),
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
