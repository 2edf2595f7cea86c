"""Broken files: of every format, truncated, bit-flipped, spliced and given absurd headers.

They are read in one process. Each must be answered, by a reading or a named error, in time.
"""

from __future__ import annotations

import io
import multiprocessing
import os
import random
import re
import resource
import statistics
import sys
import time
import zlib
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import pillow_heif
from PIL import Image as PillowImage

from benchmarks.harness import Table

FIXTURES = Path(__file__).resolve().parents[1] / "tests" / "fixtures"
PHOTOS = ("scan-printed.jpg", "good-arcade.jpg", "bad-table.jpg")
LONG_SIDE = 600  # px of the files that are mutated
HEADER = 400  # bytes at the beginning of a file

SLOWEST = 2.0  # s
MAX_MEMORY = 1_000_000_000  # bytes
HANGING = 60.0  # s without an answer

Mutation = Callable[[random.Random, bytearray, bytes], bytearray]


# --- files to break ------------------------------------------------------------------------------


@cache
def seed_files() -> dict[str, bytes]:
    """Whole pictures by name: every format, and every variety of it that is coded differently."""
    pillow_heif.register_heif_opener()
    exif = PillowImage.Exif()
    exif[0x0112] = 6  # orientation
    exif[0x010F] = "Phone"
    files: dict[str, bytes] = {}
    for photo in PHOTOS:
        with PillowImage.open(FIXTURES / photo) as opened:
            picture = opened.convert("RGB")
        picture.thumbnail((LONG_SIDE, LONG_SIDE))
        small = picture.resize((picture.width // 3, picture.height // 3))
        clear = picture.convert("RGBA")
        clear.putalpha(picture.convert("L"))
        with_exif = {"exif": exif.tobytes()}
        varieties: tuple[tuple[str, PillowImage.Image, dict[str, Any]], ...] = (
            ("baseline.jpg", picture, with_exif),
            ("progressive.jpg", picture, {"progressive": True}),
            ("grey.jpg", picture.convert("L"), {}),
            ("print.jpg", picture.convert("CMYK"), {}),
            ("color.png", small, with_exif),
            ("palette.png", picture.quantize(32), {}),
            ("transparent.png", clear.resize(small.size), {}),
            ("lossy.webp", picture, with_exif),
            ("lossless.webp", small, {"lossless": True}),
            ("transparent.webp", clear, {}),
            ("photo.heic", picture, with_exif),
            ("transparent.heic", clear, {}),
        )
        for name, image, settings in varieties:
            buffer, kind = io.BytesIO(), PillowImage.registered_extensions()[Path(name).suffix]
            image.save(buffer, kind, **settings)
            files[f"{Path(photo).stem}-{name}"] = buffer.getvalue()
    return files


# --- ways to break them --------------------------------------------------------------------------


def _truncate(rng: random.Random, data: bytearray, other: bytes) -> bytearray:
    return data[: rng.randrange(len(data))]


def _flip_bits(rng: random.Random, data: bytearray, other: bytes) -> bytearray:
    """A few bits anywhere."""
    return _flipped(rng, data, 0, len(data), (1, 2, 8, 64, 512))


def _flip_header_bits(rng: random.Random, data: bytearray, other: bytes) -> bytearray:
    return _flipped(rng, data, 0, min(len(data), HEADER), (1, 2, 4))


def _broken_pixels(rng: random.Random, data: bytearray, other: bytes) -> bytearray:
    """Bits of the pixel data, with the checksums put right, so that decoders believe them."""
    return _with_right_checksums(_flipped(rng, data, len(data) // 2, len(data), (1, 4, 32)))


def _flipped(
    rng: random.Random, data: bytearray, start: int, end: int, counts: tuple[int, ...]
) -> bytearray:
    for _ in range(rng.choice(counts)):
        data[rng.randrange(start, end)] ^= 1 << rng.randrange(8)
    return data


def _random_bytes(rng: random.Random, data: bytearray, other: bytes) -> bytearray:
    at, length = rng.randrange(len(data)), rng.randint(1, 300)
    data[at : at + length] = rng.randbytes(length)
    return data


def _splice(rng: random.Random, data: bytearray, other: bytes) -> bytearray:
    """A block taken out, doubled, or replaced by one of another file, or set in beside it."""
    at, length = rng.randrange(len(data)), rng.randint(1, len(data) // 3)
    start = rng.randrange(len(other))
    piece = other[start : start + length]
    here = data[at : at + length]
    data[at : at + length] = rng.choice((b"", here + here, piece, piece + here))
    return data


def _other_end(rng: random.Random, data: bytearray, other: bytes) -> bytearray:
    """The beginning of one file and the end of another."""
    return data[: rng.randrange(len(data))] + other[rng.randrange(len(other)) :]


def _put(rng: random.Random, data: bytearray, at: int, length: int) -> None:
    """Write a number that no picture has."""
    largest = 256**length - 1
    numbers = (0, 1, 2, largest, largest // 2, largest // 2 + 1, largest - 7)
    number = rng.choice((*numbers, rng.randint(0, largest), rng.randint(0, min(largest, 20_000))))
    data[at : at + length] = number.to_bytes(length, rng.choice(("big", "little")))


def _absurd_header(rng: random.Random, data: bytearray, other: bytes) -> bytearray:
    """Where formats keep sizes, lengths, counts and offsets."""
    for _ in range(rng.choice((1, 1, 2, 4))):
        _put(rng, data, rng.randrange(min(len(data), HEADER) - 4), rng.choice((1, 2, 4)))
    return _with_right_checksums(data) if rng.random() < 0.8 else data


def _absurd_sizes(rng: random.Random, data: bytearray, other: bytes) -> bytearray:
    """Width and height alone: the picture claims to be far larger than it is."""
    for at, length in size_fields(bytes(data)):
        _put(rng, data, at, length)
    return _with_right_checksums(data)


MUTATIONS: tuple[Mutation, ...] = (
    _truncate, _flip_bits, _flip_header_bits, _random_bytes, _splice, _other_end, _absurd_header,
    _absurd_sizes, _broken_pixels,
)  # fmt: skip


# --- where formats keep their sizes ---------------------------------------------------------------

Field = tuple[int, int]  # position and length in bytes
SIZES = {  # of width and height, from the start of what bears this sign
    b"\xff\xc0": ((5, 2), (7, 2)), b"\xff\xc2": ((5, 2), (7, 2)), b"IHDR": ((4, 4), (8, 4)),
    b"VP8X": ((12, 3), (15, 3)), b"VP8L": ((9, 4),), b"VP8 ": ((14, 2), (16, 2)),
    b"ispe": ((8, 4), (12, 4)),
}  # fmt: skip


def size_fields(data: bytes) -> Iterator[Field]:
    """Where width and height stand."""
    for sign, fields in SIZES.items():
        if (at := data.find(sign)) >= 0:
            yield from ((at + offset, length) for offset, length in fields)


def _with_right_checksums(data: bytearray) -> bytearray:
    """A PNG's checksums made to fit its contents; other formats have none."""
    at = 8 if data.startswith(b"\x89PNG") else len(data)
    while at + 12 <= len(data):
        end = at + 8 + int.from_bytes(data[at : at + 4], "big")
        if end + 4 <= len(data):
            data[end : end + 4] = zlib.crc32(data[at + 4 : end]).to_bytes(4, "big")
        at = end + 4
    return data


def mutant(seed: int, number: int) -> tuple[str, bytes]:
    """What was done to which file, and the file's bytes; always the same for a seed and number."""
    rng = random.Random(f"{seed} {number}")
    files = seed_files()
    name, other = rng.choice(sorted(files)), rng.choice(sorted(files))
    data, done = bytearray(files[name]), []
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        if len(data) < 64:
            break
        mutate = rng.choice(MUTATIONS)
        data = mutate(rng, data, files[other])
        done.append(mutate.__name__.strip("_").replace("_", " "))
    return f"{name}: {', '.join(done)}", bytes(data)


# --- reading them --------------------------------------------------------------------------------


@dataclass(frozen=True)
class Outcome:
    """``answer``: the status or error; ``seconds`` of one scan; ``memory``: peak so far, bytes."""

    number: int
    answer: str
    seconds: float
    memory: int
    is_named: bool


def peak_memory() -> int:
    """The most memory that this process ever held, in bytes.

    On Linux `resource` tells also of what the program held that this process was started by.
    """
    status = Path("/proc/self/status")
    held = re.search(r"VmHWM:\s*(\d+) kB", status.read_text()) if status.exists() else None
    if held is not None:
        return int(held[1]) * 1024
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit


def read_one(seed: int, number: int) -> Outcome:
    """Scan one mutant."""
    from brikks_vision import scan
    from brikks_vision.errors import BrikksError

    _, data = mutant(seed, number)
    started = time.perf_counter()
    try:
        reading = scan(data)
        answer, is_named = reading.error or str(reading.status), True
    except BrikksError as error:
        answer, is_named = type(error).__name__, True
    except Exception as error:
        answer, is_named = f"{type(error).__name__}: {error}", False
    seconds = time.perf_counter() - started
    return Outcome(number, answer.split(". ")[0], seconds, peak_memory(), is_named)


def _read_all(seed: int, count: int, results: Connection) -> None:
    """The process that reads; decoders' own warnings are none of the scanner's words."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stderr.fileno())
    for number in range(count):
        results.send(read_one(seed, number))


def read_mutants(seed: int, count: int) -> tuple[list[Outcome], str]:
    """The outcomes of one process, in order, and how that process ended early ("": it did not)."""
    context = multiprocessing.get_context("spawn")
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=_read_all, args=(seed, count, sender), daemon=True)
    process.start()
    sender.close()
    outcomes: list[Outcome] = []
    ending = ""
    try:
        while len(outcomes) < count:
            if not receiver.poll(HANGING):
                ending = f"mutation {len(outcomes)} is not answered within {HANGING:.0f} s"
                process.kill()
                break
            outcomes.append(receiver.recv())
    except EOFError:
        process.join()
        ending = f"mutation {len(outcomes)} ended the process with code {process.exitcode}"
    process.join()
    return outcomes, ending


def breaches(outcomes: list[Outcome], ending: str, seed: int) -> list[str]:
    """What must not happen and did, one line each."""
    found, memory = [ending] if ending else [], 0
    for each in outcomes:
        is_large = each.memory > max(MAX_MEMORY, memory)
        memory = max(memory, each.memory)
        wrong = [
            *([] if each.is_named else [f"failed with {each.answer}"]),
            *([f"took {each.seconds:.1f} s"] if each.seconds > SLOWEST else []),
            *([f"held {each.memory / 1e6:.0f} MB"] if is_large else []),
        ]
        if wrong:
            what = mutant(seed, each.number)[0]
            found.append(f"mutation {each.number} ({what}) {', '.join(wrong)}")
    return found


def tables(seed: int, count: int) -> list[Table]:
    """A summary, the answers, and what happened that must not happen."""
    outcomes, ending = read_mutants(seed, count)
    broken = breaches(outcomes, ending, seed)
    answers = Counter(re.sub(r"\d+", "#", outcome.answer) for outcome in outcomes)
    times = [1000 * outcome.seconds for outcome in outcomes] or [0.0]
    memory = outcomes[-1].memory / 1e6 if outcomes else 0.0
    summary = (str(len(outcomes)), f"{statistics.median(times):.0f}", f"{max(times):.0f}",
               f"{memory:.0f}", str(len(broken)))  # fmt: skip
    return [
        [("files", "median, ms", "longest, ms", "peak, MB", "breaches"), summary],
        [("answer", "files"), *((answer, str(n)) for answer, n in answers.most_common())],
        [("breach",), *((line,) for line in broken)],
    ]
