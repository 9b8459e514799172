"""Who teaches whom: settings, names that must be the same, languages."""

import warnings
from dataclasses import replace
from pathlib import Path

import pytest

from headwise.corpus.sentence import MISSING
from headwise.errors import HeadwiseWarning, UsageError
from headwise.parsers.graph.parser import DependencyParser
from headwise.pipeline.ensembles import ensemble_of
from headwise.pipeline.pipeline import Pipeline
from headwise.pipeline.training.teaching import (
    Names,
    Teaching,
    mapped,
    warn_of_language,
)
from toyensembles import linear_parser, linear_pipeline
from toytreebank import SMALL, toy_treebank


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"text": ("t",)}, "no teacher"),
        ({"teachers": ("m",)}, "no text"),
        ({"gold_weight": 0}, "gold_weight"),
        ({"min_head": 1.5}, "min_head"),
        ({"longest": 401}, "longest"),
        ({"max_sentences": 0}, "max_sentences"),
        ({"kind": "spoken"}, "kind"),
    ],
)
def test_settings_without_meaning_are_refused(settings, message):
    given = settings if len(settings) == 1 and {"text", "teachers"} & set(settings) else {
        "teachers": ("m",), "text": ("t",), **settings
    }  # fmt: skip
    with pytest.raises(UsageError, match=message):
        Teaching(**given).check()


def test_files_are_what_their_names_say(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("a.txt", "b.tok", "c.conllu"):
        Path(name).touch()
    teaching = Teaching(teachers=("m",), text=("a.txt", "b.tok", "c.conllu"))
    assert [one.kind for one in teaching.inputs()] == ["raw", "tokenized", "conllu"]
    chosen = replace(teaching, kind="presegmented")
    assert {one.kind for one in chosen.inputs()} == {"presegmented"}
    with pytest.raises(UsageError, match=r"no file d\.txt"):
        replace(teaching, text=("d.txt",)).inputs()


def test_a_student_is_not_its_teacher(tmp_path):
    linear_pipeline().save(tmp_path / "m")
    teaching = Teaching(teachers=(str(tmp_path / "m"),), text=("t",))
    with pytest.raises(UsageError, match="is the student"):
        teaching.check_student(tmp_path / "x" / ".." / "m")
    teaching.check_student(tmp_path / "other")


def test_teachers_without_a_tokeniser_need_tokens(tmp_path):
    linear_parser().save(tmp_path / "m")
    (tmp_path / "t.txt").touch()
    teaching = Teaching(teachers=(str(tmp_path / "m"),), text=(str(tmp_path / "t.txt"),))
    with pytest.raises(UsageError, match="no tokeniser"):
        teaching.load_teacher()
    replace(teaching, kind="tokenized").load_teacher()
    (tmp_path / "t.txt").touch()
    replace(linear_pipeline(), parser=None).save(tmp_path / "tagger")
    with pytest.raises(UsageError, match="has no parser"):
        replace(teaching, teachers=(str(tmp_path / "tagger"),)).load_teacher()


def test_names_are_mapped_where_they_are_the_same():
    known = {"nsubj", "acl", "Root"}
    assert mapped("relations", ["nsubj", "acl:cleft", "root"], known) == {
        "nsubj": "nsubj", "acl:cleft": "acl", "root": "Root"
    }  # fmt: skip
    with pytest.raises(UsageError, match=r"relations .*: dep, obj:x; choose"):
        mapped("relations", ["nsubj", "obj:x", "dep"], known)
    assert mapped("relations", ["nsubj", "obj:x"], known, skipping=True) == {"nsubj": "nsubj"}
    with pytest.raises(UsageError, match="obj:x"):
        mapped("relations", ["obj:x"], known, skipping=True)


def test_a_teacher_with_other_names_is_refused():
    teacher, treebank = ensemble_of([linear_pipeline()]), toy_treebank(20)
    names = Names.of(teacher, treebank)
    assert names.columns == {"xpos"}
    assert names.relations == {"root": "root", "dep": "dep"}
    others = [
        replace(one, upos=tuple(t.replace("VERB", "V") for t in one.upos)) for one in treebank
    ]
    with pytest.raises(UsageError, match="UPOS that the treebank does not have: VERB"):
        Names.of(teacher, others)
    others = [replace(one, xpos=tuple(f"x{t}" for t in one.xpos)) for one in treebank]
    with pytest.raises(UsageError, match="XPOS"):
        Names.of(teacher, others)
    others = [replace(one, relations=("root",) * len(one)) for one in treebank]
    with pytest.raises(UsageError, match="relations .*: dep"):
        Names.of(teacher, others)


def test_a_treebank_without_tags_or_relations_asks_for_none():
    teacher, treebank = ensemble_of([linear_pipeline()]), toy_treebank(20)
    empty = [
        replace(one, relations=(MISSING,) * len(one), upos=(MISSING,) * len(one),
                xpos=(MISSING,) * len(one))
        for one in treebank
    ]  # fmt: skip
    assert Names.of(teacher, empty) == Names({}, {}, frozenset())


def test_a_teacher_must_find_what_the_treebank_has():
    alone = ensemble_of([Pipeline(parser=linear_parser())])
    with pytest.raises(UsageError, match="find no UPOS"):
        Names.of(alone, toy_treebank(5))
    headless = DependencyParser(features="paper-000", epochs=1, tables=SMALL, labels="none")
    tagged = replace(linear_pipeline(), parser=headless.fit(toy_treebank(20)))
    with pytest.raises(UsageError, match="finds no relations"):
        Names.of(ensemble_of([tagged]), toy_treebank(5))


def test_text_in_another_language_is_noticed():
    with pytest.warns(HeadwiseWarning, match="only 25%.*another language"):
        warn_of_language({"the": 1, "der": 3}, toy_treebank(10))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warn_of_language({"the": 3, "der": 1}, toy_treebank(10))
        warn_of_language({}, toy_treebank(10))
