"""Sentences without tags are warned of, once a call, where the model looks at tags."""

import warnings
from dataclasses import replace

import pytest

from headwise import DependencyParser, Sentence
from headwise.corpus.formats import read_sentences, write_sentences
from headwise.corpus.scanned import read_scanned
from headwise.corpus.sentence import with_columns
from headwise.errors import HeadwiseWarning
from headwise.inference.answers import ParseOptions
from headwise.parsers.boosting.parser import BoostedParser
from headwise.parsers.lexical.parser import LexicalParser
from headwise.parsers.linkmargin.parser import LinkMarginParser
from headwise.pipeline.parsing import parse_stream
from headwise.pipeline.pipeline import Pipeline
from toytreebank import SMALL, toy_treebank

TRAIN = toy_treebank(30)
NO_TAGS = "the words have no UPOS"


def bare(sentence: Sentence) -> Sentence:
    empty = ("_",) * len(sentence)
    return with_columns(sentence, sentence.lemmas, empty, empty, sentence.feats)


BARE = [bare(one) for one in TRAIN]


def fitted(sentences=TRAIN, **settings) -> DependencyParser:
    given = {"features": "paper-000", "epochs": 1, "tables": SMALL, "labels": "none"}
    return DependencyParser(**given, **settings).fit(sentences)


@pytest.fixture(scope="module")
def parser() -> DependencyParser:
    return fitted()


def warned(call) -> list[str]:
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always", HeadwiseWarning)
        call()
    return [str(one.message) for one in found]


@pytest.mark.parametrize(
    "ask",
    [
        lambda parser: parser.predict(BARE),
        lambda parser: parser.predict([["the", "tree"], ["a", "forest"]]),
        lambda parser: parser.kbest(BARE[0], 2),
        lambda parser: parser.sample(BARE[0], 2),
        lambda parser: parser.marginals(BARE[0]),
        lambda parser: list(parse_stream(parser.search(), iter(BARE))),
        lambda parser: list(parse_stream(parser.search(), BARE, ParseOptions(kbest=2), jobs=2)),
        lambda parser: list(Pipeline(parser=parser).annotate(BARE)),
    ],
)
def test_there_is_one_warning_a_call(parser, ask):
    (message,) = warned(lambda: ask(parser))
    assert NO_TAGS in message
    assert "\n" not in message


def test_it_says_where(parser, tmp_path):
    write_sentences(tmp_path / "bare.conllu", BARE)
    for read in (read_sentences, read_scanned):
        stream = read(tmp_path / "bare.conllu")
        (message,) = warned(lambda: list(parse_stream(parser.search(), stream)))  # noqa: B023
        assert message.startswith(f"{tmp_path / 'bare.conllu'}:1: {NO_TAGS}")


def test_tags_and_models_without_them_are_not_warned_of(parser, tmp_path):
    assert warned(lambda: parser.predict(TRAIN)) == []
    assert warned(lambda: parser.predict([])) == []
    for untagged in (fitted(BARE), fitted(tags="none"), LexicalParser(neighbours=0).fit(TRAIN)):
        assert untagged.search().tag_columns == ()
        assert warned(lambda: untagged.predict(BARE)) == []  # noqa: B023
    fitted(BARE).save(tmp_path / "model")
    assert DependencyParser.load(tmp_path / "model").search().tag_columns == ()


def test_the_columns_are_those_of_the_model(parser):
    assert parser.search().tag_columns == ("upos", "xpos")
    no_xpos = [replace(one, xpos=("_",) * len(one)) for one in TRAIN]
    assert fitted(no_xpos).search().tag_columns == ("upos",)
    assert fitted(tags="upos").search().tag_columns == ("upos",)
    older = fitted()
    del older.report_["tag_columns"]
    assert older.search().tag_columns == ("upos", "xpos")
    boosted = BoostedParser(rounds=1, tags="upos").fit(TRAIN)
    tags = LexicalParser(variant="tags").fit(TRAIN)
    for one in (boosted, tags):
        assert one.search().tag_columns == ("upos",)
        assert NO_TAGS in warned(lambda: one.predict(BARE))[0]  # noqa: B023
    links = LinkMarginParser(neighbours=0, tolerance=0.2).fit(TRAIN)
    assert links.search().tag_columns == ()


def test_sentences_after_the_first_are_noticed_too(parser, tmp_path):
    mixed = [*TRAIN[:3], BARE[3], BARE[4], *TRAIN[5:]]
    (warning,) = warned(lambda: parser.predict(mixed))
    assert NO_TAGS in warning
    path = tmp_path / "mixed.conllu"
    write_sentences(path, mixed)
    scanned = list(read_scanned(path))
    (warning,) = warned(lambda: list(parse_stream(parser.search(), scanned)))
    assert warning.startswith(f"{path}:{scanned[3].line}")
    first_word_only = replace(TRAIN[0], upos=("_", *TRAIN[0].upos[1:]))
    write_sentences(path, [first_word_only])
    assert warned(lambda: list(parse_stream(parser.search(), read_scanned(path)))) == []
