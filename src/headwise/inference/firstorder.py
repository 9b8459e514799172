"""First-order, unpruned, non-projective versions of models of projective trees."""

from dataclasses import replace

from headwise.inference.neuralparts import NeuralPartsSearch
from headwise.inference.neuralsearch import NeuralSearch
from headwise.inference.searcher import Searcher
from headwise.inference.temperatures import UNFITTED
from headwise.inference.treesearch import TreeSearch


def first_order(search: Searcher) -> Searcher | None:
    """The model as a first-order model of all trees without pruning; None if it has none."""
    if not isinstance(search, TreeSearch | NeuralSearch) or not search.projective:
        return None
    if isinstance(search, TreeSearch) and search.pruner is not None:
        scorer = search.pruner.scorer
        return replace(search, scorer=scorer, pruner=None, projective=False, temperatures=UNFITTED)
    if isinstance(search, NeuralPartsSearch):
        search = search.first_order
    return replace(search, projective=False)
