"""DependencyParser: learns from a treebank, parses sentences, is saved and loaded.

It keeps scikit-learn's manners: parameters are stored as given, `fit` learns, what is learnt ends
in an underscore.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

import numpy as np

from headwise.corpus.sentence import Sentence
from headwise.decoders.base import Marginals
from headwise.errors import UsageError
from headwise.features.atoms import AtomEncoder
from headwise.features.count import count_features
from headwise.features.scorer import ArcScorer
from headwise.features.tables import WeightTables
from headwise.features.templates import GUIDE_TEMPLATES, FeatureSet
from headwise.learners.bayespoint import train_machine
from headwise.learners.data import check_tree, training_data
from headwise.learners.settings import TrainingSettings
from headwise.learners.training import Nobody, Trained, Training, Watcher
from headwise.search import TreeSearch, fitted_temperature
from headwise.tree import is_projective

FOR_TEMPERATURE = 500
"""So many sentences of dev fit the temperature."""

Words = Sentence | Sequence[str]


@dataclass(kw_only=True, eq=False)
class DependencyParser(TrainingSettings):
    """A first-order dependency parser."""

    features_: FeatureSet = field(init=False, repr=False)
    tables_: WeightTables = field(init=False, repr=False)
    single_root_: bool = field(init=False, repr=False)
    temperature_: float = field(init=False, repr=False)
    report_: dict[str, Any] = field(init=False, repr=False)

    def fit(
        self,
        sentences: Sequence[Sentence],
        dev: Sequence[Sentence] | None = None,
        *,
        guides: Sequence[Sentence] | None = None,
        dev_guides: Sequence[Sentence] | None = None,
        jobs: int = 1,
        checkpoint: str | Path | None = None,
        resume: bool = False,
        watcher: Watcher | None = None,
    ) -> "DependencyParser":
        """Learn from gold trees; with `dev`, the epoch is kept that is best there.

        `guides` and `dev_guides` are the same sentences under another parser's trees. `checkpoint`
        is a folder to go on from with `resume`, should training be cut short.
        """
        self.check()
        features = FeatureSet.load(self.features)
        if guides is not None:
            features = features.joined_with(FeatureSet.parse(GUIDE_TEMPLATES))
        encoder = AtomEncoder(self.words, self.tags)
        data = training_data(sentences, self, encoder, guides)
        scoring = DevScoring(self, features, encoder, data.single_root, dev, dev_guides)
        training = Training(
            self,
            features,
            data,
            scoring if dev is not None else None,
            Path(checkpoint) if checkpoint is not None else None,
            watcher or Nobody(),
        )
        members: list[dict[str, Any]] = []
        if self.learner == "bayes-point":
            machine = train_machine(training, jobs=jobs, resume=resume)
            trained, members = machine.trained, machine.members
        else:
            trained = training.run(resume=resume)
        self.features_, self.single_root_ = features, data.single_root
        self.finish(trained, scoring)
        self.report_ |= {
            "sentences": len(data),
            "left_out": data.left_out,
            "words": data.words,
            "features": count_features(features, data.encoded, data.golds),
            "members": members,
        }
        return self

    def finish(self, trained: Trained, scoring: "DevScoring") -> None:
        """Make the weights small, and fit the temperature."""
        tables = trained.tables
        self.tables_ = tables if self.bits == 32 else tables.quantised(self.bits)
        self.temperature_ = 1.0
        self.report_ = {
            "epoch": trained.epoch,
            "history": trained.history,
            "weights": int(np.count_nonzero(self.tables_.weights)),
        }
        if scoring.dev:
            self.report_["dev_uas"] = scoring(self.tables_)
            self.report_["dev_uas_32_bits"] = scoring(tables)
            self.temperature_ = scoring.temperature(self.tables_)

    def search(self) -> TreeSearch:
        """The trained model at work."""
        if not hasattr(self, "tables_"):
            raise UsageError("this parser has learnt nothing yet: call fit, or load a model")
        return TreeSearch(
            AtomEncoder(self.words, self.tags, self.features_.atoms),
            ArcScorer(self.features_, self.tables_),
            self.decoder == "projective",
            self.single_root_,
            self.temperature_,
        )

    def predict(
        self, sentences: Iterable[Words], guides: Sequence[Sentence] | None = None
    ) -> list[Sentence]:
        """The sentences under their best trees."""
        given = [as_sentence(words) for words in sentences]
        heads = self.search().best_many(given, guides)
        return [with_heads(sentence, own) for sentence, own in zip(given, heads, strict=True)]

    def kbest(self, words: Words, k: int) -> list[tuple[Sentence, float]]:
        """The k best trees of a sentence, with their scores, best first."""
        sentence, search = as_sentence(words), self.search()
        found = search.kbest(search.scores(sentence), k)
        return [(with_heads(sentence, tree.heads[1:].tolist()), tree.score) for tree in found]

    def marginals(self, words: Words) -> Marginals:
        """The probabilities of all arcs of a sentence: `arc[head, modifier]`, root 0."""
        search = self.search()
        return search.marginals(search.scores(as_sentence(words)))

    def score(self, sentences: Sequence[Sentence]) -> float:
        """The share of words with the right head, from 0 to 1."""
        heads = self.search().best_many(sentences)
        right = total = 0
        for sentence, own in zip(sentences, heads, strict=True):
            check_tree(sentence)
            right += sum(a == b for a, b in zip(own, sentence.heads, strict=True))
            total += len(sentence)
        return right / total

    def get_params(self, deep: bool = True) -> dict[str, Any]:  # noqa: ARG002, RUF100
        """The parameters as they were given."""
        return {one.name: getattr(self, one.name) for one in fields(self) if one.init}

    def set_params(self, **parameters: Any) -> "DependencyParser":
        """Change parameters; they count from the next `fit` on."""
        known = self.get_params()
        for name, value in parameters.items():
            if name not in known:
                raise UsageError(f"there is no parameter {name!r}; there are {', '.join(known)}")
            setattr(self, name, value)
        return self


@dataclass(frozen=True, slots=True, eq=False)
class DevScoring:
    """Scores weights on development data. (It is sent to processes, so it is no closure.)"""

    parser: TrainingSettings
    features: FeatureSet
    encoder: AtomEncoder
    single_root: bool
    dev: Sequence[Sentence] | None
    guides: Sequence[Sentence] | None

    def __call__(self, tables: WeightTables) -> float:
        """The per cent of words with the right head."""
        dev = self.dev or ()
        heads = self.search(tables).best_many(dev, self.guides)
        right = sum(
            a == b
            for sentence, own in zip(dev, heads, strict=True)
            for a, b in zip(own, sentence.heads, strict=True)
        )
        return 100.0 * right / max(1, sum(map(len, dev)))

    def search(self, tables: WeightTables) -> TreeSearch:
        """Weights at work."""
        scorer = ArcScorer(self.features, tables)
        projective = self.parser.decoder == "projective"
        return TreeSearch(self.encoder, scorer, projective, self.single_root)

    def temperature(self, tables: WeightTables) -> float:
        """The temperature at which gold trees of dev are likeliest."""
        search = self.search(tables)
        chosen = [one for one in self.dev or () if len(one) > 1 and one.has_tree]
        golds = [np.array([-1, *(head or 0 for head in one.heads)]) for one in chosen]
        pairs = [
            (sentence, gold)
            for sentence, gold in zip(chosen, golds, strict=True)
            if not search.projective or is_projective(gold.tolist())
        ][:FOR_TEMPERATURE]
        return fitted_temperature(search, [a for a, _ in pairs], [b for _, b in pairs])


def as_sentence(words: Words) -> Sentence:
    """A sentence as it is, or one made of words."""
    return words if isinstance(words, Sentence) else Sentence.from_words(words)


def with_heads(sentence: Sentence, heads: Sequence[int]) -> Sentence:
    """The sentence under another tree, whose relations are not known."""
    return sentence.with_tree(heads, relations_of(heads))


def relations_of(heads: Sequence[int]) -> tuple[str, ...]:
    """What relations are called where only heads are known."""
    return tuple(map(_RELATIONS.__getitem__, heads))


class _Relations(dict[int, str]):
    """The relation to the root, and to any other word."""

    def __missing__(self, head: int) -> str:
        return "dep"


_RELATIONS = _Relations({0: "root"} | dict.fromkeys(range(1, 1025), "dep"))
