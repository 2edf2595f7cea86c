"""brikks-scan batch --parquet: a typed row a sheet, added once, and what DuckDB makes of it."""

import re
import signal
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pyarrow")

import pyarrow.parquet as pq

from brikks_vision.errors import ExitCode, OutputNotWritable
from brikks_vision.intake.parquet import parquet_folder, schema
from tests.command_line import Run
from tests.intake.test_batch import FIXTURES, ROOT, photos_in, rows_of
from tests.processes import started


def rows_in(folder: Path) -> list[dict[str, Any]]:
    """All rows, by photo and index; game and day come from the folders' names."""
    rows = pq.read_table(folder).to_pylist()
    return sorted(rows, key=lambda row: (row["photo"], row["index"]))


def some_photos(folder: Path) -> list[Path]:
    files = photos_in(folder, 1)
    for name in ("three-sheets.jpg", "fault-floating.jpg"):
        files.append(folder / name)
        files[-1].write_bytes((FIXTURES / name).read_bytes())
    files.append(folder / "broken.jpg")
    files[-1].write_bytes(b"\xff\xd8\xff nothing")
    return sorted(files)


def test_a_row_a_sheet_in_folders_by_game_and_day(run: Run, tmp_path: Path) -> None:
    some_photos(tmp_path / "evening")
    table, folder = tmp_path / "all.csv", tmp_path / "rows"
    run("batch", tmp_path / "evening", "--csv", table, "--parquet", folder, "--level", 2)
    rows, lines = rows_in(folder), rows_of(table)
    assert [(row["photo"], row["index"]) for row in rows] == [
        (line["photo"], int(line["index"])) for line in lines
    ]
    for row, line in zip(rows, lines, strict=True):
        for name in ("status", "total", "total_most", "lines", "bombs", "sha256", "error"):
            assert str("" if row[name] is None else row[name]) == line[name]
        assert len(row["doubts"]) == int(line["doubts"] or 0)
        assert " ".join(each["rule"] for each in row["violations"]) == line["violations"]
    read = {Path(row["photo"]).name: row for row in rows}
    assert read["00.jpg"]["level"] == 2
    assert len(read["00.jpg"]["grid"]) == 11
    for doubt in (each for row in rows for each in row["doubts"]):
        assert doubt["kind"] == doubt["where"].split()[0]
    assert {row["game"] for row in rows} == {"brikks", "none"}
    today = datetime.now(UTC)
    assert abs((today - read["00.jpg"]["read_at"]).total_seconds()) < 3600
    parts = {path.relative_to(folder).parts[:2] for path in folder.glob("game=*/day=*/*.parquet")}
    assert parts == {(f"game={row['game']}", f"day={row['day']}") for row in rows}
    for file in folder.glob("game=*/day=*/*.parquet"):
        assert pq.read_schema(file) == schema()


def test_what_is_there_is_not_added_again(run: Run, tmp_path: Path) -> None:
    photos_in(tmp_path / "evening", 2)
    words = ("batch", tmp_path / "evening", "--parquet", tmp_path / "rows")
    run(*words)
    before = rows_in(tmp_path / "rows")
    (tmp_path / "evening" / "more.jpg").write_bytes((FIXTURES / "good-art.jpg").read_bytes())
    (tmp_path / "evening" / "00.jpg").rename(tmp_path / "evening" / "renamed.jpg")
    code, out, err = run(*words)
    assert (code, err) == (ExitCode.CERTAIN, "")
    assert "of these read before      2\n" in out
    rows = rows_in(tmp_path / "rows")
    assert len(rows) == 3
    assert [row for row in rows if "more" not in row["photo"]] == before


def test_what_was_read_before_is_added_without_reading_it_again(run: Run, tmp_path: Path) -> None:
    photos_in(tmp_path / "evening", 2)
    words = ("batch", tmp_path / "evening", "--csv", tmp_path / "all.csv")
    run(*words)
    _, out, _ = run(*words, "--parquet", tmp_path / "rows")
    assert "of these read before      2\n" in out
    assert [row["total"] for row in rows_in(tmp_path / "rows")] == [100, 100]


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
def test_killed_before_rows_are_written_they_are_added_later(run: Run, tmp_path: Path) -> None:
    photos_in(tmp_path / "evening", 8)
    words = ("batch", tmp_path / "evening", "--parquet", tmp_path / "rows", "--jobs", 1)
    with started([sys.executable, "-m", "brikks_vision", *words], cwd=ROOT) as process:
        assert process.stdout is not None
        for _ in range(3):
            process.stdout.readline()
        process.send_signal(signal.SIGKILL)
        process.communicate()
    assert list((tmp_path / "rows").rglob("*.parquet")) == []  # they are written in some time
    _, out, _ = run(*words)
    assert re.search(r"of these read before +[3-7]\n", out)
    rows = rows_in(tmp_path / "rows")
    assert len({row["sha256"] for row in rows}) == len(rows) == 8
    assert not [path for path in (tmp_path / "rows").rglob(".*") if path.is_file()]


def test_a_folder_that_cannot_be_written(run: Run, tmp_path: Path) -> None:
    photos_in(tmp_path / "evening", 1)
    code, _, err = run("batch", tmp_path / "evening", "--parquet", tmp_path / "no" / "rows")
    assert code == ExitCode.WRONG_USE
    assert "cannot be written" in err
    part = tmp_path / "rows" / "game=brikks" / "day=2026-01-01" / "a.parquet"
    part.parent.mkdir(parents=True)
    part.write_bytes(b"no table")
    with pytest.raises(OutputNotWritable), parquet_folder(tmp_path / "rows"):
        pass


def test_the_page_names_every_column() -> None:
    page = (ROOT / "docs" / "use.md").read_text("utf-8")
    own = page.split("\n### For analysis")[1].split("\n### ")[0]
    shared = page.split("\n## Tables")[1].split("\n## ")[0]
    assert {*schema().names, "game", "day"} <= {*re.findall(r"`(\w+)`", own + shared)}


def test_the_lines_of_the_page_answer_their_question(run: Run, tmp_path: Path) -> None:
    duckdb = pytest.importorskip("duckdb")
    some_photos(tmp_path / "evening")
    folder = tmp_path / "rows"
    run("batch", tmp_path / "evening", "--parquet", folder, "--level", 3)
    page = (ROOT / "docs" / "use.md").read_text("utf-8")
    (question,) = re.findall(r"^```sql\n(.+?)^```", page, re.MULTILINE | re.DOTALL)
    by_level = duckdb.sql(question.replace("'rows/", f"'{folder}/")).fetchall()
    rows = rows_in(folder)
    sure = [row["total"] for row in rows if row["game"] == "brikks" and row["status"] == "ok"]
    assert by_level == [(3, len(sure), round(sum(sure) / len(sure), 1))]
