"""``brikks-scan serve``: the page for the phone."""

from __future__ import annotations

import io
import os
import secrets
import socket
import sys
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from brikks_vision import errors, files
from brikks_vision.commands.terminal import Database, Lang, new_app
from brikks_vision.text.languages import texts_in

if TYPE_CHECKING:
    from brikks_vision.web.secure import Certificates, Secure

app = new_app()
PORT = 8765
MAX_PORT = 65535
KEY_NAME = "serve-key"  # of the file beside the record
HTTPS_NAME = "https"  # of the folder beside the record
_MIN_KEY_LENGTH = 32  # letters


@app.command()
def serve(
    host: Annotated[str, typer.Option(metavar="ADDRESS", help="serve host")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=1, max=MAX_PORT, help="serve port")] = PORT,
    new_key: Annotated[bool, typer.Option("--new-key", help="serve new-key")] = False,
    https: Annotated[bool, typer.Option("--https", help="serve https")] = False,
    db: Database = None,
    *,
    language: Lang,
) -> None:
    """Open a page on which a phone takes photos of sheets and shows their scores."""
    try:
        from brikks_vision.record.database import default_path, open_record
        from brikks_vision.web.app import new_service
        from brikks_vision.web.guard import access_for, is_loopback
        from brikks_vision.web.secure import (
            HttpsRedirect,
            Secure,
            allow_open_files,
            running,
            server_of,
        )
    except ModuleNotFoundError as error:
        if (error.name or "").startswith("brikks_vision"):
            raise
        raise errors.WebPartsMissing(error.name or "fastapi") from None
    with open_record(db):  # what is wrong with it is said now, not to the first phone
        pass
    beside = (db or default_path()).parent
    certificates = signed_for(host, beside / HTTPS_NAME) if https else None
    listeners, secure = [listen(host, port)], None
    if certificates is not None:
        secure = Secure(certificates.authority, reachable(host), neighbour(port), port)
        listeners.append(listen(host, secure.port))
    key = None if is_loopback(host) else kept_key(beside / KEY_NAME, is_new=new_key)
    access = access_for(host, key)
    service = new_service(db, access, language, secure=secure)
    typer.echo(welcome(host, port, key, language, secure))
    allow_open_files()
    with ExitStack() as opened:
        for each in listeners:
            opened.enter_context(each)
        if secure is not None:
            redirect = server_of(HttpsRedirect(service, secure), access)
            opened.enter_context(running(redirect, listeners[0]))
        server_of(service, access, certificates=certificates).run(sockets=listeners[-1:])


def neighbour(port: int) -> int:
    """The port of https where ``port`` has http: the next one, or the one before the last."""
    return port + 1 if port < MAX_PORT else port - 1


def signed_for(host: str, folder: Path) -> Certificates:
    """Certificates for https at ``host``; raises HttpsPartsMissing, RecordNotWritable."""
    try:
        from brikks_vision.web.authority import certificates, own_addresses
    except ModuleNotFoundError as error:
        raise errors.HttpsPartsMissing(error.name or "cryptography") from None
    return certificates(folder, own_addresses() | {reachable(host).strip("[]")})


def listen(host: str, port: int) -> socket.socket:
    """A socket that listens there; raises AddressNotFree."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        listener = socket.socket(family, kind, protocol)
    except OSError as error:
        raise errors.AddressNotFree(f"{host}:{port}", error.strerror or error) from None
    try:
        if os.name == "posix":
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
        listener.listen(128)
    except (OSError, OverflowError) as error:
        listener.close()
        raise errors.AddressNotFree(f"{host}:{port}", getattr(error, "strerror", error)) from None
    return listener


def kept_key(path: Path, is_new: bool = False) -> str:
    """The key of this record's page: the same every time, so that phones need it only once.

    It lies in a file that only its owner may read. Raises RecordNotWritable.
    """
    try:
        if not is_new and path.exists():
            key = path.read_text("ascii").strip()
            if len(key) >= _MIN_KEY_LENGTH:
                return key
        key = secrets.token_urlsafe(32)
        path.parent.mkdir(parents=True, exist_ok=True)
        files.write_private(path, key.encode())
    except (OSError, UnicodeDecodeError) as error:
        raise errors.RecordNotWritable(path, getattr(error, "strerror", error)) from error
    return key


def welcome(
    host: str, port: int, key: str | None, language: str, secure: Secure | None = None
) -> str:
    """What the terminal shows: the address, and for phones its QR code."""
    words = texts_in(language).page
    scheme, port = ("http", port) if secure is None else ("https", secure.port)
    if key is None:
        shown = f"[{host}]" if ":" in host else host
        address = f"{scheme}://{shown}:{port}/"
        return "\n".join(
            [f"{words['serve_open']} {address}", words["serve_local"], words["serve_end"]]
        )
    address = f"{scheme}://{reachable(host)}:{port}/?key={key}"
    lines = [qr_code(address), words["serve_phone"], f"{words['serve_open']} {address}"]
    if secure is not None:
        lines.append(f"{words['serve_trust']} http://{secure.host}:{secure.plain_port}/trust")
    return "\n".join([*lines, words["serve_end"]])


def qr_code(text: str) -> str:
    """The text as a QR code of letters; in a terminal white on black, whatever its colours are."""
    import segno

    buffer = io.StringIO()
    segno.make(text, error="l", micro=False).terminal(buffer, compact=True)
    if not sys.stdout.isatty():
        return buffer.getvalue()
    return "\n".join(f"\x1b[97;40m{line}\x1b[0m" for line in buffer.getvalue().splitlines())


def reachable(host: str) -> str:
    """Under which address other machines reach this one."""
    if host not in ("0.0.0.0", "::"):
        return f"[{host}]" if ":" in host else host
    try:
        # Nothing is sent: connecting a datagram socket only looks up the way (RFC 5737 address).
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            probe.connect(("192.0.2.1", 9))
            return str(probe.getsockname()[0])
    except OSError:
        return "127.0.0.1"
