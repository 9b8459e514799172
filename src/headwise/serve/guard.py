"""What stands before all routes: who may ask, how much, and what every answer tells browsers.

Names that the server may be called by are addresses, `localhost`, the name that it listens on and
those that are allowed: a page on the web cannot make a browser send it requests under a name of its
own (DNS rebinding), and requests of other pages are refused by their origin.
"""

import asyncio
import hmac
import logging
import traceback
from contextlib import suppress
from ipaddress import ip_address
from time import monotonic

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from headwise.serve.requesterrors import RequestError
from headwise.serve.settings import ServeSettings

LOG = logging.getLogger("headwise.serve")

POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' blob: data:",
        "connect-src 'self'",
        "font-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    )
)
"""Nothing from elsewhere, and no script or style within a page."""

SECURITY = {
    "Cache-Control": "no-cache",  # after an update, old and new scripts of the page must not meet
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
}

GUARDED = ("/v1/", "/process", "/models", "/api/")
"""Paths that need the token, if there is one; the page itself holds nothing secret."""


MOST_DISCARDED = 1 << 26
"""Bytes that are read of a body that is not needed."""


class Guard:
    """The outermost layer of the application."""

    def __init__(self, app: ASGIApp, settings: ServeSettings) -> None:
        """Stand before an application."""
        self.app, self.settings = app, settings

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request through, or refuse it; log what became of it."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        began, status, body = monotonic(), 0, Body(scope, receive, self.settings)

        async def sending(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                await body.discard()
                MutableHeaders(scope=message).update(SECURITY)
            await send(message)

        try:
            self.check(scope)
            body.check(stated_length(scope))
            await self.app(scope, body.limited, sending)
        except RequestError as error:
            await refused(error)(scope, receive, sending)
        except Exception as error:
            log_mistake(error)
            if not status:
                await refused(MISTAKE)(scope, receive, sending)
        LOG.info(
            "%s %s %d %.0f ms",
            scope["method"],
            route_of(scope),
            status,
            1000 * (monotonic() - began),
        )

    def check(self, scope: Scope) -> None:
        """Refuse what comes under a wrong name, from another page, or without the token."""
        headers = Headers(scope=scope)
        host = headers.get("host", "")
        if not self.is_own_name(host):
            raise RequestError(403, "host", "this server is not called so: see --allow-host")
        origin = headers.get("origin")
        if origin is not None and origin not in (f"http://{host}", f"https://{host}"):
            raise RequestError(403, "origin", "requests of other pages are refused")
        if scope["path"].startswith(GUARDED):
            if headers.get("sec-fetch-site") in ("cross-site", "same-site"):
                raise RequestError(403, "origin", "requests of other pages are refused")
            self.check_token(headers.get("authorization", ""))

    def is_own_name(self, host: str) -> bool:
        """Whether the server may be called by a name, as `Host` gives it."""
        name = host.rpartition(":")[0] if host.rpartition(":")[2].isdigit() else host
        name = name.lower()
        if name in (
            "localhost",
            self.settings.host.lower(),
            *map(str.lower, self.settings.allowed_hosts),
        ):
            return True
        try:
            ip_address(name.removeprefix("[").removesuffix("]"))
        except ValueError:
            return False
        return True

    def check_token(self, authorization: str) -> None:
        """Refuse requests without the token, if there is one."""
        if self.settings.token is None:
            return
        scheme, _, given = authorization.partition(" ")
        right = hmac.compare_digest(given.strip().encode(), self.settings.token.encode())
        if scheme.lower() != "bearer" or not right:
            raise RequestError(
                401,
                "token",
                "this server asks for a token: Authorization: Bearer …",
                {"WWW-Authenticate": "Bearer"},
            )


class Body:
    """The body of a request: it comes in time, or not at all."""

    def __init__(self, scope: Scope, receive: Receive, settings: ServeSettings) -> None:
        """Nothing has come yet."""
        self.scope, self.receive, self.settings = scope, receive, settings
        self.got, self.is_whole = 0, False
        self.end = monotonic() + settings.seconds
        self.reading = asyncio.Lock()  # an application may answer while it still waits for a piece

    async def limited(self) -> Message:
        """The next piece, unless the body is too long."""
        async with self.reading:
            if not self.is_whole:
                message = await self.next()
                self.check(self.got)
                return message
        return await self.receive()  # whether the client has gone is waited for without a limit

    def check(self, length: int) -> None:
        """Refuse a body of a length that is too long."""
        most = self.settings.body_bytes
        if length > most:
            message = f"the body of a request may have {most:,} bytes"
            raise RequestError(413, "body_too_long", message)

    async def next(self) -> Message:
        """The next piece."""
        try:
            seconds = min(self.settings.body_seconds, max(self.end - monotonic(), 0.0))
            message = await asyncio.wait_for(self.receive(), seconds)
        except TimeoutError:
            raise RequestError(408, "too_slow", "the body did not come in time") from None
        self.got += len(message.get("body", b""))
        self.is_whole = not message.get("more_body", False)
        return message

    async def discard(self) -> None:
        """Read the rest, before an answer that did not need it.

        A client that is still sending would find its connection reset instead of the answer. One
        that asks first whether it may send is answered at once.
        """
        asks_first = Headers(scope=self.scope).get("expect", "").lower() == "100-continue"
        if (asks_first and not self.got) or stated_length(self.scope) > MOST_DISCARDED:
            return
        with suppress(RequestError):
            async with self.reading:
                while not self.is_whole and self.got <= MOST_DISCARDED:
                    await self.next()


def stated_length(scope: Scope) -> int:
    """The length of a body as its headers say; 0 where they do not."""
    length = Headers(scope=scope).get("content-length", "")
    return int(length) if length.isascii() and length.isdecimal() else 0


MISTAKE = RequestError(500, "internal_error", "the server made a mistake; its log says where")


def refused(error: RequestError) -> JSONResponse:
    """The response of an error."""
    return JSONResponse(error.content, error.status, error.headers)


def log_mistake(error: Exception) -> None:
    """Log where an error was raised; what it says may quote the users' text."""
    LOG.error("%s\n%s", type(error).__name__, "".join(traceback.format_tb(error.__traceback__)))


def route_of(scope: Scope) -> str:
    """The path of a request, if there is such a route; others could be the users' text."""
    route = scope.get("route")
    return getattr(route, "path", "-") or "/"
