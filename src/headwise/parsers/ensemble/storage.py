"""Ensembles as models: the settings and arrays of each member under its number."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from numpy.typing import NDArray

from headwise.errors import NOWHERE, ModelError, UsageError
from headwise.parsers.ensemble.member import Member
from headwise.parsers.ensemble.parser import EnsembleParser
from headwise.parsers.stored import CalibratedStored, row_of_temperatures
from headwise.storage.modelcard import Row, card_of
from headwise.storage.modelfile import ModelFile
from headwise.text.lemmas import Lemmatiser
from headwise.text.tagger import Tagger

NAME = "ensemble"

STAGES: dict[str, Any] = {"tagger": Tagger, "lemmas": Lemmatiser}
"""What a member may have besides its parser."""

MAX_MEMBERS = 100
DEEPEST = 8
"""Ensembles within ensembles."""

Arrays = Mapping[str, NDArray[Any]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Stored(CalibratedStored):
    """What a model says of an ensemble; members check their own settings."""

    members: tuple[dict[str, dict[str, Any]], ...]

    def check(self) -> None:
        if not 1 <= len(self.members) <= MAX_MEMBERS:
            raise UsageError(f"members: there must be 1 to {MAX_MEMBERS}")
        if not all({"parser"} <= set(own) <= {"parser", *STAGES} for own in self.members):
            raise UsageError("members: each has a parser, and may have tagger and lemmas")


def to_model(parser: EnsembleParser) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
    """The settings and arrays of all members."""
    members: list[dict[str, Any]] = []
    arrays: dict[str, NDArray[Any]] = {}
    for number, member in enumerate(parser.members):
        model = member.parser.to_model()
        stages: dict[str, tuple[Any, Arrays]] = {"parser": (model.settings, model.arrays)}
        for name in STAGES:
            stage = getattr(member, name)
            if stage is not None:
                stages[name] = stage.to_model()
        members.append({name: dict(settings) for name, (settings, _) in stages.items()})
        for name, (_, own) in stages.items():
            arrays |= {f"member-{number}/{name}/{key}": array for key, array in own.items()}
    return {"members": members}, arrays


def of_model(settings: Stored, model: ModelFile) -> EnsembleParser:
    """The ensemble of checked settings, whose members are yet to be checked."""
    if depth(model.settings) > DEEPEST:
        raise ModelError(f"has ensembles more than {DEEPEST} deep")
    members = [
        read_member(model, own, f"member-{number}/") for number, own in enumerate(settings.members)
    ]
    return EnsembleParser(members=members)


def depth(settings: Mapping[str, Any]) -> int:
    """How deep ensembles are within ensembles: found without recursion, which has a limit."""
    level, found = [settings], 0
    while level:
        found += 1
        stages = [
            own for one in level if isinstance(one.get("members"), list) for own in one["members"]
        ]
        parsers = [own.get("parser") for own in stages if isinstance(own, dict)]
        level = [one for one in parsers if isinstance(one, dict) and "members" in one]
    return found


def read_member(model: ModelFile, settings: Mapping[str, Any], start: str) -> Member:
    """A member from its stages."""
    from headwise.parsers.registry import DEFAULT, parser_of_model

    found: dict[str, Any] = {}
    for name, own in settings.items():
        part = model.part(f"{start}{name}/", str(own.get("kind", DEFAULT)), own)
        found[name] = (
            STAGES[name].from_model(own, part.arrays)
            if name in STAGES
            else parser_of_model(part, NOWHERE)
        )
    return Member(**found)


def card(parser: EnsembleParser, settings: Mapping[str, Any]) -> str:
    """The card of an ensemble, in Markdown."""
    rows: list[Row] = [
        *settings["about"].items(),
        *(
            (f"member {number}", f"{member.parser.kind}: {member.parser.summary()}")
            for number, member in enumerate(parser.members, 1)
        ),
        ("search", "projective" if parser.is_projective else "non-projective"),
        row_of_temperatures(settings),
    ]
    does = "It averages what its members find probable, and takes the tree of minimum risk."
    return card_of("An ensemble of dependency parsers", rows, does)
