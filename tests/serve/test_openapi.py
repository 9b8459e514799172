import json
from html.parser import HTMLParser

import pytest

from headwise.serve.openapi import document, page
from headwise.serve.parserequest import KINDS, OPTIONS
from headwise.serve.settings import ServeSettings
from servers import TEXT, served

DOCUMENT = document(ServeSettings())


def resolved(reference: str) -> dict:
    found = DOCUMENT
    for key in reference.removeprefix("#/").split("/"):
        found = found[key]
    return found


def check(value: object, schema: dict) -> None:
    """Whether a value is what a schema says: those parts of JSON schema that the document uses."""
    if "$ref" in schema:
        return check(value, resolved(schema["$ref"]))
    for one in schema.get("allOf", ()):
        check(value, one)
    if "enum" in schema:
        assert value in schema["enum"]
    kinds = schema.get("type", [])
    kinds = [kinds] if isinstance(kinds, str) else kinds
    types = {"object": dict, "array": list, "string": str, "integer": int, "number": (int, float),
             "null": type(None), "boolean": bool}  # fmt: skip
    assert not kinds or any(isinstance(value, types[kind]) for kind in kinds), (value, schema)
    if isinstance(value, dict):
        assert set(schema.get("required", ())) <= set(value)
        for key, inner in value.items():
            if key in schema.get("properties", {}):
                check(inner, schema["properties"][key])
    if isinstance(value, list):
        for inner in value:
            check(inner, schema.get("items", {}))
    return None


def schema_of(path: str, method: str) -> dict:
    reply = DOCUMENT["paths"][path][method]["responses"]["200"]
    return reply["content"]["application/json"]["schema"]


def test_answers_are_as_the_document_says():
    with served() as (client, service):
        routes = {one.path for one in client_routes()}
        twice = {"/api/process", "/api/models"}
        assert set(DOCUMENT["paths"]) == routes - {"/openapi.json", "/api"} - twice
        assert client.get("/openapi.json").json() == document(service.settings)
        for path in ("/v1/models", "/models", "/healthz"):
            check(client.get(path).json(), schema_of(path, "get"))
        check(client.get("/v1/models/toy").json(), schema_of("/v1/models/{name}", "get"))
        for options in ({}, {"kbest": 2}, {"marginals": True}):
            answer = client.post("/v1/parse", json={"text": TEXT, **options}).json()
            check(answer, schema_of("/v1/parse", "post"))
        answer = client.get("/process", params={"data": TEXT, "tokenizer": ""}).json()
        check(answer, schema_of("/process", "get"))
        check(client.get("/v1/parse").json(), resolved("#/components/schemas/Error"))
        for path, methods in DOCUMENT["paths"].items():
            allowed = client.delete(path.replace("{name}", "toy")).headers["Allow"]
            assert set(allowed.split(", ")) - {"HEAD"} == {name.upper() for name in methods}


def client_routes():
    from starlette.routing import Route

    from headwise.serve.app import routes

    return [one for one in routes() if isinstance(one, Route)]


def test_the_check_of_this_file_finds_differences():
    with pytest.raises(AssertionError):
        check({"error": {"code": 5, "message": ""}}, resolved("#/components/schemas/Error"))
    with pytest.raises(AssertionError):
        check({}, resolved("#/components/schemas/Error"))


def test_the_keys_of_requests_are_described():
    described = DOCUMENT["components"]["schemas"]["ParseRequest"]["properties"]
    assert tuple(described) == (*KINDS, *OPTIONS)
    assert described["kbest"]["maximum"] == 100


def test_references_lead_somewhere():
    text = json.dumps(DOCUMENT)
    for piece in text.split('"$ref": "')[1:]:
        assert resolved(piece.partition('"')[0])


def test_the_token_is_described_where_there_is_one():
    assert "security" not in DOCUMENT
    assert document(ServeSettings(token="x"))["security"] == [{"token": []}]


def test_the_page_names_every_path_and_has_no_script():
    html = "".join(page(DOCUMENT))
    tags: list[str] = []
    reader = HTMLParser()
    reader.handle_starttag = lambda tag, attributes: tags.append(tag)
    reader.feed(html)
    assert "script" not in tags
    assert "style" not in tags
    for path in DOCUMENT["paths"]:
        assert f" {path}<" in html
    assert "GET, POST /process<" in html
