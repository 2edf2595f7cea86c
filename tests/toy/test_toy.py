"""A game that is added from outside: one module, one layout file and its words."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray
from starlette.testclient import TestClient

from brikks_vision.detect.marks import Marks
from brikks_vision.games import GAMES, game_named, reading_from
from brikks_vision.games.printings import open_printing
from brikks_vision.infer.answers import parse_answers
from brikks_vision.infer.evidence import Evidence, evidence_json
from brikks_vision.layout import Layout
from brikks_vision.pipeline import localize
from brikks_vision.reading import ReadSheet, Status
from brikks_vision.record.database import open_record
from brikks_vision.record.entries import Material, SheetReading
from brikks_vision.record.photos import add_photo
from brikks_vision.record.results import corrections
from brikks_vision.show.overlay import CROSS_COLOR, annotate
from brikks_vision.show.report import referee_report, report
from brikks_vision.text import languages
from brikks_vision.web.app import new_service
from brikks_vision.web.guard import access_for
from tests.command_line import Run
from tests.recorded_sheets import photo

HERE = Path(__file__).parent
CLEAR = 9.0  # log-odds


class LargeCells:
    """A sheet of 100 px cells whose grid begins at (150, 150)."""

    def to_photo(self, points: NDArray[np.float64], /) -> NDArray[np.float64]:
        return 100 * points + 150


@pytest.fixture(autouse=True)
def toy(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Layout]:
    """The layout of the toy, whose game is known while the test runs."""
    monkeypatch.setitem(GAMES, "toy", "tests.toy.game")
    monkeypatch.setattr(languages, "FOLDERS", [*languages.FOLDERS, HERE / "text"])
    sheets = tmp_path / "sheets"
    sheets.mkdir()
    (sheets / "toy.json").write_text((HERE / "toy.json").read_text())
    monkeypatch.setattr("brikks_vision.games.printings.kept_folder", lambda: sheets)
    languages.texts_in.cache_clear()
    yield open_printing("toy")
    languages.texts_in.cache_clear()


def clear_evidence(drawing: str, sun: float = -CLEAR) -> Evidence:
    """The evidence of a drawn sheet: "X", ".", "?" (as likely as not), rows after each other."""
    logits = [{"X": CLEAR, ".": -CLEAR, "?": 0.2}[letter] for letter in drawing.replace(" ", "")]
    cells = np.reshape(logits, (3, 3))
    return Evidence(Marks({("cell", "cross"): cells, ("sun", "ring"): np.array([sun])}), {})


def read(evidence: Evidence, **answers: str) -> ReadSheet:
    named = {where.replace("_", " "): mark for where, mark in answers.items()}
    reading, _ = game_named("toy").read("toy.jpg", evidence, open_printing("toy"), named)
    return reading


def test_what_one_photo_leaves_open_another_tells() -> None:
    game = game_named("toy")
    first, second = clear_evidence("XX? .?. ..."), clear_evidence("XXX .?. ...")
    both = read(game.combined([first, second], None))
    assert both.grid == ("XXX", ".X.", "...")
    left, told = (doubt.confidence for doubt in both.doubts)
    assert [doubt.where for doubt in both.doubts] == ["cell 1,1", "cell 0,2"]
    assert left < 0.6 and told > 0.99
    assert not game.contradicts(first, second)
    assert game.contradicts(first, clear_evidence("X.. X.. X.X"))


def test_where_one_photo_shows_a_mark_and_another_none_something_may_lie() -> None:
    game = game_named("toy")
    first, second = clear_evidence("XX. ... ..."), clear_evidence("XX. ... ..X", sun=CLEAR)
    assert not game.contradicts(first, second)
    both = read(game.combined([first, second], None))
    assert both.covered == ("cell 2,2", "sun 0")
    assert read(game.combined([first, second, second], None)).covered == both.covered


def test_it_is_decoded_and_scored() -> None:
    reading = read(clear_evidence("X.. .X. ..X", sun=CLEAR))
    assert (reading.status, reading.score.total, reading.total_range) == (Status.OK, 6, (6, 6))
    assert reading.grid == ("X..", ".X.", "..X")
    assert reading_from(reading.to_dict()) == reading


def test_what_is_doubtful_is_asked() -> None:
    reading = read(clear_evidence("X.. .?. ..X"))
    assert (reading.status, reading.total_range) == (Status.UNCERTAIN, (2, 3))
    assert [doubt.where for doubt in reading.doubts] == ["cell 1,1"]
    answers = parse_answers(["row 2, column 2=empty"], game_named("toy"), open_printing("toy"))
    assert answers == {"cell 1,1": "."}


def test_it_is_judged_where_the_evidence_is_sure() -> None:
    broken = read(clear_evidence("X.. ... ..X", sun=CLEAR))
    assert [each.rule for each in broken.violations] == ["early-sun"]
    assert "Die Sonne ist eingekreist" in referee_report(localize(broken, "de"), "de")
    assert not read(clear_evidence("X.. .?. ..X", sun=CLEAR)).violations
    assert not read(clear_evidence("X.. .X. ..X", sun=CLEAR)).violations


def test_it_is_told_in_the_terminal() -> None:
    text = report(read(clear_evidence("X.. .?. ..X")), "en")
    assert "Points" in text
    assert "Row 2 from the bottom, column 2: is it crossed?" in text
    assert '--answer "row 2, column 2=crossed" or "row 2, column 2=empty"' in text


def test_it_is_drawn_on_the_picture(toy: Layout) -> None:
    image = np.full((700, 600, 3), 128, np.uint8)
    reading = read(clear_evidence("X.. .X. ...", sun=CLEAR))
    drawn = annotate(image, LargeCells(), reading, toy, "en")
    green = (drawn[:700] == CROSS_COLOR).all(axis=2)
    for row, column, is_marked in ((0, 0, True), (1, 1, True), (2, 2, False)):
        cell = green[150 + 100 * row : 250 + 100 * row, 150 + 100 * column : 250 + 100 * column]
        assert (cell.sum() > 100) == is_marked
    assert green[480:560, 260:340].sum() > 50  # the ring around the sun


def recorded(evidence: Evidence, path: Path) -> int:
    """The number of a sheet in a record of its own."""
    _, blank = cv2.imencode(".jpg", np.full((300, 300, 3), 255, np.uint8))
    with open_record(path) as record:
        sheet = SheetReading(
            read(evidence), None, Material(evidence_json(evidence), blank.tobytes())
        )
        (number,) = add_photo(record, photo("toy.jpg"), [sheet], "Anna").results
    return number


def test_its_own_setting_is_an_option_a_field_and_kept(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "record.sqlite3"
    number = recorded(clear_evidence("X.. .X. ..X", sun=CLEAR), path)
    there = ("--db", path, "--lang", "de")
    assert "--weather dry|rain" in run("history", "edit", "--help")[1]
    code, out, _ = run("history", "edit", number, "--weather", "rain", *there)
    assert (code, " 3 " in out) == (0, True)
    assert "Wetter rain" in run("history", "show", number, *there)[1]
    service = new_service(path, access_for("127.0.0.1", None), processes=1)
    with TestClient(service, "http://127.0.0.1:8765", follow_redirects=True) as client:
        page = client.get(f"/result/{number}?lang=en").text
        assert 'Weather\n    <select name="weather">' in page and 'name="level"' not in page
        assert '<option value="rain" selected>rain</option>' in page
        origin = {"Origin": "http://127.0.0.1:8765", "Accept": "application/json"}
        say = partial(client.post, f"/result/{number}/game", headers=origin)
        assert say(data={"weather": "dry"}).json()["reading"]["score"]["total"] == 6
        assert say(data={"weather": "rain"}).json()["reading"]["score"]["total"] == 3
        assert say(data={"weather": ""}).json()["reading"]["score"]["total"] == 6
        for wrong, told in (
            ({"weather": "snow"}, "weather cannot be snow. Choose one of: dry, rain."),
            ({"level": "2"}, "level cannot be said of Toy."),
        ):
            refused = say(data=wrong)
            assert refused.status_code == 400 and told in refused.text
    with open_record(path) as record:
        said = [dict(each.changes) for each in corrections(record, number)]
    assert said[0] == {"weather": ("", "rain")}


def test_it_is_told_that_another_game_has_no_such_setting(run: Run) -> None:
    code, out, err = run("samples/bloxx.jpg", "--weather", "rain")
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert "bloxx.jpg: weather rain cannot be said of BLOXX!." in err


def test_it_is_shown_and_corrected_on_the_page(toy: Layout, tmp_path: Path) -> None:
    number = recorded(clear_evidence("X.. .?. ..X"), tmp_path / "record.sqlite3")
    service = new_service(tmp_path / "record.sqlite3", access_for("127.0.0.1", None), processes=1)
    with TestClient(service, "http://127.0.0.1:8765", follow_redirects=True) as client:
        page = client.get(f"/result/{number}").text
        assert page.count('data-where="cell ') == 9
        assert 'data-where="sun 0"' in page
        assert "is it crossed?" in page
        said = client.post(f"/result/{number}/correct", data={"where": "cell 1,1", "mark": "X"},
                           headers={"Origin": "http://127.0.0.1:8765"})  # fmt: skip
        assert said.status_code == 200
        assert '<span id="total" class="points">3</span>' in said.text
