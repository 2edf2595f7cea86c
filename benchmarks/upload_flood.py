"""Floods the page with photos: is every request answered, is no accepted photo lost?

Starts ``brikks-scan serve`` on this computer alone, with a record of its own, and sends many photos
at once. A photo counts as accepted when the answer is its result; it must then be in the record.
Photos that are turned away (503) are sent again until they are accepted, as a person would. The
service's memory, its processes together, is watched all along. Beside them, uploads may trickle:
each sends ten bytes every two seconds, and begins anew when it is dropped.

    python -m benchmarks.upload_flood --requests 200 --at-once 16 --tricklers 25
"""

from __future__ import annotations

import argparse
import hashlib
import os
import socket
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory

import httpx

from brikks_vision.commands.serve import listen
from brikks_vision.record.database import open_record
from brikks_vision.record.photos import find_photo

PHOTO = Path("samples/arcade.jpg")
MAX_REQUESTS, MAX_AT_ONCE, MAX_TRICKLERS = 1000, 64, 80
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


def flood(requests: int, at_once: int, tricklers: int = 0) -> bool:
    """Whether all went well; prints what was counted."""
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
        never = accepted.count(None)
        told = ", ".join(f"{status}: {count}" for status, count in sorted(answers.items()))
        print(f"{requests} photos, {at_once} at a time, {seconds:.1f} s; answers {told}")
        if tricklers:
            print(
                f"{tricklers} trickling: {trickled['begun']} begun, {trickled['dropped']} dropped"
            )
        print(f"accepted {requests - never}, lost {lost}, never accepted {never}")
        print(f"memory {before:.0f} MB before, {max(most):.0f} MB at most")
        if errors:
            print(errors.decode(), file=sys.stderr)
        return not lost and not never and not errors and max(most) < MAX_MEGABYTES


def wait_for(address: str) -> None:
    """Until the service answers."""
    for _ in range(300):
        with suppress(httpx.TransportError):
            httpx.get(address, timeout=5)
            return
        time.sleep(0.1)
    raise SystemExit("the service did not start")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--requests", type=int, default=200)
    parser.add_argument("--at-once", type=int, default=16)
    parser.add_argument("--tricklers", type=int, default=0)
    wanted = parser.parse_args()
    requests = min(max(1, wanted.requests), MAX_REQUESTS)
    at_once = min(max(1, wanted.at_once), MAX_AT_ONCE)
    tricklers = min(max(0, wanted.tricklers), MAX_TRICKLERS)
    sys.exit(0 if flood(requests, at_once, tricklers) else 1)


if __name__ == "__main__":
    main()
