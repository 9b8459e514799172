"""Relations of many words: numbers, and what each is called.

A sentence has its relations as texts. Where those of many sentences are found at once, numbers are
passed on instead, and most of them never become texts.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True, eq=False)
class Relations(Sequence[str]):
    """Relations one after the other, by their numbers among some names."""

    numbers: NDArray[np.int32]
    names: Sequence[str]

    @classmethod
    def of(cls, texts: Sequence[str]) -> "Relations":
        """Relations that are texts."""
        numbers = {name: number for number, name in enumerate(dict.fromkeys(texts))}
        found = np.fromiter(map(numbers.__getitem__, texts), np.int32, len(texts))
        return cls(found, list(numbers))

    def __len__(self) -> int:
        return len(self.numbers)

    def __iter__(self) -> Iterator[str]:
        return map(self.names.__getitem__, self.numbers.tolist())

    @overload
    def __getitem__(self, which: int) -> str: ...
    @overload
    def __getitem__(self, which: slice) -> list[str]: ...
    def __getitem__(self, which: Any) -> Any:
        if isinstance(which, slice):
            return list(map(self.names.__getitem__, self.numbers[which].tolist()))
        return self.names[self.numbers[which]]
