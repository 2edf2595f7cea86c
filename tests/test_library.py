"""What a program that imports the library can rely on."""

from __future__ import annotations

import io
from importlib.metadata import version
from pathlib import Path

import brikks_vision
from brikks_vision import errors, scan, scan_all

SAMPLES = Path(__file__).parents[1] / "samples"


def test_the_version_is_that_of_the_package() -> None:
    assert brikks_vision.__version__ == version("brikks-vision")


def test_an_open_file_is_read_as_the_file_is() -> None:
    path = SAMPLES / "arcade.jpg"
    with path.open("rb") as file:
        reading = scan(file)
        assert not file.closed
    meant = scan(path)
    assert (reading.photo, reading.grid, reading.score) == (meant.photo, meant.grid, meant.score)


def test_bytes_in_memory_are_read_as_a_file_object() -> None:
    (reading,) = scan_all(io.BytesIO((SAMPLES / "printed.jpg").read_bytes()))
    assert (reading.photo, reading.score) == ("photo", scan(SAMPLES / "printed.jpg").score)


def test_a_file_that_is_opened_as_text_is_no_picture() -> None:
    with (SAMPLES / "arcade.jpg").open() as file:
        assert scan(file).error == errors.NotAnImage().text("en")  # type: ignore[arg-type]


def test_a_file_object_without_content_is_an_empty_photo() -> None:
    assert scan(io.BytesIO()).error == errors.PhotoEmpty().text("en")
