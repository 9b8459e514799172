"""A network whose encoder runs on an accelerator, by JAX: the answers are those of `Network`."""

from collections.abc import Iterable
from dataclasses import dataclass, fields
from functools import cached_property
from operator import attrgetter
from typing import Any, Never

import jax
import numpy as np
from numpy.typing import NDArray

from headwise.errors import UsageError
from headwise.scoring.neural.jaxarithmetic import Array, Weights
from headwise.scoring.neural.jaxnetwork import Outputs, best_relations, encoded, weights_of
from headwise.scoring.neural.layers import Floats
from headwise.scoring.neural.network import EncodedTokens, Encoding, Network
from headwise.scoring.neural.packing import MAX_TOKENS, Rows, packed
from headwise.scoring.neural.vocabulary import ABSENT
from headwise.scoring.neural.wordfeatures import Indices


@dataclass(frozen=True, eq=False)
class TokensOnDevice(Encoding):
    """Encoded tokens on an accelerator: some rows at a time, and what was computed for them."""

    starts: NDArray[np.int64]
    rows: list[Rows]
    outputs: list[Outputs]

    def on_cpu(self) -> EncodedTokens:
        return self._fetched

    @cached_property
    def _fetched(self) -> EncodedTokens:
        names = [one.name for one in fields(EncodedTokens) if one.name != "starts"]
        found = {name: self.gathered(map(attrgetter(name), self.outputs)) for name in names}
        return EncodedTokens(self.starts, **found)

    def gathered(self, values: Iterable[Array], kind: type[Any] = np.float32) -> NDArray[Any]:
        """What was computed for rows, one array for each, of all tokens one after the other."""
        arrays = list(map(np.asarray, values))
        found = np.empty((self.starts[-1], *arrays[0].shape[2:]), kind)
        for rows, own in zip(self.rows, arrays, strict=True):
            found[rows.tokens] = own.reshape(-1, *own.shape[2:])[rows.places]
        return found


@dataclass(frozen=True, eq=False, kw_only=True)
class AcceleratedNetwork(Network):
    """A network that encodes, and chooses tags and relations, on a device of JAX."""

    device: Any
    most_tokens: int = MAX_TOKENS

    @classmethod
    def at(cls, network: Network, device: Any, most_tokens: int = MAX_TOKENS) -> Network:
        """A network on a device."""
        own = {one.name: getattr(network, one.name) for one in fields(Network)}
        return cls(**own, device=device, most_tokens=most_tokens)

    @property
    def on_accelerator(self) -> bool:
        return True

    def __reduce__(self) -> Never:
        """Other processes would need the device too."""
        raise UsageError(
            "a model on an accelerator works in one process: use threads (jobs=…), not processes"
        )

    @cached_property
    def weights(self) -> Weights:
        """All arrays, on the device."""
        with jax.default_device(self.device):
            return weights_of(self)

    def encode(self, starts: NDArray[np.int64], features: Indices, tags: Indices) -> Encoding:
        """Begin to run the encoder over sentences; what it finds is waited for where it is used."""
        if not len(features):
            return super().encode(starts, features, tags)
        ends = np.zeros((len(features), 2), np.bool_)
        ends[starts[:-1], 0] = ends[starts[1:] - 1, 1] = True
        all_rows = list(packed(starts, self.most_tokens))
        outputs = []
        for rows in all_rows:
            given = rows.filled(features), rows.filled(tags, ABSENT), rows.filled(ends)
            outputs.append(encoded(self.weights, *self.on_device(*given)))
        return TokensOnDevice(starts, all_rows, outputs)

    def on_device(self, *arrays: NDArray[Any]) -> list[Array]:
        """Arrays on the device."""
        found: list[Array] = jax.device_put(list(arrays), self.device)
        return found

    def arc_scores(self, tokens: Encoding) -> NDArray[np.float64]:
        if not isinstance(tokens, TokensOnDevice):
            return super().arc_scores(tokens)
        sizes = np.diff(tokens.starts)
        ends = np.cumsum(sizes**2)
        found = np.empty(int(ends[-1]))
        for rows, outputs in zip(tokens.rows, tokens.outputs, strict=True):
            arcs = np.asarray(outputs.arcs)
            own = (ends[rows.sentences], sizes[rows.sentences], rows.rows, rows.offsets)
            for end, size, row, start in zip(*(one.tolist() for one in own), strict=True):
                here = found[end - size * size : end].reshape(size, size)
                here[:] = arcs[row, start : start + size, start : start + size]
        return found

    def best_tags(self, tokens: Encoding) -> dict[str, NDArray[np.int64]]:
        if not isinstance(tokens, TokensOnDevice):
            return super().best_tags(tokens)
        return {
            name: tokens.gathered([one.tags[name] for one in tokens.outputs], np.int64)
            for name in self.taggers
        }

    def best_relations(
        self, tokens: Encoding, heads: NDArray[np.int64], forbidden: Floats
    ) -> NDArray[np.int64]:
        """The indices of the best relations of all tokens to heads (rows of all tokens)."""
        if not isinstance(tokens, TokensOnDevice):
            return super().best_relations(tokens, heads, forbidden)
        of_root = np.isin(heads, tokens.starts[:-1]).astype(np.int32)
        position = np.empty(len(heads), np.int32)
        for rows in tokens.rows:
            position[rows.tokens] = rows.places // rows.shape[1]
        found = []
        for rows, outputs in zip(tokens.rows, tokens.outputs, strict=True):
            chosen = self.on_device(rows.filled(position[heads]), rows.filled(of_root), forbidden)
            own = (outputs.relation_heads, outputs.relation_modifiers)
            found.append(best_relations(self.weights, *own, *chosen))
        return tokens.gathered(found, np.int64)
