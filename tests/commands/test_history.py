"""brikks-scan history: the number that it lists is the one that its commands take."""

import json
from pathlib import Path

import pytest

from brikks_vision.intake.photos import sheet_reading
from brikks_vision.pipeline import ScanResult, scan_sheets
from brikks_vision.record.database import open_record
from brikks_vision.record.photos import add_photo
from brikks_vision.record.results import corrections, get_result
from tests.command_line import Run
from tests.doubted_photos import doubted_photo
from tests.recorded_sheets import photo

FIXTURES = Path(__file__).parents[1] / "fixtures"
SHEET = FIXTURES / "good-art.jpg"


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    data = SHEET.read_bytes()
    sheets = [each for each in scan_sheets(data) if isinstance(each, ScanResult)]
    path = tmp_path_factory.mktemp("record") / "games.db"
    with open_record(path) as record:
        kept = [sheet_reading(each, data, "en") for each in sheets]
        add_photo(record, photo(SHEET.name, content=data), kept, "Anna")
    return path


@pytest.fixture
def database(recorded: Path, tmp_path: Path) -> Path:
    path = tmp_path / "games.db"
    path.write_bytes(recorded.read_bytes())
    return path


def test_a_result_is_edited_shown_and_the_change_undone(run: Run, database: Path) -> None:
    there = ("--db", database)
    words = ("--player", "Ben", "--answer", "bomb 2=crossed", "--answer", "bomb 4=open")
    code, out, err = run("history", "edit", 1, *words, "--level", 3, *there)
    assert (code, err) == (0, "Bomb 2: crossed\nBomb 4: open\n")
    assert "Ben        42  sure" in out
    with open_record(database) as record:
        (said,) = corrections(record, 1)
        assert get_result(record, 1).player == "Ben"
    assert said.who == "Anna"  # whose it was when it was said
    code, out, _ = run("history", *there, "show", 1)
    assert code == 0
    assert "Total           42   sure" in out
    assert "Anna: Bomb 2: crossed (before: open)" in out
    assert "Anna: level 3" in out
    run("history", "undo", *there)
    code, out, _ = run("history", "undo", *there)
    assert out == "Undone: the correction of result 1.\n"
    _, out, _ = run("history", *there)
    assert "Anna       44  " in out
    assert "corrected" not in out
    code, _, err = run("history", "undo", *there)
    assert code == 2
    assert "no change" in err


def test_the_record_is_saved_and_taken_back(run: Run, database: Path, tmp_path: Path) -> None:
    there = ("--db", database)
    code, out, _ = run("history", "backup", tmp_path / "saved.db", *there)
    assert (code, out) == (0, f"The whole record is saved in {tmp_path / 'saved.db'}.\n")
    run("history", "remove", 1, *there)
    code, out, _ = run("history", "restore", tmp_path / "saved.db", *there, "--lang", "de")
    assert code == 0
    assert "Die bisherige liegt in" in out
    assert "good-art.jpg" in run("history", *there)[1]


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["edit", 1], "Nothing is said of result 1"),
        (["edit", 7, "--player", "Ben"], "no result 7"),
        (["edit", 1, "--answer", "bomb 3=open"], "no bomb 3"),
        (["edit", 1, "--players", 3, "--variant", "solo"], "no game with"),
        (["show", 7], "no result 7"),
        (["show", 1, "--picture", "small.png"], ".jpg, .jpeg"),
        (["show", 1, "--picture", "no-such-folder/small.jpg"], "cannot be written"),
        (["remove", 7], "no result 7"),
        (["restore", "missing.db"], "no backup missing.db"),
        (["backup", SHEET], "is no record"),
    ],
)
def test_wrong_use(run: Run, database: Path, words: list[object], says: str) -> None:
    before = database.read_bytes()
    code, out, err = run("history", *words, "--db", database)
    assert (code, out) == (2, "")
    assert says in err
    assert database.read_bytes() == before


def test_a_sheet_leaves_its_game_only_with_leave(run: Run, tmp_path: Path) -> None:
    there = ("--db", tmp_path / "games.db")
    anna, ben, cleo = (FIXTURES / f"{name}.jpg" for name in ("good-art", "scan-art", "landscape"))
    run("game", anna, ben, *there)
    _, _, err = run("game", anna, ben, *there)  # once more: the same game
    assert "Recorded as game 1." in err
    code, _, err = run("game", ben, cleo, *there)
    assert code == 2
    assert "is in game 1 already. With --leave" in err
    _, _, err = run("game", ben, cleo, "--leave", *there)
    assert "Recorded as game 2." in err


def test_a_known_photo_is_told_as_the_record_holds_it(run: Run, tmp_path: Path) -> None:
    photo, doubt = doubted_photo()
    other = "." if doubt.read == "X" else "X"
    there = ("--db", tmp_path / "games.db")
    run(photo, "--player", "Anna", *there)
    run("review", "--answer", f"mark 1 {doubt.where}={other}", *there)
    _, out, _ = run("history", "show", 1, "--json", *there)
    held = json.loads(out)["reading"]
    _, out, _ = run(photo, "--json", *there)
    again = json.loads(out)
    assert again["score"] == held["score"]
    assert doubt.where not in {each["where"] for each in again["doubts"]}
    _, out, _ = run("game", photo, SHEET, "--json", *there)
    assert json.loads(out.splitlines()[0])["score"] == held["score"]


def test_each_sheet_of_a_game_has_a_player_of_its_own(run: Run, tmp_path: Path) -> None:
    photos = [FIXTURES / f"{name}.jpg" for name in ("good-art", "scan-art")]
    path = tmp_path / "games.db"
    for names in ("Anna,Anna", "Anna, ANNA"):
        code, out, err = run("game", *photos, "--player", names, "--db", path)
        assert (code, out) == (2, "")
        assert "names Anna for two sheets" in err
    assert not path.exists()


def test_a_name_is_not_cut(run: Run, database: Path) -> None:
    there, long = ("--db", database), "Anna " * 12 + "Maria"
    before = database.read_bytes()
    for words in (
        (SHEET, "--player", long),
        ("game", SHEET, FIXTURES / "scan-art.jpg", "--player", f"Ben,{long}"),
        ("history", "edit", 1, "--answer", "bomb 2=crossed", "--player", long),
        ("watch", database.parent, "--player", long),
    ):
        code, out, err = run(*words, *there)
        assert (code, out) == (2, "")
        assert "has 65 characters" in err
    assert database.read_bytes() == before
