"""Parsed text on disk: written once, gone on with, read as a student wants it."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from headwise.corpus.sentence import MISSING, Sentence
from headwise.errors import HeadwiseWarning, InputError, UsageError
from headwise.pipeline.training import parsedtext
from headwise.pipeline.training.parsedtext import (
    FORMAT,
    INDEX,
    NOT_SURE,
    ParsedText,
    TaughtText,
    parse_text,
    probability,
)
from headwise.pipeline.training.teaching import Names, Teaching
from headwise.progress import silent
from toyensembles import linear_pipeline
from toytreebank import toy_treebank

TREEBANK = toy_treebank(60)


@pytest.fixture
def teaching(tmp_path, monkeypatch) -> Teaching:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(parsedtext, "SHARD_WORDS", 60)
    linear_pipeline().save("teacher")
    lines = [" ".join(one.forms) for one in toy_treebank(30, 7)]
    Path("text.tok").write_text("\n".join(lines) + "\n")
    return Teaching(teachers=("teacher",), text=("text.tok",))


def parsed(teaching: Teaching, cache: str = "cache", progress=silent) -> ParsedText:
    return parse_text(teaching.load_teacher(), teaching, Path(cache), TREEBANK, progress=progress)


def test_text_is_parsed_in_shards_with_probabilities(teaching):
    seen = []
    found = parsed(teaching, progress=lambda *told: seen.append(told))
    assert found.is_whole
    assert len(found.shards) > 3
    assert "MB on disk" in seen[-1][0]
    sentences = list(found)
    assert found.sentences == len(sentences) == 30
    assert found.words == sum(map(len, sentences))
    assert [one.forms for one in sentences] == [one.forms for one in toy_treebank(30, 7)]
    assert all(one.has_tree and MISSING not in one.upos for one in sentences)
    assert all("HeadProb=" in misc and "TagProb=" in misc for misc in sentences[0].misc)
    assert sentences[0].comment("tree_prob") is not None


def test_a_finished_text_is_not_parsed_again(teaching, monkeypatch):
    first = parsed(teaching)

    def refuse(*_):
        raise AssertionError("parsed again")

    monkeypatch.setattr(ParsedText, "add", refuse)
    again = parsed(teaching)
    assert again.shards == first.shards
    other = replace(teaching, longest=5)
    with pytest.raises(AssertionError):
        parsed(other)


def test_a_run_that_was_cut_short_goes_on(teaching, monkeypatch):
    whole = parsed(teaching, "whole")
    files = {path.name: path.read_bytes() for path in whole.folder.glob("*.gz")}
    add, calls = ParsedText.add, []

    def killed(self, sentences):
        calls.append(len(sentences))
        if len(calls) == 3:
            raise KeyboardInterrupt
        add(self, sentences)

    monkeypatch.setattr(ParsedText, "add", killed)
    with pytest.raises(KeyboardInterrupt):
        parsed(teaching)
    monkeypatch.setattr(ParsedText, "add", add)
    begun = parsed(teaching)
    assert {path.name: path.read_bytes() for path in begun.folder.glob("*.gz")} == files


@pytest.mark.parametrize("damage", ["index", "shard", "other"])
def test_what_is_damaged_is_parsed_again(teaching, damage):
    first = parsed(teaching)
    if damage == "index":
        (first.folder / "index.json").write_text("{")
    elif damage == "other":
        index = json.loads((first.folder / "index.json").read_text())
        index["identity"]["teachers"] = ["else"]
        (first.folder / "index.json").write_text(json.dumps(index))
    else:
        (first.folder / first.shards[1].name).write_bytes(b"")
    again = parsed(teaching)
    assert again.shards == first.shards
    assert len(list(again)) == 30


@pytest.mark.parametrize(
    "change",
    [
        {"name": "../../x"}, {"name": None}, {"name": "x" * 5000}, {"sentences": -1},
        {"sentences": "2"}, {"words": []}, {"more": 1}, None,
    ],
    ids=str,
)  # fmt: skip
def test_an_index_that_someone_has_altered_is_begun_anew(tmp_path, change):
    folder = ParsedText.at(tmp_path, {}).folder
    folder.mkdir()
    (folder / "00001.conllu.gz").write_bytes(b"")
    shard = {"name": "00001.conllu.gz", "sentences": 2, "words": 5, "bytes": 0}
    index = {"format": FORMAT, "identity": {}, "shards": [shard], "is_whole": True}
    (folder / INDEX).write_text(json.dumps(index))
    assert ParsedText.at(tmp_path, {}).sentences == 2
    index["shards"] = [shard | change if change is not None else 5]
    (folder / INDEX).write_text(json.dumps(index))
    found = ParsedText.at(tmp_path, {})
    assert (found.shards, found.is_whole) == ([], False)
    (folder / INDEX).write_text("[" * 100_000)
    assert ParsedText.at(tmp_path, {}).shards == []


def test_a_full_disk_keeps_what_is_there(teaching, monkeypatch):
    write, calls = parsedtext.write_text, []

    def full(path, pieces):
        if str(path).endswith(".gz") and calls.append(path) is None and len(calls) == 2:
            raise UsageError(f"cannot write {path}: No space left on device")
        write(path, pieces)

    monkeypatch.setattr(parsedtext, "write_text", full)
    with pytest.raises(
        UsageError, match=r"No space left on device; [1-9]\d* sentences .* --resume"
    ):
        parsed(teaching)
    monkeypatch.setattr(parsedtext, "write_text", write)
    assert parsed(teaching).sentences == 30


def test_no_text_is_an_error(teaching):
    Path("text.tok").write_text("\n\n")
    with pytest.raises(InputError, match=r"text\.tok: there is no sentence"):
        parsed(teaching)


def test_long_sentences_are_left_out_and_few_may_be_asked_for(teaching):
    found = list(parsed(replace(teaching, longest=8)))
    assert 0 < len(found) < 30
    assert max(map(len, found)) <= 8
    assert len(list(parsed(replace(teaching, max_sentences=7)))) == 7


def test_raw_text_and_treebanks_are_text_too(teaching):
    raw = [" ".join(one.forms[:-1]) + one.forms[-1] for one in toy_treebank(30, 7)]
    Path("raw.txt").write_text("\n".join(raw) + "\n")
    found = parsed(replace(teaching, text=("raw.txt",), kind="presegmented"))
    assert [one.forms for one in found] == [one.forms for one in toy_treebank(30, 7)]
    assert parsed(replace(teaching, text=("raw.txt",))).words == found.words


def test_text_in_another_language(teaching):
    Path("text.tok").write_text("der Baum steht im Wald\n" * 5)
    with pytest.warns(HeadwiseWarning, match="another language"):
        parsed(teaching)


def taught(teaching: Teaching, **more) -> TaughtText:
    names = Names.of(teaching.load_teacher(), TREEBANK, skipping=teaching.unknown == "skip")
    return TaughtText(parsed(teaching), teaching, names, **more)


def test_a_student_sees_the_names_of_its_treebank(teaching):
    seen = list(taught(teaching))
    assert len(seen) == 30
    assert {name for one in seen for name in one.relations} == {"root", "dep"}
    assert all(one.misc == (MISSING,) * len(one) and not one.comments for one in seen)
    names = Names({"root": "root", "dep": "DEP"}, {"NOUN": "N"}, frozenset())
    first = next(iter(replace(taught(teaching), names=names)))
    assert {"root", "DEP"} == set(first.relations)
    assert set(first.upos) == {"N", MISSING}
    assert set(first.xpos) == {MISSING}


SURE = "HeadProb=0.9000|TagProb=0.9900"
UNSURE = "HeadProb=0.4000|TagProb=0.6000"


def test_what_is_not_sure_is_missing(teaching):
    text = taught(replace(teaching, min_head=0.5, min_tag=0.7))
    sentence = Sentence.from_words(
        ["a", "b"], upos=["DET", "NOUN"], xpos=["DET", "NOUN"], feats=["_", "A=B"], heads=[2, 0],
        relations=["dep", "root"], misc=[SURE, UNSURE], comments=["# tree_prob = 0.1"],
    )  # fmt: skip
    names = replace(text.names, columns=frozenset({"xpos", "feats"}))
    seen = replace(text, names=names).named(sentence)
    assert seen.heads == (2, None)
    assert seen.relations == ("dep", MISSING)
    assert seen.upos == ("DET", MISSING)
    assert seen.xpos == ("DET", MISSING)
    assert seen.feats == (MISSING, NOT_SURE)


def test_words_with_unknown_relations_are_not_learnt_from(teaching):
    text = taught(teaching)
    text = replace(text, names=replace(text.names, relations={"root": "root"}))
    first = next(iter(text))
    assert [head is None for head in first.heads] == [r == MISSING for r in first.relations]
    assert first.heads.count(0) == 1
    assert list(text.whole) == []


def test_doubtful_trees_are_left_out(teaching):
    chances = sorted(probability(one.comment("tree_prob")) for one in parsed(teaching))
    middle = chances[15]
    kept = list(taught(replace(teaching, min_tree=middle)))
    assert len(kept) == sum(chance >= middle for chance in chances)
    assert list(taught(replace(teaching, min_head=1.1)).whole) == []
    assert len(list(taught(teaching).whole)) == 30


def test_a_text_can_be_removed(teaching):
    found = parsed(teaching)
    found.remove()
    assert not Path("cache").exists()


def test_what_resuming_must_agree_on(teaching):
    assert taught(teaching).identity() != taught(replace(teaching, min_head=0.5)).identity()
    assert probability("many") == 0.0
