"""Photos of a batch that are read in the test's own process, where what was seen is kept."""

import pickle
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any

import pytest


class WorkersHere:
    """In place of `brikks_vision.intake.workers.Workers`, whose processes start in seconds.

    What becomes of those, and of the photos that they have, tests/intake/test_batch.py tests.
    """

    def __init__(self, work: Callable[[Any], Any], processes: int, seconds: float) -> None:
        self.work = pickle.dumps(work)  # as it goes to a process

    def start(self, task: Any) -> Future[Any]:
        answer = pickle.loads(self.work)(pickle.loads(pickle.dumps(task)))
        future: Future[Any] = Future()
        future.set_result(pickle.loads(pickle.dumps(answer)))
        return future

    def close(self) -> None:
        pass


@pytest.fixture
def workers_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """A batch that the test's command reads starts no process."""
    monkeypatch.setattr("brikks_vision.intake.batch.Workers", WorkersHere)
