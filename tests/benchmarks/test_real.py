"""Reports of real photos are opened with care, measured, and told as they are."""

import io
import json
import warnings
import zipfile
from argparse import Namespace
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from benchmarks import real
from benchmarks.real import GIVEN, NONE_GIVEN, ReportError, measure, photos_in
from brikks_vision.intake.corrections import Said
from brikks_vision.intake.photos import photo_facts, sheet_reading
from brikks_vision.intake.recording import record_photo
from brikks_vision.intake.teaching import DATA, keep_shown, report_of
from brikks_vision.pipeline import scan_photo
from brikks_vision.record.database import open_record

FIXTURES = Path("tests/fixtures")
Files = dict[str, bytes]


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """Three sheets: one read right, one that was corrected, one of which nobody said anything."""
    said: list[tuple[str, int | None, dict[str, str]]] = [
        ("good-art.jpg", 44, {}),
        ("scan-art.jpg", None, {"cell 10,0": "."}),
        ("bloxx/good-printed.jpg", None, {}),
    ]
    with open_record(tmp_path_factory.mktemp("record") / "games.db") as record:
        for name, total, answers in said:
            data = (FIXTURES / name).read_bytes()
            facts = photo_facts(data, name, 1.7e9)
            sheet = sheet_reading(scan_photo(data), data, "en")
            added = record_photo(record, facts, [sheet], None, Said(answers), "en")
            keep_shown(record, added.results[0], {facts.sha256: data}, total)
        packed, count = report_of(record, [], "en")
        assert count == 3
    return packed


@pytest.fixture
def files(report: bytes) -> Files:
    with zipfile.ZipFile(io.BytesIO(report)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def archive_of(files: Files, path: Path) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return path


def table_of(path: Path) -> list[dict[str, str]]:
    ((head, *rows),) = measure(Namespace(given=path, page=False))
    return [dict(zip(head, row, strict=True)) for row in rows]


def test_a_report_is_measured_by_what_the_people_said(
    report: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "report.zip"
    path.write_bytes(report)
    (row,) = table_of(path)
    assert (row["game"], row["photos"], row["total right"]) == ("Brikks", "2", "50.0 %")
    assert row["silent"] == "1"  # the cross that the person said is none
    assert "accused" not in row
    assert "1 of 3 photos are left out" in capsys.readouterr().out


def test_an_unpacked_report_and_a_folder_of_reports_are_measured_alike(
    files: Files, report: bytes, tmp_path: Path
) -> None:
    unpacked = tmp_path / "all" / "one"
    unpacked.mkdir(parents=True)
    for name, content in files.items():
        (unpacked / name).write_bytes(content)
    (tmp_path / "all" / "two.zip").write_bytes(report)
    assert len(list(photos_in(unpacked))) == 3
    assert len(list(photos_in(tmp_path / "all"))) == 6


def test_where_no_photos_were_given_that_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert not GIVEN.exists()
    assert measure(Namespace(given=None, page=False)) == [NONE_GIVEN]


def changed(files: Files, change: Callable[[dict[str, Any]], object]) -> Files:
    data = json.loads(files[DATA])
    change(data)
    return {**files, DATA: json.dumps(data).encode()}


@pytest.mark.parametrize(
    "change",
    [
        lambda data: data.pop("photos"),
        lambda data: data.update(format=99),
        lambda data: data["photos"][0].update(game="chess"),
        lambda data: data["photos"][0].update(total="many"),
        lambda data: data["photos"][0].update(photo="photo-9.jpg"),
        lambda data: data["photos"][0].update(photo="../../etc/passwd"),
        lambda data: data["photos"][0].update(printing=DATA),
        lambda data: data["photos"][0].update(corrections={"cell 1,1": "X"}),
        lambda data: data["photos"][0].update(marks=None),
        lambda data: data["photos"][0].update(settings={"level": "high"}),
    ],
)
def test_a_report_that_tells_nonsense_is_told_in_one_sentence(
    files: Files, tmp_path: Path, change: Callable[[dict[str, Any]], object]
) -> None:
    path = archive_of(changed(files, change), tmp_path / "report.zip")
    with pytest.raises(ReportError, match=r"^[^\n]+\.$"):
        list(photos_in(path))


@pytest.mark.parametrize(
    "name", ["../photo-1.jpg", "/etc/passwd", "a/photo-1.jpg", "run.exe", "photo-0.jpg"]
)
def test_a_file_that_no_report_holds_is_not_opened(files: Files, tmp_path: Path, name: str) -> None:
    path = archive_of({**files, name: b"x"}, tmp_path / "report.zip")
    with pytest.raises(ReportError, match="which no report does"):
        list(photos_in(path))
    assert sorted(each.name for each in tmp_path.iterdir()) == ["report.zip"]


def test_a_file_that_unpacks_to_very_much_is_not_opened(files: Files, tmp_path: Path) -> None:
    path = archive_of({**files, "photo-9.jpg": bytes(50_000_000)}, tmp_path / "report.zip")
    assert path.stat().st_size < 2_000_000
    with pytest.raises(ReportError, match="would unpack to more"):
        list(photos_in(path))


def test_a_name_that_comes_twice_is_refused(files: Files, tmp_path: Path) -> None:
    path = tmp_path / "report.zip"
    with warnings.catch_warnings(), zipfile.ZipFile(path, "w") as archive:
        warnings.simplefilter("ignore")
        for name in (DATA, DATA):
            archive.writestr(name, files[DATA])
    with pytest.raises(ReportError, match="more files"):
        list(photos_in(path))


@pytest.mark.parametrize("cut", [0, 10, 5000, -30])
def test_half_a_file_is_told_in_one_sentence(report: bytes, tmp_path: Path, cut: int) -> None:
    path = tmp_path / "report.zip"
    path.write_bytes(report[:cut])
    with pytest.raises(ReportError, match="no whole ZIP file"):
        list(photos_in(path))


def test_a_picture_that_is_broken_counts_as_unread(files: Files, tmp_path: Path) -> None:
    path = archive_of({**files, "photo-1.jpg": b"no picture"}, tmp_path / "report.zip")
    (row,) = table_of(path)
    assert (row["photos"], row["unread"], row["silent"]) == ("2", "1", "1")


def test_what_is_wrong_ends_the_program_with_its_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.argv", ["real", str(tmp_path / "none.zip")])
    with pytest.raises(SystemExit, match="There is no report"):
        real.main()
