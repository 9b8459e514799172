import asyncio
import json
import os
import shutil
import signal
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Thread
from time import sleep

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from test_workers import sleeping

from headwise.corpus.conllu import format_conllu, parse_text
from headwise.inference.answers import ParseOptions
from headwise.storage.modelfile import describe_model
from servers import TEXT, served, served_pipeline, toy_model
from toypipelines import toy_trees

CODES = {200, 400, 404, 405, 413, 415, 422}


@pytest.fixture(scope="module")
def server() -> Iterator[tuple]:
    with served() as found:
        yield found


@pytest.fixture
def client(server):
    return server[0]


def parse(client, **data: object):
    return client.post("/v1/parse", json=data)


def code_of(answer) -> tuple[int, str]:
    error = answer.json()["error"]
    assert error["message"]
    return answer.status_code, error["code"]


def test_answers_are_the_librarys(client):
    answer = parse(client, text=TEXT, format="conllu")
    assert answer.headers["content-type"] == "text/plain; charset=utf-8"
    assert answer.text == served_pipeline()(TEXT).conllu()
    found = parse(client, text=TEXT).json()
    assert found["model"] == "toy"
    assert found["version"] == describe_model(toy_model()).weights_sha256[:12]
    assert [[word["head"] for word in one["words"]] for one in found["sentences"]] == [
        list(one.heads) for one in served_pipeline()(TEXT).sentences
    ]
    trees = toy_trees(5, 3)
    for options in ({"kbest": 3}, {"marginals": True}, {"constraints": True, "kbest": 2}):
        asked = ParseOptions(**options)
        expected = "".join(format_conllu(served_pipeline().annotate(trees, asked)))
        answer = parse(client, conllu="".join(format_conllu(trees)), format="conllu", **options)
        assert answer.text == expected
    accepting = {"Accept": "text/plain"}
    assert client.post("/v1/parse", json={"text": ""}, headers=accepting).text == ""


def test_many_clients_get_their_own_answers(client):
    texts = [" ".join(one.text for one in toy_trees(1 + n % 4, n)) for n in range(60)]
    expected = [document.conllu() for document in served_pipeline().pipe(texts)]

    def ask(text: str) -> str:
        return parse(client, text=text, format="conllu").text

    with ThreadPoolExecutor(20) as threads:
        assert list(threads.map(ask, texts)) == expected


def test_empty_text_has_no_sentences(client):
    for text in ("", " \n ", "\n\n\n"):
        answer = parse(client, text=text)
        assert (answer.status_code, answer.json()["sentences"]) == (200, [])
    assert parse(client, tokens=[]).json()["sentences"] == []
    assert parse(client, conllu="\n").json()["sentences"] == []


@pytest.mark.parametrize(
    ("body", "headers", "expected"),
    [
        (b'{"text": "\xff"}', {}, (400, "not_utf8")),
        (b'{"text": ', {}, (400, "not_json")),
        (b"[" * 100_000, {}, (400, "not_json")),
        (b'{"text": "a", "kbest": NaN}', {}, (400, "not_json")),
        (b'{"text": "a\\ud800"}', {}, (400, "bad_request")),
        (b"", {}, (400, "not_json")),
        (b"text=a", {"Content-Type": "application/x-www-form-urlencoded"}, (415, "media_type")),
        (b'{"text": "a", "model": "none"}', {}, (404, "no_such_model")),
        (b'{"conllu": "1\\tA\\n"}', {}, (400, "invalid_data")),
        (b'{"text": "a", "kbest": 101}', {}, (400, "bad_request")),
        (json.dumps({"tokens": [["a"] * 501]}).encode(), {}, (413, "sentence_too_long")),
        (json.dumps({"text": "a " * 30_000, "kbest": 100}).encode(), {}, (413, "too_many_trees")),
    ],
)
def test_bad_requests_are_told_what_is_wrong(client, body, headers, expected):
    kinds = {"Content-Type": "application/json", **headers}
    assert code_of(client.post("/v1/parse", content=body, headers=kinds)) == expected


def test_constraints_that_no_tree_satisfies_name_the_clash(client):
    rows = ("1\tA\t_\t_\t_\t_\t2\tdep\t_\t_", "2\tcat\t_\t_\t_\t_\t1\tdep\t_\t_")
    answer = parse(client, conllu="\n".join(rows), constraints=True)
    assert code_of(answer) == (422, "impossible_constraints")
    assert "the head of word 1 is 2" in answer.json()["error"]["message"]
    missing = rows[0].replace("\t2\t", "\t7\t")  # a word that does not exist
    assert code_of(parse(client, conllu=missing, constraints=True)) == (400, "invalid_data")


def test_paths_and_methods_that_are_not_there(client):
    assert code_of(client.get("/v1/nothing")) == (404, "not_found")
    for answer in (client.post("/parse", json={"text": "We read."}), client.get("/parse")):
        assert code_of(answer) == (404, "not_found")
        assert "POST /v1/parse parses" in answer.json()["error"]["message"]
    assert code_of(client.get("/v1/parse")) == (405, "method_not_allowed")
    for method in ("GET", "DELETE", "OPTIONS"):
        assert client.request(method, "/v1/parse").headers["Allow"] == "POST"
    assert code_of(client.get("/..%2f..%2fapp.py")) == (404, "not_found")
    assert client.get("/index.html").status_code == 200


def test_models_and_their_cards(client):
    found = client.get("/v1/models").json()
    assert found["default"] == "toy"
    assert [one["name"] for one in found["models"]] == ["toy"]
    one = client.get("/v1/models/toy").json()
    assert one["card"].startswith("# ")
    assert one["scores"] == {"raw text": {"uas": 91.5}}
    assert one["stages"] == ["tokeniser", "tagger", "lemmas", "parser"]
    assert code_of(client.get("/v1/models/other")) == (404, "no_such_model")


def test_a_model_that_goes_while_it_is_served(tmp_path):
    folder = tmp_path / "own"
    shutil.copytree(toy_model(), folder)
    with served(models=(str(folder),)) as (client, service):
        before = client.get("/v1/models/own").json()
        away = folder.rename(tmp_path / "away")
        assert parse(client, text=TEXT).status_code == 200
        os.kill(service.pool.workers[0].process.process.pid, signal.SIGKILL)
        assert code_of(parse(client, text=TEXT)) == (503, "model_unavailable")
        assert client.get("/v1/models/own").json() == before
        assert client.get("/healthz").status_code == 503
        away.rename(folder)
        while parse(client, text=TEXT).status_code != 200:  # it takes a moment to start
            sleep(0.2)


def test_health(client):
    assert client.get("/healthz").json() == {"status": "ok", "workers": 1, "requests": 0}


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    method=st.sampled_from(["GET", "POST", "PUT", "DELETE", "OPTIONS", "HEAD"]),
    path=st.sampled_from(["/v1/parse", "/process", "/models", "/v1/models/{}", "/{}"]),
    name=st.text(st.characters(codec="utf-8"), max_size=8),
    content=st.binary(max_size=60),
    kind=st.sampled_from(
        ["application/json", "multipart/form-data; boundary=x", "multipart/form-data",
         "application/x-www-form-urlencoded", "text/plain", ""]
    ),
)  # fmt: skip
def test_whatever_comes_is_answered_with_a_fitting_status(
    client, method, path, name, content, kind
):
    from urllib.parse import quote

    url = path.replace("{}", quote(name, safe=""))
    headers = {"Content-Type": kind} if kind else {}
    answer = client.request(method, url, content=content, headers=headers)
    assert answer.status_code in CODES
    assert "content-security-policy" in answer.headers
    if answer.status_code >= 400 and method != "HEAD":
        assert set(answer.json()["error"]) == {"code", "message"}


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    text=st.text(st.characters(codec="utf-8"), max_size=60),
    kbest=st.none() | st.integers(1, 3),
    marginals=st.booleans(),
)
def test_any_text_is_parsed_and_its_conllu_can_be_read(client, text, kbest, marginals):
    options = {"kbest": kbest, "marginals": marginals}
    answer = parse(client, text=text, format="conllu", **options)
    assert answer.status_code == 200
    found = list(parse_text(answer.text, "answer"))
    assert len(parse(client, text=text, **options).json()["sentences"]) == len(found)


def test_overload_is_shed_and_passes():
    with served(queue=2) as (client, service):
        busy = [
            Thread(target=asyncio.run, args=(service.pool.ask(sleeping, "toy", 1.0, 1),))
            for _ in range(2)
        ]
        for one in busy:
            one.start()
        while service.pool.queue.count < 2:
            sleep(0.01)
        answer = parse(client, text="A cat.")
        assert code_of(answer) == (429, "overloaded")
        assert int(answer.headers["Retry-After"]) >= 1
        assert client.get("/healthz").json()["requests"] == 2  # others are answered all the time
        for one in busy:
            one.join()
        assert parse(client, text="A cat.").status_code == 200
