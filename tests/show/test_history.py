"""brikks-scan history and stats: what was recorded, for people and for other programs."""

import csv
import io
import json
import os
import subprocess
import sys
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import cast

import numpy as np
import pytest
from matplotlib.figure import Figure
from numpy.typing import NDArray
from PIL import Image as PillowImage

from brikks_vision.errors import ExitCode
from brikks_vision.layout import load_layout
from brikks_vision.pipeline.coach import advice_on
from brikks_vision.reading import ReadSheet, Status
from brikks_vision.record import statistics
from brikks_vision.record.database import open_record
from brikks_vision.record.results import correct, get_result, list_results
from brikks_vision.record.tables import make_game
from brikks_vision.show.history import value_scale
from brikks_vision.show.plots import heat_map, png, scores_plot
from tests.command_line import Run
from tests.recorded_sheets import EVENING, GROWN, OTHER, SHEET, START, add_reading, photo, unsure

DAY = 24 * 60
START_TOTAL, GROWN_TOTAL, OTHER_TOTAL = (
    sheet.score.total if sheet.score else 0 for sheet in (START, GROWN, OTHER)
)


@pytest.fixture
def db(tmp_path: Path) -> Path:
    """Two evenings of Anna and Ben, a photo in the middle of a game, and one without a name."""
    path = tmp_path / "record.sqlite3"
    with open_record(path) as record:
        add_reading(record, photo("turn.jpg"), START, player="Anna")
        anna = add_reading(record, photo("anna.jpg", 20), GROWN, player="Anna")
        ben = add_reading(record, photo("ben.jpg", 21), unsure(OTHER), player="Ben")
        make_game(record, [anna, ben], {"level": 2})
        again = add_reading(record, photo("=1+1.jpg", DAY), START, player="Anna")
        correct(record, again, START, {"total": ("1", "2")}, "=Anna")
        add_reading(record, photo("later.jpg", 2 * DAY), OTHER)
    return path


# --- history -------------------------------------------------------------------------------------


def test_history_lists_by_time(run: Run, db: Path) -> None:
    code, out, err = run("history", "--db", db)
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert [line.split()[0] for line in lines[1:6]] == ["1", "2", "3", "4", "5"]
    assert "2026-03-14 20:35  Anna" in lines[2]
    assert "anna.jpg, game 1" in lines[2]
    assert f"not sure: {OTHER_TOTAL - 2} to {OTHER_TOTAL}" in lines[3]
    assert "corrected" in lines[4]
    assert "no name" in lines[5]
    assert lines[-1] == "5 results"


@pytest.mark.parametrize(
    ("options", "photos"),
    [
        (["--player", "ANNA"], ["turn.jpg", "anna.jpg", "'=1+1.jpg"]),
        (["--since", "2026-03-15"], ["'=1+1.jpg", "later.jpg"]),
        (["--until", "2026-03-14", "--player", "Ben"], ["ben.jpg"]),
        (["--player", "Nobody"], []),
    ],
)
def test_history_filters_and_exports_csv(
    run: Run, db: Path, tmp_path: Path, options: list[str], photos: list[str]
) -> None:
    path = tmp_path / "out.csv"
    code, out, err = run("history", "--db", db, *options, "--csv", path)
    assert (code, out) == (0, "")
    assert str(path) in err
    rows = list(csv.DictReader(io.StringIO(path.read_text("utf-8-sig"), newline="")))
    assert [row["photo"] for row in rows] == photos


def test_history_exports_json_lines(run: Run, db: Path) -> None:
    code, out, err = run("history", "--db", db, "--jsonl", "-", "--player", "Anna")
    assert (code, err) == (0, "")
    lines = [json.loads(line) for line in out.splitlines()]
    assert [line["reading"]["score"]["total"] for line in lines] == [
        START_TOTAL,
        GROWN_TOTAL,
        START_TOTAL,
    ]
    assert lines[2]["corrections"][0]["who"] == "=Anna"
    assert lines[2]["corrections"][0]["changes"] == {"total": ["1", "2"]}
    assert lines[1]["game"] == 1
    assert not any("gps" in line for line in out.lower().splitlines())


def test_nothing_recorded(run: Run, db: Path) -> None:
    assert "Nothing is recorded" in run("history", "--db", db, "--player", "Nobody")[1]
    assert "Nichts Passendes" in run("stats", "--db", db, "--player", "Nobody", "--lang", "de")[1]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["history", "--db", "typo.sqlite3"], "There is no record"),
        (["stats", "--db", "typo.sqlite3"], "There is no record"),
        (["history", "--db", "notes.txt"], "is no record of brikks-scan"),
        (["history", "--db", "record.sqlite3", "--csv", "nowhere/out.csv"], "cannot be written"),
        (["stats", "--db", "record.sqlite3", "--png", "nowhere/out.png"], "cannot be written"),
        (["stats", "--db", "record.sqlite3", "--png", "out.jpg"], "End the name in .png"),
        (["history", "--since", "yesterday"], "yesterday"),
        (["history", "photo.jpg"], "photo.jpg"),
    ],
)
def test_wrong_use(
    run: Run,
    db: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    words: list[str],
    sentence: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "notes.txt").write_text("total 73\n" * 100)
    code, _, err = run(*words)
    assert code == ExitCode.WRONG_USE
    assert sentence in err


@pytest.mark.parametrize("words", [["history"], ["stats", "--png", "out.png"]])
def test_photos_taken_at_the_ends_of_time(
    run: Run, db: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: list[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    ends = ("0001-01-01T00:00:00", "9999-12-31T23:59:59")
    with open_record(db) as record:
        # as records hold them that were written before cameras' clocks were doubted
        for taken in ends:
            number = add_reading(record, photo(taken), START, player="Dora")
            sha256 = get_result(record, number).photo.sha256
            record.connection.execute(
                "UPDATE photo SET taken = ? WHERE sha256 = ?", (taken, sha256)
            )
        for taken in ends:
            facts = replace(photo(f"new {taken}"), taken=datetime.fromisoformat(taken))
            add_reading(record, facts, OTHER, player="Dora")
    days = ["--since", "0001-01-01", "--until", "9999-12-31"]
    code, out, _ = run(*words, "--db", db, *days)
    assert code == 0
    assert "Dora" in out


# --- stats ---------------------------------------------------------------------------------------


def test_a_sheet_that_went_on_counts_once(db: Path) -> None:
    with open_record(db) as record:
        results = list_results(record)
    assert [result.photo.name for result in statistics.finished_sheets(results)] == [
        "anna.jpg",
        "ben.jpg",
        "=1+1.jpg",
        "later.jpg",
    ]


@pytest.mark.parametrize(
    ("before", "after", "sheets"),
    [
        ("Anna", "Anna", 1),
        (None, None, 1),
        (None, "Anna", 2),
        ("Anna", None, 2),
        ("Ben", "Anna", 2),
    ],
)
def test_a_sheet_goes_on_only_as_the_same_players(
    tmp_path: Path, before: str | None, after: str | None, sheets: int
) -> None:
    with open_record(tmp_path / "record.sqlite3") as record:
        add_reading(record, photo("turn.jpg"), START, player=before)
        add_reading(record, photo("end.jpg", 20), GROWN, player=after)
        assert len(statistics.finished_sheets(list_results(record))) == sheets


def test_games_best_mean_and_rank(db: Path) -> None:
    with open_record(db) as record:
        players = {each.player: each for each in statistics.player_stats(list_results(record))}
    anna = players["Anna"]
    assert (anna.games, anna.unsure) == (2, 0)
    assert anna.best == max(START_TOTAL, GROWN_TOTAL)
    assert anna.mean == (START_TOTAL + GROWN_TOTAL) / 2
    assert players["Ben"].unsure == 1
    assert players["Ben"].place == players[None].place  # the same total


def test_cells_left_empty(db: Path) -> None:
    with open_record(db) as record:
        shares = statistics.empty_shares(list_results(record), SHEET)
    assert (len(shares), len(shares[0])) == (SHEET.rows, SHEET.columns)
    assert shares[0] == (1.0,) * SHEET.columns
    assert shares[-1][0] == 0.0
    assert shares[-1][-1] == pytest.approx(2 / 5)
    assert statistics.empty_shares([], SHEET) == ()


def test_stats_in_the_terminal_and_as_a_picture(run: Run, db: Path, tmp_path: Path) -> None:
    code, out, err = run("stats", "--db", db, "--png", tmp_path / "stats.png", "--lang", "fr")
    assert code == 0
    assert "Anna" in out
    assert "2026-03-16" in out
    assert "stats.png" in err
    with PillowImage.open(tmp_path / "stats.png") as picture:
        assert picture.size[0] > picture.size[1] > 400


def test_points_lost_by_cause_over_time(run: Run, db: Path) -> None:
    with open_record(db) as record:
        sheets = statistics.finished_sheets(list_results(record))
    lost = statistics.lost_over_time(sheets)
    sure = [sheet.photo.taken for sheet in sheets if sheet.reading.status is Status.OK]
    assert list(lost) == ["row", "bonus", "energy", "bombs"]
    assert [taken for taken, _ in lost["row"]] == sure
    own = [sum(points for _, points in told) for told in zip(*lost.values(), strict=True)]
    assert own == [
        sum(each.points for each in advice_on(cast(ReadSheet, sheet.reading)).lost or ())
        for sheet in sheets
        if sheet.reading.status is Status.OK
    ]
    _, out, _ = run("stats", "--db", db, "--lang", "de")
    assert "Wo die Punkte geblieben sind (Schnitt)" in out
    rows = [line.split() for line in out.splitlines()]
    mean = f"{sum(points for _, points in lost['bombs']) / len(sure):.1f}".replace(".", ",")
    assert ["Bomben", mean] in rows
    _, out, _ = run("history", "--db", db, "--csv", "-")
    told = list(csv.DictReader(io.StringIO(out.lstrip("\ufeff"))))
    assert [row["lost_row"] for row in told if row["photo"] == "ben.jpg"] == [""]
    assert [row["lost_row"] for row in told if row["photo"] == "later.jpg"] == [
        str(lost["row"][-1][1])
    ]


def test_the_share_of_the_points_within_reach(run: Run, db: Path) -> None:
    with open_record(db) as record:
        sheets = statistics.finished_sheets(list_results(record))
    (sure, *_) = (sheet for sheet in sheets if sheet.reading.status is Status.OK)
    lost = sum(statistics.lost_by_cause(sure.reading).values())
    assert sure.total is not None
    assert statistics.accuracy(sure.reading) == round(100 * sure.total / (sure.total + lost))
    told = [each for sheet in sheets if (each := statistics.accuracy(sheet.reading)) is not None]
    lines = statistics.accuracy_over_time(sheets)
    assert sorted(each for line in lines for _, each in line.points) == sorted(told)
    assert [line.mean for line in lines] == sorted((line.mean for line in lines), reverse=True)
    assert (
        "Prozent der Punkte in Reichweite (Schnitt)" in run("stats", "--db", db, "--lang", "de")[1]
    )
    _, out, _ = run("history", "--db", db, "--csv", "-")
    rows = list(csv.DictReader(io.StringIO(out.lstrip("\ufeff"))))
    assert {row["accuracy"] for row in rows if row["photo"] == "ben.jpg"} == {""}
    assert str(statistics.accuracy(sure.reading)) in {
        row["accuracy"] for row in rows if row["photo"] == sure.photo.name
    }


def test_the_picture_is_saved_though_nobody_reads_the_table(db: Path, tmp_path: Path) -> None:
    ours, theirs = os.pipe()
    os.close(ours)
    words = ["stats", "--db", db, "--png", tmp_path / "stats.png"]
    result = subprocess.run(
        [sys.executable, "-m", "brikks_vision", *words], stdout=theirs, stderr=subprocess.PIPE
    )
    os.close(theirs)
    assert (result.returncode, len(result.stderr.splitlines())) == (0, 1)
    with PillowImage.open(tmp_path / "stats.png") as picture:
        assert picture.format == "PNG"


def test_totals_are_drawn_where_they_belong() -> None:
    first = EVENING
    low = [(first, 20), (first + timedelta(days=9), 20)]
    high = [(first, 100), (first + timedelta(days=9), 100)]
    picture = pixels(
        scores_plot([statistics.Scores("Anna", tuple(low + high))], "plot_scores", "Brikks", "en")
    )
    blue = (np.abs(picture - np.array((0, 114, 178))).sum(axis=2) < 30).nonzero()
    assert np.ptp(blue[0]) > picture.shape[0] / 3  # from 20 points up to 100
    assert np.ptp(blue[1]) > picture.shape[1] / 2


def test_a_name_is_drawn_as_it_is_written() -> None:
    names = ("_Ben", "$x$", "漢字" * 40, None)
    plot = scores_plot(
        [statistics.Scores(name, ((EVENING, 20),)) for name in names], "plot_scores", "Brikks", "en"
    )
    png(plot)
    shown = [text.get_text() for text in plot.legends[0].get_texts()]
    assert shown == ["_Ben", "$x$", "漢字漢字漢字漢字漢…", "no name"]
    assert not any(text.get_parse_math() for text in plot.legends[0].get_texts())


def test_an_empty_cell_is_darker() -> None:
    plot = heat_map([[0.0, 1.0]], load_layout("brikks"), "en")
    picture, axes = pixels(plot), plot.axes[0]

    def ground(column: int) -> float:
        x, y = axes.transData.transform((column + 0.2, 0.2))
        return float(picture[round(picture.shape[0] - y), round(x)].sum())

    assert ground(1) < ground(0)


def pixels(plot: Figure) -> NDArray[np.int64]:
    """The drawn plot, shape (height, width, 3), RGB."""
    return np.array(PillowImage.open(io.BytesIO(png(plot))).convert("RGB"), dtype=np.int64)


def test_without_matplotlib_the_command_says_how_to_get_it(db: Path, tmp_path: Path) -> None:
    script = (
        "import sys; sys.modules['matplotlib'] = None\n"
        "from brikks_vision.commands.start import main; main()"
    )
    for words, code in ((["--png", tmp_path / "stats.png"], ExitCode.WRONG_USE), ([], 0)):
        told = subprocess.run(
            [sys.executable, "-c", script, "stats", "--db", db, *words, "--lang", "de"],
            capture_output=True,
            text=True,
        )
        assert told.returncode == code
        assert ("pip install 'brikks-vision[plots]'" in told.stderr) == bool(code)
        assert "Traceback" not in told.stderr
    assert not (tmp_path / "stats.png").exists()


def test_one_game_has_plots_too(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "record.sqlite3"
    with open_record(path) as record:
        add_reading(record, photo("a.jpg"), START, player="漢字" * 30)
    code, _, _ = run("stats", "--db", path, "--png", tmp_path / "stats.png")
    assert code == 0


@pytest.mark.parametrize(
    ("totals", "scale"),
    [([40], (30, 50, 5)), ([31, 73, 98], (0, 100, 20)), ([-12, 30], (-20, 30, 10))],
)
def test_the_axis_of_values(totals: list[int], scale: tuple[int, int, int]) -> None:
    assert value_scale(totals) == scale


def test_the_order_of_players_is_that_of_their_means(db: Path) -> None:
    with open_record(db) as record:
        results = list_results(record)
    names = [line.name for line in statistics.scores_over_time(results)]
    assert names == [each.player for each in statistics.player_stats(results)]
