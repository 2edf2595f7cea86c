"""What the installed command says to everything that is no readable photo."""

import json
import os
import subprocess
import sysconfig
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from brikks_vision.pipeline import scan, scan_all
from brikks_vision.reading import Status
from tests.command_line import Run
from tests.png_headers import png_claiming

FIXTURES = Path(__file__).parent / "fixtures"
COMMAND = Path(sysconfig.get_path("scripts")) / (
    "brikks-scan.exe" if os.name == "nt" else "brikks-scan"
)
UNREADABLE, WRONG_USE = 1, 2


@dataclass(frozen=True)
class Answer:
    code: int
    out: str
    err: str


Scan = Callable[..., Answer]


def brikks_scan(*words: object, language: str = "en_GB.UTF-8") -> Answer:
    environment = {
        name: value for name, value in os.environ.items() if not name.startswith(("LC_", "LANG"))
    }
    done = subprocess.run(
        [COMMAND, *map(str, words)],
        capture_output=True,
        encoding="utf-8",
        env={**environment, "LANG": language},
        timeout=60,
    )
    return Answer(done.returncode, done.stdout, done.stderr)


@pytest.fixture
def scan_here(run: Run, observed_once: None, monkeypatch: pytest.MonkeyPatch) -> Scan:
    """As `brikks_scan`, in this process: what libraries in C write themselves is not caught."""

    def scan_with(*words: object, language: str = "en_GB.UTF-8") -> Answer:
        monkeypatch.setenv("LANG", language)
        return Answer(*run(*words))

    return scan_with


HUGE = png_claiming(60_000, 60_000)
BAD_FILES = {
    "empty.jpg": (b"", "The file is empty."),
    "letter.jpg": (b"Dear Anna, 73 points!", "This is no picture that can be read."),
    "film.heic": (b"\0\0\0\x18ftypisom" + bytes(500), "This is no picture that can be read."),
    "truncated.png": (HUGE[:20], "The file ends in the middle of the picture."),
    "huge.png": (HUGE, "The picture has 3600 megapixels; at most 100 can be read."),
}
BROKEN = {"film.heic", "truncated.png", "bad-half-a-file.jpg"}  # of which decoders say something
BAD_PHOTOS = {
    "bad-half-a-file.jpg": "The file ends in the middle of the picture.",
    "bad-table.jpg": "No game sheet was found in the photo.",
    "bad-cut-off-left.jpg": "The sheet is cut off at the left edge of the photo.",
    "bad-cut-off-bottom.jpg": "The sheet is cut off at the bottom edge of the photo.",
    "bad-back.jpg": "The photo shows the block overview, the back of the sheet.",
    "bad-blurred.jpg": "The photo is too blurred to read.",
    "bad-thumbnail.jpg": "The sheet is too small in the photo to be read.",
}


@pytest.mark.parametrize("name", [*BAD_FILES, *BAD_PHOTOS])
def test_a_photo_that_cannot_be_read(name: str, tmp_path: Path, scan_here: Scan) -> None:
    if name in BAD_FILES:
        content, sentence = BAD_FILES[name]
    else:
        content, sentence = (FIXTURES / name).read_bytes(), BAD_PHOTOS[name]
    photo = tmp_path / name
    photo.write_bytes(content)
    command = brikks_scan if name in BROKEN else scan_here
    answer = command(photo, "--json", "--annotate", tmp_path / "read.jpg")
    assert answer.code == UNREADABLE
    assert answer.err.startswith(f"brikks-scan: {name}: {sentence}")
    assert len(answer.err.splitlines()) == 1
    (line,) = answer.out.splitlines()
    reading = json.loads(line)
    assert (reading["photo"], reading["status"]) == (name, "unreadable")
    assert reading["error"].startswith(sentence)
    assert (reading["grid"], reading["score"]) == ([], None)
    assert list(tmp_path.iterdir()) == [photo]
    assert photo.read_bytes() == content


@pytest.mark.parametrize("size", [(1, 1), (1, 2), (2, 50), (40, 2), (300, 16)])
def test_a_picture_of_a_few_pixels_shows_no_sheet(size: tuple[int, int]) -> None:
    picture = np.full((*size, 3), 7, np.uint8)
    assert scan(picture).status is Status.UNREADABLE
    assert [reading.status for reading in scan_all(picture)] == [Status.UNREADABLE]


@pytest.mark.parametrize("size", [(1, 60_000), (60_000, 2)])
@pytest.mark.parametrize("game", [None, "blox"])
def test_a_strip_shows_no_sheet_and_no_board(size: tuple[int, int], game: str | None) -> None:
    reading = scan(np.full((*size, 3), 200, np.uint8), game=game)
    assert reading.status is Status.UNREADABLE


def test_no_such_file(tmp_path: Path) -> None:
    answer = brikks_scan(tmp_path / "missing.jpg", "--annotate", tmp_path / "read.jpg")
    assert (answer.code, answer.out) == (WRONG_USE, "")
    assert answer.err.startswith("brikks-scan: There is no file ")
    assert len(answer.err.splitlines()) == 1
    assert list(tmp_path.iterdir()) == []


def test_a_folder_without_pictures(tmp_path: Path, scan_here: Scan) -> None:
    (tmp_path / "notes.txt").write_text("total 73")
    answer = scan_here(tmp_path, "--annotate", tmp_path / "read")
    assert (answer.code, answer.out) == (WRONG_USE, "")
    assert answer.err.startswith("brikks-scan: There are no pictures in the folder ")
    assert len(answer.err.splitlines()) == 1
    assert [path.name for path in tmp_path.iterdir()] == ["notes.txt"]


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("de_DE.UTF-8", "Die Datei ist leer."),
        ("fr_FR.UTF-8", "Le fichier est vide."),
        ("es_ES.UTF-8", "El archivo está vacío."),
        ("C", "The file is empty."),
    ],
)
def test_errors_speak_the_systems_language(
    language: str, sentence: str, tmp_path: Path, scan_here: Scan
) -> None:
    (tmp_path / "empty.jpg").touch()
    assert sentence in scan_here(tmp_path / "empty.jpg", language=language).err
