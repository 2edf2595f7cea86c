"""Who may ask for what: checked before anything else looks at a request.

- The Host header must be an address of this service, so that no name of somebody else's can be
  pointed at it (DNS rebinding).
- Where others than this computer can reach it, a key is needed: from the address once, then from
  a cookie, or as ``Authorization: Bearer``.
- A request must be one of the versions of HTTP that are spoken here.
- What changes something must come from a page of this service: browsers say where a request comes
  from (Fetch Metadata, Origin); programs that say nothing are no browsers, and bring no cookies.
- Every answer says that browsers shall run and load nothing but what this service serves.
"""

from __future__ import annotations

import asyncio
import hmac
import ipaddress
import secrets
from collections.abc import Awaitable, Callable, Collection
from dataclasses import dataclass
from urllib.parse import parse_qs, urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from brikks_vision import errors
from brikks_vision.text.languages import LANGUAGES

KEY_COOKIE = "brikks_key"
KEY_PARAMETER = "key"
LANGUAGE_COOKIE = "brikks_language"
LANGUAGE_PARAMETER = "lang"
ONE_YEAR = 365 * 24 * 3600  # seconds
MAX_FORM_BYTES = 64_000  # of a form without a photo
MAX_FORM_SECONDS = 20  # that it may take to arrive
HTTP_VERSIONS = ("1.0", "1.1")
SAFE_METHODS = ("GET", "HEAD", "OPTIONS")
TRUST_ADDRESS, AUTHORITY_ADDRESS = "/trust", "/authority.crt"
# what the page that asks for the key looks like, and how a phone comes to trust this computer
OPEN_ADDRESSES = ("/static/look.css", TRUST_ADDRESS, AUTHORITY_ADDRESS)

HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; img-src 'self'; style-src 'self'; script-src 'self'; "
        "connect-src 'self'; manifest-src 'self'; form-action 'self'; base-uri 'none'; "
        "frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    # Not "no-referrer": then browsers would not say where a form was sent from.
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": "geolocation=(), microphone=(), camera=(self)",
}

Complain = Callable[[Request, errors.BrikksError], Response]


@dataclass(frozen=True)
class Access:
    """Under which names the service answers, and the key that is needed; None: none."""

    hosts: frozenset[str]
    any_address: bool
    key: str | None


def access_for(host: str, key: str | None) -> Access:
    """Who may come in where the service listens on ``host``."""
    own = frozenset(("localhost", "127.0.0.1", "::1", host.lower()))
    return Access(own, any_address=not is_loopback(host), key=key)


def is_loopback(host: str) -> bool:
    """Whether only this computer can reach a service that listens there."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


class Guard:
    """The first layer of the service (ASGI): what it refuses reaches nothing else.

    streamed : addresses that limit what they receive themselves; the others get small forms only.
    """

    def __init__(
        self, app: ASGIApp, access: Access, complain: Complain, streamed: Collection[str] = ()
    ) -> None:
        self.app = app
        self.access = access
        self.complain = complain
        self.streamed = streamed

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        if scope["type"] != "http":  # no web sockets here
            return
        if scope["http_version"] not in HTTP_VERSIONS:
            await Response(status_code=505, headers={"Connection": "close"})(scope, receive, send)
            return
        request = Request(scope, receive)
        guarded = _with_headers(request, self.access, send)
        if scope["path"] not in self.streamed:
            receive = _limited(receive)
        error = refusal(request, self.access)
        if error is None and request.url.path == "/" and _parameter(request, KEY_PARAMETER):
            # the cookie has the key now; the address need not show it
            await Response(status_code=303, headers={"Location": "/"})(scope, receive, guarded)
        elif error is None:
            await self.app(scope, receive, guarded)
        else:
            await self.complain(request, error)(scope, receive, guarded)


def refusal(request: Request, access: Access) -> errors.BrikksError | None:
    """Why a request is not let in: HostUnknown, KeyRefused, OtherSite; None where it is."""
    if not is_own_host(request.headers, access):
        return errors.HostUnknown()
    is_open = request.method in SAFE_METHODS and request.url.path in OPEN_ADDRESSES
    if access.key is not None and not is_open and not has_key(request, access.key):
        return errors.KeyRefused()
    if is_from_elsewhere(request):
        return errors.OtherSite()
    return None


def is_own_host(headers: Headers, access: Access) -> bool:
    """Whether the Host header is an address of this service."""
    hosts = headers.getlist("host")
    if len(hosts) != 1:
        return False
    try:
        name = urlsplit(f"//{hosts[0]}").hostname or ""
        if "@" in hosts[0] or "/" in hosts[0]:
            return False
    except ValueError:
        return False
    if name in access.hosts:
        return True
    if not access.any_address:
        return False
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True  # a number is no name that could be pointed elsewhere


def has_key(request: Request, key: str) -> bool:
    """Whether a request brings the key, compared in constant time."""
    given = _parameter(request, KEY_PARAMETER)
    scheme, _, bearer = request.headers.get("authorization", "").partition(" ")
    keys = [given, *_cookies(request, KEY_COOKIE), bearer if scheme.lower() == "bearer" else None]
    return any(
        hmac.compare_digest(each.encode("utf-8", "replace"), key.encode()) for each in keys if each
    )


def is_from_elsewhere(request: Request) -> bool:
    """Whether a browser sends this for a page of somebody else's.

    Links to the pages here are fine; changing something, or loading parts of them, is not.
    """
    site = request.headers.get("sec-fetch-site")
    mode = request.headers.get("sec-fetch-mode", "navigate")
    if request.method in SAFE_METHODS:
        return site in ("cross-site", "same-site") and mode != "navigate"
    if site is not None and site not in ("same-origin", "none"):
        return True
    origin = request.headers.get("origin")
    if origin is None:
        return False
    own = f"{request.scope['scheme']}://{request.headers.get('host', '')}"
    return origin.lower() != own.lower()


def _limited(receive: Receive) -> Receive:
    """Receives what a form may have, and no more: forms are whole in memory.

    Raises FieldUnclear, UploadTooSlow.
    """
    received, is_whole, until = 0, False, None

    async def limited() -> Message:
        nonlocal received, is_whole, until
        if is_whole:
            return await receive()
        until = until or asyncio.get_running_loop().time() + MAX_FORM_SECONDS
        try:
            async with asyncio.timeout_at(until):
                message = await receive()
        except TimeoutError:
            raise errors.UploadTooSlow(MAX_FORM_SECONDS) from None
        received += len(message.get("body", b""))
        is_whole = not message.get("more_body", False)
        if received > MAX_FORM_BYTES:
            raise errors.FieldUnclear("form")
        return message

    return limited


def _with_headers(request: Request, access: Access, send: Send) -> Send:
    """Sends what the service answers with the headers and cookies that belong to it."""
    cookies: list[str] = []
    # browsers send a cookie to all ports of a host: one that was set over https stays off http
    suffix = "; Secure" if request.url.scheme == "https" else ""
    key = _parameter(request, KEY_PARAMETER)
    if access.key is not None and key and hmac.compare_digest(key.encode(), access.key.encode()):
        cookies.append(_cookie(KEY_COOKIE, access.key) + suffix)
    language = _parameter(request, LANGUAGE_PARAMETER)
    if language in LANGUAGES:
        cookies.append(_cookie(LANGUAGE_COOKIE, language) + suffix)

    def guarded(message: Message) -> Awaitable[None]:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers[name] = value
            headers.setdefault("Cache-Control", "no-store")
            if message["status"] < 400:
                for cookie in cookies:
                    headers.append("Set-Cookie", cookie)
        return send(message)

    return guarded


def _cookie(name: str, value: str) -> str:
    # Lax: a scanned QR code or a bookmark opens the page; forms of other sites bring no cookie.
    return f"{name}={value}; Max-Age={ONE_YEAR}; Path=/; HttpOnly; SameSite=Lax"


def _parameter(request: Request, name: str) -> str | None:
    query = request.scope.get("query_string", b"").decode("latin-1")
    try:
        values = parse_qs(query, max_num_fields=50).get(name)
    except ValueError:
        return None
    return values[0] if values else None


def _cookies(request: Request, name: str) -> list[str]:
    """The values of all cookies of that name, as browsers send them (RFC 6265, 4.2 and 5.4).

    Other services under the same host name have cookies here as well: anything may stand in them,
    and where one has this name, a browser sends both. Starlette's ``Request.cookies`` has only the
    last of a name, and before its version 0.49 only the first header.
    """
    pairs = (pair for line in request.headers.getlist("cookie") for pair in line.split(";"))
    parts = (pair.partition("=") for pair in pairs)
    return [value.strip(" \t") for given, _, value in parts if given.strip(" \t") == name]


def language_of(request: Request, default: str) -> str:
    """The language that a request asks for: in its address, by cookie, by the browser."""
    chosen = [_parameter(request, LANGUAGE_PARAMETER), *_cookies(request, LANGUAGE_COOKIE)]
    for part in request.headers.get("accept-language", "").split(",")[:20]:
        chosen.append(part.split(";")[0].strip().split("-")[0].lower())
    return next((language for language in chosen if language in LANGUAGES), default)


def new_key() -> str:
    """A key that nobody guesses: 256 random bits, as letters that fit in an address."""
    return secrets.token_urlsafe(32)
