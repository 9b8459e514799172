"""Development data: how good weights are, and how sure one may be of their answers."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from headwise.corpus.sentence import Sentence
from headwise.decoders.base import HeadsArray
from headwise.errors import InputError
from headwise.features.atoms import AtomEncoder, EncodedSentences
from headwise.features.higher import Looks
from headwise.features.pruner import Pruner
from headwise.features.tables import WeightTables
from headwise.learners.data import check_guides, check_tree
from headwise.learners.settings import TrainingSettings
from headwise.search import TreeSearch, check_length, fitted_temperature
from headwise.tree import is_projective, is_single_rooted

FOR_TEMPERATURE = 500
"""So many sentences fit the temperature."""


@dataclass(frozen=True, slots=True, eq=False)
class Development:
    """Sentences that are not learnt from, with their gold trees. (It is sent to processes.)"""

    encoded: EncodedSentences
    golds: list[HeadsArray]
    encoder: AtomEncoder
    looks: Looks
    projective: bool
    single_root: bool
    pruner: Pruner | None = None

    @classmethod
    def of(
        cls,
        sentences: Sequence[Sentence],
        guides: Sequence[Sentence] | None,
        settings: TrainingSettings,
        encoder: AtomEncoder,
        looks: Looks,
        single_root: bool,
        pruner: Pruner | None = None,
    ) -> "Development":
        """Development data from sentences; every one must have a tree."""
        if not sentences:
            raise InputError("there is no sentence in the development data")
        check_guides(sentences, guides)
        for sentence in sentences:
            check_tree(sentence)
            check_length(sentence)
        golds = [np.array([-1, *map(int, one.heads)], np.int64) for one in sentences]  # type: ignore[arg-type]
        encoded = encoder.encode(sentences, guides)
        projective = settings.decoder == "projective"
        return cls(encoded, golds, encoder, looks, projective, single_root, pruner)

    @property
    def words(self) -> int:
        """The number of words."""
        return sum(map(len, self.golds)) - len(self.golds)

    def arrays(self) -> Iterator[NDArray[Any]]:
        """All that scores depend on, besides weights."""
        yield from (self.encoded.starts, *self.encoded.tokens, *self.golds)

    def search(self, tables: WeightTables) -> TreeSearch:
        """Weights at work."""
        scorer = self.looks.scorer(tables)
        return TreeSearch(
            self.encoder, scorer, self.projective, self.single_root, pruner=self.pruner
        )

    def score(self, tables: WeightTables) -> float:
        """The per cent of words with the right head."""
        heads = self.search(tables).best_encoded(self.encoded)
        gold = np.concatenate(self.golds)
        words = gold >= 0
        return 100.0 * float(np.count_nonzero((heads == gold) & words)) / self.words

    def temperature(self, tables: WeightTables) -> float:
        """The temperature at which gold trees are likeliest, of those that search can find."""
        search = self.search(tables)
        chosen = [number for number, gold in enumerate(self.golds) if self.is_reachable(gold)]
        chosen = chosen[:FOR_TEMPERATURE]
        tokens = [self.encoded.sentence(number) for number in chosen]
        return fitted_temperature(search, tokens, [self.golds[number] for number in chosen])

    def is_reachable(self, gold: HeadsArray) -> bool:
        """Whether a gold tree is one of several that search can find."""
        heads = gold.tolist()
        return (
            len(heads) > 2
            and (is_projective(heads) or not (self.projective or self.looks.parts))
            and (is_single_rooted(heads) or not self.single_root)
        )
