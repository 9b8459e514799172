"""LinkMarginParser: learns, parses, is saved and loaded, goes on where it was; and bad input."""

import pytest
from lexicaltoys import made_similarity
from margintoys import DEV, TRAIN, fitted

from headwise.errors import HeadwiseWarning, InputError, UsageError
from headwise.parsers.linkmargin.parser import LinkMarginParser


@pytest.mark.parametrize("loss", ["local", "global"])
def test_it_learns(loss):
    parser = fitted(dev=DEV, loss=loss, tolerance=0.02, epochs=500)
    found = parser.scores(DEV)
    assert found["undirected"] >= found["uas"] > 0.5
    assert parser.scores(TRAIN)["undirected"] > 0.9
    assert parser.report_["dev_uas"] == 100 * found["uas"]
    assert parser.temperatures_.heads != 1.0
    assert parser.report_["history"][-1]["gap"] <= 0.02


def test_similar_words_of_another_language_are_refused():
    other = made_similarity({"Baum": {"Wald": 0.5}})
    with pytest.raises(InputError, match="knows no word of the treebank"):
        fitted(similarity=other, neighbours=5)
    some = made_similarity({"the": {"a": 0.5}, "a": {"the": 0.5}})
    with pytest.warns(HeadwiseWarning, match="covers .* of the treebank's tokens"):
        fitted(similarity=some, neighbours=5)


def test_treebanks_without_anything_to_learn_are_refused():
    with pytest.raises(InputError, match="no sentence"):
        fitted([])
    with pytest.raises(InputError, match="more than 1 words"):
        fitted(longest=1)
    with pytest.raises(UsageError, match="not fitted"):
        LinkMarginParser().search()
