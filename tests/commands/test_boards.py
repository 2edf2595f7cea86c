"""Boards from the command: learnt, read, drawn; what may be done on them, and turns."""

import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pypdfium2  # type: ignore[import-untyped]
import pytest

from brikks_vision import learn_sheet, scan, scan_all
from brikks_vision.errors import SheetOfOtherGame, UnknownValue
from brikks_vision.games.blox.reading import BloxReading
from brikks_vision.pipeline.finders import BOARD_SIDE
from brikks_vision.reading import Reading
from brikks_vision.rules.blox.position import parse_board
from brikks_vision.text.languages import LANGUAGES
from simulation.blox.notation import print_position
from simulation.blox.notation import read_position as drawn_position
from tests.command_line import Run
from tests.known_boards import FIELD_COLORS, turns_of

FOLDER = Path("tests/fixtures/blox")
EMPTY, BEFORE, AFTER, ILLEGAL = (
    FOLDER / f"{name}.jpg" for name in ("empty", "slant", "after", "illegal")
)


def told(line: str) -> dict[str, Any]:
    return dict(json.loads(line))


def test_a_board_is_learnt_kept_listed_and_removed(run: Run, tmp_path: Path) -> None:
    picture = tmp_path / "learnt.png"
    code, out, err = run("sheet", "learn", EMPTY, "--game", "blox", "--name", "my-board",
                       "--annotate", picture)  # fmt: skip
    assert "my-board" in out, err
    assert (code, bool(cv2.imread(str(picture)).any())) == (0 if "Not sure" not in out else 3, True)
    assert "my-board" in run("sheet", "list")[1]
    reading = told(run(BEFORE, "--sheet", "my-board", "--json")[1])
    assert reading["sheet"] == "my-board"
    assert reading["fields"] in turns_of(FIELD_COLORS)
    assert run("sheet", "remove", "my-board")[0] == 0
    assert run(BEFORE, "--sheet", "my-board")[0] == 2


def test_a_board_that_is_kept_is_known_without_being_named(run: Run, board: Path) -> None:
    assert run(AFTER, "--game", "blox")[0] == 1
    run("sheet", "add", board, "--name", "kept")
    reading = told(run(AFTER, "--game", "blox", "--json")[1])
    assert (reading["sheet"], reading["fields"]) == ("kept", FIELD_COLORS)
    _, out, _ = run("turn", BEFORE, AFTER, "--game", "blox", "--json")
    assert [told(line)["sheet"] for line in out.splitlines()[:2]] == ["kept", "kept"]
    assert run("moves", AFTER, "--color", "blue", "--cards", "white")[0] in (0, 3)


def test_of_the_boards_that_are_kept_the_one_in_the_photo_is_taken(run: Run, board: Path) -> None:
    data = told(board.read_text())
    data["field_colors"] = [row[::-1] for row in data["field_colors"]]
    other = board.with_name("other.json")
    other.write_text(json.dumps(data))
    for path, name in ((other, "a-mirrored"), (board, "b-true"), (other, "c-mirrored")):
        run("sheet", "add", path, "--name", name)
    assert told(run(AFTER, "--game", "blox", "--json")[1])["sheet"] == "b-true"


def test_the_game_of_an_empty_board_need_not_be_named(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "board.json"
    _, out, _ = run("sheet", "learn", EMPTY, "-o", path, "--set", "field 0,0=black")
    assert out.startswith("BLOX: a board of 9 x 9 fields")
    assert told(path.read_text())["game"] == "blox"
    assert told(path.read_text())["field_colors"][0][0] == "b"


@pytest.mark.parametrize("shown", ["samples/arcade.jpg", "samples/bloxx.jpg", "half"])
def test_only_a_whole_board_is_learnt(run: Run, tmp_path: Path, shown: str) -> None:
    photo, path = tmp_path / "half.png", tmp_path / "board.json"
    image = cv2.imread(str(EMPTY))
    cv2.imwrite(str(photo), image[: len(image) // 2])
    code, out, err = run("sheet", "learn", photo if shown == "half" else shown, "--game", "blox",
                         "-o", path)  # fmt: skip
    why, what_to_do = err.splitlines()
    assert (code, out, path.exists()) == (1, "", False)
    assert why.startswith("brikks-scan: ")
    assert "--set" in what_to_do and "--ask" in what_to_do


def test_a_definition_of_another_game_is_refused(run: Run, board: Path) -> None:
    for words in (
        (AFTER, "--game", "blox", "--sheet", "brikks"),
        (AFTER, "--game", "brikks", "--sheet", board),
        (AFTER, "--game", "brikks", "--sheet", "blox"),
        ("turn", BEFORE, AFTER, "--game", "blox", "--sheet", "brikks"),
        ("moves", AFTER, "--sheet", "brikks", "--color", "blue", "--cards", "white"),
    ):
        code, out, err = run(*words)
        assert (code, out, len(err.splitlines())) == (2, "", 1)
        assert "is no definition for the game" in err, words


def test_no_board_is_learnt_of_one_in_a_game(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "board.json"
    code, out, err = run("sheet", "learn", BEFORE, "--game", "blox", "-o", path)
    assert (code, out, path.exists()) == (1, "", False)
    assert "Something stands on the board" in err


@pytest.mark.parametrize(
    "said", ["field 9,0=white", "field 0,0=pink", "field 0=white", "row 3=white"]
)
def test_what_a_board_cannot_have_is_refused(run: Run, tmp_path: Path, said: str) -> None:
    path = tmp_path / "board.json"
    assert run("sheet", "learn", EMPTY, "--game", "blox", "-o", path, "--set", said)[0] == 2
    assert not path.exists()


def test_a_position_is_told_as_json_and_as_a_plan(run: Run, board: Path) -> None:
    code, out, _ = run(AFTER, "--game", "blox", "--sheet", board, "--json")
    reading = told(out)
    assert (reading["game"], reading["photo"], reading["score"]) == ("blox", "after.jpg", None)
    assert code == (0 if reading["status"] == "ok" else 3)
    truth = drawn_position(
        json.loads((FOLDER / "after.json").read_text())["position"],
        parse_board(json.loads((FOLDER / "empty.json").read_text())),
    )
    pawns = {tuple(pawn["field"]): pawn["color"] for pawn in reading["pawns"]}
    assert len(pawns.items() ^ truth.pawns.items()) <= 2, print_position(truth)
    assert set(reading["phase"]) <= {1, 2, 3, 4}
    _, text, _ = run(AFTER, "--sheet", board)
    for tower in reading["towers"]:
        row, column = tower["field"]
        line = text.splitlines()[3 + row].split()
        assert line[column + 1] == str(tower["height"])


def test_every_language_tells_a_board(run: Run, board: Path) -> None:
    texts = {run(AFTER, "--sheet", board, "--lang", each)[1] for each in LANGUAGES}
    assert len(texts) == len(LANGUAGES)


@pytest.mark.parametrize(
    "language, place, tower",
    [
        ("en", "row {row} from the top, column {column}: a", "tower"),
        ("de", "Reihe {row} von oben, Spalte {column}:", "Turm"),
        ("fr", "ligne {row} en partant du haut, colonne {column}\u202f:", "tour"),
        ("es", "fila {row} desde arriba, columna {column}:", "torre"),
    ],
)
def test_doubts_are_told_in_words_and_answered_in_codes(
    run: Run, board: Path, language: str, place: str, tower: str
) -> None:
    doubts = told(run(AFTER, "--sheet", board, "--json")[1])["doubts"]
    lines = run(AFTER, "--sheet", board, "--lang", language)[1].splitlines()
    assert any(doubt["read"].startswith("tower") for doubt in doubts)
    for doubt in doubts:
        at = lines.index(f'      --answer "{doubt["where"]}={doubt["otherwise"]}"')
        row, column = map(int, doubt["where"].removeprefix("field ").split(","))
        if doubt["read"].startswith("tower"):
            assert place.format(row=row + 1, column=column + 1) in lines[at - 1]
            assert tower in lines[at - 1]
        assert "field" not in lines[at - 1]


def test_python_learns_a_board_and_reads_with_it() -> None:
    learnt = learn_sheet(EMPTY, "blox", "mine", {"field 0,0": "black"})
    for game in ("blox", None):
        reading: Reading = scan(BEFORE, game=game, sheet=learnt)
        assert (reading.game, reading.sheet) == ("blox", "mine")
        assert [each.to_dict()["towers"] for each in scan_all(BEFORE, game=game, sheet=learnt)] == [
            reading.to_dict()["towers"]
        ]
    with pytest.raises(SheetOfOtherGame):
        scan(BEFORE, game="brikks", sheet=learnt)
    with pytest.raises(UnknownValue):
        learn_sheet(EMPTY, "chess")


def test_an_answer_settles_a_field(run: Run, board: Path) -> None:
    _, out, _ = run(AFTER, "--sheet", board, "--json", "--answer", "field 4,4=blue",
                    "--answer", "field 4,5 = tower 2")  # fmt: skip
    reading = told(out)
    assert {"field": [4, 4], "color": "blue", "confidence": 1.0} in reading["pawns"]
    assert [each["height"] for each in reading["towers"] if each["field"] == [4, 5]] == [2]
    for wrong in ("field 4,4=pink", "field 9,4=blue", "cell 1,1=X", "blue"):
        assert run(AFTER, "--sheet", board, "--answer", wrong)[0] == 2


def test_the_position_is_drawn_on_the_photo(run: Run, board: Path, tmp_path: Path) -> None:
    picture = tmp_path / "read.png"
    run(AFTER, "--sheet", board, "--annotate", picture)
    drawn, photo = cv2.imread(str(picture)), cv2.imread(str(AFTER))
    assert drawn.shape == photo.shape
    assert (drawn != photo).any()


def test_the_legal_actions_are_told_and_drawn(run: Run, board: Path, tmp_path: Path) -> None:
    picture = tmp_path / "moves.jpg"
    words = ("moves", AFTER, "--sheet", board, "--color", "blue", "--cards", "white,white,joker")
    _, out, _ = run(*words, "--json", "--annotate", picture)
    actions = [told(line)["turn"] for line in out.splitlines()]
    assert {"enter", "swap"} <= {action["action"] for action in actions}
    for action in actions:
        assert action["photos"] == ["after.jpg"]
        assert set(action["cards"]) <= {"white", "joker"}
        assert "violations" not in action
    assert picture.exists()
    assert f"{len(actions)} legal actions." in run(*words)[1]


@pytest.mark.parametrize(
    "options, says",
    [
        (("--color", "pink", "--cards", "white"), "not a colour of pawns"),
        (("--color", "blue", "--cards", "whit"), "not a card"),
        (("--color", "blue", "--cards", ",".join(6 * ["white"])), "at most 5 cards"),
        (("--color", "blue", "--cards", "white", "--phase", "7"), "no phase 7"),
        (("--color", "blue", "--cards", "white", "--blocks", "pink"), "not a colour of blocks"),
    ],
)
def test_hands_that_cannot_be_are_refused(
    run: Run, board: Path, options: tuple[str, ...], says: str
) -> None:
    code, out, err = run("moves", AFTER, "--sheet", board, *options)
    assert (code, out) == (2, "")
    assert says in err
    assert len(err.splitlines()) == 1


def test_a_turn_is_told_from_two_photos(run: Run, board: Path) -> None:
    _, out, _ = run("turn", BEFORE, AFTER, "--game", "blox", "--sheet", board, "--json")
    first, second, verdict = map(told, out.splitlines())
    assert [first["photo"], second["photo"]] == verdict["turn"]["photos"]
    truth = json.loads((FOLDER / "after.json").read_text())
    assert verdict["turn"]["action"] == truth.get("action", "move")
    assert verdict["turn"]["violations"] == []


def test_an_illegal_turn_is_named(run: Run, board: Path) -> None:
    code, out, _ = run("turn", BEFORE, ILLEGAL, "--game", "blox", "--sheet", board, "--json")
    verdict = told(out.splitlines()[-1])["turn"]
    assert [each["rule"] for each in verdict["violations"]] == ["illegal-move"]
    assert code in (3, 4)


@pytest.mark.parametrize("photo", ["samples/arcade.jpg", "samples/bloxx.jpg", "README.md"])
def test_what_shows_no_board_is_refused(run: Run, board: Path, photo: str) -> None:
    for words in ((photo,), ("moves", photo, "--color", "blue", "--cards", "white")):
        code, out, err = run(*words, "--sheet", board)
        assert (code, out) == (1, "")
        assert len(err.splitlines()) == 1


@pytest.mark.parametrize(
    "damage",
    [
        {"field_colors": None},
        {"field_colors": ["wgpb"] * 9},
        {"squares": ["x" * 9] * 9},
        {"version": 2},
        {"game": "chess"},
        {"name": 3},
    ],
)
def test_a_damaged_definition_is_refused(
    run: Run, board: Path, tmp_path: Path, damage: dict[str, Any]
) -> None:
    path = tmp_path / "damaged.json"
    path.write_text(json.dumps({**told(board.read_text()), **damage}))
    code, out, _ = run(AFTER, "--game", "blox", "--sheet", path)
    assert (code, out) == (2, "")
    assert run("sheet", "add", path, "--name", "damaged")[0] == 2


@pytest.mark.parametrize("paper, boards", [("a3", 1), ("a4", 4), ("letter", 4)])
def test_the_board_is_printed_whole_or_in_four_parts(
    run: Run, tmp_path: Path, paper: str, boards: int
) -> None:
    path = tmp_path / "board.pdf"
    assert run("sheet", "print", "--game", "blox", "--paper", paper, "-o", path)[0] == 0
    document = pypdfium2.PdfDocument(str(path))
    words = ["".join(page.get_textpage().get_text_range().split()) for page in document]
    assert words[:boards] == boards * [""]
    assert words[boards].startswith("1111")  # chips, then cards
    assert "".join(words).count("purple") == 15
    assert "".join(words).count("joker") == 4


def test_a_printed_board_is_learnt_as_it_is(run: Run, tmp_path: Path) -> None:
    pdf, picture, path = tmp_path / "b.pdf", tmp_path / "b.png", tmp_path / "b.json"
    run("sheet", "print", "--game", "blox", "--paper", "a3", "-o", pdf)
    page = np.asarray(pypdfium2.PdfDocument(str(pdf))[0].render(scale=1.2).to_numpy())[..., :3]
    table = cv2.copyMakeBorder(page, *4 * [80], cv2.BORDER_CONSTANT, value=(70, 70, 70))
    cv2.imwrite(str(picture), table)
    run("sheet", "learn", picture, "--game", "blox", "-o", path)
    packaged = json.loads(Path("brikks_vision/layouts/blox.json").read_text())["field_colors"]
    assert told(path.read_text())["field_colors"] == packaged


def test_sheets_are_not_printed_on_paper_for_boards(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "sheet.pdf"
    code, _, err = run("sheet", "print", "--paper", "a3", "-o", path)
    assert (code, path.exists()) == (2, False)
    assert "a4, letter" in err


def test_a_small_board_in_a_large_photo_is_looked_at_finer() -> None:
    board = learn_sheet(EMPTY, "blox")
    image = cv2.imread(str(BEFORE))
    assert image is not None
    down, across = (round(0.4 * side) for side in image.shape[:2])
    far = cv2.copyMakeBorder(image, down, down, across, across, cv2.BORDER_REPLICATE)
    assert max(far.shape) > BOARD_SIDE
    near, found = scan(image, sheet=board), scan(far, sheet=board)
    assert isinstance(near, BloxReading)
    assert isinstance(found, BloxReading)
    assert found.corners is not None and near.corners is not None
    moved = np.array(near.corners) + np.array([across, down])
    assert np.array(found.corners) == pytest.approx(moved, abs=0.15)  # at BOARD_SIDE 0.2 px off
    assert [pawn.field for pawn in found.pawns] == [pawn.field for pawn in near.pawns]
    assert [each.height for each in found.towers] == [each.height for each in near.towers]
