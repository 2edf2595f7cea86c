"""Names from outside, shown in a terminal: one line each, and no codes that it obeys."""

from __future__ import annotations

import csv
import io
import json
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from recorded_sheets import START, photo

from brikks_vision.errors import ExitCode
from brikks_vision.record import (
    add_reading,
    assign_player,
    correct,
    get_result,
    make_game,
    open_record,
    players,
)
from brikks_vision.report import report, summary
from brikks_vision.visible import cleaned_name, json_line, visible
from brikks_vision.watch import Told
from brikks_vision.watch_command import told_line

if TYPE_CHECKING:
    from command_line import Run

pytest_plugins = ["command_line"]

FORGED = "a\x1b[2K\x9b1A\r\n2.  Eve  120\u202e\x7f.jpg"
SPELLED = r"a\x1b[2K\x9b1A\r\n2.  Eve  120\u202e\x7f.jpg"


def is_harmless(text: str) -> bool:
    return all(sign.isprintable() for line in text.split("\n") for sign in line)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (FORGED, SPELLED),
        ("Zoë 漢字 👩‍👧.jpg", "Zoë 漢字 👩‍👧.jpg"),
        ("8.15\u202fPM.png", "8.15\u202fPM.png"),  # as macOS names screenshots
        ("\udcff\u2028", r"\udcff\u2028"),
        (None, "None"),
    ],
)
def test_what_shows_nothing_is_spelled_out(text: str | None, shown: str) -> None:
    assert visible(text) == shown


@pytest.mark.parametrize(
    ("name", "kept"),
    [
        ("Eva\x1b[31m\nMaria", "Eva[31m Maria"),
        ("\u202eavE", "avE"),
        ("می‌خواهم", "می‌خواهم"),
        ("\u200d \x07\u200b", ""),
        ("\x07 Eva", "Eva"),
    ],
)
def test_names_of_players_are_cleaned_where_they_enter(
    tmp_path: Path, name: str, kept: str
) -> None:
    assert cleaned_name(name) == kept
    with open_record(tmp_path / "record.sqlite3") as record:
        number = add_reading(record, photo("a.jpg"), START, player=name)
        assert get_result(record, number).player == (kept or None)
        assign_player(record, number, kept)
        assert players(record) == ((kept,) if kept else ())


def test_json_says_the_same_without_codes() -> None:
    line = json_line({"photo": FORGED + "\u2028", "player": "Zoë"})
    assert is_harmless(line)
    assert "Zoë" in line
    assert json.loads(line) == {"photo": FORGED + "\u2028", "player": "Zoë"}


def test_reports_of_readings() -> None:
    reading = replace(START, photo=FORGED)
    for shown in (report(reading, "en"), summary(reading, "en")):
        assert shown.split("\n")[0] == SPELLED
        assert is_harmless(shown)


def test_history_stats_and_exports(run: Run, tmp_path: Path) -> None:
    database = tmp_path / "record.sqlite3"
    with open_record(database) as record:
        number = add_reading(record, photo(FORGED), START, player="Anna")
        correct(record, number, START, {"total": ("1", "2")}, FORGED)
        make_game(record, [number])
        # as records hold it that were written before names were cleaned
        record.connection.execute("UPDATE player SET name = ?", (FORGED,))
        line = told_line(
            Told(Path(FORGED), get_result(record, number), False), "en", lambda t, _: t
        )
    assert line.startswith(f"{SPELLED}  {SPELLED}  ")
    assert is_harmless(line)
    for words in (["history"], ["stats"]):
        _, out, _ = run(*words, "--db", database)
        assert is_harmless(out)
        assert SPELLED in out
    _, out, _ = run("history", "--jsonl", "-", "--db", database)
    assert is_harmless(out)
    assert json.loads(out)["photo"] == FORGED
    _, out, _ = run("history", "--csv", "-", "--db", database)
    assert is_harmless(out.replace("\r\n", "\n"))
    (row,) = csv.DictReader(io.StringIO(out, newline=""))
    assert (row["photo"], row["player"]) == (SPELLED, SPELLED)


@pytest.mark.skipif(sys.platform == "win32", reason="no such names there")
def test_commands_on_photos_with_such_names(run: Run, tmp_path: Path) -> None:
    name = FORGED.replace("\x9b", "")
    (tmp_path / name).write_bytes(b"no picture")
    table = tmp_path / "table.csv"
    commands: list[list[object]] = [
        [],
        ["batch", "--csv", table],
        ["game", tmp_path / name],
        ["turn", "--out"],
    ]
    for words in commands:
        code, out, err = run(*words, tmp_path / name)
        assert code == ExitCode.UNREADABLE
        assert is_harmless(out)
        assert is_harmless(err)
        assert visible(name) in out + err
    _, _, err = run(tmp_path / f"missing {name}")
    assert is_harmless(err)
    assert is_harmless(table.read_text("utf-8"))
