"""A learnt printing in all that shows a sheet: from a file, kept, and removed again."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import pytest

from brikks_vision import Status, learn_sheet, scan
from brikks_vision.errors import LayoutUnknown, UnknownValue
from brikks_vision.games.printings import open_printing, parse_printing
from brikks_vision.layout import load_layout, packaged_names
from tests.command_line import Run

pytestmark = pytest.mark.usefixtures("observed_once")

BLANK, FILLED = (Path("tests/fixtures/bloxx") / f"other-{name}.jpg" for name in ("blank", "filled"))


@pytest.fixture(autouse=True)
def own_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "kept"))
    monkeypatch.setattr("brikks_vision.games.printings._in_use", {})


@pytest.fixture(scope="module")
def learnt(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The definition that is learnt from the empty sheet."""
    path = tmp_path_factory.mktemp("learnt") / "mine.json"
    path.write_text(learn_sheet(BLANK, "bloxx", "mine").to_json())
    return path


def test_a_printing_in_a_file_is_read_told_and_drawn(
    run: Run, tmp_path: Path, learnt: Path
) -> None:
    path, picture = tmp_path / "mine.json", tmp_path / "read.png"
    run("sheet", "learn", BLANK, "--game", "bloxx", "-o", path)
    assert {**json.loads(path.read_text()), "name": "mine"} == json.loads(learnt.read_text())
    _, out, _ = run(FILLED, "--sheet", path, "--annotate", picture, "--lang", "de")
    assert len([line for line in out.splitlines() if line[:5].strip().isdigit()]) == 9
    assert "Reihe" in out
    assert picture.exists()
    assert run("game", FILLED, "--sheet", path)[0] == 2  # one sheet is no game, and no traceback


def as_in_another_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("brikks_vision.games.printings._in_use", {})


def test_what_was_recorded_with_a_printing_stays_when_it_is_removed(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, learnt: Path
) -> None:
    record, blurred = tmp_path / "record.sqlite3", tmp_path / "other-filled.jpg"
    cv2.imwrite(str(blurred), cv2.GaussianBlur(cv2.imread(str(FILLED)), (0, 0), 5.5))
    run("sheet", "add", learnt, "--name", "mine")
    run(blurred, "--sheet", "mine", "--db", record)
    questions = run("review", "--db", record, "--json")[1]
    assert len(questions.splitlines()) > 0
    before = run("history", "show", "1", "--db", record)
    run("sheet", "remove", "mine")
    as_in_another_process(monkeypatch)
    assert "other-filled.jpg" in run("history", "--db", record)[1]
    assert run("history", "show", "1", "--db", record) == before
    assert run("review", "--db", record, "--json")[1] == questions


@pytest.mark.parametrize("name", ["bloxx", "brikks", "blox"])
def test_a_printing_that_is_called_as_one_of_the_package(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, learnt: Path, name: str
) -> None:
    record, path = tmp_path / "record.sqlite3", tmp_path / "mine.json"
    path.write_text(json.dumps({**json.loads(learnt.read_text()), "name": name}))
    _, out, _ = run(FILLED, "--sheet", path, "--db", record, "--json")
    reading = json.loads(out)
    assert (reading["sheet"], len(reading["grid"])) == (name, 9)
    as_in_another_process(monkeypatch)
    code, out, err = run("history", "edit", 1, "--answer", "cell 0,0=X", "--db", record)
    assert code == 0, err
    code, out, _ = run("history", "show", 1, "--json", "--db", record)
    assert json.loads(out)["reading"]["grid"][0][0] == "X"


def test_two_printings_of_one_name(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, learnt: Path
) -> None:
    record, path = tmp_path / "record.sqlite3", tmp_path / "mine.json"
    run("sheet", "add", learnt, "--name", "mine")
    brikks = json.loads(load_layout("brikks").to_json())
    path.write_text(json.dumps({**brikks, "name": "mine", "colors": {**brikks["colors"]}}))
    run(FILLED, "--sheet", "mine", "--db", record)
    run("samples/arcade.jpg", "--sheet", path, "--db", record)
    as_in_another_process(monkeypatch)
    games = []
    for number in (1, 2):
        code, out, err = run("history", "show", number, "--json", "--db", record)
        assert code == 0, err
        games.append(json.loads(out)["reading"]["game"])
        assert run("history", "show", number, "--db", record)[0] == 0
    assert sorted(games) == ["bloxx", "brikks"]


def test_the_page_shows_and_corrects_a_printing_called_as_another(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, learnt: Path
) -> None:
    pytest.importorskip("fastapi", reason="the extra web is not installed")
    from starlette.testclient import TestClient

    from brikks_vision.web.app import new_service
    from brikks_vision.web.guard import access_for

    record, path = tmp_path / "record.sqlite3", tmp_path / "mine.json"
    path.write_text(json.dumps({**json.loads(learnt.read_text()), "name": "brikks"}))
    run(FILLED, "--sheet", path, "--db", record)
    as_in_another_process(monkeypatch)
    service = new_service(record, access_for("127.0.0.1", None), processes=1)
    with TestClient(service, "http://127.0.0.1:8765") as client:
        said = {"where": "cell 0,0", "mark": "X"}
        assert client.post("/result/1/correct", data=said).status_code == 200
        for address in ("/", "/result/1", "/history", "/check", "/plot/empty.png"):
            assert client.get(address).status_code == 200


def test_a_printing_is_known_by_its_content(run: Run, learnt: Path) -> None:
    run("sheet", "add", learnt, "--name", "mine")
    mine: Any = open_printing("mine")
    assert mine.printing is not None
    assert parse_printing(mine.to_json(), "file").printing == mine.printing
    assert replace(mine, name="other", title="Other").printing == mine.printing
    assert replace(mine, printed={}).printing != mine.printing
    for name in packaged_names():
        if name != "blox":
            assert parse_printing(load_layout(name).to_json(), "file").printing is None


# --- the printing that a photo is read as, where it is named --------------------------------------


ARCADE, PRINTED = Path("samples/arcade.jpg"), Path("samples/printed.jpg")


def test_a_named_printing_is_the_one_that_is_told() -> None:
    by_name = scan(PRINTED, sheet="brikks-light")
    assert (by_name.sheet, by_name.status) == ("brikks-light", Status.OK)
    assert by_name.score == scan(PRINTED).score
    assert scan(ARCADE, sheet=load_layout("brikks"), game="brikks").score == scan(ARCADE).score


def test_a_printing_with_markers_alone_is_found_by_its_print_where_none_show() -> None:
    reading = scan(ARCADE, sheet="brikks-light")
    assert reading.status is Status.UNREADABLE or reading.sheet == "brikks-light"


def test_printings_that_cannot_be_read_are_refused() -> None:
    with pytest.raises(LayoutUnknown):
        scan(ARCADE, sheet="no-such-sheet")
    with pytest.raises(UnknownValue, match="chess"):
        scan(ARCADE, game="chess")
