"""What the parser of a pipeline learns from."""

from headwise.corpus.sample import read_sample
from headwise.pipeline.pipeline import Pipeline
from headwise.pipeline.training.recipe import Recipe, parser_sentences
from headwise.progress import silent


def test_a_jackknife_of_few_sentences_has_a_fold_for_each():
    """Both kinds of tags are the default, for small treebanks too."""
    sentences = list(read_sample())
    recipe = Recipe(tags="both")
    assert len(sentences) < recipe.folds
    found = parser_sentences(sentences, Pipeline(), recipe, silent)
    assert found[: len(sentences)] == sentences
    assert [one.forms for one in found[len(sentences) :]] == [one.forms for one in sentences]
