"""What a program that imports the library can rely on."""

from __future__ import annotations

import doctest
import inspect
import io
import os
import re
import subprocess
import sys
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path

import pytest

import brikks_vision
from brikks_vision import Reading, ReadSheet, errors, scan, scan_all

ROOT = Path(__file__).parents[1]
SAMPLES = ROOT / "samples"
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]


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


def python_blocks(page: Path) -> list[str]:
    return re.findall(r"```python\n(.*?)```", page.read_text("utf-8"), re.DOTALL)


PAGES_WITH_PYTHON = [page for page in PAGES if python_blocks(page)]


@pytest.mark.parametrize("page", PAGES_WITH_PYTHON, ids=lambda page: page.name)
def test_a_strict_type_checker_accepts_the_python_lines(page: Path, tmp_path: Path) -> None:
    blocks = [block for block in python_blocks(page) if ">>>" not in block]
    assert blocks
    for number, block in enumerate(blocks):
        (tmp_path / f"block{number}.py").write_text(block, "utf-8")
    command = [sys.executable, "-m", "mypy", "--strict", "--follow-imports=silent"]
    command += ["--config-file=", str(tmp_path)]
    env = {**os.environ, "MYPYPATH": str(ROOT)}
    checked = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, env=env)
    assert checked.returncode == 0, checked.stdout + checked.stderr


def test_the_example_of_the_rules_runs() -> None:
    result = doctest.testfile(str(ROOT / "docs" / "library.md"), module_relative=False)
    assert result.attempted > 3 and result.failed == 0


def test_a_reading_from_its_dictionary_equals_the_sheet_that_was_read() -> None:
    reading = scan(SAMPLES / "arcade.jpg")
    assert isinstance(reading, ReadSheet)
    sheet = ReadSheet.from_dict(reading.to_dict())
    assert sheet == Reading.from_dict(reading.to_dict())
    assert sheet != replace(sheet, index=1)


def tree_below(kind: type[errors.BrikksError], depth: int = 2) -> list[str]:
    below = [line for each in kind.__subclasses__() for line in tree_below(each, depth + 1)]
    return [f"{'  ' * depth}{kind.__name__}", *below]


def test_the_tree_of_errors_is_drawn_as_it_is() -> None:
    drawn = inspect.getdoc(errors) or ""
    assert drawn.split("The classes::\n\n")[1].splitlines() == tree_below(errors.BrikksError)
