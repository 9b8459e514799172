"""The application: routes, over models in worker processes."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Match, Mount, Route
from starlette.staticfiles import StaticFiles

from headwise.serve.guard import Guard, refused
from headwise.serve.models import chosen_model, model_page, model_row, served_models
from headwise.serve.openapi import openapi_routes
from headwise.serve.parserequest import read_request
from headwise.serve.parsing import parse_requests
from headwise.serve.requesterrors import RequestError
from headwise.serve.service import JSON_TYPE, json_body, service_of
from headwise.serve.service import Service as Service
from headwise.serve.settings import ServeSettings
from headwise.serve.udpipe import udpipe_routes
from headwise.serve.workers import WorkerPool

PAGE = Path(__file__).parent / "page"
CONLLU_TYPE = "text/plain; charset=utf-8"
NOTHING_THERE = "nothing is at this path; POST /v1/parse parses, /openapi.json lists all requests"
CODES = {404: "not_found", 405: "method_not_allowed"}


def create_app(settings: ServeSettings) -> Starlette:
    """The application of these settings; its workers start and end with it."""
    settings.check()
    models = served_models(settings.models)
    folders = {name: one.folder for name, one in models.items()}
    service = Service(settings, models, WorkerPool(settings, folders))
    found = routes()
    desk = None
    if settings.edit is not None:
        from headwise.serve.editroutes import open_desk

        desk = open_desk(service)
        found.insert(0, Mount("/v1/edit", routes=desk.routes()))

    def close() -> None:
        service.pool.stop()
        if desk is not None:
            desk.close()

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        await run_in_threadpool(service.pool.start)
        yield
        await run_in_threadpool(close)

    app = Starlette(
        routes=found,
        middleware=[Middleware(Guard, settings=settings)],
        exception_handlers={RequestError: on_request_error, HTTPException: on_http_error},
        lifespan=lifespan,
    )
    app.state.service, app.state.close = service, close
    return app


def routes() -> list[BaseRoute]:
    """All routes but those of a file; the page comes last, as it takes every other path."""
    return [
        Route("/v1/parse", parse, methods=["POST"]),
        Route("/v1/models", list_models),
        Route("/v1/models/{name}", show_model),
        Route("/healthz", health),
        *udpipe_routes(),
        *openapi_routes(),
        Mount("/", StaticFiles(directory=PAGE, html=True), name="page"),
    ]


async def parse(request: Request) -> Response:
    """Parse text, tokens or CoNLL-U."""
    service = service_of(request)
    name, wanted = read_request(
        await json_body(request), service.settings, request.headers.get("accept", "")
    )
    model = chosen_model(service.models, name)
    body: bytes = await service.pool.ask(parse_requests, model, wanted, wanted.size)
    return Response(body, media_type=JSON_TYPE if wanted.format == "json" else CONLLU_TYPE)


def list_models(request: Request) -> Response:
    """The models, the default first."""
    models = service_of(request).models
    return JSONResponse(
        {
            "default": next(iter(models)),
            "models": [model_row(name, one.info) for name, one in models.items()],
        }
    )


def show_model(request: Request) -> Response:
    """One model: card, scores, reliability."""
    models = service_of(request).models
    name = chosen_model(models, request.path_params["name"])
    return JSONResponse(model_page(name, models[name]))


async def health(request: Request) -> Response:
    """Whether there is a worker to answer requests."""
    pool = service_of(request).pool
    alive = pool.alive
    content = {
        "status": "ok" if alive else "no worker",
        "workers": alive,
        "requests": pool.queue.count,
    }
    return JSONResponse(content, 200 if alive else 503)


async def on_request_error(_: Request, error: Exception) -> Response:
    """The answer to what is refused by a route."""
    assert isinstance(error, RequestError)
    return refused(error)


async def on_http_error(request: Request, error: Exception) -> Response:
    """The answer where there is no such route or method."""
    assert isinstance(error, HTTPException)
    allowed = other_methods(request)
    if error.status_code in CODES and allowed:  # the page has taken what was meant for a route
        error = HTTPException(405, headers={"Allow": ", ".join(allowed)})
    elif error.status_code in CODES:  # the page has nothing there either
        error = HTTPException(404, NOTHING_THERE)
    code = CODES.get(error.status_code, "bad_request")
    headers = dict(error.headers or {})
    message = error.detail if error.detail == NOTHING_THERE else error.detail.lower()
    return refused(RequestError(error.status_code, code, message, headers))


def other_methods(request: Request) -> list[str]:
    """The methods that the path of a request knows, if it does not know its own."""
    routes = (one for one in request.app.routes if isinstance(one, Route))
    partly = (one for one in routes if one.matches(request.scope)[0] is Match.PARTIAL)
    return sorted({method for one in partly for method in one.methods or ()})
