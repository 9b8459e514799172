"""`headwise features`: what a parser looks at."""

from typing import Annotated

import typer

from headwise.cli.options import Json


def features(
    name: Annotated[
        str, typer.Argument(help="A feature set by name, or a file with one of your own.")
    ] = "default",
    as_json: Json = False,
) -> None:
    """List the templates of a feature set, one a row, as a file of your own would have them.

    Example: `headwise features paper-000 > mine.txt`, then change mine.txt as you like
    """
    from headwise.cli.output import print_json
    from headwise.features.templates import FeatureSet

    templates = FeatureSet.load(name).templates
    if as_json:
        print_json(
            [
                {"template": str(template), "scored_as": template.scoring.name.lower()}
                for template in templates
            ]
        )
        return
    for template in templates:
        typer.echo(str(template))
