import json
from dataclasses import replace
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from headwise.corpus.conllu import format_conllu, parse_text
from headwise.errors import HeadwiseError, InputError, UsageError
from headwise.inference.answers import ParseOptions
from headwise.pipeline.pipeline import Pipeline
from headwise.serve.parserequest import ParseRequest
from headwise.serve.parsing import parse_requests
from toypipelines import toy_pipeline, toy_trees

TEXTS = ("A cat sat.", "", "The dog eats a cat! A dog sat.", "\n\n", "Cat")


def answers(*requests: ParseRequest) -> list[object]:
    return parse_requests(toy_pipeline(), requests)


@pytest.mark.parametrize(("own_tags", "marginals"), list(product((False, True), repeat=2)))
def test_answers_are_the_librarys_however_many_are_parsed_together(own_tags, marginals):
    options = ParseOptions(marginals=marginals)
    requests = [
        ParseRequest("text", one, own_tags=own_tags, options=options, format="conllu")
        for one in TEXTS
    ]
    expected = [toy_pipeline()(one, options).conllu().encode() for one in TEXTS]
    assert answers(*requests) == expected
    assert [answers(one)[0] for one in requests] == expected


def test_trees_of_treebank_sentences_are_the_librarys():
    trees = toy_trees(20, seed=7)
    data = "".join(format_conllu(trees))
    for options in (ParseOptions(), ParseOptions(kbest=3, marginals=True, constraints=True)):
        expected = "".join(format_conllu(toy_pipeline().annotate(trees, options))).encode()
        request = ParseRequest("conllu", data, options=options, format="conllu")
        assert answers(request) == [expected]


@given(st.lists(st.sampled_from(range(6)), max_size=8))
def test_one_request_does_not_spoil_another(order):
    cycle = "1\ta\t_\t_\t_\t_\t2\tdep\t_\t_\n2\tb\t_\t_\t_\t_\t1\tdep\t_\t_\n\n"
    known = [
        ParseRequest("text", "A cat sat.", format="conllu"),
        ParseRequest("conllu", "this is not CoNLL-U", format="conllu"),
        ParseRequest("conllu", cycle, options=ParseOptions(constraints=True), format="conllu"),
        ParseRequest("text", "The dog eats.", longest=2, format="conllu"),
        ParseRequest("tokens", [["A", "dog"]], options=ParseOptions(2), format="conllu"),
        ParseRequest(
            "text", "The dog eats.", options=ParseOptions(marginals=True), format="conllu"
        ),
    ]
    alone = [answers(one)[0] for one in known]
    assert [isinstance(one, bytes) for one in alone] == [True, False, False, False, True, True]
    found = answers(*(known[index] for index in order))
    assert list(map(told, found)) == [told(alone[index]) for index in order]


def told(answer: object) -> object:
    return str(answer) if isinstance(answer, HeadwiseError) else answer


def test_a_call_that_fails_for_all_is_made_one_by_one(monkeypatch):
    def failing(self, sentences, options=None, **others):
        found = list(sentences)
        if any("cat" in one.forms for one in found):
            raise InputError("no cats")
        return iter(found)

    monkeypatch.setattr(Pipeline, "annotate", failing)
    requests = [ParseRequest("tokens", [[one]], format="conllu") for one in ("a", "cat", "dog")]
    found = answers(*requests)
    assert [isinstance(one, bytes) for one in found] == [True, False, True]


def test_steps_say_how_far_sentences_are_annotated():
    request = ParseRequest("text", "A cat sat.", format="conllu", own_tags=True)
    (tokens,) = parse_text(answers(replace(request, steps="tokens"))[0].decode(), "x")
    (tags,) = parse_text(answers(replace(request, steps="tags"))[0].decode(), "x")
    assert tokens.count_missing("upos") == 4
    assert tags.count_missing("upos") == 0
    assert tags.heads == (None,) * 4


def test_a_model_without_a_tokeniser_reads_no_text():
    bare = replace(toy_pipeline(), tokeniser=None)
    found = parse_requests(bare, [ParseRequest("text", "A"), ParseRequest("tokens", [["A"]])])
    assert isinstance(found[0], UsageError)
    assert json.loads(found[1])["sentences"][0]["words"][0]["head"] == 0
