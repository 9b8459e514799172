"""`headwise mbr`: one tree of the candidates of one parser or of several."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from headwise.cli.options import (
    Decode,
    From,
    Output,
    check_tuning,
    numbers_in,
    refuse_two_standard_inputs,
)
from headwise.cli.pace import progress

if TYPE_CHECKING:
    from headwise.reranking.decide import Choice


def mbr(
    files: Annotated[
        list[Path],
        typer.Argument(help="Candidates: several parsers' outputs, or lists of k best trees."),
    ],
    output: Output = Path("-"),
    weights: Annotated[
        str | None, typer.Option(help="The weight of each file, as 2,1,1; by default they vote.")
    ] = None,
    decode: Decode = "mbr",
    loss: Annotated[
        str, typer.Option(help="labelled or unlabelled: whether relations count.")
    ] = "labelled",
    scale: Annotated[
        float | None,
        typer.Option(min=0.0, help="Scores within a file are multiplied by this (default 1)."),
    ] = None,
    tune: Annotated[
        Path | None, typer.Option(help="Gold trees of these sentences to choose the scale by.")
    ] = None,
    projective: Annotated[
        bool | None,
        typer.Option(
            "--projective/--non-projective",
            help="Trees to predict; by default as the candidates of the sentence are.",
        ),
    ] = None,
    single_root: Annotated[
        bool | None, typer.Option("--single-root/--several-roots", help="The same for roots.")
    ] = None,
    format_name: From = None,
) -> None:
    """Make trees of minimum Bayes risk from the trees of several parsers, or from lists.

    Example: `headwise mbr a.conllu b.conllu c.conllu -o committee.conllu`
    """
    from headwise.corpus.conllu import format_conllu
    from headwise.corpus.output import write_text
    from headwise.reranking.decide import Choice, decide, loss_name
    from headwise.reranking.files import committee, read_candidates
    from headwise.search.decoders.decodenames import decode_name

    refuse_two_standard_inputs(*files, *([tune] if tune else []))
    choice = Choice(decode_name(decode), loss_name(loss), projective, single_root)
    choice.check()
    shares = None if weights is None else numbers_in(weights, "--weights")
    if tune is not None:
        check_tuning(scale, *files)
        scale = tuned_scale(files, shares, tune, choice, format_name)
    factor = 1.0 if scale is None else scale
    lists = committee([read_candidates(file, format_name) for file in files], shares, factor)
    trees = (decide(candidates, choice) for candidates in lists)
    with progress("choosing trees", *files) as pace:
        write_text(output, format_conllu(pace.sentences(trees, output)))


def tuned_scale(
    files: list[Path],
    shares: list[float] | None,
    gold: Path,
    choice: "Choice",
    format_name: str | None,
) -> float:
    """The scale that has most words right."""
    from headwise.corpus.formats import read_sentences
    from headwise.reranking.decide import tune_committee
    from headwise.reranking.files import read_candidates

    kept = [list(read_candidates(file, format_name)) for file in files]
    tuned = tune_committee(kept, list(read_sentences(gold, format_name)), choice, shares)
    typer.echo(f"scale {tuned.scale:.4g}: {100 * tuned.gain:.2f} % of words right", err=True)
    return tuned.scale
