"""`headwise plot`: plot training curves."""

from pathlib import Path
from typing import Annotated

import typer

from headwise.safe import safe_text

LOG_ENDING = ".log.jsonl"


def plot(
    logs: Annotated[
        list[Path], typer.Argument(help="Training logs (MODEL.log.jsonl), or their models.")
    ],
    output: Annotated[
        Path, typer.Option("--output", "-o", help="Image file to write: .svg, .png or .pdf.")
    ] = Path("curves.svg"),
) -> None:
    """Plot loss and accuracy by epoch. Requires matplotlib (pip install 'headwise[plot]').

    Example: `headwise plot mira.log.jsonl perceptron.log.jsonl -o curves.svg`
    """
    from headwise.draw.curves import draw_curves
    from headwise.pipeline.training.traininglog import read_log

    curves = {}
    for path in map(log_of, logs):
        log = read_log(path)
        name = safe_text(path.name.removesuffix(LOG_ENDING))
        if log.members:
            curves[f"{name}, members"] = log.members
        curves[name] = log.epochs
    draw_curves(output, curves)
    typer.echo(f"wrote {output}")


def log_of(path: Path) -> Path:
    """The log that training has left beside a model, if a model is named."""
    from headwise.pipeline.training.trainfiles import beside

    return beside(path, LOG_ENDING) if path.is_dir() else path
