"""The service with a real server, in a thread of the test."""

import asyncio
import logging
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from brikks_vision.commands.serve import KEY_NAME, kept_key, listen
from brikks_vision.web.app import new_service
from brikks_vision.web.guard import access_for, is_loopback
from brikks_vision.web.secure import MAX_CONNECTIONS, server_of


@contextmanager
def served(
    folder: Path,
    host: str = "127.0.0.1",
    port: int = 0,
    key: str | None = None,
    most: int = MAX_CONNECTIONS,
) -> Iterator[int]:
    """A service that runs; its port. It has failed at no request in the end.

    key : None: as the command has it, one beside the record where others reach it. most :
    connections at once.
    """
    if key is None and not is_loopback(host):
        key = kept_key(folder / KEY_NAME)
    access = access_for(host, key)
    server = server_of(new_service(folder / "record.sqlite3", access, processes=1), access, most)
    server.config.timeout_graceful_shutdown = 1
    listener = listen(host, port)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
    with _failures() as failures:
        thread.start()
        try:
            while not server.started:
                time.sleep(0.01)
            yield int(listener.getsockname()[1])
        finally:
            server.should_exit = True
            thread.join(30)
            listener.close()
    assert failures == []


@contextmanager
def _failures() -> Iterator[list[str]]:
    """What the server tells of requests that ended in an exception."""
    told: list[str] = []

    class Failures(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            ended = record.exc_info and record.exc_info[1]
            if ended and not isinstance(ended, asyncio.CancelledError):  # by the end of the service
                told.append(self.format(record))

    handler, logger = Failures(), logging.getLogger("uvicorn.error")
    logger.addHandler(handler)
    try:
        yield told
    finally:
        logger.removeHandler(handler)
