"""`headwise mbr`: minimum-Bayes-risk trees from the outputs of one or several parsers."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from headwise.cli.options import (
    Decode,
    From,
    Output,
    Tune,
    check_tuning,
    numbers_in,
    refuse_two_standard_inputs,
)
from headwise.cli.progressbar import progress
from headwise.corpus.conllu import format_conllu
from headwise.corpus.formats import read_sentences
from headwise.corpus.output import write_text

if TYPE_CHECKING:
    from headwise.reranking.decide import Choice


def mbr(
    files: Annotated[
        list[Path],
        typer.Argument(help="Outputs of several parsers, or k-best lists."),
    ],
    output: Output = Path("-"),
    weights: Annotated[
        str | None, typer.Option(help="Weight of each file, e.g. 2,1,1 [default: equal].")
    ] = None,
    decode: Decode = "mbr",
    loss: Annotated[
        str, typer.Option(help="Loss: labelled counts relations, unlabelled does not.")
    ] = "labelled",
    scale: Annotated[
        float | None,
        typer.Option(min=0.0, help="Factor for the scores within a file [default: 1]."),
    ] = None,
    tune: Tune = None,
    projective: Annotated[
        bool | None,
        typer.Option(
            "--projective/--non-projective",
            help="Kind of trees to predict [default: as the candidates].",
        ),
    ] = None,
    single_root: Annotated[
        bool | None,
        typer.Option(
            "--single-root/--several-roots",
            help="Number of roots to predict [default: as the candidates].",
        ),
    ] = None,
    format_name: From = None,
) -> None:
    """Predict trees of minimum Bayes risk from the outputs of several parsers or k-best lists.

    Example: `headwise mbr a.conllu b.conllu c.conllu -o committee.conllu`
    """
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
    with progress("choosing trees", *files) as bar:
        write_text(output, format_conllu(bar.sentences(trees, output)))


def tuned_scale(
    files: list[Path],
    shares: list[float] | None,
    gold: Path,
    choice: "Choice",
    format_name: str | None,
) -> float:
    """The scale with the highest expected accuracy on gold trees."""
    from headwise.reranking.decide import tune_committee
    from headwise.reranking.files import read_candidates

    kept = [list(read_candidates(file, format_name)) for file in files]
    tuned = tune_committee(kept, list(read_sentences(gold, format_name)), choice, shares)
    typer.echo(f"scale {tuned.scale:.4g}: {100 * tuned.gain:.2f} % of words right", err=True)
    return tuned.scale
