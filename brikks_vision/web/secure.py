"""Where the page has https: plain http redirects to it, and tells how a phone comes to trust it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from starlette.datastructures import URL
from starlette.requests import Request
from starlette.responses import RedirectResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from brikks_vision.web.guard import OPEN_ADDRESSES


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
