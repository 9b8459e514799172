"""`headwise models`: the models that are there."""

from pathlib import Path
from typing import Annotated, Any

import typer

from headwise.cli.options import Json
from headwise.cli.output import print_json, print_tables

CONDITIONS = ("gold tags", "own tags", "raw text")
NOTHING = "–"
SPEED = "words per second"
"""What the card of a model calls its speed, if it was measured."""


def models(
    folders: Annotated[
        list[str] | None,
        typer.Argument(help="Model folders [default: the models that come with Headwise]."),
    ] = None,
    as_json: Json = False,
) -> None:
    """List models with their size, their accuracy on development data, speed and licence.

    Example: `headwise models`
    """
    from headwise.draw.tables import new_table, shown
    from headwise.pipeline.models import embedded_names, model_path

    found = [row_of(name, model_path(name)) for name in folders or embedded_names()]
    if as_json:
        print_json(found)
        return
    columns = {
        "language": [str(row["language"] or NOTHING) for row in found],
        "MB": [cell(row["megabytes"], ".1f") for row in found],
        **{f"LAS, {one}": [cell(row["las"][one], ".2f") for row in found] for one in CONDITIONS},
        "words/s": [cell(row["words_per_second"], ",.0f") for row in found],
        "licence": [str(row["licence"] or NOTHING).partition(",")[0] for row in found],
    }
    said = {title: cells for title, cells in columns.items() if set(cells) != {NOTHING}}
    table = new_table("Models", "", said)
    for row, *cells in zip(found, *said.values(), strict=True):
        table.add_row(*map(shown, (row["model"], *cells)))
    print_tables(table)


def row_of(name: str, folder: Path) -> dict[str, Any]:
    """What a model says of itself; None where it says nothing."""
    from headwise.storage.modelfile import describe_model

    found = describe_model(folder)
    about, scores = found.about, mapping(mapping(found.settings.get("report")).get("dev"))
    return {
        "model": name,
        "kind": found.kind,
        "language": about.get("language"),
        "megabytes": round(found.weights_bytes / 1e6, 1),
        "las": {one: number(mapping(scores.get(one)).get("las")) for one in CONDITIONS},
        "words_per_second": number(about.get(SPEED)),
        "licence": about.get("licence"),
    }


def mapping(value: object) -> dict[str, Any]:
    """A table of a model's settings; an empty one in the place of anything else."""
    return value if isinstance(value, dict) else {}


def number(value: object) -> float | None:
    """A number of a model's settings; None in the place of anything else."""
    return value if isinstance(value, int | float) and not isinstance(value, bool) else None


def cell(value: float | None, how: str) -> str:
    """A number for a table."""
    return NOTHING if value is None else format(value, how)
