"""Connections that ask for nothing: they end, and shut nobody out. With the real service."""

import socket
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

pytest.importorskip("fastapi", reason="the extra web is not installed")

import httpx

from brikks_vision.web import secure
from brikks_vision.web.guard import new_key
from tests.web.served import served

MOST = 40  # connections
BEGUN = b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: "
KEY = new_key()
BLANK = Path("tests/fixtures/bloxx/other-blank.jpg")


@pytest.fixture(scope="module")
def port(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    with served(tmp_path_factory.mktemp("connections"), key=KEY, most=MOST) as port:
        yield port


@contextmanager
def connected(port: int, count: int, begun: bytes = b"") -> Iterator[list[socket.socket]]:
    """Connections that send no more than the beginning of a request."""
    with ExitStack() as opened:
        clients = [
            opened.enter_context(socket.create_connection(("127.0.0.1", port)))
            for _ in range(count)
        ]
        for client in clients:
            client.settimeout(60)
            client.sendall(begun)
        yield clients


def is_ended(client: socket.socket) -> bool:
    try:
        return client.recv(1) == b""
    except ConnectionResetError:
        return True


def opened(port: int, key: str | None = KEY) -> int:
    headers = {} if key is None else {"Authorization": f"Bearer {key}"}
    return httpx.get(f"http://127.0.0.1:{port}/", headers=headers, timeout=60).status_code


@pytest.mark.parametrize("begun", [b"", BEGUN])
def test_connections_that_ask_for_nothing_shut_nobody_out(port: int, begun: bytes) -> None:
    with connected(port, 3 * MOST, begun):
        assert [opened(port) for _ in range(3)] == [200, 200, 200]
        assert opened(port, None) == 401


@pytest.mark.parametrize("begun", [b"", BEGUN, BEGUN + b"\r\n\r\n"])
def test_a_stranger_is_closed_after_some_seconds(
    port: int, begun: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(secure, "SECONDS_TO_ASK", 0.5)
    with connected(port, 1, begun) as (client,):
        if begun.endswith(b"\r\n\r\n"):  # it is told that it needs the key
            assert client.recv(65536).startswith(b"HTTP/1.1 401")
            while client.recv(65536):
                pass
        assert is_ended(client)


def test_a_header_that_trickles_is_not_waited_for(
    port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(secure, "SECONDS_TO_ASK", 1)
    with connected(port, 1, BEGUN) as (client,):
        client.settimeout(0.1)
        for _ in range(600):
            try:
                client.sendall(b"a")
                if not client.recv(1):
                    break
            except TimeoutError:
                continue
            except OSError:
                break
        else:
            raise AssertionError


def test_who_has_the_key_may_ask_again(port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is answered counts as nothing; between two requests the seconds begin anew."""
    monkeypatch.setattr(secure, "SECONDS_TO_ASK", 2)
    with (
        httpx.Client(headers={"Authorization": f"Bearer {KEY}"}, timeout=60) as client,
        connected(port, 3 * MOST),
    ):
        for _ in range(3):
            assert client.get(f"http://127.0.0.1:{port}/static/page.css").status_code == 200


def test_photos_that_wait_to_be_learnt_stop_no_page(tmp_path: Path) -> None:
    photo = BLANK.read_bytes()
    with served(tmp_path) as port:
        head = (
            b"POST /printings HTTP/1.1\r\nHost: 127.0.0.1\r\n"
            b"Content-Type: multipart/form-data; boundary=x\r\n"
            b"Content-Length: %d\r\n\r\n"
        )
        body = (
            b'--x\r\nContent-Disposition: form-data; name="photo"; filename="a.jpg"\r\n\r\n'
            + photo
            + b"\r\n--x--\r\n"
        )
        with connected(port, 60, head % len(body)) as clients:
            for client in clients[:45]:  # those that find a place; the others wait for one
                client.sendall(body)
            for _ in range(3):
                for address in ("/static/page.css", "/", "/printings"):
                    answer = httpx.get(f"http://127.0.0.1:{port}{address}", timeout=20)
                    assert answer.status_code == 200


@pytest.mark.parametrize("version", [b"9.9", b"2.0", b"0.9"])
def test_another_version_of_http_is_refused(port: int, version: bytes) -> None:
    begun = b"GET / HTTP/" + version + b"\r\nHost: 127.0.0.1\r\n\r\n"
    with connected(port, 1, begun) as (client,):
        assert client.recv(65536).startswith(b"HTTP/1.1 505")
        assert is_ended(client)
    assert opened(port) == 200
