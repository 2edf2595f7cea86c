"""``brikks-scan sheet``: learn, add, list, remove."""

import json
from pathlib import Path

import cv2
import pytest

from brikks_vision.games.printings import kept_folder, open_printing
from tests.command_line import Run

BLANK = Path("tests/fixtures/blank.jpg")
FILLED = Path("tests/fixtures/good-art.jpg")


def test_a_sheet_is_learnt_into_a_file_with_a_picture_of_it(run: Run, tmp_path: Path) -> None:
    output, picture = tmp_path / "mine.json", tmp_path / "mine.png"
    words = ("sheet", "learn", BLANK, "--game", "brikks", "-o", output, "--annotate", picture)
    code, out, err = run(*words)
    assert (code, err) == (0, "")
    assert "mine" in out and "11 rows by 10 columns" in out
    layout = open_printing(output)
    assert (layout.name, layout.game) == ("mine", "brikks")
    drawn = cv2.imread(str(picture))
    assert drawn is not None
    assert min(drawn.shape[:2]) > 40 * layout.grid.columns


def test_a_sheet_is_kept_listed_and_removed(run: Run, tmp_path: Path) -> None:
    assert run("sheet", "learn", BLANK, "--name", "noris")[0] == 0
    code, out, _ = run("sheet", "list")
    assert code == 0
    assert any("noris" in line and "learnt" in line for line in out.splitlines())
    assert any("brikks-light" in line for line in out.splitlines())
    code, _, err = run("sheet", "learn", BLANK, "--name", "noris")
    assert code == 2 and "noris" in err
    assert run("sheet", "remove", "noris")[0] == 0
    assert "noris" not in run("sheet", "list")[1]
    assert run("sheet", "remove", "noris")[0] == 2
    assert run("sheet", "remove", "brikks")[0] == 2


def test_a_definition_is_added_under_another_name(run: Run, tmp_path: Path) -> None:
    output = tmp_path / "a.json"
    run("sheet", "learn", BLANK, "-o", output)
    assert run("sheet", "add", output)[0] == 0
    assert run("sheet", "add", output, "--name", "b")[0] == 0
    _, out, _ = run("sheet", "list")
    assert {line.split()[0] for line in out.splitlines()} >= {"a", "b"}


def test_what_is_hardly_an_empty_sheet_is_shown_and_not_kept(run: Run, tmp_path: Path) -> None:
    output, picture = tmp_path / "x.json", tmp_path / "x.png"
    code, out, err = run("sheet", "learn", FILLED, "-o", output, "--annotate", picture)
    assert code == 1 and out == ""
    assert "good-art.jpg" in err and "--ask" in err
    assert (output.exists(), picture.exists()) == (False, True)


def test_doubts_are_asked_and_what_is_right_is_kept(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    unsure = Path("tests/fixtures/bloxx/other-blank-2.jpg")  # the colour of one of its rows
    output, picture = tmp_path / "x.brikks", tmp_path / "x.png"
    words = ("sheet", "learn", unsure, "--ask", "-o", output, "--annotate", picture)
    monkeypatch.setattr("builtins.input", iter(["", "no"]).__next__)
    assert run(*words)[0] == 3
    assert (output.exists(), picture.exists()) == (False, True)
    monkeypatch.setattr("builtins.input", iter(["loud", "violet", "y"]).__next__)
    code, _, err = run(*words)
    assert (code, "loud" in err) == (0, True)
    assert "violet" in {each["color"] for each in open_printing(output).printed["colored_rows"]}


@pytest.mark.parametrize(
    "words",
    [
        ("sheet", "learn", "no-such.jpg"),
        ("sheet", "learn", BLANK, "--game", "chess"),
        ("sheet", "learn", BLANK, "-o", "x.txt"),
        ("sheet", "learn", BLANK, "--annotate", "x.gif"),
        ("sheet", "learn", BLANK, "--annotate", BLANK),
        ("sheet", "learn", BLANK, "--name", "A/B"),
        ("sheet", "learn", BLANK, "--set", "nonsense"),
        ("sheet", "learn", BLANK, "--game", "brikks", "--set", "cell 0,0=X"),
        ("sheet", "add", "no-such.json"),
        ("sheet", "add", BLANK),
    ],
)
def test_wrong_use_exits_with_2_and_one_sentence(run: Run, words: tuple[object, ...]) -> None:
    before = BLANK.read_bytes()
    code, out, err = run(*words)
    assert code == 2 and out == "" and err.count("\n") == 1
    assert BLANK.read_bytes() == before


def test_a_damaged_definition_is_told_in_the_list(run: Run) -> None:
    kept_folder().mkdir(parents=True)
    (kept_folder() / "broken.json").write_text(json.dumps({"version": 1}))
    code, out, err = run("sheet", "list")
    assert code == 2
    assert "broken" in err
    assert any(line.split()[:2] == ["broken", "damaged"] for line in out.splitlines())


def test_each_game_prints_its_own_sheet(run: Run, tmp_path: Path) -> None:
    page = tmp_path / "four.pdf"
    assert run("sheet", "print", "-o", page, "--game", "bloxx", "--per-page", "4")[0] == 0
    assert page.read_bytes().startswith(b"%PDF")
    for words in (("--game", "chess"), ("--per-page", "4"), ("--game", "bloxx", "--per-page", "3")):
        code, _, err = run("sheet", "print", "-o", tmp_path / "none.pdf", *words)
        assert (code, "Choose one of" in err) == (2, True)
    assert not (tmp_path / "none.pdf").exists()


def test_what_fails_is_said_of_the_photo_that_shows_it(run: Run, tmp_path: Path) -> None:
    broken, empty = tmp_path / "set-up.jpg", "tests/fixtures/blox/empty.jpg"
    broken.write_bytes(b"no picture")
    for pieces in (broken, Path("tests/fixtures/blank.jpg")):
        code, out, err = run("sheet", "learn", empty, "--pieces", pieces)
        assert (code, out) == (1, "")
        assert err.startswith(f"brikks-scan: {pieces.name}: ")
    code, _, err = run("sheet", "learn", FILLED, "--game", "blox", "--pieces", empty)
    assert err.startswith(f"brikks-scan: {FILLED.name}: ")
