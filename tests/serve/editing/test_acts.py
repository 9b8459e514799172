import pytest

from editedfiles import sentences
from headwise.corpus.sentence import Sentence
from headwise.errors import UsageError
from headwise.serve.editing import acts
from headwise.serve.editing.marks import Marks, marks_of, with_marks

BARE = Sentence.from_words(["a", "b", "c"])
SHOWN = Sentence.from_words(
    ["a", "b", "c"],
    lemmas=["A", "B", "C"],
    upos=["DET", "NOUN", "VERB"],
    feats=["_", "Number=Sing", "_"],
    heads=[2, 3, 0],
    relations=["det", "nsubj", "root"],
)


def test_a_head_is_fixed_and_no_longer_forbidden():
    one = acts.forbid_arc(BARE, 1, 2)
    assert marks_of(one).forbidden == ((2, 1),)
    one = acts.set_head(one, 1, 2)
    assert one.heads == (2, None, None)
    assert marks_of(one).forbidden == ()


def test_roots_have_the_relation_of_roots_and_no_others_have_it():
    one = acts.set_head(BARE, 3, 0)
    assert one.relations[2] == "root"
    assert acts.set_head(one, 3, 1).relations[2] == "_"
    assert acts.set_relation(one, 3, "obj").heads[2] is None
    assert acts.set_relation(BARE, 2, "root").heads[1] == 0


def test_a_forbidden_head_is_released():
    one = acts.forbid_arc(acts.set_head(BARE, 1, 2), 1, 2)
    assert one.heads == (None, None, None)


def test_what_is_released_is_open():
    assert acts.release(SHOWN, [2]).heads == (2, None, 0)
    bare = acts.release_all(acts.bracket(acts.forbid_arc(SHOWN, 1, 3), 1, 2))
    assert bare.heads == (None, None, None)
    assert marks_of(bare) == Marks()
    tags = acts.release_tags(SHOWN, [2])
    assert (tags.upos, tags.lemmas[1], tags.feats[1]) == (("DET", "_", "VERB"), "_", "_")


def test_a_tag_fixes_the_other_tags_of_its_word_as_they_are_shown():
    one = acts.set_column(BARE, SHOWN, 2, "upos", "PROPN")
    assert (one.upos[1], one.feats[1], one.lemmas[1]) == ("PROPN", "Number=Sing", "_")
    assert acts.set_column(BARE, SHOWN, 2, "lemmas", "x y").lemmas[1] == "x y"
    feats = acts.set_column(BARE, SHOWN, 2, "feats", "b=1|A=2")
    assert feats.feats[1] == "A=2|b=1"
    assert acts.set_column(one, SHOWN, 2, "upos", "").upos[1] == "_"


def test_a_checked_sentence_is_what_was_shown(tmp_path):
    note = with_marks(BARE, Marks(note="why?", forbidden=((1, 3),)))
    one = acts.check(note, SHOWN)
    assert (one.heads, one.lemmas) == (SHOWN.heads, SHOWN.lemmas)
    assert marks_of(one) == Marks(True, "why?")
    assert not marks_of(acts.uncheck(one)).checked
    done = sentences(tmp_path)[1]
    assert acts.uncheck(acts.check(done, done)).deps == done.deps, "nothing of the tree changed"


@pytest.mark.parametrize(
    "act",
    [
        lambda: acts.set_head(BARE, 4, 1),
        lambda: acts.set_head(BARE, 1, 4),
        lambda: acts.set_head(BARE, 0, 1),
        lambda: acts.set_head(BARE, 1, 1),
        lambda: acts.forbid_arc(BARE, 2, 2),
        lambda: acts.bracket(BARE, 1, 9),
        lambda: acts.set_relation(BARE, 1, "a b"),
        lambda: acts.set_column(BARE, SHOWN, 1, "forms", "x"),
        lambda: acts.set_column(BARE, SHOWN, 1, "feats", "Number"),
        lambda: acts.set_column(BARE, SHOWN, 1, "upos", "A\tB"),
        lambda: acts.accept(BARE, SHOWN, [7]),
    ],
)
def test_what_cannot_be_done_is_refused(act):
    with pytest.raises(UsageError):
        act()
