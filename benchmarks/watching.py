"""Photos dropped into a folder that is watched by a process that is killed again and again."""

from __future__ import annotations

import hashlib
import os
import random
import threading
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.harness import command
from brikks_vision.record.database import open_record
from brikks_vision.record.photos import count_photos
from brikks_vision.record.results import list_results, readings_of

FIXTURES = Path(__file__).parent.parent / "tests" / "fixtures"
SHEETS = ("worked-example", "good-art", "hard-arcade", "good-arcade", "landscape", "exif")
EVENING = 1_773_500_000.0  # s since 1970
APART = 2 * 3600.0  # s between photos: more than between photos of one sheet
BURST = 8  # photos
MAX_RUN = 600.0  # s for the last run to record the rest


@dataclass(frozen=True)
class Photo:
    """A photo to drop; ``modified``: s since 1970."""

    name: str
    data: bytes
    modified: float


@dataclass(frozen=True)
class Outcome:
    """``lost`` and ``doubled``: names of photos. ``touched``: originals that have changed."""

    photos: int
    results: int
    lost: tuple[str, ...]
    doubled: tuple[str, ...]
    touched: tuple[str, ...]
    is_sound: bool

    @property
    def is_right(self) -> bool:
        wrong = self.lost or self.doubled or self.touched or not self.is_sound
        return self.results == self.photos and not wrong


def different_photos(count: int) -> list[Photo]:
    """Photos of sheets, no two alike: each with bytes of its own after the end of the picture."""
    files = [(FIXTURES / f"{name}.jpg").read_bytes() for name in SHEETS]
    return [
        Photo(
            f"IMG_{number:04d}.jpg",
            files[number % len(files)] + f"\nnumber {number}".encode(),
            EVENING + APART * number,
        )
        for number in range(count)
    ]


def drop(folder: Path, photo: Photo, dice: random.Random) -> None:
    """Let a photo arrive as phones, browsers and people let it."""
    times = (photo.modified, photo.modified)
    path = folder / photo.name
    way = dice.choice(("renamed", "syncthing", "slow", "copied"))
    if way == "slow":
        middle = dice.randrange(len(photo.data))
        with path.open("wb") as file:
            for part in (photo.data[:middle], photo.data[middle:]):
                file.write(part)
                file.flush()
                os.utime(path, times)
                time.sleep(dice.uniform(0, 0.3))
        os.utime(path, times)
        return
    beside = folder / (f".syncthing.{photo.name}.tmp" if way == "syncthing" else f"{path}.part")
    beside.write_bytes(photo.data)
    os.utime(beside, times)
    beside.rename(path)
    if way == "copied":
        twin = folder / f"{path.stem} (1).jpg"
        twin.write_bytes(photo.data)
        os.utime(twin, times)


def kill_and_count(
    folder: Path, database: Path, photos: Sequence[Photo], kills: int, seed: int
) -> Outcome:
    """Drop the photos while the watching process is killed; ``seed``: of all that is random."""
    dice = random.Random(seed)
    dropper = threading.Thread(target=_drop_all, args=(folder, photos, random.Random(seed + 1)))
    dropper.start()
    share = max(1, len(photos) // (kills + 1))
    words = ("watch", folder, "--db", database)
    for number in range(kills):
        with command(*words) as process:
            if number % 3 == 0:  # while it starts
                time.sleep(dice.uniform(0, 2))
            else:
                target = min(len(photos) - 1, _recorded(database) + dice.randint(1, share))
                _wait_for(database, target, 60.0)
                time.sleep(dice.uniform(0, 0.4))
            process.kill()
    dropper.join()
    with command(*words):
        _wait_for(database, len(photos), MAX_RUN)
        time.sleep(2.5)  # for what would be recorded twice
    return _outcome(folder, database, photos)


def _drop_all(folder: Path, photos: Sequence[Photo], dice: random.Random) -> None:
    for number, photo in enumerate(photos):
        drop(folder, photo, dice)
        if number % BURST == BURST - 1:
            time.sleep(dice.uniform(0, 2))


def _recorded(database: Path) -> int:
    if not database.exists():
        return 0
    with open_record(database) as record:
        return count_photos(record)


def _wait_for(database: Path, count: int, seconds: float) -> None:
    give_up = time.monotonic() + seconds
    while _recorded(database) < count and time.monotonic() < give_up:
        time.sleep(0.1)


def _outcome(folder: Path, database: Path, photos: Sequence[Photo]) -> Outcome:
    names = {hashlib.sha256(photo.data).hexdigest(): photo.name for photo in photos}
    with open_record(database) as record:
        results = list_results(record)
        read = Counter(
            facts.sha256 for result in results for facts, _ in readings_of(record, result.id)
        )
        (state,) = record.connection.execute("PRAGMA integrity_check").fetchone()
    return Outcome(
        len(photos),
        len(results),
        tuple(name for content, name in names.items() if content not in read),
        tuple(names.get(content, content) for content, n in read.items() if n > 1),
        tuple(each.name for each in photos if (folder / each.name).read_bytes() != each.data),
        state == "ok",
    )
