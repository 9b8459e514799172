"""What to train: a parser and a recipe, out of a TOML file and the settings of a call.

scorer = "linear"             # neural, linear or auto: both, of which the better is kept
learner = "perceptron"        # selects the kind of parser; the rest are settings of it
epochs = 5
[pipeline]                    # settings of the recipe
tags = "jackknife"
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any

from headwise.errors import UsageError
from headwise.parsers.base import Parser
from headwise.parsers.registry import DEFAULT, PARSERS, check_learner, parser_class, parser_for
from headwise.pipeline.storage import STAGES
from headwise.pipeline.training.recipe import Recipe
from headwise.storage.settings import read_key, read_settings
from headwise.storage.settingsdocs import Setting, settings_in
from headwise.storage.tomlfile import read_toml, toml_value

RECIPE = "pipeline"
"""The table of a file in which the recipe stands."""


SCORERS = ("neural", "linear", "auto")
NEURAL = "neural"
BEST_LINEAR: dict[str, Any] = {"order": 3}
"""What a linear parser is by default where nothing but the scorer is chosen."""


def chosen_scorer(config: Path | None, changes: Mapping[str, Any]) -> str | None:
    """The scorer that is named, or follows from what is; None if nothing is said of it."""
    named = {**(read_toml(config)[1] if config is not None else {}), **changes}
    scorer, learner = named.get("scorer"), named.get("learner")
    if scorer is not None and scorer not in SCORERS:
        raise UsageError(f"there is no scorer {scorer!r}; there are {', '.join(SCORERS)}")
    if learner is not None:
        check_learner(learner)
        if scorer not in (None, NEURAL if learner == NEURAL else "linear"):
            raise UsageError(f"the learner {learner} does not go with the scorer {scorer}")
        return NEURAL if learner == NEURAL else "learner"
    if scorer == NEURAL and named.get("order", 1) != 1:
        raise UsageError("a neural scorer scores arcs: order is a setting of --scorer linear")
    if scorer is None and of_linear_parsers(named):
        return "learner"
    return scorer


def of_linear_parsers(names: Iterable[str]) -> bool:
    """Whether there is a setting among names that linear parsers have and neural ones have not."""
    linear, neural = ({one.name for one in fields(parser_class(kind)) if one.init}  # type: ignore[arg-type]
                      for kind in (DEFAULT, NEURAL))  # fmt: skip
    return any(name in linear - neural for name in names)


def default_scorer() -> str:
    """Neural, if networks can be trained here."""
    from headwise.learners.neural.jaxthere import has_jax

    return NEURAL if has_jax() else "linear"


def read_trainings(
    config: Path | None = None, changes: Mapping[str, Any] | None = None
) -> dict[str, tuple[Parser, Recipe]]:
    """What `headwise train` trains, by scorer; of several the best on dev is kept.

    What nobody chooses is what is best: a neural parser, or else a linear one of the third order
    that learns from gold tags and from predicted ones.
    """
    changes = dict(changes or {})
    scorer = chosen_scorer(config, changes) or default_scorer()
    changes.pop("scorer", None)
    if scorer == "auto":
        return {one: read_trainings(config, changes | {"scorer": one})[one]
                for one in (NEURAL, "linear")}  # fmt: skip
    if scorer == NEURAL:
        changes["learner"] = NEURAL
    elif scorer == "linear":
        own = read_toml(config)[1] if config is not None else {}
        changes = {**BEST_LINEAR, **{key: own[key] for key in BEST_LINEAR if key in own}, **changes}
        recipe = {**own.get(RECIPE, {}), **changes.get(RECIPE, {})}
        if "tags" not in recipe and "tagger" in recipe.get("stages", STAGES):
            changes[RECIPE] = {**changes.get(RECIPE, {}), "tags": "both"}
    return {scorer: read_training(config, changes)}


def read_training(
    config: Path | None = None, changes: Mapping[str, Any] | None = None
) -> tuple[Parser, Recipe]:
    """The parser and the recipe that a file describes, under the changes of a call."""
    changes = changes or {}
    learner = changes.get("learner") or (read_key(config, "learner") if config else None)
    if learner is not None:
        check_learner(learner)
    parser = read_settings(
        config, parser_for(learner), changes=changes, besides=("learner", "scorer", RECIPE)
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
