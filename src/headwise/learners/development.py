"""Development data: how good weights are, and how sure one may be of their answers."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from headwise.corpus.projectivise import Encoding
from headwise.corpus.sentence import Sentence
from headwise.errors import InputError
from headwise.inference.lengths import check_length
from headwise.inference.treesearch import TreeSearch
from headwise.learners.data import check_guides, check_tree
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
    encoder: AtomEncoder
    spec: FeatureSpec
    projective: bool
    single_root: bool
    pruner: Pruner | None = None
    labeller: Labeller | None = None  # of the second stage
    labels: Labels | None = None  # gold ones of all tokens, if there are any, and a labeller
    encoding: Encoding = "none"  # how relations say where arcs were lifted from

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
        golds = [np.array([-1, *map(int, one.heads)], np.int64) for one in sentences]  # type: ignore[arg-type]
        encoded = encoder.encode(sentences, guides)
        projective = settings.decoder == "projective"
        inventory = spec.labels if labeller is None else labeller.inventory
        labels = None
        if inventory is not None and has_labels(sentences):
            labels = inventory.numbers(one.relations for one in sentences)
        return cls(
            encoded,
            golds,
            encoder,
            spec,
            projective,
            single_root,
            pruner,
            labeller,
            labels,
            settings.encoding,
        )

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
        return TreeSearch(
            self.encoder,
            scorer,
            self.projective,
            self.single_root,
            pruner=self.pruner,
            labeller=labeller_of(scorer, self.labeller),
            encoding=self.encoding,
        )

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
