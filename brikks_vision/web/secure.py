"""The connections of the service: which are led to https, and which are closed.

A connection that has brought the key is known; others are strangers. Strangers have some seconds
for all that they want. Where there are too many connections, a stranger is closed for each new one,
the oldest of the address that has most, so that none shuts others out. Plain http redirects to
https, and tells how a phone comes to trust it.
"""

from __future__ import annotations

import asyncio
import socket
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import uvicorn
from starlette.datastructures import URL
from starlette.requests import Request
from starlette.responses import RedirectResponse
from starlette.types import ASGIApp, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

from brikks_vision.web.guard import OPEN_ADDRESSES, Access, has_key


@dataclass(frozen=True)
class Certificates:
    """authority: its certificate, to be trusted by phones. chain, key: of the server."""

    authority: Path
    chain: Path
    key: Path


@dataclass(frozen=True)
class Secure:
    """authority: file of its certificate. host: of this computer for others. port: of https;
    plain_port: of http."""

    authority: Path
    host: str
    port: int
    plain_port: int

    def address_for(self, url: URL) -> URL:
        """The same address under https."""
        return url.replace(scheme="https", port=self.port)


class HttpsRedirect:
    """The service under http (ASGI): the pages on trust; all else is redirected to https."""

    def __init__(self, service: ASGIApp, secure: Secure) -> None:
        self.service = service
        self.secure = secure

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        assert scope["type"] == "http"  # the lifespan is that of the service under https
        if scope["path"] in OPEN_ADDRESSES:
            await self.service(scope, receive, send)
            return
        there = self.secure.address_for(Request(scope).url)
        await RedirectResponse(there, 307)(scope, receive, send)


MAX_CONNECTIONS = 400  # 250 uploads that wait, 32 that arrive, and pages
SECONDS_TO_ASK = 10  # for a whole header; of a stranger for header, body and answer
OPEN_FILES = 1024  # a connection takes one; some systems begin with 256 a process


def server_of(
    service: ASGIApp,
    access: Access,
    most: int = MAX_CONNECTIONS,
    certificates: Certificates | None = None,
) -> uvicorn.Server:
    """A server of the service, for connections of whom ``access`` lets in and of strangers.

    most : connections at once. certificates : for https; None: http.
    """
    settings = uvicorn.Config(
        service,
        http=partial(_Connection, access.key),  # type: ignore[arg-type]  # called as a class is
        access_log=False,  # addresses hold the key
        log_level="warning",
        server_header=False,
        proxy_headers=False,
        limit_concurrency=most,
        timeout_graceful_shutdown=20,
        ws="none",
        ssl_certfile=None if certificates is None else certificates.chain,
        ssl_keyfile=None if certificates is None else certificates.key,
    )
    return uvicorn.Server(settings)


@contextmanager
def running(server: uvicorn.Server, listener: socket.socket) -> Iterator[None]:
    """Run the server in a thread of its own while the block runs."""
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
    thread.start()
    try:
        yield
    finally:
        server.should_exit = True
        thread.join()


def allow_open_files() -> None:
    """Let this process have as many files open as connections need, if the system permits it."""
    with suppress(ImportError, ValueError, OSError):  # Windows has no such limit
        import resource

        least, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        if least < OPEN_FILES:
            resource.setrlimit(resource.RLIMIT_NOFILE, (OPEN_FILES, most))


class _Connection(H11Protocol):
    """A connection.

    is_known : it has brought the key. is_answered : a request is being answered. since : when it
    was made, seconds of the event loop's clock.
    """

    def __init__(self, key: str | None, *args: Any, **settings: Any) -> None:
        super().__init__(*args, **settings)
        self._key, self._service = key, self.app
        self.app = self._answer
        self.is_known = self.is_answered = False
        self.since = self.loop.time()
        self._deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._make_room()
        self._set_deadline()

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self._drop_deadline()

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, whose header has arrived; what its body may take, others limit."""
        self.is_known = self.is_known or self._key is None or has_key(Request(scope), self._key)
        if self.is_known:
            self._drop_deadline()
        self.is_answered = True
        try:
            await self._service(scope, receive, send)
        finally:
            self.is_answered = False
            if self.is_known and not self.transport.is_closing():
                self._set_deadline()

    def _set_deadline(self) -> None:
        self._drop_deadline()
        self._deadline = self.loop.call_later(SECONDS_TO_ASK, self.transport.abort)

    def _drop_deadline(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()

    def _make_room(self) -> None:
        """Close one that may be closed, where there are too many."""
        if self.limit_concurrency is None or len(self.connections) < self.limit_concurrency:
            return
        others = [
            each
            for each in self.connections
            if isinstance(each, _Connection)
            and each is not self
            and not (each.is_known and each.is_answered)
        ]
        counts = Counter(each.address for each in others)
        if others:
            worst = max(
                others, key=lambda each: (not each.is_known, counts[each.address], -each.since)
            )
            self.connections.discard(worst)
            worst.transport.abort()

    @property
    def address(self) -> str:
        return self.client[0] if self.client else ""
