"""Where the points of a sheet went, from the command line and from Python."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from brikks_vision import coach
from brikks_vision.errors import PhotoUnreadable
from tests.command_line import Run, run
from tests.doubted_photos import doubted_photo

__all__ = ["run"]

ARCADE, BLOXX = Path("samples/arcade.jpg"), Path("samples/bloxx-open-gap.jpg")


def test_what_was_lost_is_told_most_points_first(run: Run) -> None:
    code, out, _ = run("coach", ARCADE)
    assert code == 0
    assert "Total 102" in out
    _, lost = out.split("Where the points went\n")
    assert lost.splitlines()[0].split(maxsplit=1) == [
        "12", "Row 11 from the bottom lacks one cross, in column 1."
    ]  # fmt: skip
    assert out.rstrip().endswith("The total with all of this: 132")


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
    assert json.loads(out)["coach"]["lost"] == (coach(photo, answered).to_dict()["coach"]["lost"])


def test_a_board_has_no_lost_points(run: Run) -> None:
    code, out, err = run("coach", "tests/fixtures/blox/after.jpg")
    assert (code, out) == (1, "")
    assert err
    with pytest.raises(PhotoUnreadable):
        coach("tests/fixtures/blox/after.jpg")


def test_one_sentence_for_what_is_no_photo(run: Run) -> None:
    code, out, err = run("coach", "none.jpg")
    assert (code, out) == (2, "")
    assert "There is no file" in err
