"""A command that reads photos gets ready for them while it starts; no other does."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from brikks_vision.commands.app import MODULES
from brikks_vision.commands.start import READERS, reads_photos

PROGRAM = (
    "import sys; from brikks_vision.commands.start import main\n"
    "try: main()\n"
    "except SystemExit: pass\n"
    "print('onnxruntime' in sys.modules)"
)


@pytest.mark.parametrize(
    ("words", "plainly"),
    [
        (["a.jpg"], True),
        (["a.jpg", "--json"], True),
        (["--json", "a.jpg"], True),
        (["scan", "a.jpg"], True),
        (["game", "--players", "2", "a.jpg", "missing.jpg"], True),
        ([], False),
        (["--help"], False),
        (["missing.jpg"], False),
        (["folder"], False),
        (["-"], False),
        (["stats", "--db", "a.jpg"], False),
        (["batch", "folder", "--csv", "a.jpg"], False),
        (["serve"], False),
    ],
)
def test_what_plainly_reads_photos(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: list[str], plainly: bool
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.jpg").touch()
    Path("folder").mkdir()
    Path("serve").touch()
    assert reads_photos(words) is plainly


def test_readers_are_commands() -> None:
    assert set(READERS) <= MODULES.keys()


@pytest.mark.parametrize("words", [["--help"], ["sheet", "list"], ["missing.jpg"]])
def test_nothing_for_networks_is_loaded_without_a_photo(words: list[str]) -> None:
    done = subprocess.run([sys.executable, "-c", PROGRAM, *words], capture_output=True, text=True)
    assert done.stdout.splitlines()[-1] == "False"
