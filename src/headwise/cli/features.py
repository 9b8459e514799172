"""`headwise features`: list the templates of a feature set."""

from typing import Annotated

import typer

from headwise.cli.options import Json
from headwise.cli.output import print_json


def features(
    name: Annotated[
        str, typer.Argument(help="Name of a feature set, or a file of templates.")
    ] = "default",
    parts: Annotated[
        bool, typer.Option("--parts", help="List a feature set for higher-order parts.")
    ] = False,
    as_json: Json = False,
) -> None:
    """List the templates of a feature set, one per line, in the format of template files.

    With --parts, the templates of higher-order parts (`default`, `paper-002` …).

    Example: `headwise features paper-000 > mine.txt`, then edit mine.txt and train with it
    """
    from headwise.scoring.linear.partsets import load_part_features
    from headwise.scoring.linear.templates import FeatureSet

    if parts:
        rows = [{"template": str(one)} for one in load_part_features(name).templates]
    else:
        rows = [
            {"template": str(one), "scored_as": one.scoring.name.lower()}
            for one in FeatureSet.load(name).templates
        ]
    if as_json:
        print_json(rows)
    else:
        typer.echo("\n".join(row["template"] for row in rows))
