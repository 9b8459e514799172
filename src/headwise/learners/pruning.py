"""Training the pruner that models above the first order stand on."""

from dataclasses import replace

from headwise.features.higher import Looks
from headwise.features.pruner import Pruner
from headwise.features.scorer import ArcScorer
from headwise.features.templates import FeatureSet
from headwise.learners.data import TrainingData
from headwise.learners.settings import TrainingSettings
from headwise.learners.training import Training


def train_pruner(settings: TrainingSettings, data: TrainingData) -> Pruner:
    """A first-order log-linear model of the same sentences. It depends on nothing but these."""
    chosen = settings.pruner
    own = TrainingSettings(
        learner="log-linear",
        features=chosen.features,
        epochs=chosen.epochs,
        rate=chosen.rate,
        decay=chosen.decay,
        tables=chosen.tables,
        seed=settings.seed,
        labels="none",
    )
    features = FeatureSet.load(chosen.features)
    trained = Training(own, Looks(features), data).run()
    return Pruner(ArcScorer(features, trained.tables.quantised(8)), chosen, data.single_root)


def pruned(data: TrainingData, pruner: Pruner) -> TrainingData:
    """The same sentences over the arcs that a pruner keeps, and those of gold trees."""
    return replace(data, living=pruner.living_with(data.encoded, data.golds))
