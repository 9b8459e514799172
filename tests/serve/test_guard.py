import asyncio
import json
import socket
from collections.abc import Iterator
from contextlib import suppress
from time import monotonic
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest

from headwise.serve.guard import POLICY, Body, Guard
from headwise.serve.settings import ServeSettings
from servers import served


@pytest.fixture(scope="module")
def client() -> Iterator:
    with served(
        token="right",
        allowed_hosts=("parser.example",),
        body_bytes=2000,
        body_seconds=0.5,
        seconds=5.0,
    ) as (
        found,
        _,
    ):
        yield found


RIGHT = {"Authorization": "Bearer right"}


def ask(client, headers: dict[str, str], text: str = "A."):
    return client.post("/v1/parse", json={"text": text}, headers={**RIGHT, **headers})


def code(answer) -> str:
    return answer.json()["error"]["code"]


@pytest.mark.parametrize(
    ("host", "expected"),
    [
        ("127.0.0.1:80", True), ("localhost", True), ("LOCALHOST:8765", True), ("[::1]:80", True),
        ("192.168.1.9:1", True), ("parser.example", True), ("evil.example", False), ("", False),
        ("127.0.0.1.evil.example", False), ("localhost.evil.example:80", False), ("[::1", False),
    ],
)  # fmt: skip
def test_names_of_the_server(host, expected):
    guard = Guard(lambda *_: None, ServeSettings(allowed_hosts=("parser.example",)))
    assert guard.is_own_name(host) is expected


def test_other_names_and_origins_are_refused(client):
    assert ask(client, {}).status_code == 200
    answer = ask(client, {"Host": "evil.example"})
    assert (answer.status_code, code(answer)) == (403, "host")
    own = str(client.base_url).rstrip("/")
    assert ask(client, {"Origin": own}).status_code == 200
    for origin in ("http://evil.example", "null", own + "0", "https://127.0.0.1"):
        answer = ask(client, {"Origin": origin})
        assert (answer.status_code, code(answer)) == (403, "origin")
    answer = client.get("/models", headers={**RIGHT, "Sec-Fetch-Site": "cross-site"})
    assert (answer.status_code, code(answer)) == (403, "origin")
    assert not [key for key in answer.headers if key.startswith("access-control")]


@pytest.mark.parametrize(
    "given", ["", "Bearer", "Bearer wrong", "Basic right", "Bearer right2", "right"]
)
def test_without_the_token_there_is_only_the_page(client, given):
    for path in ("/v1/models", "/models", "/process", "/v1/edit/", "/v1/nothing"):
        answer = client.get(path, headers={"Authorization": given})
        assert (answer.status_code, code(answer)) == (401, "token")
        assert answer.headers["WWW-Authenticate"] == "Bearer"
    for path in ("/", "/healthz", "/api", "/openapi.json"):
        assert client.get(path, headers={"Authorization": given}).status_code == 200


def test_every_answer_tells_browsers_to_load_nothing_from_elsewhere(client):
    assert "'unsafe" not in POLICY
    assert "default-src 'none'" in POLICY
    for path in ("/", "/nothing", "/v1/models", "/api", "/healthz"):
        headers = client.get(path).headers
        assert headers["Content-Security-Policy"] == POLICY
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert headers["Cache-Control"] == "no-cache"
        assert "server" not in headers


def test_long_bodies_are_refused_whatever_they_say_of_their_length(client):
    answer = ask(client, {}, text="a" * 2000)
    assert (answer.status_code, code(answer)) == (413, "body_too_long")
    pieces = (b'{"text": "' if n == 0 else b"a" * 500 for n in range(9))
    headers = {**RIGHT, "Content-Type": "application/json"}
    answer = client.post("/v1/parse", content=pieces, headers=headers)  # chunked: of no length
    assert (answer.status_code, code(answer)) == (413, "body_too_long")


def test_a_body_that_does_not_come_is_not_waited_for(client):
    place = (client.base_url.host, client.base_url.port)
    with socket.create_connection(place, timeout=20) as link:
        link.sendall(
            b"POST /v1/parse HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer right\r\n"
            b"Content-Type: application/json\r\nContent-Length: 50\r\n\r\n{"
        )
        assert b" 408 " in link.recv(4000).partition(b"\r\n")[0]


def test_who_still_sends_what_is_too_long_hears_so(client):
    body = json.dumps({"text": "a" * (4 << 20)}).encode()
    headers = {**RIGHT, "Content-Type": "application/json"}
    request = Request(f"{client.base_url}/v1/parse", body, headers)
    with pytest.raises(HTTPError) as error:
        urlopen(request, timeout=20)
    assert error.value.code == 413
    assert json.load(error.value)["error"]["code"] == "body_too_long"


@pytest.mark.parametrize(
    ("path", "headers", "expected"),
    [
        ("/v1/parse", {"Authorization": "Bearer wrong"}, 401),
        ("/v1/parse", {"Origin": "http://evil.example"}, 403),
        ("/process", {"Content-Type": "multipart/form-data; boundary=B"}, 413),
    ],
)
def test_who_still_sends_what_is_refused_hears_why(client, path, headers, expected):
    body = b"--B\r\n" * 900_000
    request = Request(f"{client.base_url}{path}", body, {**RIGHT, **headers})
    with pytest.raises(HTTPError) as error:
        urlopen(request, timeout=20)
    assert error.value.code == expected
    assert json.load(error.value)["error"]["message"]


def test_who_asks_before_sending_what_is_too_long_need_not_send_it(client):
    place = (client.base_url.host, client.base_url.port)
    with socket.create_connection(place, timeout=20) as link:
        link.sendall(
            b"POST /v1/parse HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer right\r\n"
            b"Expect: 100-continue\r\nContent-Length: 99999\r\n\r\n"
        )
        assert b" 413 " in link.recv(4000).partition(b"\r\n")[0]


@pytest.mark.parametrize("sent", [b"", b"GET /healthz HTTP/1.1\r\nHost: local"])
def test_a_connection_without_a_request_is_closed(client, sent):
    place = (client.base_url.host, client.base_url.port)
    with socket.create_connection(place, timeout=20) as link:
        link.sendall(sent)
        with suppress(ConnectionResetError):
            assert link.recv(1) == b""


def test_a_body_that_comes_byte_by_byte_is_not_waited_for(client):
    place = (client.base_url.host, client.base_url.port)
    with socket.create_connection(place, timeout=20) as link:
        link.sendall(
            b"POST /v1/parse HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer right\r\n"
            b"Content-Type: application/json\r\nContent-Length: 500\r\n\r\n"
        )
        link.settimeout(0.2)
        answer, end = b"", monotonic() + 20
        while not answer and monotonic() < end:
            with suppress(TimeoutError, BrokenPipeError):
                link.sendall(b" ")
                answer = link.recv(4000)
    assert b" 408 " in answer.partition(b"\r\n")[0]


def test_an_answer_does_not_wait_while_the_application_listens_for_the_end_of_the_connection():
    """As it does while it sends a file: the body is read once, by whoever comes first."""
    messages = [{"type": "http.request", "body": b"", "more_body": False}]

    async def receive():
        return messages.pop() if messages else await asyncio.sleep(60)

    async def answer():
        body = Body({"type": "http", "headers": []}, receive, ServeSettings())

        async def listen():
            while True:
                await body.limited()

        listening = asyncio.create_task(listen())
        await asyncio.wait_for(asyncio.gather(asyncio.sleep(0), body.discard()), 5)
        listening.cancel()

    asyncio.run(answer())
