"""A running server: its socket, its log, and how it ends.

Ctrl-C or SIGTERM: no new connections are taken, requests that were begun are answered, workers end.
A second Ctrl-C does not wait for requests.
"""

import logging
import socket
import sys
from collections.abc import Callable
from time import monotonic
from typing import Any

import uvicorn
from starlette.applications import Starlette

from headwise.errors import UsageError
from headwise.serve.app import Service, create_app
from headwise.serve.requesterrors import RequestError
from headwise.serve.settings import ServeSettings

BACKLOG = 2048
TICKS = 10
"""Ticks of a server in a second."""


def serve(settings: ServeSettings, on_ready: Callable[[str], None] = lambda _: None) -> None:
    """Serve until a signal comes; `on_ready` is called with the address once requests are taken."""
    app = create_app(settings)
    service: Service = app.state.service
    try:
        with listening(settings.host, settings.port) as taken:
            try:
                service.pool.start()
            except RequestError as error:
                raise UsageError(error.message) from None
            begin_log()
            on_ready(address(taken, settings.host))
            Server(config_of(app, settings), settings).run(sockets=[taken])
    finally:
        app.state.close()


class Server(uvicorn.Server):
    """A server that closes connections on which nothing comes or goes.

    Otherwise a client could take all connections by sending no request, or by not reading answers.
    """

    def __init__(self, config: uvicorn.Config, settings: ServeSettings) -> None:
        """Make a server that has not begun."""
        super().__init__(config)
        self.settings = settings
        self.states: dict[Any, tuple[object, float]] = {}

    async def on_tick(self, counter: int) -> bool:
        """Look at all connections once a second; whether to end."""
        if counter % TICKS == 0:
            self.close_stalled(monotonic())
        return await super().on_tick(counter)

    def close_stalled(self, now: float) -> None:
        """Close connections that have been at the same request, or have had none, for too long."""
        before, self.states = self.states, {}
        for one in self.server_state.connections:
            request = getattr(one, "cycle", None)
            is_done = request is None or request.response_complete
            state, since = before.get(one, (None, now))
            if state != (id(request), is_done):
                since = now
            self.states[one] = (id(request), is_done), since
            patience = self.settings.body_seconds if is_done else 3 * self.settings.seconds
            if now - since > patience and one.transport is not None:
                one.transport.abort()


def config_of(app: Starlette, settings: ServeSettings) -> uvicorn.Config:
    """How uvicorn runs the application."""
    return uvicorn.Config(
        app,
        log_config=None,
        access_log=False,  # it would have the queries of requests, and so the users' text
        server_header=False,
        limit_concurrency=settings.connections,
        timeout_graceful_shutdown=int(settings.seconds) + 1,
    )


def listening(host: str, port: int) -> socket.socket:
    """A socket that listens."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        family, _, _, _, place = found[0]
        return socket.create_server(place[:2], family=family, backlog=BACKLOG)
    except OSError as error:
        raise UsageError(
            f"cannot listen on {host}, port {port}: {error.strerror or error}"
        ) from None


def address(taken: socket.socket, host: str) -> str:
    """The address of the page."""
    shown = f"[{host}]" if ":" in host else host
    return f"http://{shown}:{taken.getsockname()[1]}/"


def begin_log() -> None:
    """Write a line for each request to standard error."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(logging.Formatter("%(asctime)s %(message)s"))
    logger = logging.getLogger("headwise.serve")
    logger.handlers, logger.propagate = [handler], False
    logger.setLevel(logging.INFO)
