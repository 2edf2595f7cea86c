"""Broken files through the scanner: ``python -m benchmarks.mutations --count 10000 --seed 1``.

Files of every format, made from the photos of ``tests/fixtures``, are truncated, bit-flipped,
spliced and given absurd headers, and read with `brikks_vision.scan`, all in one process. Each must
be answered, by a reading or a named error, within 2 s and 1 GB. Prints a summary and what broke;
exits with 1 if anything did. ``--number N`` writes mutation N to a file instead of reading any.
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
from argparse import ArgumentParser, Namespace
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from multiprocessing.connection import Connection
from pathlib import Path

import pillow_heif
from PIL import Image as PillowImage

from benchmarks.harness import Table, print_table

FIXTURES = Path(__file__).resolve().parents[1] / "tests" / "fixtures"
PHOTOS = ("scan-printed.jpg", "good-arcade.jpg", "bad-table.jpg")
LONG_SIDE = 600  # px of the files that are mutated

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
        transparent = picture.convert("RGBA")
        transparent.putalpha(picture.convert("L"))
        varieties: list[tuple[str, PillowImage.Image, str, dict[str, object]]] = [
            ("baseline.jpg", picture, "JPEG", {"exif": exif.tobytes()}),
            ("progressive.jpg", picture, "JPEG", {"progressive": True}),
            ("grey.jpg", picture.convert("L"), "JPEG", {}),
            ("print.jpg", picture.convert("CMYK"), "JPEG", {}),
            ("color.png", small, "PNG", {"exif": exif.tobytes()}),
            ("palette.png", picture.quantize(32), "PNG", {}),
            ("transparent.png", transparent.resize(small.size), "PNG", {}),
            ("lossy.webp", picture, "WEBP", {"exif": exif.tobytes()}),
            ("lossless.webp", small, "WEBP", {"lossless": True}),
            ("transparent.webp", transparent, "WEBP", {}),
            ("photo.heic", picture, "HEIF", {"exif": exif.tobytes()}),
            ("transparent.heic", transparent, "HEIF", {}),
        ]
        for name, image, kind, settings in varieties:
            buffer = io.BytesIO()
            image.save(buffer, kind, **settings)
            files[f"{Path(photo).stem}-{name}"] = buffer.getvalue()
    return files


# --- ways to break them --------------------------------------------------------------------------


def _truncate(rng: random.Random, data: bytearray, other: bytes) -> bytearray:
    return data[: rng.randrange(len(data))]


def _flip_bits(rng: random.Random, data: bytearray, other: bytes) -> bytearray:
    """A few bits anywhere."""
    for _ in range(rng.choice((1, 2, 8, 64, 512))):
        data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
    return data


def _flip_header_bits(rng: random.Random, data: bytearray, other: bytes) -> bytearray:
    for _ in range(rng.choice((1, 2, 4))):
        data[rng.randrange(min(len(data), 400))] ^= 1 << rng.randrange(8)
    return data


def _random_bytes(rng: random.Random, data: bytearray, other: bytes) -> bytearray:
    at, length = rng.randrange(len(data)), rng.randint(1, 300)
    data[at : at + length] = rng.randbytes(length)
    return data


def _splice(rng: random.Random, data: bytearray, other: bytes) -> bytearray:
    """A block taken out, doubled, or replaced by one of another file."""
    at, length = rng.randrange(len(data)), rng.randint(1, len(data) // 3)
    kind = rng.randrange(4)
    if kind == 0:
        del data[at : at + length]
    elif kind == 1:
        data[at:at] = data[at : at + length]
    else:
        start = rng.randrange(len(other))
        piece = other[start : start + length]
        data[at : at + (len(piece) if kind == 2 else 0)] = piece
    return data


def _other_end(rng: random.Random, data: bytearray, other: bytes) -> bytearray:
    """The beginning of one file and the end of another."""
    return data[: rng.randrange(len(data))] + other[rng.randrange(len(other)) :]


def _absurd_number(rng: random.Random, length: int) -> int:
    largest = 256**length - 1
    numbers = (0, 1, 2, largest, largest // 2, largest // 2 + 1, largest - 7)
    return rng.choice((*numbers, rng.randint(0, largest), rng.randint(0, min(largest, 20_000))))


def _put(rng: random.Random, data: bytearray, at: int, length: int) -> None:
    order = rng.choice(("big", "little"))
    data[at : at + length] = _absurd_number(rng, length).to_bytes(length, order)


def _absurd_header(rng: random.Random, data: bytearray, other: bytes) -> bytearray:
    """Sizes and lengths in the format's own fields that no picture has."""
    fields = list(header_fields(bytes(data)))
    if not fields:  # what came before left none
        return data
    for _ in range(rng.choice((1, 1, 2, 4))):
        at, length = rng.choice(fields)
        _put(rng, data, at, length)
    return _with_right_checksums(data) if rng.random() < 0.8 else data


def _absurd_sizes(rng: random.Random, data: bytearray, other: bytes) -> bytearray:
    """Width and height alone: the picture claims to be far larger than it is."""
    sizes = [field for field in header_fields(bytes(data)) if field in _size_fields(bytes(data))]
    for at, length in sizes:
        _put(rng, data, at, length)
    return _with_right_checksums(data)


def _absurd_exif(rng: random.Random, data: bytearray, other: bytes) -> bytearray:
    """Counts, offsets and types in the EXIF directory; without one, elsewhere in the header."""
    start = max(data.find(b"MM\0*"), data.find(b"II*\0"))
    if start < 0:
        return _absurd_header(rng, data, other)
    for _ in range(rng.randint(1, 4)):
        _put(rng, data, start + rng.randrange(4, 44), rng.choice((1, 2, 4)))
    return _with_right_checksums(data)


def _broken_pixels(rng: random.Random, data: bytearray, other: bytes) -> bytearray:
    """Bits of the pixel data, with the checksums put right, so that decoders believe them."""
    for _ in range(rng.choice((1, 4, 32))):
        data[rng.randrange(len(data) // 2, len(data))] ^= 1 << rng.randrange(8)
    return _with_right_checksums(data)


MUTATIONS: tuple[Mutation, ...] = (
    _truncate,
    _flip_bits,
    _flip_header_bits,
    _random_bytes,
    _splice,
    _other_end,
    _absurd_header,
    _absurd_sizes,
    _absurd_exif,
    _broken_pixels,
)


# --- where formats keep their sizes and lengths --------------------------------------------------

Field = tuple[int, int]  # position and length in bytes


def header_fields(data: bytes) -> Iterator[Field]:
    """Every size, length and count that the format's structure rests on."""
    if data.startswith(b"\xff\xd8"):
        yield from _jpeg_fields(data)
    elif data.startswith(b"\x89PNG"):
        yield from _png_fields(data)
    elif data.startswith(b"RIFF"):
        yield from _webp_fields(data)
    else:
        yield from _heic_fields(data)


def _size_fields(data: bytes) -> set[Field]:
    if data.startswith(b"\xff\xd8"):
        return {field for field in _jpeg_fields(data) if field[1] == 2 and field[0] in _sof(data)}
    if data.startswith(b"\x89PNG"):
        return {(16, 4), (20, 4)}
    if data.startswith(b"RIFF"):
        return {field for field in _webp_fields(data) if field[0] > 20}
    at = data.find(b"ispe")
    return {(at + 8, 4), (at + 12, 4)}


def _sof(data: bytes) -> set[int]:
    """Positions of height and width in the first start-of-frame segment."""
    starts = [at for at in (data.find(b"\xff\xc0"), data.find(b"\xff\xc2")) if at >= 0]
    return {start + offset for start in starts[:1] for offset in (5, 7)}


def _jpeg_fields(data: bytes) -> Iterator[Field]:
    at = 2
    while at + 4 < len(data):
        marker, length = data[at + 1], int.from_bytes(data[at + 2 : at + 4], "big")
        yield at + 1, 1
        yield at + 2, 2
        if marker in (0xC0, 0xC2):
            yield from ((at + 4, 1), (at + 5, 2), (at + 7, 2), (at + 9, 1), (at + 11, 1))
        elif marker == 0xDA:
            yield at + 4, 1
            return
        else:
            yield at + 4, 1
        at += 2 + length


def _png_fields(data: bytes) -> Iterator[Field]:
    yield from ((16, 4), (20, 4), (24, 1), (25, 1), (28, 1))
    for start, length in _png_chunks(data):
        yield start, 4
        if length:
            yield start + 8, 1


def _png_chunks(data: bytes) -> Iterator[tuple[int, int]]:
    """Start and content length of each chunk."""
    at = 8
    while at + 12 <= len(data):
        length = int.from_bytes(data[at : at + 4], "big")
        yield at, length
        at += 12 + length


def _webp_fields(data: bytes) -> Iterator[Field]:
    yield 4, 4
    at = 12
    while at + 8 <= len(data):
        kind, length = data[at : at + 4], int.from_bytes(data[at + 4 : at + 8], "little")
        yield at + 4, 4
        if kind == b"VP8X":
            yield from ((at + 8, 1), (at + 12, 3), (at + 15, 3))
        elif kind == b"VP8L":
            yield at + 9, 4
        elif kind == b"VP8 ":
            yield from ((at + 8, 3), (at + 14, 2), (at + 16, 2))
        at += 8 + length + length % 2


def _heic_fields(data: bytes) -> Iterator[Field]:
    for kind in (b"ftyp", b"meta", b"iinf", b"iloc", b"ipma", b"iprp", b"ipco", b"ispe", b"mdat",
                 b"hvcC", b"irot", b"pixi", b"auxC", b"iref"):  # fmt: skip
        at = data.find(kind)
        if at >= 4:
            yield at - 4, 4
            yield at + 8, 2
            yield at + 12, 4


def _with_right_checksums(data: bytearray) -> bytearray:
    """A PNG's checksums made to fit its contents; other formats have none."""
    if data.startswith(b"\x89PNG"):
        for start, length in _png_chunks(bytes(data)):
            end = start + 8 + length
            if end + 4 <= len(data):
                data[end : end + 4] = zlib.crc32(data[start + 4 : end]).to_bytes(4, "big")
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
    found = [ending] if ending else []
    memory = 0
    for outcome in outcomes:
        wrong = []
        if not outcome.is_named:
            wrong.append(f"failed with {outcome.answer}")
        if outcome.seconds > SLOWEST:
            wrong.append(f"took {outcome.seconds:.1f} s")
        if outcome.memory > MAX_MEMORY and outcome.memory > memory:
            wrong.append(f"held {outcome.memory / 1e6:.0f} MB")
        memory = max(memory, outcome.memory)
        if wrong:
            what = mutant(seed, outcome.number)[0]
            found.append(f"mutation {outcome.number} ({what}) {', '.join(wrong)}")
    return found


def parser() -> ArgumentParser:
    found = ArgumentParser(description=__doc__)
    found.add_argument("--count", type=int, default=10_000)
    found.add_argument("--seed", type=int, default=1)
    found.add_argument("--number", type=int)
    return found


def measure(options: Namespace) -> list[Table]:
    """A summary, the answers, and what happened that must not happen."""
    outcomes, ending = read_mutants(options.seed, options.count)
    broken = breaches(outcomes, ending, options.seed)
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


def main() -> None:
    options = parser().parse_args()
    if options.number is not None:
        what, data = mutant(options.seed, options.number)
        path = Path(f"mutation-{options.seed}-{options.number}.bin")
        path.write_bytes(data)
        print(f"{path}  {what}")
        return
    tables = measure(options)
    for table in tables:
        print_table(table)
    raise SystemExit(len(tables[-1]) > 1)


if __name__ == "__main__":
    main()
