"""Names from outside, shown in a terminal: one line each, and no codes that it obeys."""

import csv
import io
import json
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from brikks_vision.commands.watch import told_line
from brikks_vision.errors import ExitCode, NameTooLong
from brikks_vision.intake.watcher import NewResult
from brikks_vision.record.database import open_record
from brikks_vision.record.entries import Filters
from brikks_vision.record.results import assign_player, correct, get_result, list_results, players
from brikks_vision.record.tables import make_game
from brikks_vision.show.report import report, summary
from brikks_vision.text.phrases import cleaned_name, compared, json_line, only_harmless, visible
from tests.command_line import Run
from tests.recorded_sheets import START, add_reading, photo

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


SPELLED_OUT = [
    *("\x07", "\x7f", "\x9b", "\xad", "\u034f", "\u061c", "\u115f", "\u200b", "\u200f"),
    *("\u2028", "\u202e", "\u2060", "\u2800", "\u3164", "\ufeff", "\uffa0", "\U000e0020"),
    *("\u200c", "\u200d", "\ufe0f", "\U000e0100"),  # beside letters that they do not shape
]
KEPT = [
    *("Zoë", "Zoe\u0308", "漢字", "8.15\u202fPM", "می\u200cخواهم", "ක\u0dca\u200dර"),
    *("👩\u200d👧", "❤\ufe0f\u200d🔥", "👩🏽\u200d🚀", "1\ufe0f\u20e3", "葛\U000e0100"),
]


@pytest.mark.parametrize("sign", SPELLED_OUT, ids=ascii)
def test_what_shows_nothing_is_nowhere_shown_as_it_is(sign: str) -> None:
    name = f"An{sign}na"
    assert visible(name) == f"An{ascii(sign)[1:-1]}na"
    assert sign not in json_line(name)
    assert json.loads(json_line(name)) == name
    assert only_harmless(name) == "Anna"
    assert compared(name) == "anna"
    assert cleaned_name(sign) == ""


@pytest.mark.parametrize("name", KEPT)
def test_what_shapes_the_signs_beside_it_is_kept_everywhere(name: str) -> None:
    assert visible(name) == name
    assert json_line(name) == f'"{name}"'
    assert only_harmless(name) == name
    assert cleaned_name(name) == name.replace("\u202f", " ")


@pytest.mark.parametrize(
    "name",
    ["Anna", "ANNA", *(f"An{sign}na" for sign in SPELLED_OUT if not sign.isspace())],
    ids=ascii,
)
def test_names_that_look_alike_are_one_player(tmp_path: Path, name: str) -> None:
    with open_record(tmp_path / "record.sqlite3") as record:
        first = add_reading(record, photo("a.jpg"), START, player="Anna")
        second = add_reading(record, photo("b.jpg", 200), START, player=name)
        assert players(record) == ("Anna",)
        assert len(list_results(record, Filters(player=name))) == 2
        # as records hold it that were written before such names were one
        record.connection.execute("INSERT INTO player (name, key) VALUES ('An\u3164na', 'old')")
        record.connection.execute("UPDATE result SET player = 2 WHERE id = ?", (second,))
        assert [each.id for each in list_results(record, Filters(player=name))] == [first, second]
        assign_player(record, second, name)
        assert players(record) == ("Anna",)


def test_a_long_name_is_refused_and_not_cut(tmp_path: Path) -> None:
    with open_record(tmp_path / "record.sqlite3") as record:
        longest = "a" * 60
        number = add_reading(record, photo("a.jpg"), START, player=f"  {longest}\u200b ")
        assert get_result(record, number).player == longest
        with pytest.raises(NameTooLong, match="61 characters"):
            add_reading(record, photo("b.jpg", 200), START, player=f"{longest}b")
        with pytest.raises(NameTooLong):
            assign_player(record, number, f"{longest}c")
        assert list_results(record, Filters(player=f"{longest}b")) == ()
        assert [each.player for each in list_results(record)] == [longest]


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
            NewResult(Path(FORGED), get_result(record, number), False), "en", lambda t, _: t
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


@pytest.mark.usefixtures("workers_here")
@pytest.mark.skipif(sys.platform == "win32", reason="no such names there")
def test_commands_on_photos_with_such_names(run: Run, tmp_path: Path) -> None:
    name = FORGED.replace("\x9b", "")
    (tmp_path / name).write_bytes(b"no picture")
    other = tmp_path / f"other {name}"
    other.write_bytes(b"no picture either")
    table = tmp_path / "table.csv"
    commands: list[list[object]] = [
        [],
        ["batch", "--csv", table],
        ["game", other],
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
    assert is_harmless(table.read_text("utf-8-sig"))
