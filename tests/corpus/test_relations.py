import numpy as np

from headwise.corpus.relations import Relations


def test_numbers_and_names_are_one_list():
    relations = Relations(np.array([1, 0, 1], np.int32), ("det", "nsubj"))
    assert list(relations) == ["nsubj", "det", "nsubj"]
    assert list(relations[1:]) == ["det", "nsubj"]
    assert relations[0] == "nsubj"
    assert len(relations) == 3


def test_names_become_numbers_and_names_again():
    for names in ([], ["a"], ["b", "a", "b", ""]):
        assert list(Relations.of(names)) == names
