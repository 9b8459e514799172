"""Treebanks that lack a column: what cannot be learnt is said before anything is."""

from dataclasses import replace
from pathlib import Path

import pytest

from headwise import Sentence, write_sentences
from headwise.errors import HeadwiseWarning, InputError
from headwise.learners.callbacks import TrainingCallback
from headwise.parsers.boosting.parser import BoostedParser
from headwise.parsers.graph.parser import DependencyParser
from headwise.parsers.lexical.parser import LexicalParser
from headwise.parsers.neural.parser import NeuralParser
from headwise.pipeline.training.columns import check_columns
from headwise.pipeline.training.recipe import Recipe
from headwise.pipeline.training.trainfiles import TrainingFiles, train_files
from toypipelines import toy_trees

FULL = toy_trees(5)
USUAL = DependencyParser()


def without(*columns: str) -> list[Sentence]:
    return [replace(one, **dict.fromkeys(columns, ("_",) * len(one))) for one in FULL]


@pytest.mark.parametrize(
    ("columns", "settings", "told"),
    [
        (["upos", "xpos"], USUAL, "no word has a tag, .*--without tagger"),
        (["lemmas"], USUAL, "no word has a lemma, .*--without lemmas"),
        (["relations"], USUAL, "t.conllu: no word has a relation, .* heads only"),
        (["upos"], DependencyParser(tags="upos"), "UPOS is empty, so that tags=upos"),
    ],
)
def test_what_will_not_be_found_is_warned_of(columns, settings, told):
    with pytest.warns(HeadwiseWarning, match=told):
        check_columns(without(*columns), settings, Recipe(), "t.conllu")


def test_a_tokeniser_needs_text():
    bare = [replace(one, comments=(), misc=("_",) * len(one)) for one in FULL]
    with pytest.warns(HeadwiseWarning, match="how its text looked .*--without tokeniser"):
        check_columns(bare, USUAL, Recipe(), "t.conllu")


@pytest.mark.parametrize(("column", "name"), [("relations", "DEPREL"), ("upos", "UPOS")])
def test_columns_with_gaps_are_warned_of(column, name):
    some = [replace(FULL[0], **{column: ("_", *getattr(FULL[0], column)[1:])}), *FULL[1:]]
    words = sum(map(len, FULL))
    with pytest.warns(HeadwiseWarning, match=f"1 of {words} words has no {name}: .* 1 sent"):
        check_columns(some, USUAL, Recipe(), "t.conllu")


def test_a_network_skips_single_words():
    gap = ("_", *FULL[0].upos[1:])
    some = [replace(FULL[0], upos=gap, relations=("_", *FULL[0].relations[1:])), *FULL[1:]]
    parser = NeuralParser()
    with pytest.warns(HeadwiseWarning) as told:
        check_columns(some, parser, Recipe().fitting(parser), "t.conllu")
    words = sum(map(len, FULL))
    assert [str(one.message) for one in told] == [
        f"t.conllu: 1 of {words} words has no {name}: it is not learnt from these words"
        for name in ("DEPREL", "UPOS")
    ]
    unlabelled = [replace(one, upos=full.upos) for one, full in zip(some, FULL, strict=True)]
    for silent in (LexicalParser(), DependencyParser(labels="none")):  # they learn no relations
        check_columns(unlabelled, silent, Recipe(), "t.conllu")


def test_what_is_not_needed_may_be_missing():
    check_columns(FULL, USUAL, Recipe(), "t.conllu")
    check_columns(without("xpos", "feats"), USUAL, Recipe(), "t.conllu")
    check_columns(without("relations"), DependencyParser(labels="none"), Recipe(), "t.conllu")
    check_columns(without("lemmas"), USUAL, Recipe(stages=("tagger",)), "t.conllu")


@pytest.mark.parametrize(
    ("columns", "settings", "told"),
    [
        (["relations"], DependencyParser(labels="joint"), "no relations to learn joint labels"),
        (["upos", "xpos"], BoostedParser(), "no UPOS or XPOS tags"),
    ],
)
def test_what_is_needed_is_missed_before_anything_is_trained(
    columns, settings, told, tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    write_sentences("t.conllu", without(*columns))

    class Noting(TrainingCallback):
        def stage(self, name, done, total):
            stages.append(name)

    files, stages = TrainingFiles(train=Path("t.conllu"), model=Path("m")), []
    with pytest.raises(InputError, match=told):
        train_files(files, settings, Noting())
    assert stages == ["reading"]


def test_a_treebank_without_trees_trains_other_stages():
    bare = [one.with_tree([None] * len(one), ["_"] * len(one)) for one in FULL]
    with pytest.raises(InputError, match=r"t\.conllu: no word has a head.*--without parser"):
        check_columns(bare, USUAL, Recipe(), "t.conllu")
    check_columns(bare, USUAL, Recipe(stages=("tokeniser", "tagger", "lemmas")), "t.conllu")


def test_one_sentence_has_no_others_to_learn_its_tags_from():
    with pytest.raises(InputError, match=r"one sentence.*--train-tags gold"):
        check_columns(FULL[:1], USUAL, Recipe(tags="both"), "t.conllu")
    check_columns(FULL[:1], USUAL, Recipe(), "t.conllu")
