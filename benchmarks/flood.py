"""A flood of photos on the page: is every request answered, is no accepted photo lost?

A photo counts as accepted when the answer is its result; it must then be in the record. Photos that
are turned away (503) are sent again, as a person would. Beside them uploads may trickle: each sends
ten bytes every two seconds, and begins anew when it is dropped.
"""

from __future__ import annotations

import hashlib
import socket
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory

import httpx

from benchmarks.harness import Table, memory_of, served
from brikks_vision.record.database import open_record
from brikks_vision.record.photos import find_photo

PHOTO = Path("samples/arcade.jpg")
TRICKLE_BYTES, TRICKLE_SECONDS = 10, 2.0
LONGEST = 120.0  # seconds for one answer
TRIES = 100


def send(client: httpx.Client, number: int, answers: Counter[int]) -> str | None:
    """Send a photo until it is accepted; its hash, or None where it never was."""
    # bytes after the end of a JPEG are no part of the picture
    data = PHOTO.read_bytes() + f"photo {number}".encode()
    for _ in range(TRIES):
        answer = client.post("/scan", files={"photo": (f"{number}.jpg", data)})
        answers[answer.status_code] += 1
        if answer.status_code == 303:
            return hashlib.sha256(data).hexdigest()
        if answer.status_code != 503:
            return None
        time.sleep(0.5)
    return None


@contextmanager
def in_threads(work: Callable[[threading.Event], None], count: int) -> Iterator[None]:
    """Threads that work until the event is set."""
    done = threading.Event()
    threads = [threading.Thread(target=work, args=(done,)) for _ in range(count)]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        done.set()
        for thread in threads:
            thread.join()


def trickle(port: int, told: Counter[str], done: threading.Event) -> None:
    """An upload that never ends."""
    begun = (
        f"POST /scan HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Length: 4000000\r\n"
        "Content-Type: multipart/form-data; boundary=x\r\n\r\n--x\r\n"
        'Content-Disposition: form-data; name="photo"; filename="a.jpg"\r\n\r\n'
    ).encode()
    while not done.is_set():
        with suppress(OSError), socket.create_connection(("127.0.0.1", port), 5) as client:
            client.sendall(begun)
            client.settimeout(TRICKLE_SECONDS)
            while not done.is_set():
                client.sendall(bytes(TRICKLE_BYTES))
                with suppress(TimeoutError):
                    client.recv(65536)  # an answer: it was dropped
                    told["dropped"] += 1
                    break
        done.wait(0.2)


def flood(requests: int, at_once: int, tricklers: int) -> Table:
    with TemporaryDirectory() as folder:
        log, told, answers = Path(folder) / "log.txt", Counter[str](), Counter[int]()
        with served(Path(folder), log) as (port, process):
            taken = [memory_of(process)]

            def watch(done: threading.Event) -> None:
                while not done.wait(0.1):
                    taken.append(memory_of(process))

            with (
                in_threads(watch, 1),
                in_threads(lambda done: trickle(port, told, done), tricklers),
                httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=LONGEST) as client,
                ThreadPoolExecutor(at_once) as pool,
            ):
                time.sleep(1.0 if tricklers else 0.0)  # they are there first
                begun = time.monotonic()
                accepted = list(pool.map(lambda n: send(client, n, answers), range(requests)))
                seconds = time.monotonic() - begun
        print(log.read_text("utf-8", "replace"))
        with open_record(Path(folder) / "record.sqlite3") as record:
            lost = sum(each is not None and find_photo(record, each) is None for each in accepted)
    never = accepted.count(None)
    return [
        ("photos", "at once", "trickling (dropped)", "accepted", "lost", "never accepted",
         "turned away", "MB before", "MB at most", "s"),
        (str(requests), str(at_once), f"{tricklers} ({told['dropped']})", str(requests - never),
         str(lost), str(never), str(answers[503]), f"{taken[0]:.0f}", f"{max(taken):.0f}",
         f"{seconds:.0f}"),
    ]  # fmt: skip
