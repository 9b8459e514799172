"""What to train: a parser and a recipe, out of a TOML file and the settings of a call.

scorer = "linear"             # neural, linear or auto: both, of which the better is kept
learner = "perceptron"        # selects the kind of parser; the rest are settings of it
epochs = 5
[pipeline]                    # settings of the recipe
tags = "jackknife"
[teaching]                    # models that parse text to learn from besides
teachers = ["a", "b"]
text = ["text.txt"]
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

from headwise.errors import UsageError
from headwise.parsers.base import Parser
from headwise.parsers.registry import (
    DEFAULT,
    check_learner,
    parser_class,
    parser_for,
    trained_kinds,
)
from headwise.pipeline.storage import STAGES
from headwise.pipeline.training.recipe import Recipe
from headwise.pipeline.training.teaching import Teaching
from headwise.storage.settings import read_settings
from headwise.storage.settingsdocs import Setting, settings_in
from headwise.storage.tomlfile import read_toml, toml_value

RECIPE = "pipeline"
"""The table of a file in which the recipe stands."""

TEACHING = "teaching"
"""The table in which it stands who teaches."""

SCORERS = ("neural", "linear", "auto")
NEURAL = "neural"
BEST_ORDER = 3
"""That of a linear parser by default where nothing but the scorer is chosen."""


def chosen_scorer(config: Path | None, changes: Mapping[str, Any]) -> str | None:
    """The scorer that is named, or follows from what is; None if nothing is said of it."""
    named = {**settings_in_file(config), **changes}
    scorer, learner = named.get("scorer"), named.get("learner")
    if scorer is not None and scorer not in SCORERS:
        raise UsageError(f"there is no scorer {scorer!r}; there are {', '.join(SCORERS)}")
    if learner is not None:
        check_learner(learner)
        if scorer not in (None, NEURAL if learner == NEURAL else "linear"):
            raise UsageError(f"the learner {learner} does not go with the scorer {scorer}")
        return NEURAL if learner == NEURAL else "learner"
    if scorer == NEURAL and named.get("order", 1) != 1:
        raise UsageError(
            "a neural scorer scores arcs: order is a setting of --scorer linear, and of parts on "
            "top of a trained network (--base-model)"
        )
    if scorer is None and not (settings_of(DEFAULT) - settings_of(NEURAL)).isdisjoint(named):
        return "learner"  # a setting that linear parsers have and neural ones have not
    return scorer


def settings_in_file(config: Path | None) -> dict[str, Any]:
    """All that a file sets, unchecked; nothing without one."""
    return {} if config is None else read_toml(config)[1]


def settings_of(kind: str) -> set[str]:
    """The names of the settings of a kind of parser."""
    return {one.name for one in fields(parser_class(kind)) if one.init}  # type: ignore[arg-type]


def default_scorer() -> str:
    """Neural, if networks can be trained here."""
    from headwise.scoring.neural.jaxdevice import has_jax

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
        return read_both(config, changes)
    return {scorer: read_scorer(scorer, config, changes)}


def read_both(config: Path | None, changes: dict[str, Any]) -> dict[str, tuple[Parser, Recipe]]:
    """A neural and a linear training; a setting that only one of them has is for that one."""
    linear, neural = settings_of(DEFAULT), settings_of(NEURAL)
    parser, recipe = read_scorer(NEURAL, config, changes, besides=linear - neural)
    reuse = {stage: model for stage, model in recipe.reuse.items() if stage != "tagger"}
    recipe = replace(recipe, tags="gold", reuse=reuse)  # it is its own tagger
    return {
        NEURAL: (parser, recipe),
        "linear": read_scorer("linear", config, changes, besides=neural - linear),
    }


def read_scorer(
    scorer: str, config: Path | None, changes: Mapping[str, Any], besides: Collection[str] = ()
) -> tuple[Parser, Recipe]:
    """What is trained with a scorer; settings `besides` are of another one."""
    changes = {name: value for name, value in changes.items() if name not in besides}
    if scorer == NEURAL:
        changes["learner"] = NEURAL
    elif scorer == "linear":
        own = settings_in_file(config)
        changes = {"order": own.get("order", BEST_ORDER), **changes}
        recipe = {**own.get(RECIPE, {}), **changes.get(RECIPE, {})}
        if "tags" not in recipe and "tagger" in recipe.get("stages", STAGES):
            changes[RECIPE] = {**changes.get(RECIPE, {}), "tags": "both"}
    return read_training(config, changes, besides)


def read_training(
    config: Path | None = None,
    changes: Mapping[str, Any] | None = None,
    besides: Collection[str] = (),
) -> tuple[Parser, Recipe]:
    """The parser and the recipe that a file describes, under the changes of a call.

    Settings `besides` may be in the file and do not count.
    """
    changes = changes or {}
    learner = changes.get("learner") or settings_in_file(config).get("learner")
    if learner is not None:
        check_learner(learner)
    parser = read_settings(
        config,
        parser_for(learner),
        changes=changes,
        besides={"learner", "scorer", RECIPE, TEACHING, *besides},
    )
    own = {name: value for name, value in changes.items() if name not in (RECIPE, TEACHING)}
    parser.check_given(dotted_names(own))
    recipe = read_settings(config, Recipe, changes=changes, table=RECIPE)
    if "folds" in changes.get(RECIPE, {}) and recipe.tags == "gold":
        raise UsageError("pipeline.folds is of --train-tags jackknife or both")
    return parser, recipe


def read_teaching(
    config: Path | None = None, changes: Mapping[str, Any] | None = None
) -> Teaching | None:
    """How the file and the call say that a student is taught; None if they do not say so."""
    named = {**settings_in_file(config), **(changes or {})}
    if TEACHING not in named:
        return None
    found = read_settings(config, Teaching, changes=changes, table=TEACHING)
    found.check()
    return found


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
    kinds = trained_kinds() if learner is None else [parser_for(learner).kind]
    groups: dict[str, list[Setting]] = {}
    for kind in kinds:
        groups |= parser_class(kind).settings_by_group(learner)
    groups["[teaching]"] = list(settings_in(Teaching, "teaching."))
    groups["[pipeline]"] = list(settings_in(Recipe, "pipeline."))
    return groups
