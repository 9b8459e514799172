import copy
import email.policy
import json
from collections.abc import Iterator
from email.mime.base import MIMEBase
from email.mime.multipart import MIMEMultipart
from email.mime.nonmultipart import MIMENonMultipart
from functools import cache, partial
from urllib.request import Request, urlopen

import pytest

from headwise.corpus.conllu import format_conllu, parse_text
from headwise.parsers.registry import PARSERS, parser_class
from headwise.pipeline.pipeline import Pipeline
from headwise.serve.models import served_models
from headwise.serve.requesterrors import RequestError
from headwise.serve.udpipe import FINDING_TAGS, matching_model, steps_of
from servers import TEXT, served, served_pipeline, toy_model
from toyneuralparts import parts_parser
from toypipelines import toy_trees

FIELD = b'Content-Disposition: form-data; name="%s"\r\n\r\n'
ALL = {"tokenizer": "", "tagger": "", "parser": ""}


@pytest.fixture(scope="module")
def client() -> Iterator:
    with served() as (found, _):
        yield found


def result(answer) -> str:
    assert answer.status_code == 200, answer.text
    assert set(answer.json()) == {"model", "acknowledgements", "result"}
    return answer.json()["result"]


def sentences(text: str):
    return [(one.forms, one.upos, one.heads, one.relations) for one in parse_text(text, "result")]


@cache
def expected():
    return sentences(served_pipeline()(TEXT).conllu())


def test_forms_files_and_queries_give_the_same(client):
    given = {"data": TEXT, **ALL}
    answers = [
        client.get("/process", params=given),
        client.post("/process", data=given),
        client.post("/process", files={key: (None, value) for key, value in given.items()}),
        client.post("/process", data=ALL, files={"data": ("text.txt", TEXT.encode())}),
        client.post("/process?tokenizer&tagger&parser", data={"data": TEXT}),
    ]
    assert {result(one) for one in answers} == {result(answers[0])}
    assert sentences(result(answers[0])) == expected()


def by_own_client(address: str, part: MIMEBase, **given: str) -> str:
    """As UDPipe's own clients ask: parts without file names, whose lines end as those of HTTP."""
    message = MIMEMultipart("form-data", policy=email.policy.HTTP)
    for name, value in given.items():
        own = copy.deepcopy(part)
        own.add_header("Content-Disposition", f'form-data; name="{name}"')
        own.add_header("Content-Transfer-Encoding", "8bit")
        own.set_payload(value, charset="utf-8")
        message.attach(own)
    body = message.as_bytes().split(b"\r\n\r\n", maxsplit=1)[1]
    headers = {"Content-Type": message["Content-Type"]}
    with urlopen(Request(f"{address}/process", headers=headers, data=body)) as answer:
        found = json.loads(answer.read())
    assert found["model"] == "toy"
    return found["result"]


@pytest.mark.parametrize(
    "part", [MIMEBase("application", "octet-stream"), MIMENonMultipart("text", "plain")]
)
@pytest.mark.parametrize("prefix", ["", "/api"])
def test_clients_of_udpipe_2(client, part, prefix):
    ask = partial(by_own_client, str(client.base_url).rstrip("/") + prefix, part)
    both = {"input": "conllu", "output": "conllu"}
    found = ask(data="Ünïcode cat.\n" + TEXT, **both, **ALL)
    assert "Ünïcode" in found
    assert sentences(found)[1:] == expected()
    tokens = ask(data=TEXT, tokenizer="", **both)
    trees = ask(data=tokens, tagger="", parser="", **both)
    assert sentences(trees) == expected()
    assert "\r" not in trees
    assert "\r" not in ask(data="A cat\nsat .\n", input="horizontal", tagger="", parser="")


def test_steps(client):
    tokens = result(client.post("/process", data={"data": TEXT, "tokenizer": ""}))
    assert {tag for _, upos, _, _ in sentences(tokens) for tag in upos} == {"_"}
    tags = result(client.post("/process", data={"data": tokens, "tagger": ""}))
    assert [upos for _, upos, _, _ in sentences(tags)] == [upos for _, upos, _, _ in expected()]
    assert {heads for _, _, heads, _ in sentences(tags) if heads[0] is not None} == set()
    trees = result(client.post("/process", data={"data": tags, "parser": ""}))
    assert sentences(trees) == expected()


def test_inputs_and_outputs(client):
    forms = [one.forms for one in toy_trees(3)]
    given = {
        "horizontal": "\n".join(map(" ".join, forms)),
        "vertical": "\n\n".join(map("\n".join, forms)),
    }
    for kind, data in given.items():
        answer = client.post("/process", data={"data": data, "input": kind, "output": kind})
        assert result(answer).strip() == data
    lines = "A cat sat\nThe dog eats"
    answer = client.post("/process", data={"data": lines, "tokenizer": "presegmented;ranges"})
    found = list(parse_text(result(answer), "x"))
    assert [one.text for one in found] == lines.split("\n")
    assert "TokenRange=10:13" in found[1].misc[0]


def test_plain_text(client):
    text = " A cat\tsat.\n\nThe dog can't  eat\na cat!"
    given = {"data": text, "tokenizer": "", "output": "plaintext"}
    assert result(client.post("/process", data=given)) == text
    lines = result(client.post("/process", data=given | {"output": "plaintext=normalized_spaces"}))
    assert lines == "A cat sat.\nThe dog can't eat a cat!\n"
    paragraphs = "# newpar\n1\tA\\n\t_\t_\t_\t_\t_\t_\t_\t_\n\n" * 2
    given = {"data": paragraphs, "output": "plaintext=normalized_spaces"}
    assert result(client.post("/process", data=given)) == "A\\n\n\nA\\n\n"


@pytest.mark.parametrize("tokenizer", ["1", "fast", "presegmented=1;joint", "ranges, x"])
def test_options_that_are_not_known_are_passed_over(client, tokenizer):
    """As UDPipe does; some clients write `tokenizer=1`."""
    answer = client.post("/process", data={"data": "A cat.", "tokenizer": tokenizer})
    assert [one.forms for one in parse_text(result(answer), "x")] == [("A", "cat", ".")]
    given = {"data": "A cat.", "input": "generic_tokenizer=presegmented", "output": "conllu=v2"}
    assert result(client.post("/process", data=given)) == result(
        client.post("/process", data={"data": "A cat.", "tokenizer": "presegmented"})
    )


def test_models(client):
    assert (
        client.get("/api/models").json()
        == client.get("/models").json()
        == {
            "models": {"toy": ["tokenizer", "tagger", "parser"]},
            "default_model": "toy",
        }
    )


@pytest.mark.parametrize(
    "name", ["toy", "to", "english", "English", "english-ewt-ud-2.15-241121", ""]
)
def test_models_by_name_start_or_language(client, name):
    assert (
        client.get("/process", params={"data": "A.", "model": name, "tokenizer": ""}).json()[
            "model"
        ]
        == "toy"
    )


def test_unknown_models_are_refused():
    with pytest.raises(RequestError, match="there are toy"):
        matching_model(served_models((toy_model(),)), "czech-pdt")


@pytest.mark.parametrize(
    ("given", "status", "message"),
    [
        ({}, 400, "data is missing"),
        ({"data": "a", "output": "matxin"}, 400, "output must be one of conllu, horizontal"),
        ({"data": "a", "input": "epe"}, 400, "input must be one of conllu"),
        ({"data": "this is not CoNLL-U"}, 400, "conllu:1"),
        ({"data": "a", "model": "czech"}, 404, "there is no model"),
    ],
)
def test_bad_calls_are_told_what_is_wrong(client, given, status, message):
    answer = client.post("/process", data=given) if given else client.get("/process")
    assert answer.status_code == status
    assert message in answer.json()["error"]["message"]


def test_files_that_are_not_utf8_and_broken_forms(client):
    answer = client.post("/process", files={"data": ("x", b"\xff")})
    assert (answer.status_code, answer.json()["error"]["code"]) == (400, "not_utf8")
    kind = {"Content-Type": "multipart/form-data; boundary=x"}
    answer = client.post("/process", content=b"--x\r\nrubbish", headers=kind)
    assert answer.status_code == 400
    answer = client.post("/process", content=b"data=a", headers={"Content-Type": "text/plain"})
    assert answer.status_code == 415


@pytest.mark.parametrize(
    ("charset", "status"),
    [
        ("utf-8", 200),
        ('"UTF8"', 200),
        ("utf-8; x=y", 200),
        ("undefined", 415),
        ("punycode", 415),  # it decodes a megabyte in minutes
        ("utf-8; charset=punycode", 415),
    ],
)
def test_forms_are_in_utf8(client, charset, status):
    forms = {
        "application/x-www-form-urlencoded": b"data=&tokenizer=",
        "multipart/form-data; boundary=x": b"--x\r\n%s\r\n--x\r\n%s\r\n--x--\r\n"
        % (FIELD % b"data", FIELD % b"tokenizer"),
    }
    for kind, body in forms.items():
        headers = {"Content-Type": f"{kind}; charset={charset}"}
        assert client.post("/process", content=body, headers=headers).status_code == status


def test_treebank_sentences_keep_what_is_not_asked_for(client):
    trees = toy_trees(2)
    data = "".join(format_conllu(trees))
    found = list(parse_text(result(client.post("/process", data={"data": data})), "x"))
    assert found[1:] == trees[1:]


def test_parsers_that_find_tags_are_taggers(tmp_path):
    assert {kind for kind in PARSERS if parser_class(kind).finds_tags()} == set(FINDING_TAGS)
    Pipeline(parser=parts_parser()).save(tmp_path / "m")
    (model,) = served_models((str(tmp_path / "m"),)).values()
    assert steps_of(model.info) == ["tagger", "parser"]
