"""Which higher-order parts a parser scores, from an order or a list of part types."""

from collections.abc import Sequence
from dataclasses import dataclass

from headwise.errors import UsageError
from headwise.scoring.linear.labelledscorer import LabelledArcScorer
from headwise.scoring.linear.labels import LabelInventory
from headwise.scoring.linear.labeltemplates import ATOMS as LABEL_ATOMS
from headwise.scoring.linear.partscorer import PartScorer
from headwise.scoring.linear.partsets import load_part_features
from headwise.scoring.linear.parttemplates import PartFeatureSet
from headwise.scoring.linear.scorer import ArcScorer, Scorer
from headwise.scoring.linear.tables import TableSizes, WeightTables
from headwise.scoring.linear.templates import FeatureSet
from headwise.search.parts import Factorisation, Part

PARTS_OF_ORDER = {
    1: (Part.ARC,),
    2: (Part.ARC, Part.SIBLING, Part.STOP),
    3: (Part.ARC, Part.SIBLING, Part.GRANDCHILD, Part.GRAND_SIBLING, Part.STOP),
    4: tuple(Part),
}
"""The default part types of each order."""


def parts_named(order: int, names: Sequence[str]) -> tuple[Part, ...]:
    """The requested part types: by name, or those of an order."""
    if not names:
        return PARTS_OF_ORDER[order]
    known = {part.label: part for part in Part}
    for name in names:
        if name not in known:
            raise UsageError(f"parts: unknown part {name!r}; choose from {', '.join(known)}")
    if Part.ARC.label not in names:
        raise UsageError("parts must include arc")
    return tuple(part for part in Part if part.label in names)


def smallest_factorisation(parts: Sequence[Part]) -> Factorisation:
    """The cheapest factorisation that includes some part types."""
    return next(one for one in Factorisation if all(one.encloses(part) for part in parts))


@dataclass(frozen=True, slots=True)
class FeatureSpec:
    """The features of a model: templates of arcs, and of higher-order parts if it scores any.

    labels: the labels to learn jointly with arcs, if any.
    """

    arcs: FeatureSet
    parts: PartFeatureSet | None = None
    factorisation: Factorisation = Factorisation.ARCS
    labels: LabelInventory | None = None
    crossing: bool = False  # whether parts that only non-projective trees have are scored as well

    @classmethod
    def at(
        cls, arcs: FeatureSet, parts: Sequence[Part], part_features: str, *, crossing: bool = False
    ) -> "FeatureSpec":
        """The features for some part types."""
        higher = [part for part in parts if part is not Part.ARC]
        if not higher:
            return cls(arcs)
        chosen = load_part_features(part_features).only(higher)
        for part in higher:
            if not any(template.part is part for template in chosen.templates):
                raise UsageError(f"{part_features!r} has no template for {part.label} parts")
        return cls(arcs, chosen, smallest_factorisation(parts), crossing=crossing)

    def scorer(self, tables: WeightTables) -> Scorer:
        """The scorer with these weights."""
        arcs = ArcScorer(self.arcs, tables)
        if self.labels is not None:
            return LabelledArcScorer(arcs, self.labels)
        if self.parts is None:
            return arcs
        return PartScorer(arcs, self.parts, self.factorisation, self.crossing)

    def shapes(self, sizes: TableSizes) -> tuple[tuple[int], tuple[int, int]]:
        """The shapes of weights and filters in tables of these sizes."""
        parts, labels = self.parts is not None, self.labels is not None
        return WeightTables.shapes(sizes, with_parts=parts, with_labels=labels)

    @property
    def atoms(self) -> frozenset[str]:
        """The atoms that any template uses."""
        own = self.arcs.atoms | (self.parts.atoms if self.parts is not None else frozenset())
        return own | (LABEL_ATOMS if self.labels is not None else frozenset())

    def rows(self) -> list[str]:
        """All templates as rows."""
        parts = self.parts.templates if self.parts is not None else ()
        return [str(template) for template in (*self.arcs.templates, *parts)]
