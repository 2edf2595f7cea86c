"""Where the page has https: plain http redirects to it, and tells how a phone comes to trust it.

Certificates for https in the own network: an authority of this computer, and what it signs.

Browsers let a page use the camera where the connection is secure. No public authority signs for
addresses of a home network, so this computer is its own: a phone that trusts its certificate once
trusts the page from then on. The authority can sign for private addresses and local names alone
(name constraints, RFC 5280, 4.2.1.10), so that whoever steals its key can imitate no public site.

The connections of the service: those that ask for nothing are closed, and none shuts others out.

A connection that has brought the key is known; others are strangers. Strangers have some seconds
for all that they want. Where there are too many connections, a stranger is closed for each new one,
the oldest of the address that has most.
"""

from __future__ import annotations

import asyncio
import ipaddress
import socket
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

import uvicorn
from cryptography import x509
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ec import (
    SECP256R1,
    EllipticCurvePrivateKey,
    generate_private_key,
)
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    load_pem_private_key,
)
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID
from starlette.datastructures import URL
from starlette.requests import Request
from starlette.responses import RedirectResponse
from starlette.types import ASGIApp, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

from brikks_vision.errors import RecordNotWritable
from brikks_vision.files import write_private
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


AUTHORITY_DAYS = 3650
CERTIFICATE_DAYS = 397  # iPhones trust no certificate of a server that holds much longer
RENEWED_BEFORE = timedelta(days=30)
PRIVATE = (  # RFC 1918, 3927, 4193, 4291, 6598, and this computer itself
    "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16", "100.64.0.0/10",
    "127.0.0.0/8", "fc00::/7", "fe80::/10", "::1/128",
)  # fmt: skip
LOCALHOST = "localhost"


def certificates(folder: Path, addresses: frozenset[str]) -> Certificates:
    """The certificates in a folder, made or renewed where that is needed.

    addresses : of this computer; those that are not private are left out.

    Raises
    ------
    RecordNotWritable
    """
    found = Certificates(folder / "authority.pem", folder / "server.pem", folder / "server-key.pem")
    authority_key = folder / "authority-key.pem"
    names = frozenset(filter(_is_private, addresses))
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        signed = _kept(found.authority, authority_key)
        if signed is None:
            signed = _new_authority()
            write_private(authority_key, _pem(signed[1]))
            write_private(found.authority, signed[0].public_bytes(Encoding.PEM))
        own = _kept(found.chain, found.key)
        if own is None or not _holds(own[0], signed[0], names):
            certificate, key = _new_certificate(*signed, names)
            write_private(found.key, _pem(key))
            write_private(found.chain, certificate.public_bytes(Encoding.PEM))
    except OSError as error:
        raise RecordNotWritable(folder, error.strerror or error) from error
    return found


def own_addresses() -> frozenset[str]:
    """The addresses under which this computer may be reached."""
    found = {LOCALHOST, "127.0.0.1", "::1"}
    with suppress(OSError):
        told = socket.getaddrinfo(socket.gethostname(), None)
        found |= {str(address[0]).split("%")[0] for *_, address in told}
    return frozenset(found)


def _is_private(address: str) -> bool:
    try:
        number = ipaddress.ip_address(address)
    except ValueError:
        return address == LOCALHOST
    networks = map(ipaddress.ip_network, PRIVATE)
    return any(number in each for each in networks if each.version == number.version)


def _kept(path: Path, key_path: Path) -> tuple[x509.Certificate, EllipticCurvePrivateKey] | None:
    """A certificate and its key, where they are there, belong together and still hold."""
    try:
        certificate = x509.load_pem_x509_certificate(path.read_bytes())
        key = load_pem_private_key(key_path.read_bytes(), None)
    except (OSError, ValueError):
        return None
    if not isinstance(key, EllipticCurvePrivateKey) or key.public_key() != certificate.public_key():
        return None
    is_lasting = certificate.not_valid_after_utc > datetime.now(UTC) + RENEWED_BEFORE
    return (certificate, key) if is_lasting else None


def _holds(
    certificate: x509.Certificate, authority: x509.Certificate, names: frozenset[str]
) -> bool:
    """Whether the authority signed the certificate, and for just these names."""
    try:
        certificate.verify_directly_issued_by(authority)
    except (ValueError, TypeError, InvalidSignature):
        return False
    told = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    return {str(each.value) for each in told} == names


def _new_authority() -> tuple[x509.Certificate, EllipticCurvePrivateKey]:
    key = generate_private_key(SECP256R1())
    name = _name(f"brikks-vision {socket.gethostname()}"[:64])
    ranges = [x509.IPAddress(ipaddress.ip_network(each)) for each in PRIVATE]
    allowed = [*ranges, x509.DNSName(LOCALHOST)]
    usage = x509.KeyUsage(
        digital_signature=True, key_cert_sign=True, crl_sign=True, content_commitment=False,
        key_encipherment=False, data_encipherment=False, key_agreement=False,
        encipher_only=False, decipher_only=False,
    )  # fmt: skip
    builder = (
        _begun(name, name, key, AUTHORITY_DAYS)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(usage, critical=True)
        .add_extension(x509.NameConstraints(allowed, None), critical=True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
    )
    return builder.sign(key, SHA256()), key


def _new_certificate(
    authority: x509.Certificate, authority_key: EllipticCurvePrivateKey, names: frozenset[str]
) -> tuple[x509.Certificate, EllipticCurvePrivateKey]:
    key = generate_private_key(SECP256R1())
    issuer = x509.AuthorityKeyIdentifier.from_issuer_public_key(authority_key.public_key())
    builder = (
        _begun(_name("brikks-vision"), authority.subject, key, CERTIFICATE_DAYS)
        .add_extension(x509.SubjectAlternativeName(map(_general_name, sorted(names))), False)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .add_extension(issuer, critical=False)
    )
    return builder.sign(authority_key, SHA256()), key


def _begun(
    subject: x509.Name, issuer: x509.Name, key: EllipticCurvePrivateKey, days: int
) -> x509.CertificateBuilder:
    now = datetime.now(UTC)
    return x509.CertificateBuilder(
        issuer, subject, key.public_key(), x509.random_serial_number(),
        now - timedelta(days=1),  # clocks differ
        now + timedelta(days=days - 1),
    )  # fmt: skip


def _name(text: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, text)])


def _general_name(address: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ipaddress.ip_address(address))
    except ValueError:
        return x509.DNSName(address)


def _pem(key: EllipticCurvePrivateKey) -> bytes:
    content: bytes = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    return content


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
