import json
from dataclasses import replace
from importlib.metadata import version

import pytest

from headwise.corpus.conllu import parse_text
from headwise.corpus.jsonlines import as_object
from headwise.inference.answers import ParseOptions
from headwise.inference.candidates import read_item
from headwise.serve.parserequest import ParseRequest
from headwise.serve.writing import format_texts, write_answer
from toypipelines import toy_pipeline, toy_trees

TREES = toy_trees(3)


def objects(options: ParseOptions) -> list[dict]:
    sentences = list(toy_pipeline().annotate(TREES, options))
    request = ParseRequest("conllu", "", options=options)
    answer = json.loads(write_answer(toy_pipeline(), request, sentences))
    assert (answer["model"], answer["version"]) == ("toy", "1")
    return answer["sentences"]


def test_json_is_that_of_json_lines():
    expected = [as_object(one) for one in toy_pipeline().annotate(TREES)]
    assert objects(ParseOptions()) == json.loads(json.dumps(expected))


def test_probabilities_are_numbers():
    options = ParseOptions(marginals=True, candidates=0.001)
    sentences = list(toy_pipeline().annotate(TREES, options))
    for found, sentence in zip(objects(options), sentences, strict=True):
        assert found["tree_prob"] == float(sentence.comment("tree_prob"))
        assert found["labelled_tree_prob"] == float(sentence.comment("labelled_tree_prob"))
        for word, misc in zip(found["words"], sentence.misc, strict=True):
            items = dict(one.split("=") for one in misc.split("|"))
            assert [(str(one["head"]), one["probability"]) for one in word["heads"]] == read_item(
                "Heads", items.pop("Heads")
            )
            assert [
                (one["relation"], one["probability"]) for one in word["relations"]
            ] == read_item("Relations", items.pop("Relations"))
            assert dict(one.split("=") for one in word["misc"].split("|")) == items


@pytest.mark.parametrize("number", ["x", "", "nan", "inf", "-1e999"])
@pytest.mark.parametrize(
    "misc", ["Heads=2", "Heads=x/0.5000", "Heads=", "Relations=", "Relations=det/2", "Heads=1/0.5|"]
)
def test_what_others_have_written_is_no_number(number, misc):
    given = f"# tree_prob = {number}\n# score = {number}\n1\ta\t_\t_\t_\t_\t0\troot\t_\t{misc}\n\n"
    answer = write_answer(
        toy_pipeline(), ParseRequest("conllu", ""), list(parse_text(given, "conllu"))
    )
    (found,) = json.loads(answer, parse_constant=pytest.fail)["sentences"]
    assert not {"tree_prob", "score"} & found.keys()
    assert found["words"][0]["misc"] == misc


def test_several_trees_are_numbered():
    found = objects(ParseOptions(kbest=2))
    assert [(one["sentence"], one["rank"]) for one in found] == [
        (sentence, rank) for sentence in (1, 2, 3) for rank in (1, 2)
    ]
    assert all(a["score"] >= b["score"] for a, b in zip(found[::2], found[1::2], strict=True))


@pytest.mark.parametrize(
    ("output", "expected"),
    [
        ("horizontal", lambda: "".join(" ".join(one.forms) + "\n" for one in TREES)),
        ("vertical", lambda: "".join("\n".join(one.forms) + "\n\n" for one in TREES)),
        ("plaintext", lambda: "".join(one.text + " " for one in TREES)),
        ("plaintext=normalized_spaces", lambda: "".join(one.text + "\n" for one in TREES)),
    ],
)
def test_outputs_of_udpipe(output, expected):
    request = ParseRequest("conllu", "", format=f"udpipe:{output}")
    answer = json.loads(write_answer(toy_pipeline(), request, TREES))
    made_by = f"headwise {version('headwise')}, model toy 1"
    assert answer == {"model": "toy", "acknowledgements": [made_by], "result": expected()}


def test_plain_text_has_the_spaces_that_misc_knows():
    misc = (r"SpacesBefore=\n\s|SpacesInToken=1\s000", "SpaceAfter=No", r"SpacesAfter=\p\\\t")
    one = replace(TREES[0], misc=(*misc, *TREES[0].misc[3:]))
    _, second, third, fourth, *_ = one.forms
    assert "".join(format_texts([one])).startswith(f"\n 1 000 {second}{third}|\\\t{fourth}")


def test_conllu_says_who_made_it_once():
    request = ParseRequest("conllu", "", format="udpipe:conllu")
    text = json.loads(write_answer(toy_pipeline(), request, TREES))["result"]
    found = list(parse_text(text, "x"))
    assert found[0].comments[:2] == (
        f"# generator = headwise {version('headwise')}",
        "# model = toy 1",
    )
    assert found[1:] == TREES[1:]
