"""Development data: how good weights are, and how sure one may be of their answers."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from headwise.corpus.sentence import Sentence
from headwise.errors import InputError
from headwise.inference.lengths import check_length
from headwise.inference.treesearch import TreeSearch
from headwise.learners.data import check_guides, check_tree
from headwise.learners.partial import known_heads
from headwise.learners.settings import TrainingSettings
from headwise.scoring.linear.atoms import AtomEncoder, EncodedSentences
from headwise.scoring.linear.higher import FeatureSpec
from headwise.scoring.linear.labelledscorer import labeller_of
from headwise.scoring.linear.labeller import Labeller
from headwise.scoring.linear.labels import NOT_GIVEN, Labels, has_labels
from headwise.scoring.linear.pruner import Pruner
from headwise.scoring.linear.tables import WeightTables
from headwise.search.decoders.base import HeadsArray


@dataclass(frozen=True, slots=True, eq=False)
class Development:
    """Sentences that are not learnt from, with their gold trees. (It is sent to processes.)"""

    encoded: EncodedSentences
    golds: list[HeadsArray]
    spec: FeatureSpec
    searching: "partial[TreeSearch]"  # but for the scorer, and the labeller, which is …
    labeller: Labeller | None = None  # … that of the second stage, if not of the scorer
    labels: Labels | None = None  # gold ones of all tokens, if there are any, and a labeller

    @classmethod
    def of(
        cls,
        sentences: Sequence[Sentence],
        guides: Sequence[Sentence] | None,
        settings: TrainingSettings,
        encoder: AtomEncoder,
        spec: FeatureSpec,
        single_root: bool,
        pruner: Pruner | None = None,
        labeller: Labeller | None = None,
    ) -> "Development":
        """Development data from sentences; every one must have a tree."""
        if not sentences:
            raise InputError("there is no sentence in the development data")
        check_guides(sentences, guides)
        for sentence in sentences:
            check_tree(sentence)
            check_length(sentence)
        golds = [np.array(known_heads(one), np.int64) for one in sentences]
        searching = partial(
            TreeSearch,
            encoder,
            projective=settings.decoder == "projective",
            single_root=single_root,
            pruner=pruner,
            encoding=settings.encoding,
        )
        inventory = spec.labels if labeller is None else labeller.inventory
        labels = None
        if inventory is not None and has_labels(sentences):
            labels = inventory.numbers(one.relations for one in sentences)
        return cls(encoder.encode(sentences, guides), golds, spec, searching, labeller, labels)

    @property
    def words(self) -> int:
        """The number of words."""
        return sum(map(len, self.golds)) - len(self.golds)

    def arrays(self) -> Iterator[NDArray[Any]]:
        """All that scores depend on, besides weights."""
        yield from (*self.encoded.arrays(), *self.golds)
        if self.labels is not None:
            yield self.labels

    def search(self, tables: WeightTables) -> TreeSearch:
        """Weights at work."""
        scorer = self.spec.scorer(tables)
        return self.searching(scorer=scorer, labeller=labeller_of(scorer, self.labeller))

    def compile_kernels(self, tables: WeightTables) -> None:
        """Compile what `scores` needs, by one sentence."""
        search, one = self.search(tables), self.encoded.part(0, 1)
        if search.labeller is None:
            search.best_encoded(one)
        else:
            search.labelled_encoded(one)

    def scores(self, tables: WeightTables) -> dict[str, float]:
        """The per cent of words with the right head, and with the right label too if there are
        gold ones."""
        search = self.search(tables)
        gold = np.concatenate(self.golds)
        if search.labeller is None:
            heads = search.best_encoded(self.encoded)
            return {"dev_uas": self.per_cent((heads == gold) & (gold >= 0))}
        heads, names = search.labelled_encoded(self.encoded)
        right = (heads == gold) & (gold >= 0)
        if self.labels is None:
            return {"dev_uas": self.per_cent(right)}
        same = search.labeller.inventory.numbers_of(names) == self.labels
        labelled = self.words - int(np.count_nonzero(self.labels == NOT_GIVEN))
        las = self.per_cent(right & same & (self.labels != NOT_GIVEN), labelled)
        return {"dev_uas": self.per_cent(right), "dev_las": las}

    def per_cent(self, right: NDArray[np.bool_], words: int | None = None) -> float:
        """The per cent of words (of all, if their number is not given) for which this is right."""
        return 100.0 * float(np.count_nonzero(right)) / (self.words if words is None else words)
