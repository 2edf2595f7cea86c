"""brikks-scan as a referee: a game, a turn, a player who is out, the verdict on one sheet.

The photos are text files with drawings, and only the step from pixels to marks is replaced.
"""

import json
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from brikks_vision.commands.app import main
from brikks_vision.errors import ExitCode, PhotoEmpty
from brikks_vision.infer.evidence import Evidence
from brikks_vision.layout import load_layout
from brikks_vision.reading import GameSettings
from brikks_vision.record.database import open_record
from brikks_vision.record.results import list_results
from brikks_vision.record.tables import list_games
from brikks_vision.text.languages import LANGUAGES
from tests.command_line import Run
from tests.drawn_sheets import (
    BLACK_START,
    GREEN_LAST,
    RED_START,
    clear_marks,
    drawn_posterior,
    drawn_reading,
)

Draw = Callable[..., Path]
FIXTURES = Path(__file__).parents[1] / "fixtures"
LAYOUT = load_layout("brikks")

AFTER = """
    ..CC......
    AACC......
    AABBBB....
    energy xxxo
"""
FLOATING = """
    ....CC....
    ....CC....
    AA........
    AABBBB....
    energy xxoo
"""


@pytest.fixture
def draw(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Draw:
    """A photo of a drawing, and what else it could show, with probabilities."""
    drawings: dict[str, tuple[Any, ...]] = {}

    def draw_photo(name: str, drawing: str, *others: tuple[str, float]) -> Path:
        path = tmp_path / name
        # No two photos are the same file.
        path.write_text(drawing and f"{name}\n{drawing}")
        drawings[name] = (drawing, *others)
        return path

    def scan_drawing(path: Path, known: GameSettings, language: str, *_: object) -> SimpleNamespace:
        if not path.stat().st_size:
            raise PhotoEmpty
        posterior = drawn_posterior(*drawings[path.name])
        reading = drawn_reading(path.name, posterior, **known, language=language)
        evidence = Evidence(clear_marks(posterior.state), {})
        return SimpleNamespace(
            reading=reading, posterior=posterior, evidence=evidence, layout=LAYOUT
        )

    monkeypatch.setattr("brikks_vision.pipeline.scan_photo", scan_drawing)
    scan = "brikks_vision.pipeline.scan_sheets"
    monkeypatch.setattr(scan, lambda *given: [scan_drawing(*given)])
    return draw_photo


# --- a game --------------------------------------------------------------------------------------


def test_a_game(run: Run, draw: Draw) -> None:
    code, out, err = run(
        "game", draw("anna.jpg", BLACK_START + "bombs x"), draw("ben.jpg", RED_START)
    )
    assert (code, err) == (ExitCode.CERTAIN, "")
    assert out.splitlines() == [
        "anna.jpg",
        "  Total 7   sure",
        "  Referee: no rule is broken.",
        "",
        "ben.jpg",
        "  Total 8   sure",
        "  Referee: no rule is broken.",
        "",
        "Game of 2 sheets",
        "  1. ben.jpg (sheet 2)     8",
        "  2. anna.jpg (sheet 1)    7",
        "  Referee: the sheets can be of one game.",
    ]


def test_a_tie_with_one_start_block(run: Run, draw: Draw) -> None:
    code, out, _ = run("game", draw("a.jpg", RED_START), draw("b.jpg", RED_START))
    assert code == ExitCode.VIOLATIONS
    assert "  1. a.jpg (sheet 1)    8   tie\n  1. b.jpg (sheet 2)    8   tie\n" in out
    assert "1. Sheets 1 and 2 must have begun with the red block" in out
    assert "[same-start]" in out


def test_a_game_as_json_lines(run: Run, draw: Draw) -> None:
    words = draw("a.jpg", GREEN_LAST), draw("b.jpg", RED_START)
    code, out, err = run("game", *words, "--json")
    assert (code, err) == (ExitCode.VIOLATIONS, "")
    first, second, last = map(json.loads, out.splitlines())
    assert (first["photo"], second["photo"]) == ("a.jpg", "b.jpg")
    assert [entry["photo"] for entry in last["game"]["ranking"]] == ["a.jpg", "b.jpg"]
    assert [found["rule"] for found in last["game"]["violations"]] == ["rolls-differ"]


def test_each_sheet_has_its_own_verdict_and_level(run: Run, draw: Draw) -> None:
    files = draw("a.jpg", FLOATING), draw("b.jpg", RED_START)
    code, out, _ = run("game", *files, "--json", "--level", "1,2")
    assert code == ExitCode.VIOLATIONS
    first, second, last = map(json.loads, out.splitlines())
    assert "floating" in [found["rule"] for found in first["violations"]]
    assert (first["assumed"]["level"], second["assumed"]["level"]) == ([1], [2])
    assert (second["violations"], last["game"]["violations"]) == ([], [])
    assert first["assumed"]["players"] == [2]


def test_a_photo_that_cannot_be_read_leaves_the_others(run: Run, draw: Draw) -> None:
    files = draw("a.jpg", RED_START), draw("b.jpg", ""), draw("c.jpg", RED_START)
    code, out, err = run("game", *files)
    assert code == ExitCode.UNREADABLE
    assert err.startswith("brikks-scan: b.jpg: The file is empty.")
    assert "-  b.jpg (sheet 2)        not readable, so neither ranked nor compared" in out
    assert "Sheets 1 and 3 must have begun" in out
    assert "were read are compared" in out
    code, out, _ = run("game", *files, "--json")
    lines = [json.loads(line) for line in out.splitlines()]
    assert [line.get("status") for line in lines] == ["ok", "unreadable", "ok", None]
    assert lines[-1]["game"]["unread"] == [1]


def test_a_doubtful_sheet_accuses_nobody(run: Run, draw: Draw) -> None:
    doubtful = draw("b.jpg", RED_START, (BLACK_START.replace("xxoo", "xooo"), 0.3))
    code, out, _ = run("game", draw("a.jpg", RED_START), doubtful)
    assert code == ExitCode.UNCERTAIN
    assert "same-start" not in out
    assert "The ranking is not sure" not in out  # a tie however the sheet is read
    assert "the referee may have missed something" in out
    assert "the sheets can be of one game" not in out


def test_a_duel(run: Run, draw: Draw) -> None:
    files = draw("a.jpg", BLACK_START), draw("b.jpg", RED_START + "bombs x")
    code, out, _ = run("game", *files, "--variant", "duel", "--lang", "de")
    assert code == ExitCode.CERTAIN
    assert "Duell" in out
    assert "  1. b.jpg (Bogen 2) 2 Runden, 0 Punkte der Reihen\n" in out
    assert "Summe" not in out


def test_names_and_levels_count_sheets_not_photos(run: Run, tmp_path: Path) -> None:
    words = ("game", FIXTURES / "two-sheets.jpg", "--db", tmp_path / "games.db")
    _, out, err = run(*words, "--player", "Zoë, Ben", "--level", "1,2", "--json")
    first, second, last = map(json.loads, out.splitlines())
    assert (first["index"], second["index"]) == (0, 1)
    assert (first["assumed"]["level"], second["assumed"]["level"]) == ([1], [2])
    assert [each["player"] for each in last["game"]["ranking"]] == ["Zoë", "Ben"]
    assert "Recorded as game 1." in err
    with open_record(tmp_path / "games.db") as record:
        (kept,) = list_games(record)
    assert [result.player for result in kept.results] == ["Zoë", "Ben"]
    assert [result.reading.assumed["level"] for result in kept.results] == [(1,), (2,)]
    assert kept.settings == {}


def test_an_answer_to_one_of_several_sheets(run: Run, tmp_path: Path) -> None:
    words = ["game", FIXTURES / "two-sheets.jpg", "--json", "--db", tmp_path / "games.db"]
    before = [json.loads(line) for line in run(*words)[1].splitlines()]
    _, out, _ = run(*words, "--answer", "2: cell 10,0=X", "--player", "Zoë,Ben")
    after = [json.loads(line) for line in out.splitlines()]
    assert before[1]["grid"][10][0] == "." and after[1]["grid"][10][0] == "X"
    assert before[0]["grid"] == after[0]["grid"]
    with open_record(tmp_path / "games.db") as record:
        results = {result.player: result for result in list_results(record)}
    assert results["Ben"].reading.grid[10][0] == "X"  # though the photo was known


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--level", "1,2,3"], "does not go with 2 sheets"),
        (["--player", "Anna"], "does not go with 2 sheets. Give one name for each"),
        (["--answer", "cell 3,4=X"], "names no sheet of this game"),
        (["--answer", "3: cell 3,4=X"], "3 names no sheet of this game"),
        (["--answer", "1: cell 30,4=X"], "This sheet has no"),
    ],
)
def test_what_goes_with_no_sheet(run: Run, draw: Draw, words: list[str], sentence: str) -> None:
    code, out, err = run("game", draw("a.jpg", BLACK_START), draw("b.jpg", RED_START), *words)
    assert (code, out) == (ExitCode.WRONG_USE, "")
    assert sentence in err


def test_the_same_photo_twice(run: Run, draw: Draw) -> None:
    photo = draw("a.jpg", BLACK_START)
    copy = photo.with_name("copy.jpg")
    copy.write_bytes(photo.read_bytes())
    for other in (copy, photo):
        code, out, err = run("game", photo, other)
        assert (code, out) == (ExitCode.WRONG_USE, "")
        assert f"{photo} and {other} are the same photo" in err


# --- a turn --------------------------------------------------------------------------------------


def test_a_turn(run: Run, draw: Draw) -> None:
    files = draw("a.jpg", BLACK_START), draw("b.jpg", AFTER)
    code, out, err = run("turn", *files, "--roll", "black", 3)
    assert (code, err) == (ExitCode.CERTAIN, "")
    assert out.splitlines()[-15:] == [
        "  . . X X . . . . . .",
        "  x x X X . . . . . .",
        "  x x x x x x . . . .",
        "",
        "  Roll    black 3",
        "  Added   the black block in columns 3-4, rows 2-3 from the bottom",
        "  Way     straight down in column 3",
        "  Cost    1 energy point",
        "  Earned  circles covered: 0, rows finished: 0, extra crosses: 0",
        "  Marked  energy circled: 0, energy crossed out: 1, extra crosses: 0, bombs: 0",
        "  Points  -1",
        "",
        "  Referee: a legal turn.",
        "",
        "  x crossed before, X new, - gone, . empty",
    ]


def test_a_turn_with_what_would_have_been_best(run: Run, draw: Draw) -> None:
    files = draw("a.jpg", BLACK_START), draw("b.jpg", AFTER)
    known = ("--players", 2, "--level", 2)
    code, out, _ = run("turn", *files, "--roll", "black", 3, "--coach", *known)
    assert code == ExitCode.CERTAIN
    verdict, advice = out.split("\n  What the computer player would do\n")
    assert "a legal turn" in verdict
    assert advice.startswith("    1. ") and "points in the end" in advice.splitlines()[0]
    assert advice.splitlines()[-2] == "" and advice.splitlines()[-1]
    code, out, _ = run("turn", *files, "--roll", "black", 3, "--coach", *known, "--json")
    told = json.loads(out.splitlines()[-1])["coach"]
    assert told["yours"]["energy"] == 1
    assert told["yours"]["cells"] == [[8, 2], [8, 3], [9, 2], [9, 3]]
    code, out, err = run("turn", *files, "--coach")
    assert (code, out) == (ExitCode.WRONG_USE, "")
    assert "Say what was rolled" in err


def test_a_turn_that_is_none(run: Run, draw: Draw) -> None:
    files = draw("a.jpg", BLACK_START), draw("b.jpg", FLOATING)
    code, out, _ = run("turn", *files, "--roll", "schwarz", 1, "--lang", "de")
    assert code == ExitCode.VIOLATIONS
    assert "Wurf      schwarz 1" in out
    assert "1. Der schwarze Block (Spalten 5-6, Reihen 3-4 von unten) liegt auf nichts auf." in out
    code, out, _ = run("turn", *files, "--json")
    *readings, last = [json.loads(line) for line in out.splitlines()]
    assert [reading["photo"] for reading in readings] == ["a.jpg", "b.jpg"]
    assert last["turn"]["violations"][0]["rule"] == "illegal-move"
    assert last["turn"]["roll"] is None


def test_a_turn_that_the_photo_leaves_open(run: Run, draw: Draw) -> None:
    after = draw("b.jpg", AFTER.replace("xxxo", "xxoo"), (AFTER, 0.3))
    code, out, _ = run("turn", draw("a.jpg", BLACK_START), after, "--roll", "black", 3)
    assert code == ExitCode.UNCERTAIN
    assert "illegal-move" not in out and "a legal turn" not in out
    assert "Not sure of every mark" in out
    assert (
        "b.jpg: Energy point 3: is it open, circled or crossed out? Read as circled, 70 % sure"
        in out
    )


def test_a_turn_with_a_photo_that_cannot_be_read(run: Run, draw: Draw) -> None:
    code, out, err = run("turn", draw("a.jpg", BLACK_START), draw("b.jpg", ""))
    assert (code, out) == (ExitCode.UNREADABLE, "")
    assert "b.jpg: The file is empty." in err
    code, out, _ = run("turn", draw("a.jpg", BLACK_START), draw("b.jpg", ""), "--json")
    assert [json.loads(line)["status"] for line in out.splitlines()] == ["ok", "unreadable"]


def test_a_player_who_is_out(run: Run, draw: Draw) -> None:
    full = draw("full.jpg", "\n".join(["xxxxxxxxxx"] * 10) + "\nenergy xxxx")
    code, out, _ = run("turn", full, "--out", "--roll", "red", 1)
    assert code == ExitCode.CERTAIN
    assert "no legal place was left for this roll" in out
    code, out, _ = run("turn", full, "--out")
    assert "say which was rolled" in out
    code, out, _ = run("turn", draw("a.jpg", BLACK_START), "--out", "--roll", "red", 1)
    assert code == ExitCode.VIOLATIONS
    assert "The player is not out: the red block" in out


# --- one sheet -----------------------------------------------------------------------------------


def test_the_verdict_on_one_sheet(run: Run, draw: Draw) -> None:
    photo = draw("a.jpg", FLOATING)
    code, out, _ = run(photo)
    assert (code, "Against the rules: " in out) == (ExitCode.CERTAIN, True)
    code, out, _ = run(photo, "--referee", "--lang", "es")
    assert code == ExitCode.VIOLATIONS
    assert "1. El bloque negro (columnas 5-6, filas 3-4 desde abajo) no se apoya en nada." in out


def test_the_worst_comes_first(run: Run, draw: Draw) -> None:
    wrong, legal = draw("a.jpg", FLOATING), draw("b.jpg", BLACK_START)
    doubtful = draw("c.jpg", BLACK_START, (RED_START + "bombs x", 0.3))
    for photos, code in (
        ((legal,), 0),
        ((legal, wrong), 4),
        ((wrong, doubtful), 3),
        ((wrong, doubtful, draw("d.jpg", "")), 1),
        ((wrong, doubtful, wrong.with_name("missing.jpg")), 2),
    ):
        assert run(*photos, "--referee")[0] == code


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_command_speaks_every_language(run: Run, draw: Draw, language: str) -> None:
    files = draw("a.jpg", BLACK_START), draw("b.jpg", AFTER, (AFTER.replace("xxxo", "xxoo"), 0.3))
    for words in (("game", *files), ("turn", *files, "--roll", "black", 3), (*files, "--referee")):
        code, out, err = run(*words, "--lang", language)
        assert (code, err) == (ExitCode.UNCERTAIN, "")
        assert "{" not in out


# --- answers -------------------------------------------------------------------------------------


def test_answers_reach_the_reading(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    photo = tmp_path / "a.jpg"
    photo.touch()
    given: list[dict[str, str] | None] = []

    def scan_nothing(*arguments: Any) -> None:
        given.append(arguments[3])
        raise PhotoEmpty

    monkeypatch.setattr("brikks_vision.pipeline.scan_sheets", scan_nothing)
    with pytest.raises(SystemExit):
        main([str(photo), "--answer", "cell 3,4=X", "--answer", "BOMB 2 = open"])
    assert given[-1] == {"cell 3,4": "X", "bomb 1": "."}


def test_answers_are_said_back_as_people_count(run: Run, draw: Draw) -> None:
    answers = ("cell 9,0=X", "row 2, column 3=crossed", "Bombe 2=durchgestrichen")
    options = (word for answer in answers for word in ("--answer", answer))
    _, _, err = run(draw("a.jpg", BLACK_START), *options, "--lang", "fr")
    assert err.splitlines() == [
        "Ligne 2 en partant du bas, colonne 1\u202f: cochée",
        "Ligne 2 en partant du bas, colonne 3\u202f: cochée",
        "Bombe 2\u202f: barrée",
    ]
