"""The truth beside the photos of tests/fixtures/bloxx is what the rules say of it."""

import json
from pathlib import Path

import pytest

from brikks_vision.layout import load_layout, parse_layout
from brikks_vision.rules.bloxx.referee import referee
from brikks_vision.rules.bloxx.state import BonusMark, Mark, SheetState, Written
from brikks_vision.rules.shapes import bottom_up
from simulation.bloxx.art import sheet_of
from simulation.bloxx.fixtures import fixtures
from simulation.bloxx.scenes import SAMPLES
from simulation.files import MAX_BYTES

FOLDER = Path(__file__).parents[2] / "fixtures" / "bloxx"
TRUTHS = {path.stem: json.loads(path.read_text("utf-8")) for path in sorted(FOLDER.glob("*.json"))}


def told_state(truth: dict) -> SheetState:
    """The sheet that a truth file tells."""
    layout = parse_layout(truth["layout"]) if "layout" in truth else load_layout("bloxx")
    sheet = sheet_of(layout)

    def mark(told: dict, bonus: int) -> BonusMark:
        if bonus == told["circled"]:
            return BonusMark.CIRCLED
        return BonusMark.STRUCK if bonus in told["struck"] else BonusMark.OPEN

    return SheetState(
        sheet,
        tuple(tuple(Mark(sign) for sign in row) for row in truth["grid"]),
        bottom_up(frozenset(map(tuple, shape["cells"])) for shape in truth["shapes"]),
        tuple(
            tuple(mark(told, bonus) for bonus in row.bonuses)
            for row, told in zip(sheet.colored_rows, truth["row_bonus"], strict=True)
        ),
    )


def test_every_photo_has_its_truth_and_is_small():
    listed = {Path(path).name for path in fixtures() if path.startswith("tests/")}
    assert {path.name for path in FOLDER.glob("*.jpg")} == listed
    assert listed == {*TRUTHS}
    assert {scene.file for scene in SAMPLES} <= {path.name for path in Path("samples").iterdir()}
    assert max(path.stat().st_size for path in FOLDER.glob("*.jpg")) <= MAX_BYTES


@pytest.mark.parametrize("name", TRUTHS)
def test_the_rules_say_the_same(name):
    truth = TRUTHS[name]
    verdict = referee(told_state(truth), Written(**truth["written"]))
    assert [str(violation.rule) for violation in verdict.violations] == truth["violations"]
    for part, points in truth["score"].items():
        assert getattr(verdict.score, part) == points
    if name.startswith("fault-"):
        assert truth["violations"] == [name.removeprefix("fault-").removesuffix(".jpg")]
    else:
        assert truth["violations"] == []
