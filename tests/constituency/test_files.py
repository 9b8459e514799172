"""Files of trees and candidates: what is chosen, what is parsed, what belongs together."""

import pytest
from bracketbank import tree

from headwise.constituency.candidates import CandidateList
from headwise.constituency.files import (
    check_pairs,
    decide,
    decide_file,
    parse_file,
    read_trees,
    tune_decoder,
)
from headwise.constituency.nbest import write_nbest
from headwise.corpus.formats import write_sentences
from headwise.corpus.sentence import Sentence
from headwise.errors import InputError, LimitError, MismatchError, UsageError

A, B = tree("(S (A x) (B y))"), tree("(S (NP (A x)) (B y))")


def test_escapes_stand_for_words():
    parsed = tree("(S (A {) (B 1/2))")
    treebank = tree("(S (A -LCB-) (-NONE- *) (B 1\\/2))")
    check_pairs([CandidateList.of("s7", [parsed], [0.0])], [treebank])
    with pytest.raises(MismatchError, match=r"word 1 of this tree is '{', in the gold tree 'x'"):
        check_pairs([CandidateList.of("s7", [parsed], [0.0])], [A])


def lists() -> list[CandidateList]:
    return [CandidateList.of(name, [A, B], [-2.0, -1.0]) for name in ("1", "2")]


def test_lists_and_gold_trees_are_of_the_same_sentences():
    check_pairs(lists(), [A, B])
    with pytest.raises(MismatchError, match="2 candidate lists, but 1 gold trees"):
        check_pairs(lists(), [A])
    with pytest.raises(MismatchError, match="1 candidate lists, but 2 gold trees"):
        check_pairs(lists()[:1], [A, B])


def test_the_tree_is_chosen_by_name():
    one = lists()[0]
    assert decide(one, "map") is B
    for name in ("mbr", "mbr-rerank"):
        assert str(decide(one, name)) == str(B)
        assert decide(one, name, scale=100.0) == B
    with pytest.raises(UsageError, match="unknown decoding"):
        decide(one, "best")


def test_files_are_read_one_after_the_other(tmp_path):
    for name, own in (("a.mrg", A), ("b.mrg", B)):
        (tmp_path / name).write_text(f"{own}\n{own}\n")
    found = list(read_trees(tmp_path / "a.mrg", tmp_path / "b.mrg"))
    assert found == [A, A, B, B]
    assert [one.location.line for one in found] == [1, 2, 1, 2]
    write_nbest(tmp_path / "a.nbest", lists())
    assert list(decide_file(tmp_path / "a.nbest", "map")) == [B, B]


def test_the_scale_is_tuned_on_gold_trees():
    assert tune_decoder(lists(), [B, B], "mbr").gain == pytest.approx(1.0)
    assert tune_decoder(lists(), [A, A], "map").gain < 1.0


def test_every_sentence_of_a_file_is_parsed(parser, tmp_path):
    words = [["she", "sees", "dogs", "."], ["look", "."]]
    tagged = [
        Sentence.from_words(words[0], xpos=["PRP", "VBZ", "NNS", "."], comments=["# sent_id = s"]),
        Sentence.from_words(words[1], xpos=["VB", "_"]),
    ]
    path = tmp_path / "a.conllu"
    write_sentences(path, tagged)
    found = list(parse_file(parser, path, 2))
    assert [(one.sentence_id, one.forms) for one in found] == [("s", words[0]), ("2", words[1])]
    assert all(1 <= len(one) <= 2 for one in found)
    given = parse_file(parser, path, 2, tags="xpos")
    assert [leaf.tag for leaf in next(given).best.leaves()] == list(tagged[0].xpos)
    with pytest.raises(InputError, match="word 2 has no XPOS; parse without --tags"):
        next(given)
    with pytest.raises(LimitError, match="4 words, more than the limit of 3"):
        list(parse_file(parser, path, 1, longest=3))
    with pytest.raises(UsageError, match="tags must be xpos or upos"):
        list(parse_file(parser, path, 1, tags="feats"))
