import pytest

from headwise.corpus.sentence import Sentence
from headwise.corpus.tree import heads_array, is_projective, is_tree
from headwise.serve.editing.punctuation import attached_punctuation


def tree(text: str, heads: list[int], relations: str) -> Sentence:
    words = text.split()
    tags = ["PUNCT" if not word[0].isalnum() else "X" for word in words]
    return Sentence.from_words(words, upos=tags, heads=heads, relations=relations.split())


EXAMPLES = [
    # text, heads with punctuation anywhere, relations, the heads that punctuation has after it
    ("dogs , cats and mice .", [0, 1, 1, 5, 1, 3], "root x conj cc conj x", {2: 3, 6: 1}),
    (
        "when it rains , we read .",
        [3, 3, 6, 1, 6, 0, 4],
        "mark nsubj advcl x nsubj root x",
        {4: 3, 7: 6},
    ),
    (
        "he ( an old friend ) left .",
        [7, 1, 5, 5, 1, 5, 0, 7],
        "nsubj x det amod appos x root x",
        {2: 5, 6: 5, 8: 7},
    ),
    ('" go " , he said', [0, 1, 1, 1, 6, 2], "x root x x nsubj parataxis", {1: 2, 3: 2, 4: 6}),
]


@pytest.mark.parametrize(("text", "heads", "relations", "expected"), EXAMPLES)
def test_marks_hang_on_what_they_set_off(text, heads, relations, expected):
    found = attached_punctuation(tree(text, heads, relations))
    assert {mark: found.heads[mark - 1] for mark in expected} == expected
    assert is_tree(heads_array(found.heads))
    assert is_projective(heads_array(found.heads))
    assert all(found.relations[mark - 1] == "punct" for mark in expected)


def test_nothing_but_punctuation_stays_as_it_is():
    one = tree("! ?", [0, 1], "root x")
    assert attached_punctuation(one) is one
