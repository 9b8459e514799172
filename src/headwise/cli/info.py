"""`headwise info`: what a model is."""

from typing import Annotated

import typer

from headwise.cli.options import Json


def info(
    model: Annotated[
        str | None,
        typer.Argument(help="A model: a folder, or the name of one that comes with the package."),
    ] = None,
    as_json: Json = False,
) -> None:
    """Show what a model is: its card, its kind and its size. The weights are not read.

    Without a name it is the English one of the package.

    Example: `headwise info my-parser`
    """
    from headwise.cli.output import print_json
    from headwise.corpus.output import safe_lines
    from headwise.pipeline.models import model_path
    from headwise.storage.modelfile import describe_model, read_card

    folder = model_path(model)
    found = describe_model(folder)
    if as_json:
        print_json(
            {
                "kind": found.kind,
                "format_version": found.format_version,
                "headwise_version": found.headwise_version,
                "weights_bytes": found.weights_bytes,
                "weights_sha256": found.weights_sha256,
                "settings": found.settings,
            }
        )
        return
    card = read_card(folder).rstrip("\n")
    if card:
        typer.echo(safe_lines(card) + "\n")
    typer.echo(
        safe_lines(
            f"{found.kind}, {found.weights_bytes / 1e6:,.1f} MB of weights, format "
            f"{found.format_version}, made by Headwise {found.headwise_version}"
        )
    )
