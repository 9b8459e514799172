"""Words that no tree covers."""


def test_words_that_no_tree_covers_give_pieces(parser):
    forms = [".", "the", ".", "of", "of", "dogs", "the"]
    found = parser.kbest(forms, 3)
    assert found.forms == forms
    assert len(found) == 1
    assert found.best.root.label == "ROOT"
