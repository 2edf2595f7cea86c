"""A learnt printing in all that shows a sheet: from a file, kept, and removed again."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.command_line import Run

pytest_plugins = ["tests.command_line"]

BLANK, FILLED = (Path("tests/fixtures/bloxx") / f"other-{name}.jpg" for name in ("blank", "filled"))


@pytest.fixture(autouse=True)
def own_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "kept"))
    monkeypatch.setattr("brikks_vision.layout._in_use", {})


def test_a_printing_in_a_file_is_read_told_and_drawn(run: Run, tmp_path: Path) -> None:
    path, picture = tmp_path / "mine.json", tmp_path / "read.png"
    run("sheet", "learn", BLANK, "--game", "bloxx", "-o", path)
    _, out, _ = run(FILLED, "--sheet", path, "--annotate", picture, "--lang", "de")
    assert len([line for line in out.splitlines() if line[:5].strip().isdigit()]) == 9
    assert "Reihe" in out
    assert picture.exists()
    assert run("game", FILLED, "--sheet", path)[0] == 2  # one sheet is no game, and no traceback


def test_what_was_recorded_with_a_printing_stays_when_it_is_removed(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    record = tmp_path / "record.sqlite3"
    run("sheet", "learn", BLANK, "--game", "bloxx", "--name", "mine")
    run(FILLED, "--sheet", "mine", "--db", record)
    assert len(run("review", "--db", record, "--json")[1].splitlines()) > 0
    assert run("history", "show", "1", "--db", record)[0] == 0
    run("sheet", "remove", "mine")
    monkeypatch.setattr("brikks_vision.layout._in_use", {})  # as in another process
    assert "other-filled.jpg" in run("history", "--db", record)[1]
    code, out, err = run("history", "show", "1", "--db", record)
    assert (code, out) == (2, "")
    assert "no sheet layout called mine" in err
    assert run("review", "--db", record, "--json")[1] == ""
