from headwise.corpus.sentence import Sentence
from headwise.serve.editing.acceptance import acceptance, judge

WORDS = ["a", "b", "c"]


def test_proposals_are_counted_by_the_relation_that_words_have_in_the_end():
    given = Sentence.from_words(WORDS, heads=[2, None, None])
    shown = given.with_tree([2, 0, 2], ["det", "root", "obj"])
    final = given.with_tree([2, 0, 2], ["det", "root", "nsubj"])
    judged = judge(given, shown, final)
    assert acceptance(judged) == [
        {"relation": "root", "proposed": 1, "heads": 1, "accepted": 1},
        {"relation": "nsubj", "proposed": 1, "heads": 1, "accepted": 0},
    ]
    assert judge(given, shown, Sentence.from_words(["a", "b"])) == []
