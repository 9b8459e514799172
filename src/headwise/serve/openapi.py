"""The description of the HTTP interface: OpenAPI, and a page for people.

The page is made here from the document, without scripts: pages that others provide for this load
them from elsewhere.
"""

import json
from collections.abc import Iterator, Mapping
from functools import cache
from html import escape
from pathlib import Path
from typing import Any

from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route

from headwise.serve.service import service_of
from headwise.serve.settings import ServeSettings

DOCUMENT = Path(__file__).with_name("openapi.json")

TOP = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Headwise: HTTP interface</title>
<link rel="icon" href="icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="style.css">
</head>
<body>
<header class="top">
<a class="brand" href="./"><img src="icon.svg" alt="" width="26" height="26">Headwise</a>
</header>
<main class="document">
"""
"""How the page begins: it looks as the workbench does."""


def openapi_routes() -> list[Route]:
    """The routes of the description."""
    return [Route("/openapi.json", show_document), Route("/api", show_page)]


async def show_document(request: Request) -> Response:
    """The OpenAPI document of this server."""
    return JSONResponse(document(service_of(request).settings))


async def show_page(request: Request) -> Response:
    """The page for people."""
    return HTMLResponse("".join(page(document(service_of(request).settings))))


@cache
def document(settings: ServeSettings) -> dict[str, Any]:
    """The document, with the limits of a server."""
    found: dict[str, Any] = json.loads(DOCUMENT.read_text("utf-8"))
    replies = found["components"].pop("x-process-responses")
    schemas = found["components"]["schemas"]
    process = found["paths"]["/process"]
    for method in process.values():
        method["responses"] = replies
    found["paths"]["/models"]["post"] = found["paths"]["/models"]["get"]
    form = schemas["ProcessForm"]
    process["get"]["parameters"] = [
        {"name": name, "in": "query", "required": name in form["required"], "schema": schema}
        for name, schema in form["properties"].items()
    ]
    schemas["ParseRequest"]["properties"]["kbest"]["maximum"] = settings.kbest
    found["info"]["description"] += (
        f" A request may have {settings.body_bytes:,} bytes, a sentence "
        f"{settings.sentence_words:,} words, and an answer takes {settings.seconds:g} s at most; "
        f"{settings.queue:,} requests may wait."
    )
    if settings.token is not None:
        found["security"] = [{"token": []}]
    return found


def page(found: Mapping[str, Any]) -> Iterator[str]:
    """The document as HTML."""
    info = found["info"]
    yield f"{TOP}<h1>HTTP interface</h1>\n<p>{escape(info['description'])} "
    yield 'For programs: <a href="openapi.json">openapi.json</a>.</p>\n'
    for path, methods in found["paths"].items():
        names, first = ", ".join(methods).upper(), next(iter(methods.values()))
        yield f'<section class="card">\n<h2><code>{names} {escape(path)}</code></h2>\n'
        yield f"<p>{escape(first['summary'])}</p>\n"
        yield from table(parameters_of(first, found["components"]["schemas"]))
        yield "</section>\n"
    yield "</main>\n</body>\n</html>\n"


def parameters_of(method: Mapping[str, Any], schemas: Mapping[str, Any]) -> dict[str, Any]:
    """The schemas of what a method takes, by name."""
    found = {one["name"]: one["schema"] for one in method.get("parameters", ())}
    for body in method.get("requestBody", {}).get("content", {}).values():
        found |= schemas[body["schema"]["$ref"].rpartition("/")[2]]["properties"]
    return found


def table(parameters: Mapping[str, Any]) -> Iterator[str]:
    """Parameters as an HTML table."""
    if not parameters:
        return
    yield "<table>\n<tr><th>name</th><th>type</th><th>meaning</th></tr>\n"
    for name, schema in parameters.items():
        kind = schema.get("type") or ", ".join(schema["enum"])
        cells = (name, str(kind), schema.get("description", ""))
        yield f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in cells)}</tr>\n"
    yield "</table>\n"
