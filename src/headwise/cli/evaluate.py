"""`headwise evaluate`: score trees against gold trees."""

from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

import typer

from headwise.cli.options import (
    AllowMissing,
    From,
    Gold,
    HeadRules,
    Json,
    Punctuation,
    Seed,
    Subtypes,
    refuse_two_standard_inputs,
    split_at_commas,
)
from headwise.cli.output import complain, print_json, print_tables
from headwise.cli.progressbar import progress
from headwise.corpus.formats import read_sentences
from headwise.corpus.sentence import Sentence
from headwise.errors import UsageError

WITH_RAW = {"gold", "system", "format_name", "raw", "as_json"}
"""The options that can be combined with `--raw`."""


def evaluate(
    context: typer.Context,
    gold: Gold,
    system: Annotated[Path, typer.Argument(help="Trees to score.")],
    format_name: From = None,
    head_rules: HeadRules = None,
    punctuation: Punctuation = "auto",
    subtypes: Subtypes = True,
    allow_missing: AllowMissing = False,
    by: Annotated[
        list[str] | None,
        typer.Option(
            help="Break scores down by relation, tag, sentence_length, arc_length or direction "
            "(comma-separated)."
        ),
    ] = None,
    tags: Annotated[
        str | None,
        typer.Option(help="Tags for --by tag: upos or xpos [default: upos if present]."),
    ] = None,
    rounds: Annotated[
        int, typer.Option(min=1, help="Number of bootstrap resamples for intervals.")
    ] = 1000,
    seed: Seed = 0,
    longest: Annotated[
        int | None, typer.Option(min=1, help="Score only sentences of at most this many words.")
    ] = None,
    raw: Annotated[
        bool,
        typer.Option(
            "--raw",
            help="Score raw-text parses as CoNLL 2018 did: tokens, words and sentences may differ. "
            "Of the options above, only --from applies.",
        ),
    ] = False,
    as_json: Json = False,
) -> None:
    """Attachment scores with and without punctuation.

    The keys of --json are uas, las, label_accuracy, undirected, ucm, lcm, root and root_f1, in per
    cent over all tokens, and the same under without_punctuation; with --raw they are tokens,
    sentences, words, upos, xpos, ufeats, alltags, lemmas, uas, las, clas, mlas and blex.

    Example: `headwise evaluate gold.conllu parsed.conllu --by relation`
    """
    from headwise.evaluate import evaluate as score
    from headwise.evaluate.report import breakdown_table, score_table

    refuse_two_standard_inputs(gold, system)
    if raw:
        refuse_with_raw(context)
        evaluate_raw_text(gold, system, format_name, as_json=as_json)
        return
    with progress("scoring", gold, system):
        found = score(
            up_to(longest, read_sentences(gold, format_name, head_rules=head_rules)),
            up_to(longest, read_sentences(system, format_name, head_rules=head_rules)),
            punctuation=punctuation,
            subtypes=subtypes,
            allow_missing=allow_missing,
            breakdowns=[kind for text in by or () for kind in split_at_commas(text)],
            tag_column=tags,
            rounds=rounds,
            seed=seed,
        )
    if as_json:
        print_json(found.to_json())
    else:
        print_tables(score_table(found), *map(breakdown_table, found.all_tokens.breakdowns))


def refuse_with_raw(context: typer.Context) -> None:
    """Reject options that `--raw` would ignore."""
    wrong = [
        option.opts[0]
        for option in context.command.params
        if option.name not in WITH_RAW and is_given(context, option.name)
    ]
    if wrong:
        raise UsageError(f"--raw cannot be combined with {' or '.join(wrong)}")


def is_given(context: typer.Context, name: str | None) -> bool:
    """Whether an option was given on the command line."""
    source = context.get_parameter_source(name or "")
    return source is not None and source.name == "COMMANDLINE"


def up_to(longest: int | None, sentences: Iterable[Sentence]) -> Iterable[Sentence]:
    """The sentences of at most `longest` words; two files must agree on their words."""
    return (one for one in sentences if longest is None or len(one) <= longest)


def evaluate_raw_text(gold: Path, system: Path, format_name: str | None, *, as_json: bool) -> None:
    """Print the scores of `--raw`."""
    from headwise.evaluate.raw import COLUMN_TITLES, evaluate_raw
    from headwise.evaluate.report import raw_table

    with progress("scoring", gold, system):
        trees = (read_sentences(path, format_name) for path in (gold, system))
        scores = evaluate_raw(*trees)
    for column, count in scores.gaps.items():
        complain(
            f"{count:,} words of the gold data have no {COLUMN_TITLES[column]}; they are not "
            "scored on it",
            "note",
        )
    if as_json:
        print_json(scores.to_json())
    else:
        print_tables(raw_table(scores))
