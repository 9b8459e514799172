"""Requests made at random from what the OpenAPI document allows, and from what it does not.

Every one is answered in time with a status that the document names, and never with 500.
"""

from time import monotonic

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from editedfiles import DONE, OPEN, TEXT, written
from headwise.corpus.conllu import parse_text, read_conllu
from headwise.serve.editing.requests import ACTS
from headwise.serve.openapi import document
from headwise.serve.settings import ServeSettings
from servers import served

DOCUMENT = document(ServeSettings())
SECONDS = 20.0
"""The longest that an answer may take here; most take milliseconds."""

many = settings(
    max_examples=80, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)

characters = st.characters(codec="utf-8")
texts = st.text(characters, max_size=40)
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
    | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=6,
)  # fmt: skip
cells = st.sampled_from(["_", "1", "2", "9", "-1", "root", "dep", "VERB", "A=b", "x y", "", "1-2"])
rows = st.lists(cells, min_size=8, max_size=10).map("\t".join)


@st.composite
def conllu(draw) -> str:
    """CoNLL-U in which some lines are others."""
    lines = draw(st.sampled_from([OPEN, DONE, TEXT])).split("\n")
    for _ in range(draw(st.integers(0, 3))):
        place = draw(st.integers(0, len(lines) - 1))
        lines[place] = draw(rows | texts | st.just(lines[place]))
    return "\n".join(lines)


def values_of(schema: dict) -> st.SearchStrategy:
    """Values that a schema of the document allows."""
    if "$ref" in schema:
        return st.nothing()
    if "enum" in schema:
        return st.sampled_from(schema["enum"])
    kinds = schema.get("type", "string")
    kind = next(one for one in ([kinds] if isinstance(kinds, str) else kinds) if one != "null")
    if kind == "array":
        return st.lists(values_of(schema.get("items", {})), max_size=4)
    most = schema.get("maximum", 5)
    return {
        "string": texts,
        "boolean": st.booleans(),
        "integer": st.integers(schema.get("minimum", 1), min(most, 5)),
        "number": st.floats(0.001, 1),
    }[kind]


def bodies(name: str) -> st.SearchStrategy[dict]:
    """Objects with some properties of a schema, mostly as it wants them."""
    properties = DOCUMENT["components"]["schemas"][name]["properties"]
    own = {key: values_of(one) | values_of(one) | json_values for key, one in properties.items()}
    own["conllu"] = conllu() | conllu() | json_values
    return st.fixed_dictionaries({}, optional=own)


@pytest.fixture(scope="module")
def edited(tmp_path_factory):
    path = written(tmp_path_factory.mktemp("fuzzed"))
    with served(edit=str(path), kbest=5) as (client, _):
        yield client, path


def check(answer, path: str, method: str, began: float) -> None:
    """Raise unless the status of an answer is one that the document names, and came in time."""
    known = DOCUMENT["paths"][path][method]["responses"]
    assert str(answer.status_code) in known
    assert answer.status_code != 500
    assert monotonic() - began < SECONDS
    if answer.status_code >= 400:
        assert set(answer.json()["error"]) == {"code", "message"}


@many
@given(body=bodies("ParseRequest") | json_values)
def test_any_request_to_parse_is_answered(edited, body):
    client, _ = edited
    began = monotonic()
    check(client.post("/v1/parse", json=body), "/v1/parse", "post", began)


@many
@given(
    kind=st.sampled_from(["text", "conllu", "tokens"]),
    data=conllu(),
    options=bodies("ParseRequest"),
)
def test_whatever_is_parsed_can_be_read(edited, kind, data, options):
    client, _ = edited
    others = {key: one for key, one in options.items() if key in ("kbest", "marginals", "own_tags")}
    given = data.split() and [data.split()] if kind == "tokens" else data
    began = monotonic()
    answer = client.post("/v1/parse", json={kind: given, "format": "conllu", **others})
    check(answer, "/v1/parse", "post", began)
    if answer.status_code == 200:
        list(parse_text(answer.text, "answer"))


@many
@given(
    fields=st.dictionaries(
        st.sampled_from(["data", "model", "tokenizer", "input", "tagger", "parser", "output"]),
        texts | st.sampled_from(["", "ranges", "presegmented", "conllu", "vertical", "toy"]),
    ),
    data=conllu() | texts,
    is_form=st.booleans(),
)
def test_any_call_of_udpipe_is_answered(edited, fields, data, is_form):
    client, _ = edited
    began = monotonic()
    given = {**fields, "data": data}
    answer = client.post("/process", data=given) if is_form else client.get(
        "/process", params=given
    )  # fmt: skip
    check(answer, "/process", "post" if is_form else "get", began)


small = st.integers(-1, 7)
act_fields = st.fixed_dictionaries(
    {"act": st.sampled_from([*ACTS, "split_sentence", "merge_sentences"]) | texts},
    optional={
        "word": small | json_values, "head": small | json_values, "first": small, "last": small,
        "words": st.lists(small, max_size=3) | json_values, "relation": texts | st.just("root"),
        "column": st.sampled_from(["lemmas", "upos", "xpos", "feats", "forms"]) | json_values,
        "value": texts | st.just("A=b|C=d"), "note": texts | json_values, "multiword": json_values,
        "forms": st.lists(texts, max_size=3) | st.just(["c", "at"]) | json_values,
        "without": st.just([["head", 1, 2]]) | json_values,
    },
)  # fmt: skip


@many
@given(asked=st.lists(act_fields, min_size=1, max_size=4), key=st.integers(0, 3))
def test_any_act_is_done_or_refused_and_the_file_is_whole(edited, asked, key):
    client, path = edited
    path.write_bytes(TEXT.encode())
    revision = client.post("/v1/edit/load", json={}).json()["revision"]
    done = 0
    for fields in asked:
        seen = client.get(f"/v1/edit/sentences/{key}")
        version = seen.json().get("version", 0)
        before = path.read_bytes()
        answer = client.post(f"/v1/edit/sentences/{key}", json={"version": version, **fields})
        assert answer.status_code in (200, 400, 409, 413, 422), answer.text
        if answer.status_code == 200:
            done += 1
            list(read_conllu(path))
        else:
            assert path.read_bytes() == before
    for n in range(done):
        answer = client.post("/v1/edit/undo", json={"revision": revision + done + n})
        assert answer.status_code == 200
    assert path.read_bytes() == TEXT.encode()
