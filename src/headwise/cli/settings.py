"""`headwise settings`: what there is to set in training, as the classes of settings say it."""

import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from headwise.cli.options import Json

if TYPE_CHECKING:
    from headwise.storage.settingsdocs import Setting


def settings(
    learner: Annotated[
        str | None, typer.Option(help="List the settings of this learner only.")
    ] = None,
    as_json: Json = False,
) -> None:
    """List the settings of training: for files (`--config`), `--set`, and parameters in Python.

    Example: `headwise settings --learner mira`
    """
    from headwise.pipeline.training.config import settings_by_group

    groups = settings_by_group(learner)
    if as_json:
        found = {group: [asdict(one) for one in own] for group, own in groups.items()}
        typer.echo(json.dumps(found, indent=1, ensure_ascii=False))
        return
    for number, (group, own) in enumerate(groups.items()):
        typer.echo(("\n" if number else "") + group)
        for one in own:
            typer.echo(setting_line(one))


def setting_line(one: "Setting") -> str:
    """A setting: its name, what it can be, its default and its meaning."""
    default = f"; default {one.default}" if one.default else ""
    return f"  {one.name} ({one.type}{default})\n      {one.meaning}"
