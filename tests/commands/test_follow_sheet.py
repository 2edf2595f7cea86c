"""A sheet followed from the command line and from Python, over simulated photos of it."""

from __future__ import annotations

import io
import json
import random
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from PIL import Image

from brikks_vision import follow
from brikks_vision.infer.answers import read_replay
from brikks_vision.layout import load_layout
from brikks_vision.rules.brikks.sheet import load_sheet
from simulation.brikks.games import play_sheet
from simulation.brikks.notation import read_sheet
from simulation.brikks.photos import printed_blank, shoot
from simulation.brikks.scenes import tidy_hand
from tests.command_line import Run

TURNS = [
    """
    AA........
    AA........
    energy xxoo
    """,
    """
    AAB.......
    AABBB.....
    energy xxoo
    """,
    """
    AAB.......
    AABBBCCCC.
    energy xxoo
    """,
    """
    AABDDDD...
    AABBBCCCC.
    energy xxooo
    """,
]


@pytest.fixture(scope="session")
def photos(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """The sheet after each turn; the last one activates a point for nothing."""
    folder = tmp_path_factory.mktemp("turns")
    layout, sheet = load_layout("brikks-light"), load_sheet("brikks-light")
    blank = printed_blank("brikks-light", "light", 100)
    hand = tidy_hand(np.random.default_rng(1))
    game = play_sheet(sheet, random.Random(1), 2, 1)
    paths = []
    for number, drawing in enumerate(TURNS):
        played = replace(game, state=read_sheet(drawing, sheet))
        rng = np.random.default_rng(number)
        shot = shoot(
            layout, blank, played, hand, rng, "good", 1600, layout.marked_area, mistaken=0.0
        )
        paths.append(folder / f"{number}.jpg")
        cv2.imwrite(str(paths[-1]), shot.image)
    return paths


def test_turns_coach_and_replay(run: Run, photos: list[Path], tmp_path: Path) -> None:
    gif, text = tmp_path / "game.gif", tmp_path / "game.txt"
    said = ("--level", "1", "--players", "2", "--lang", "en")
    code, out, _ = run("follow", *photos, "--coach", "--replay", gif, *said)
    assert code == 4
    assert "1. 0.jpg to 1.jpg: The yellow block in columns 3-5, rows 1-2 from the bottom." in out
    assert "1 energy point too many is activated" in out
    assert "1. " in out and "points expected in the end" in out and "  3. not known" in out
    assert Image.open(io.BytesIO(gif.read_bytes())).n_frames == 6  # pale, four blocks, whole
    code, out, _ = run("follow", *photos, "--coach", "--json", "--replay", text, *said)
    *readings, followed, coached = map(json.loads, out.splitlines())
    assert [reading["photo"] for reading in readings] == ["0.jpg", "1.jpg", "2.jpg", "3.jpg"]
    turns = followed["follow"]["turns"]
    assert [len(turn["blocks"]) for turn in turns] == [1, 1, 1]
    assert [turn["energy"] for turn in turns] == [0, 0, 1]
    assert coached["coach"]["turns"][2] is None
    assert followed["follow"]["notation"] == text.read_text()
    assert [len(block) for block in read_replay(text.read_text())] == [4] * 4


def test_one_sentence_for_wrong_photos(run: Run, photos: list[Path]) -> None:
    first, second, third, _ = photos
    code, out, err = run("follow", first, third, second, "--lang", "en")
    assert (code, out) == (2, "")
    assert "They fit in this one: 0.jpg, 1.jpg, 2.jpg" in err
    code, out, err = run("follow", first, second, "--players", "blue", "--lang", "en")
    assert (code, out) == (2, "")
    assert "players cannot be blue" in err


@pytest.mark.parametrize("command", ["follow", "turn"])
@pytest.mark.parametrize("order", [1, -1])
def test_two_sheets_are_no_turns_of_one(run: Run, command: str, order: int) -> None:
    first, other = [f"samples/{name}.jpg" for name in ("arcade", "printed")][::order]
    code, out, err = run(command, first, other, "--lang", "en")
    assert (code, out) == (1, "")
    names = f"{Path(other).name} shows another sheet or board than {Path(first).name}."
    assert err.startswith(f"brikks-scan: {names}")


def test_from_python(photos: list[Path]) -> None:
    found = follow(photos[:3], players=2, level=1)
    assert [turn.violations for turn in found.turns] == [(), ()]
    assert [len(block) for block in found.order] == [4, 4, 4]
    assert all(judged and judged.expected for judged in found.judged)
