"""How the second stage of a parser is trained, which labels the arcs of finished trees."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from headwise.errors import UsageError
from headwise.storage.settings import MAX_EPOCHS, MAX_MEMBERS, check_counts, check_not_negative


@dataclass(frozen=True, slots=True)
class LabellerSettings:
    """How the second stage is trained.

    epochs: number of training epochs of the labeller.
    members: number of labellers to average, each trained on the trees in another order.
    margin: score margin by which the right label must win in training.
    drop_up_to: drop quantised weights of magnitude ≤ this.
    """

    epochs: int = 8
    members: int = 3
    margin: float = 60.0
    drop_up_to: int = 0

    former_names: ClassVar[Mapping[str, str]] = {"thin": "drop_up_to"}

    def check(self) -> None:
        bounds = {
            "epochs": (1, MAX_EPOCHS),
            "members": (1, MAX_MEMBERS),
            "drop_up_to": (0, 1 << 15),
        }
        try:
            check_counts(self, bounds)
            check_not_negative(self, "margin")
        except UsageError as error:
            raise UsageError(f"labeller: {error}") from None
