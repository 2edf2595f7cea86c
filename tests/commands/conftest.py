"""What the tests of the commands share."""

import json
from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def each_photo_once(observed_once: None) -> None:
    """A photo that several tests read is located and observed once."""


@pytest.fixture(autouse=True)
def own_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The user's own record, printings and boards are the test's."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))


@pytest.fixture(scope="module")
def board(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The definition of the board in all photos."""
    facts = json.loads(Path("tests/fixtures/blox/empty.json").read_text())
    path = tmp_path_factory.mktemp("board") / "mine.json"
    data = {"version": 1, "name": "mine", "title": "BLOX", "game": "blox"}
    path.write_text(json.dumps({**data, "field_colors": facts["field_colors"]}))
    return path
