"""Uploads that trickle: they end, and keep no photo out. With the real service and slow clients."""

import asyncio
import socket
import threading
from collections.abc import AsyncIterator, Coroutine, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

pytest.importorskip("fastapi", reason="the extra web is not installed")

import httpx

from brikks_vision.errors import ServerBusy, UploadTooSlow
from brikks_vision.web import guard, secure, uploads
from brikks_vision.web.app import WAITING_PHOTOS
from brikks_vision.web.uploads import Arrivals, allowed_seconds
from tests.web.served import served

PHOTO = Path("samples/arcade.jpg")
MANY = WAITING_PHOTOS + 9  # more than may wait to be read


@pytest.fixture(scope="module")
def port(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    """A service that runs; its port."""
    with served(tmp_path_factory.mktemp("arrivals")) as port:
        yield port


def head(address: str, kind: str, length: int) -> bytes:
    lines = [
        f"POST {address} HTTP/1.1",
        "Host: 127.0.0.1",
        f"Content-Type: {kind}",
        f"Content-Length: {length}",
    ]
    return "\r\n".join([*lines, "", ""]).encode()


@contextmanager
def trickling(port: int, count: int) -> Iterator[list[socket.socket]]:
    """Uploads that never end: each sends the beginning of a photo, then a byte now and then."""
    begun = head("/scan", "multipart/form-data; boundary=x", 4_000_000) + (
        b'--x\r\nContent-Disposition: form-data; name="photo"; filename="a.jpg"\r\n\r\n\xff\xd8'
    )
    clients = [socket.create_connection(("127.0.0.1", port)) for _ in range(count)]
    done = threading.Event()

    def trickle() -> None:
        while not done.wait(0.2):
            for client in clients:
                with suppress(OSError):  # it was dropped
                    client.send(b"\xff")

    for client in clients:
        client.sendall(begun)
    thread = threading.Thread(target=trickle)
    thread.start()
    try:
        yield clients
    finally:
        done.set()
        thread.join()
        for client in clients:
            client.close()


def send(port: int) -> httpx.Response:
    return httpx.post(
        f"http://127.0.0.1:{port}/scan", files={"photo": PHOTO.read_bytes()}, timeout=60
    )


def answer_of(client: socket.socket) -> bytes:
    """All that is answered until the service ends the connection."""
    client.settimeout(60)
    received = b""
    while more := client.recv(65536):
        received += more
    return received


def test_uploads_that_trickle_keep_no_photo_out(port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(uploads, "MIN_AGE", 0.5)
    with trickling(port, MANY):
        assert [send(port).status_code for _ in range(3)] == [303, 303, 303]


def test_where_uploads_that_trickle_take_all_places_photos_come_first(
    port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(uploads, "MIN_AGE", 0.5)
    with trickling(port, 2 * uploads.MAX_UNFINISHED):
        assert send(port).status_code == 303


def test_two_hundred_uploads_at_one_moment_wait_for_each_other(
    port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(secure, "SECONDS_TO_ASK", 120)  # one client with so many is slow to ask

    async def all_at_once() -> list[int]:
        async with httpx.AsyncClient(timeout=300, limits=httpx.Limits(max_connections=200)) as one:
            letter = {"photo": b"Dear Anna, 73 points!"}
            address = f"http://127.0.0.1:{port}/scan"
            sent = [one.post(address, files=letter) for _ in range(200)]
            return [answer.status_code for answer in await asyncio.gather(*sent)]

    assert asyncio.run(all_at_once()) == [415] * 200


def test_an_upload_that_trickles_is_ended(port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(uploads, "GRACE_SECONDS", 1)
    with trickling(port, 1) as (client,):
        answer = answer_of(client)
    assert answer.startswith(b"HTTP/1.1 408")
    assert b"After 1 seconds the photo had not arrived." in answer


def test_a_form_that_trickles_is_ended(port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    assert send(port).status_code == 303
    monkeypatch.setattr(guard, "MAX_FORM_SECONDS", 1)
    with socket.create_connection(("127.0.0.1", port)) as client:
        client.sendall(head("/result/1/player", "application/x-www-form-urlencoded", 100))
        client.sendall(b"player=A")
        answer = answer_of(client)
    assert answer.startswith(b"HTTP/1.1 408")


def test_bytes_buy_time() -> None:
    assert allowed_seconds(0) == uploads.GRACE_SECONDS
    steady = [seconds for seconds in range(200) if seconds < allowed_seconds(50_000 * seconds)]
    assert steady == list(range(uploads.MAX_SECONDS))
    trickle = [seconds for seconds in range(200) if seconds < allowed_seconds(5 * seconds)]
    assert max(trickle) <= uploads.GRACE_SECONDS


async def chunks(size: int, pause: float, count: int) -> AsyncIterator[bytes]:
    for _ in range(count):
        yield bytes(size)
        await asyncio.sleep(pause)


async def arrived(line: Arrivals, size: int, pause: float, count: int) -> int:
    async with line.place() as arrival:
        async for _ in arrival.counted(chunks(size, pause, count)):
            pass
    return arrival.received


def test_the_slowest_gives_way(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(uploads, "MIN_AGE", 0.1)

    async def all_at_once() -> list[int | BaseException]:
        line = Arrivals(2)
        fair = asyncio.create_task(arrived(line, 20_000, 0.05, 10))
        slow = asyncio.create_task(arrived(line, 1, 0.05, 1000))
        await asyncio.sleep(0.3)
        late = asyncio.create_task(arrived(line, 50_000, 0.01, 5))
        return await asyncio.gather(fair, slow, late, return_exceptions=True)

    fair, slow, late = asyncio.run(all_at_once())
    assert (fair, late) == (200_000, 250_000)
    assert isinstance(slow, UploadTooSlow)


def test_fast_uploads_give_way_to_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(uploads, "MIN_AGE", 0.1)
    ended: list[str] = []

    async def named(name: str, upload: Coroutine[None, None, int]) -> int:
        received = await upload
        ended.append(name)
        return received

    async def all_at_once() -> list[int]:
        line = Arrivals(1)
        fast = asyncio.create_task(named("fast", arrived(line, 100_000, 0.05, 10)))
        await asyncio.sleep(0.2)
        late = [asyncio.create_task(named(each, arrived(line, 1, 0, 1))) for each in "ab"]
        return await asyncio.gather(fast, *late)

    assert asyncio.run(all_at_once()) == [1_000_000, 1, 1]
    assert ended == ["fast", "a", "b"]


def test_a_line_that_is_too_long_takes_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(uploads, "MAX_IN_LINE", 1)

    async def all_at_once() -> list[int | BaseException]:
        line = Arrivals(1)
        uploads = [asyncio.create_task(arrived(line, 100_000, 0.05, 4)) for _ in range(3)]
        return await asyncio.gather(*uploads, return_exceptions=True)

    first, second, third = asyncio.run(all_at_once())
    assert (first, second) == (400_000, 400_000)
    assert isinstance(third, ServerBusy)
