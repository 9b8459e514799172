"""What to train: a parser and a recipe, out of a TOML file and the settings of a call.

learner = "perceptron"        # selects the kind of parser; the rest are settings of it
epochs = 5
[pipeline]                    # settings of the recipe
tags = "jackknife"
"""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from headwise.errors import UsageError
from headwise.parsers.base import Parser
from headwise.parsers.registry import PARSERS, check_learner, parser_class, parser_for
from headwise.pipeline.training.recipe import Recipe
from headwise.storage.settings import read_key, read_settings
from headwise.storage.settingsdocs import Setting, settings_in
from headwise.storage.tomlfile import toml_value

RECIPE = "pipeline"
"""The table of a file in which the recipe stands."""


def read_training(
    config: Path | None = None, changes: Mapping[str, Any] | None = None
) -> tuple[Parser, Recipe]:
    """The parser and the recipe that a file describes, under the changes of a call."""
    changes = changes or {}
    learner = changes.get("learner") or (read_key(config, "learner") if config else None)
    if learner is not None:
        check_learner(learner)
    parser = read_settings(
        config, parser_for(learner), changes=changes, besides=("learner", RECIPE)
    )
    own = {name: value for name, value in changes.items() if name != RECIPE}
    parser.check_given(dotted_names(own))
    recipe = read_settings(config, Recipe, changes=changes, table=RECIPE)
    if "folds" in changes.get(RECIPE, {}) and recipe.tags == "gold":
        raise UsageError("pipeline.folds is of --train-tags jackknife or both")
    return parser, recipe


def parsed_settings(given: Sequence[str]) -> dict[str, Any]:
    """Settings given as `name=value`, with dots in names of tables, as nested tables."""
    found: dict[str, Any] = {}
    for one in given:
        name, sign, value = one.partition("=")
        *tables, last = name.strip().split(".")
        if not sign or not all([*tables, last]):
            raise UsageError(f"--set takes name=value, as in --set words.lowercase=true: {one!r}")
        table = found
        for part in tables:
            table = table.setdefault(part, {})
            if not isinstance(table, dict):
                raise UsageError(f"--set {one}: {part} is a value and a table at once")
        table[last] = toml_value(value.strip())
    return found


def dotted_names(table: Mapping[str, Any], within: str = "") -> Iterator[str]:
    """The names of all settings in nested tables."""
    for name, value in table.items():
        if isinstance(value, Mapping):
            yield from dotted_names(value, f"{within}{name}.")
        else:
            yield f"{within}{name}"


def settings_by_group(learner: str | None = None) -> dict[str, list[Setting]]:
    """What can be set for a learner, or for all, under headings."""
    if learner is not None:
        check_learner(learner)
    kinds = PARSERS if learner is None else [parser_for(learner).kind]
    groups: dict[str, list[Setting]] = {}
    for kind in kinds:
        groups |= parser_class(kind).settings_by_group(learner)
    groups["[pipeline]"] = list(settings_in(Recipe, "pipeline."))
    return groups
