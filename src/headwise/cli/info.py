"""`headwise info`: describe a model."""

from typing import Annotated

import typer

from headwise.cli.options import Json
from headwise.cli.output import print_json
from headwise.corpus.output import safe_lines


def info(
    model: Annotated[
        str | None,
        typer.Argument(help="Model folder, or name of a bundled model [default: en]."),
    ] = None,
    as_json: Json = False,
) -> None:
    """Show the card, kind, size and licence of a model, without reading its weights.

    Without a name, the bundled English model is shown.

    Example: `headwise info my-parser`
    """
    from headwise.pipeline.models import model_path
    from headwise.storage.modelfile import describe_model, read_card

    folder = model_path(model)
    found = describe_model(folder)
    licence = found.about.get("licence")
    if as_json:
        print_json(
            {
                "kind": found.kind,
                "format_version": found.format_version,
                "headwise_version": found.headwise_version,
                "weights_bytes": found.weights_bytes,
                "weights_sha256": found.weights_sha256,
                "settings": found.settings,
                "licence": licence,
            }
        )
        return
    card = read_card(folder).rstrip("\n")
    if card:
        typer.echo(safe_lines(card) + "\n")
    typer.echo(
        safe_lines(
            f"{found.kind}, {found.weights_bytes / 1e6:,.1f} MB of weights, format "
            f"{found.format_version}, made by Headwise {found.headwise_version}\n"
            f"licence of the model: {licence or 'not stated'}; of Headwise itself: MIT"
        )
    )
