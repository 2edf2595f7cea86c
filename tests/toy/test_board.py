"""A game on a board that is added from outside: its module, its words, and one line in `GAMES`."""

import json
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest
from starlette.testclient import TestClient

from brikks_vision import ReadBoard, Status, scan, scan_all
from brikks_vision.errors import AnswerOffSheet, AnswerUnclear
from brikks_vision.games import GAMES, game_named, games_with, reading_from
from brikks_vision.games.printings import kept_folder, known_printings
from brikks_vision.intake.batch import read_photo
from brikks_vision.intake.watcher import NewResult, Settings, Sighting, ingest, photo_files
from brikks_vision.reading import NO_SETTINGS
from brikks_vision.record.database import open_record
from brikks_vision.record.results import list_results
from brikks_vision.text import languages
from brikks_vision.web.app import new_service
from brikks_vision.web.guard import access_for
from tests.command_line import Run

pytestmark = pytest.mark.usefixtures("observed_once")

HERE = Path(__file__).parent
LIGHT = {"X": 20, ".": 250, "?": 118}  # of a field's middle


@pytest.fixture(autouse=True)
def pond(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    """The game is known while the test runs."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "kept"))
    monkeypatch.setitem(GAMES, "pond", "tests.toy.pond.game")
    monkeypatch.setattr(languages, "FOLDERS", [*languages.FOLDERS, HERE / "text"])
    languages.texts_in.cache_clear()
    yield
    languages.texts_in.cache_clear()


def photo_of(drawing: str, path: Path) -> Path:
    """A photo of a drawn pond: "X" a stone, "." none, "?" something; rows after each other."""
    image = np.full((900, 1200, 3), 150, np.uint8)
    image[150:750, 300:900] = 20
    image[170:730, 320:880] = 250
    for at, sign in enumerate(drawing.replace(" ", "")):
        row, column = divmod(at, 3)
        middle = 300 + 200 * column + 100, 150 + 200 * row + 100
        cv2.circle(image, middle, 50, (LIGHT[sign],) * 3, -1)
    cv2.imwrite(str(path), image)
    return path


@pytest.fixture
def photo(tmp_path: Path) -> Path:
    return photo_of("X.. .X. ..?", tmp_path / "pond.png")


def test_it_is_found_read_and_asked_by_the_library(photo: Path) -> None:
    (reading,) = scan_all(photo)
    assert isinstance(reading, ReadBoard)
    assert (reading.game, reading.grid) == ("pond", ("X..", ".X.", "..X"))
    assert [doubt.where for doubt in reading.doubts] == ["field 2,2"]
    x, y = np.transpose(reading.corners or ())
    assert np.allclose([x.min(), x.max(), y.min(), y.max()], [300, 899, 150, 749], atol=2)
    assert reading_from(reading.to_dict()).to_dict() == reading.to_dict()
    answered = scan(photo, game="pond", answers={"field 2,2": "nothing"})
    assert (answered.status, answered.grid) == (Status.OK, ("X..", ".X.", "..."))
    for answers, error in (
        ({"field 2,2": "duck"}, AnswerUnclear),
        ({"field 3,0": "stone"}, AnswerOffSheet),
    ):
        with pytest.raises(error):
            scan(photo, game="pond", answers=answers)


def test_what_one_photo_leaves_open_another_tells(tmp_path: Path) -> None:
    first = photo_of("X.? .X. ...", tmp_path / "first.png")
    second = photo_of("X.X .?. ...", tmp_path / "second.png")
    both = scan([first, second])
    assert [scan(photo).status for photo in (first, second)] == [Status.UNCERTAIN] * 2
    assert (both.status, both.grid) == (Status.OK, ("X.X", ".X.", "..."))
    assert both.photos == ("first.png", "second.png")
    refused = scan([first, photo_of("X.. ... .X.", tmp_path / "moved.png")])
    assert str(refused.error).startswith("In moved.png something stands otherwise than in first")


def test_a_board_in_several_photos_is_one_result(run: Run, tmp_path: Path) -> None:
    first = photo_of("X.? .X. ...", tmp_path / "first.png")
    second = photo_of("X.X .?. ...", tmp_path / "second.png")
    database, all_of_it = tmp_path / "games.db", ("--together", first, second, "--json")
    run(first, "--db", database, "--answer", "field 2,0=stone")
    code, out, err = run(*all_of_it, "--db", database)
    assert (code, json.loads(out)["grid"]) == (0, ["X.X", ".X.", "X.."]), err
    with open_record(database) as record:
        (result,) = list_results(record)
        assert (result.photos, result.reading.photos) == (2, ("first.png", "second.png"))
        assert result.reading.to_dict()["grid"] == ["X.X", ".X.", "X.."]
    run(
        *all_of_it, "--db", database, "--answer", "field 2,0=nothing", "--answer", "field 2,2=stone"
    )
    code, _, err = run(first, "--db", database, "--answer", "field 1,0=stone")
    assert (code, "Result 1 was read from first.png, second.png together." in err) == (2, True)
    with open_record(database) as record:
        (result,) = list_results(record)
        assert result.reading.to_dict()["grid"] == ["X.X", ".X.", "..X"]


def test_its_printings_are_kept_and_opened(photo: Path) -> None:
    kept_folder().mkdir(parents=True)
    other = {"version": 1, "name": "mine", "game": "pond", "water": "~~~......"}
    (kept_folder() / "mine.json").write_text(json.dumps(other))
    assert [each.name for each in known_printings("pond")] == ["pond", "mine"]
    reading = scan(photo, sheet="mine")
    assert (reading.sheet, reading.printing is None) == ("mine", False)


def test_the_command_tells_draws_and_records_it(run: Run, photo: Path, tmp_path: Path) -> None:
    picture, record = tmp_path / "drawn.png", tmp_path / "record.sqlite3"
    code, out, err = run(photo, "--annotate", picture, "--db", record, "--lang", "de")
    assert (code, "3 Steine liegen auf dem Teich." in out) == (3, True)
    assert '--answer "field 2,2=nothing"' in out
    assert "Brett" in err or "1" in err
    assert cv2.imread(str(picture)).shape == (750, 1000, 3)
    boards = run("history", "--jsonl", "-", "--db", record)[1].splitlines()
    assert [json.loads(each)["reading"]["game"] for each in boards] == ["pond"]
    code, out, _ = run(photo, "--answer", "field 2,2=nothing", "--json")
    assert (code, json.loads(out)["grid"][2]) == (0, "...")


def test_its_own_setting_is_an_option_and_kept(run: Run, photo: Path, tmp_path: Path) -> None:
    assert "--depth 1|2|3" in run("--help")[1]
    record = tmp_path / "record.sqlite3"
    code, out, _ = run(photo, "--depth", 2, "--db", record, "--json")
    assert (code, json.loads(out)["depth"]) == (3, 2)
    kept = run("history", "show", 1, "--json", "--db", record)[1]
    assert json.loads(kept)["reading"]["depth"] == 2
    assert scan(photo, depth=3).to_dict()["depth"] == 3
    code, _, err = run(photo, "--depth", 4)
    assert (code, "--depth cannot be 4. Choose one of: 1, 2, 3." in err) == (2, True)
    code, out, err = run(photo, "--level", 2)
    assert (code, out) == (2, "")
    assert err == (
        "brikks-scan: pond.png: level 2 cannot be said of Pond. Leave it out, or say what can: "
        "depth 1|2|3.\n"
    )


def test_what_it_lacks_names_the_games_that_have_it(run: Run, tmp_path: Path) -> None:
    assert [game.NAME for game in games_with("board")] == ["blox", "pond"]
    assert game_named("pond").printer is None and game_named("brikks").moves is None
    code, _, err = run("sheet", "print", "--game", "pond", "-o", tmp_path / "pond.pdf")
    assert (code, "brikks, bloxx, blox, qwixx" in err, "pond.pdf" in err) == (2, True, False)


def test_a_batch_reads_it(photo: Path) -> None:
    (line,) = read_photo(photo, (NO_SETTINGS, "en", None)).sheets
    assert line.row is not None
    assert (line.row["game"], line.values["status"]) == ("pond", "uncertain")


def test_a_watched_folder_records_it(photo: Path, tmp_path: Path) -> None:
    (stamp,) = (each for path, each in photo_files(tmp_path).items() if path == photo)
    with open_record(tmp_path / "record.sqlite3") as record:
        is_done, (news,) = ingest(record, photo, Sighting(stamp, 0.0), Settings(), 100.0)
    assert is_done and isinstance(news, NewResult) and news.result.reading.game == "pond"


def test_the_page_reads_shows_and_corrects_it(photo: Path, tmp_path: Path) -> None:
    from brikks_vision.intake.photos import photo_facts
    from brikks_vision.intake.recording import record_board
    from brikks_vision.pipeline import scan_photo
    from brikks_vision.web.routes.boards import BoardDraft

    app = new_service(tmp_path / "record.sqlite3", access_for("127.0.0.1", None), processes=1)
    with TestClient(app, "http://127.0.0.1:8765", follow_redirects=True) as client:
        assert "BLOX, Pond" in client.get("/boards").text
        seen, facts = scan_photo(photo), photo_facts(photo.read_bytes(), photo.name, 0)
        service = app.app.state.service
        with service.open() as record:
            (number,) = record_board(record, [facts], seen).results
        token = service.boards.add(BoardDraft(seen, {}, facts, number))
        page = client.get(f"/boards/{token}").text
        assert page.count("row 1, column 1") >= 1
        assert "3 stones are on the pond." in page
        assert client.get(f"/boards/{token}/board.jpg").status_code == 200
        recorded = client.get(f"/result/{number}").text
        assert "Pond" in recorded and "3 stones are on the pond." in recorded
