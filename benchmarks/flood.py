"""A flood of photos on the page: is every request answered, is no accepted photo lost?

Starts ``brikks-scan serve`` on this computer alone, with a record of its own. A photo counts as
accepted when the answer is its result; it must then be in the record. Photos that are turned away
(503) are sent again, as a person would. Beside them uploads may trickle: each sends ten bytes every
two seconds, and begins anew when it is dropped.
"""

from __future__ import annotations

import hashlib
import os
import socket
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import httpx

from brikks_vision.commands.serve import listen
from brikks_vision.record.database import open_record
from brikks_vision.record.photos import find_photo

PHOTO = Path("samples/arcade.jpg")
TRICKLE_BYTES, TRICKLE_SECONDS = 10, 2.0
MAX_MEGABYTES = 1500  # of all its processes: far less than all photos at once would need
LONGEST = 120.0  # seconds for one answer
TRIES = 100


def photo_number(number: int) -> bytes:
    """The sample as another photo: bytes after the end of a JPEG are no part of the picture."""
    return PHOTO.read_bytes() + f"photo {number}".encode()


def megabytes_of(process: int) -> float:
    """Memory (resident) of a process and all that it started; Linux only, else 0."""
    total, waiting = 0.0, [process]
    while waiting:
        each = waiting.pop()
        with suppress(OSError, ValueError):
            pages = int(Path(f"/proc/{each}/statm").read_text().split()[1])
            total += pages * os.sysconf("SC_PAGE_SIZE") / 1e6
            for thread in Path(f"/proc/{each}/task").iterdir():
                waiting += map(int, (thread / "children").read_text().split())
    return total


def send(client: httpx.Client, number: int, answers: Counter[int]) -> str | None:
    """Send a photo until it is accepted; its hash, or None where it never was."""
    data = photo_number(number)
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
def trickling(port: int, count: int) -> Iterator[Counter[str]]:
    """Uploads that never end; counts how often one began and was dropped."""
    told = Counter[str]()
    done = threading.Event()
    begun = (
        f"POST /scan HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Length: 4000000\r\n"
        "Content-Type: multipart/form-data; boundary=x\r\n\r\n--x\r\n"
        'Content-Disposition: form-data; name="photo"; filename="a.jpg"\r\n\r\n'
    ).encode()

    def trickle() -> None:
        while not done.is_set():
            with suppress(OSError), socket.create_connection(("127.0.0.1", port), 5) as client:
                client.sendall(begun)
                told["begun"] += 1
                client.settimeout(TRICKLE_SECONDS)
                while not done.is_set():
                    client.sendall(bytes(TRICKLE_BYTES))
                    with suppress(TimeoutError):
                        client.recv(65536)  # an answer: it was dropped
                        told["dropped"] += 1
                        break
            done.wait(0.2)

    threads = [threading.Thread(target=trickle) for _ in range(count)]
    for thread in threads:
        thread.start()
    try:
        yield told
    finally:
        done.set()
        for thread in threads:
            thread.join()


@dataclass(frozen=True)
class Flooded:
    """What was counted. megabytes: of all processes, before and at most."""

    requests: int
    answers: Mapping[int, int]
    begun: int
    dropped: int
    never: int
    lost: int
    megabytes: tuple[float, float]
    errors: str
    seconds: float

    @property
    def is_right(self) -> bool:
        wrong = self.lost or self.never or self.errors
        return not wrong and self.megabytes[1] < MAX_MEGABYTES


def flood(requests: int, at_once: int, tricklers: int = 0) -> Flooded:
    with TemporaryDirectory() as folder:
        record_path = Path(folder) / "record.sqlite3"
        with listen("127.0.0.1", 0) as probe:
            port = probe.getsockname()[1]
        command = [sys.executable, "-m", "brikks_vision", "serve", "--port", str(port)]
        service = subprocess.Popen(
            [*command, "--db", str(record_path)], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
        )
        address = f"http://127.0.0.1:{port}"
        try:
            wait_for(address)
            before = megabytes_of(service.pid)
            most, answers = [before], Counter[int]()
            done = threading.Event()

            def watch() -> None:
                while not done.wait(0.1):
                    most.append(megabytes_of(service.pid))

            watcher = threading.Thread(target=watch)
            watcher.start()
            with (
                trickling(port, tricklers) as trickled,
                httpx.Client(base_url=address, timeout=LONGEST) as client,
                ThreadPoolExecutor(at_once) as pool,
            ):
                time.sleep(1.0 if tricklers else 0.0)  # they are there first
                start = time.monotonic()
                accepted = list(pool.map(lambda n: send(client, n, answers), range(requests)))
                seconds = time.monotonic() - start
            done.set()
            watcher.join()
        finally:
            service.terminate()
            _, errors = service.communicate(timeout=60)
        with open_record(record_path) as record:
            lost = sum(each is not None and find_photo(record, each) is None for each in accepted)
        return Flooded(
            requests, answers, trickled["begun"], trickled["dropped"], accepted.count(None), lost,
            (before, max(most)), errors.decode(), seconds,
        )  # fmt: skip


def wait_for(address: str) -> None:
    """Until the service answers."""
    for _ in range(300):
        with suppress(httpx.TransportError):
            httpx.get(address, timeout=5)
            return
        time.sleep(0.1)
    raise SystemExit("the service did not start")
