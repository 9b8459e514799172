"""`headwise ensemble`: several trained models as one."""

from pathlib import Path
from typing import Annotated

import typer

from headwise.cli.options import From, NewModel
from headwise.safe import safe_text


def ensemble(
    models: Annotated[list[str], typer.Argument(help="Trained models, by folder or name.")],
    output: NewModel,
    dev: Annotated[
        Path | None,
        typer.Option(help="Development data, to fit the temperature on and to score."),
    ] = None,
    format_name: From = None,
    force: Annotated[bool, typer.Option("--force", help="Replace an existing model.")] = False,
) -> None:
    """Make a model of several: averages of their probabilities, trees of minimum Bayes risk.

    It is as slow as all of them together. `headwise train --teacher A B C` makes a fast one of it.

    Example: `headwise ensemble a b c -o committee --dev dev.conllu`
    """
    from headwise.cli.train import score_lines
    from headwise.pipeline.ensembles import save_ensemble

    _, report = save_ensemble(models, output, dev=dev, format_name=format_name, force=force)
    for line in score_lines(report.get("dev", {})):
        typer.echo(line)
    named = ", ".join(map(str, models))
    typer.echo(safe_text(f"wrote {output}: an ensemble of {named}"))
