"""Where the points of a sheet went, from the command line and from Python."""

import json
from pathlib import Path

import numpy as np
import pytest
from PIL import Image as Pillow

from brikks_vision import coach, scan
from brikks_vision.errors import PhotoUnreadable
from brikks_vision.games.bloxx.reading import BloxxReading
from brikks_vision.games.brikks.reading import BrikksReading
from brikks_vision.infer.answers import replay_text
from tests.command_line import Run
from tests.doubted_photos import doubted_photo
from tests.drawn_sheets import read_replay

ARCADE, BLOXX = Path("samples/arcade.jpg"), Path("samples/bloxx-open-gap.jpg")


def test_what_was_lost_is_told_most_points_first(run: Run) -> None:
    code, out, _ = run("coach", ARCADE)
    assert code == 0
    assert "Total 102" in out
    _, lost = out.split("Where the points went\n")
    assert lost.splitlines()[0].split(maxsplit=1) == [
        "12", "Row 11 from the bottom lacks one cross, in column 1."
    ]  # fmt: skip
    assert "  The total with all of this: 132\n" in lost
    assert lost.splitlines()[-1].startswith("  The computer player (players: 2, level 2) reaches ")


def test_as_json_it_is_the_object_of_the_contract(run: Run) -> None:
    code, out, _ = run("coach", BLOXX, "--json", "--lang", "de")
    told = json.loads(out)["coach"]
    assert (code, told["photo"], told["game"]) == (0, BLOXX.name, "bloxx")
    assert (told["total"], told["advice"], told["yours"]) == (31, None, None)
    assert {each["cause"] for each in told["lost"]} == {"row", "number", "gap"}
    assert told["lost"][-1] == {
        "cause": "gap",
        "where": "cell 9,5",
        "points": 1,
        "cells": [[9, 5]],
        "last_turn": False,
        "message": "1 Lücke: Spalte 6, Reihe 1 von unten.",
    }


def test_the_same_from_python() -> None:
    advice = coach(ARCADE, level=2)
    assert (advice.game, advice.total) == ("brikks", 102)
    assert advice.lost is not None
    assert sum(each.points for each in advice.lost) == 30


def test_nothing_is_told_while_the_total_is_not_sure(run: Run) -> None:
    photo, doubt = doubted_photo()
    code, out, _ = run("coach", photo)
    assert code == 3
    assert "answer first" in out
    assert coach(photo).lost is None
    answered = {doubt.where: doubt.read}
    code, out, _ = run("coach", photo, "--json", "--answer", f"{doubt.where}={doubt.read}")
    assert (
        json.loads(out)["coach"]["lost"]
        == (coach(photo, answers=answered).to_dict()["coach"]["lost"])
    )


def test_a_board_has_no_lost_points(run: Run) -> None:
    code, out, err = run("coach", "tests/fixtures/blox/after.jpg")
    assert (code, out) == (1, "")
    assert err
    with pytest.raises(PhotoUnreadable):
        coach("tests/fixtures/blox/after.jpg")


@pytest.mark.parametrize("photo", [ARCADE, BLOXX])
def test_a_replay_builds_the_sheet_up_block_by_block(run: Run, photo: Path, tmp_path: Path) -> None:
    code, _, err = run("coach", photo, "--replay", tmp_path / "replay.gif")
    assert code == 0
    assert "replay.gif" in err
    reading = scan(photo)
    assert isinstance(reading, BrikksReading | BloxxReading)
    blocks = reading.blocks if isinstance(reading, BrikksReading) else reading.shapes
    with Pillow.open(tmp_path / "replay.gif") as picture:
        assert picture.n_frames == len(blocks) + 2  # first none of them, last the whole sheet
        ink = []
        for number in range(picture.n_frames):
            picture.seek(number)
            ink.append(np.count_nonzero(np.array(picture.convert("L")) < 100))
    assert ink == sorted(ink)
    assert ink[0] < ink[-2] < ink[-1]


@pytest.mark.parametrize("photo", [ARCADE, BLOXX])
def test_a_replay_as_text_reads_back(run: Run, photo: Path, tmp_path: Path) -> None:
    code, _, _ = run("coach", photo, "--replay", tmp_path / "replay.txt")
    assert code == 0
    text = (tmp_path / "replay.txt").read_text("utf-8")
    blocks = read_replay(text)
    reading = scan(photo)
    assert isinstance(reading, BrikksReading | BloxxReading)
    outlined = reading.blocks if isinstance(reading, BrikksReading) else reading.shapes
    assert set(blocks) == {frozenset(each.cells) for each in outlined}
    assert replay_text(blocks, len(reading.grid), len(reading.grid[0])) == text
    assert any(row == len(reading.grid) - 1 for row, _ in blocks[0])  # the first lies on the floor


def test_no_replay_where_no_order_is_told(run: Run, tmp_path: Path) -> None:
    out = tmp_path / "replay.gif"
    code, _, err = run("coach", "samples/floating-block.jpg", "--replay", out)
    assert code == 1
    assert "nothing to replay" in err
    assert not out.exists()
    code, _, err = run("coach", ARCADE, "--replay", tmp_path / "replay.png")
    assert (code, ".gif" in err) == (2, True)


MIDGAME = Path("tests/fixtures/hard-art.jpg")


def test_what_is_best_for_a_roll(run: Run) -> None:
    code, out, _ = run("coach", MIDGAME, "--roll", "red", 3, "--level", 2)
    assert code in (0, 3)
    assert (code == 3) is ("the advice is for what was read" in out)
    assert "What the computer player would do\n    1. The red block " in out
    assert "Where the points went" not in out
    code, out, _ = run("coach", MIDGAME, "--roll", "rot 3", "--level", 2, "--lang", "fr", "--json")
    told = json.loads(out)["coach"]["advice"]
    assert 2 <= len(told) <= 10
    assert [each["value"] for each in told] == sorted(
        (each["value"] for each in told), reverse=True
    )
    advice = coach(MIDGAME, ("red", 3), level=2)
    assert advice.to_dict()["coach"]["advice"] == told


def test_how_good_a_total_is(run: Run) -> None:
    _, out, _ = run("coach", ARCADE, "--players", 3, "--level", 4)
    assert "(players: 3, level 4)" in out
    advice = coach(ARCADE, players=3, level=4)
    assert advice.expected is not None
    assert advice.expected.percentile > 50


def test_one_sentence_where_there_is_no_advice(run: Run) -> None:
    for photo, roll, sentence in (
        ("none.jpg", ("red", 3), "There is no file"),
        (ARCADE, ("pink", 3), "There is no roll pink 3."),
        (ARCADE, ("red", 5), "There is no roll red 5."),
        (ARCADE, ("red", 3), "this sheet is finished."),
        (BLOXX, ("red", 3), "There is no roll red 3."),
    ):
        code, out, err = run("coach", photo, "--roll", *roll)
        assert (code, out) == (2, "")
        assert sentence in err and err.count("\n") == 1


def test_what_is_told_can_be_drawn_on_the_photo(run: Run, tmp_path: Path) -> None:
    picture = tmp_path / "told.jpg"
    code, _, err = run("coach", ARCADE, "--annotate", picture)
    assert (code, "told.jpg" in err) == (0, True)
    with Pillow.open(picture) as drawn, Pillow.open(ARCADE) as photo:
        assert drawn.height > photo.height * drawn.width / photo.width  # a panel lies below
    code, _, err = run("coach", ARCADE, "--annotate", tmp_path / "told.txt")
    assert (code, ".jpg" in err) == (2, True)
    code, _, err = run("coach", ARCADE, "--annotate", ARCADE)
    assert (code, err.count("\n")) == (2, 1)


def test_your_turn_and_the_best_one_are_drawn(run: Run, tmp_path: Path) -> None:
    picture = tmp_path / "turn.png"
    same = tmp_path / "after.jpg"
    same.write_bytes(MIDGAME.read_bytes())
    asked = ("turn", MIDGAME, same, "--annotate", picture)
    _, out, _ = run(*asked, "--roll", "red", 3, "--level", 2)
    assert "What the computer player would do" in out
    assert picture.exists()
    code, _, err = run(*asked)
    assert (code, "Say what was rolled" in err) == (2, True)
