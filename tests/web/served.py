"""The service with a real server, on this computer only."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from brikks_vision.commands.serve import listen
from brikks_vision.web.app import new_service
from brikks_vision.web.connections import MAX_CONNECTIONS, server_of
from brikks_vision.web.guard import access_for


@contextmanager
def served(folder: Path, key: str | None = None, most: int = MAX_CONNECTIONS) -> Iterator[int]:
    """A service that runs; its port. most : connections at once."""
    access = access_for("127.0.0.1", key)
    server = server_of(new_service(folder / "record.sqlite3", access, processes=1), access, most)
    server.config.timeout_graceful_shutdown = 1
    listener = listen("127.0.0.1", 0)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
    thread.start()
    while not server.started:
        time.sleep(0.05)
    yield int(listener.getsockname()[1])
    server.should_exit = True
    thread.join(30)
    listener.close()
