"""What the tests of the commands share."""

from pathlib import Path

import pytest

from tests.known_boards import board_definition


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
    path = tmp_path_factory.mktemp("board") / "mine.json"
    path.write_text(board_definition())
    return path
