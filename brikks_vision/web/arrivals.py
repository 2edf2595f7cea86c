"""The uploads that are still arriving: how slow they may be, and how many there may be.

Uploads that trickle must not keep photos out. They hold no place in the line of readers: a photo
takes one only when it is complete. Each must arrive at a minimal rate, and where there are too many
at once, the slowest gives way. Others wait in a line, and nothing of them is read meanwhile.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from brikks_vision.errors import ServerBusy, UploadTooSlow
from brikks_vision.intake.readers import Readers

MAX_UNFINISHED = 32  # uploads
MAX_IN_LINE = 250  # uploads beside them that have not begun; each holds a connection
CHECK_SECONDS = 0.1  # between two checks by the first in the line
MAX_SECONDS = 120  # that a photo may take to arrive
GRACE_SECONDS = 10  # that pass before a rate counts: a phone wakes its radio, walks to the door
MIN_RATE = 10_000  # bytes a second; weak wireless networks still bring ten times as much
# Where there is no place left:
MIN_AGE = 2  # seconds that an upload has before it may have to give way
SAFE_RATE = 200_000  # bytes a second at which it never has to: 4 MB in 20 s


@dataclass(eq=False)
class Arrival:
    """An upload that is arriving.

    started : seconds of the event loop's clock. received : bytes. has_to_go : its place is taken.
    """

    started: float
    limit: asyncio.Timeout
    received: int = 0
    has_to_go: bool = False

    async def counted(self, chunks: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
        """The chunks of the upload; each buys it time."""
        async for chunk in chunks:
            self.received += len(chunk)
            if not self.has_to_go:
                self.limit.reschedule(self.started + allowed_seconds(self.received))
            yield chunk

    def rate(self, now: float) -> float:
        """Bytes a second since it started."""
        return self.received / max(now - self.started, 1e-3)


class Arrivals:
    """The uploads that are arriving, at most ``places`` of them."""

    def __init__(self, places: int = MAX_UNFINISHED) -> None:
        self._places = places
        self._unfinished: list[Arrival] = []
        self._line, self._in_line = asyncio.Lock(), 0

    @asynccontextmanager
    async def place(self, readers: Readers | None = None) -> AsyncIterator[Arrival]:
        """A place for an upload until it is complete; waits in the line for one.

        readers : who reads it then: there is a place free among them as well.

        Raises
        ------
        ServerBusy
            The line is too long.
        UploadTooSlow
            It fell below the minimal rate, took too long, or gave way to another.
        """
        now = asyncio.get_running_loop().time
        if self._in_line >= MAX_IN_LINE:
            raise ServerBusy
        self._in_line += 1
        try:
            async with self._line:  # first come, first served
                while not self._has_room(now(), readers):
                    await asyncio.sleep(CHECK_SECONDS)
        finally:
            self._in_line -= 1
        started = now()
        limit = asyncio.timeout_at(started + allowed_seconds(0))
        arrival = Arrival(started, limit)
        self._unfinished.append(arrival)
        try:
            async with limit:
                yield arrival
        except TimeoutError:
            if not limit.expired():
                raise
            raise UploadTooSlow(round(now() - started)) from None
        finally:
            if arrival in self._unfinished:
                self._unfinished.remove(arrival)

    def _has_room(self, now: float, readers: Readers | None) -> bool:
        """Whether another upload may begin; the slowest may have to make room for it."""
        if readers is not None and not readers.free:
            return False
        if len(self._unfinished) < self._places:
            return True
        slow = [
            arrival
            for arrival in self._unfinished
            if now - arrival.started >= MIN_AGE and arrival.rate(now) < SAFE_RATE
        ]
        if not slow:
            return False
        slowest = min(slow, key=lambda arrival: arrival.rate(now))
        self._unfinished.remove(slowest)
        slowest.has_to_go = True
        slowest.limit.reschedule(now)
        return True


def allowed_seconds(received: int) -> float:
    """How long an upload may have taken when so many bytes of it have arrived.

    >>> allowed_seconds(0), allowed_seconds(500_000), allowed_seconds(4_000_000)
    (10.0, 60.0, 120.0)
    """
    return float(min(MAX_SECONDS, GRACE_SECONDS + received / MIN_RATE))
