"""How the second stage of a parser is trained, which labels the arcs of finished trees."""

from dataclasses import dataclass

from headwise.errors import UsageError


@dataclass(frozen=True, slots=True)
class LabellerSettings:
    """How the second stage is trained.

    epochs: how often it goes over the trees.
    members: so many, which see the trees in different orders, are averaged.
    margin: by how much the right label must win.
    thin: weights of no more than so many steps of the finished model are left out of it.
    """

    epochs: int = 8
    members: int = 3
    margin: float = 60.0
    thin: int = 0

    def check(self) -> None:
        """Raise if a value has no meaning."""
        for name in ("epochs", "members"):
            if getattr(self, name) < 1:
                raise UsageError(f"labeller: {name} must be 1 or more, not {getattr(self, name)}")
        for name in ("margin", "thin"):
            if getattr(self, name) < 0:
                raise UsageError(f"labeller: {name} must be 0 or more, not {getattr(self, name)}")
