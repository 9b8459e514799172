"""`headwise evaluate`: scores of trees against gold trees."""

from pathlib import Path
from typing import Annotated

import typer

from headwise.cli.options import (
    AllowMissing,
    From,
    Json,
    Punctuation,
    Subtypes,
    refuse_two_standard_inputs,
)


def evaluate(
    gold: Annotated[Path, typer.Argument(help="The right trees.")],
    system: Annotated[Path, typer.Argument(help="The trees to score.")],
    format_name: From = None,
    punctuation: Punctuation = "auto",
    subtypes: Subtypes = True,
    allow_missing: AllowMissing = False,
    by: Annotated[
        list[str] | None,
        typer.Option(help="Break down by relation, tag, sentence_length, arc_length or direction."),
    ] = None,
    as_json: Json = False,
) -> None:
    """Attachment scores, with and without punctuation.

    With --json the keys are uas, las, label_accuracy, undirected, ucm, lcm, root and root_f1, in
    per cent over all tokens, and the same under without_punctuation.

    Example: `headwise evaluate gold.conllu parsed.conllu --by relation`
    """
    from headwise.cli.output import print_json, print_tables
    from headwise.corpus.formats import read_sentences
    from headwise.evaluate import evaluate as score
    from headwise.evaluate.punctuation import with_chosen_rule
    from headwise.evaluate.report import breakdown_tables, score_table

    refuse_two_standard_inputs(gold, system)
    gold_sentences, rule = with_chosen_rule(read_sentences(gold, format_name), punctuation)
    found = score(
        gold_sentences,
        read_sentences(system, format_name),
        punctuation=rule,
        subtypes=subtypes,
        allow_missing=allow_missing,
        breakdowns=by or (),
    )
    if as_json:
        print_json(found.to_json())
    else:
        print_tables(score_table(found), *breakdown_tables(found))
