"""The simulator's house: a game is named in its own room only."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "simulation"
GAMES = sorted(path.parent.name for path in ROOT.glob("brikks_vision/rules/*/__init__.py"))
PROGRAM = re.compile(r"brikks_vision|BRIKKS_HANDWRITING")


def general_modules() -> list[Path]:
    inside = (path.relative_to(PACKAGE) for path in PACKAGE.rglob("*.py"))
    return sorted(path for path in inside if path.parts[0] not in GAMES)


@pytest.mark.parametrize("module", general_modules(), ids=str)
def test_a_general_module_names_no_game_and_knows_no_rules(module: Path) -> None:
    text = (PACKAGE / module).read_text("utf-8")
    names = "|".join(GAMES)
    assert not re.search(rf"(?<![a-z])(?:{names})(?![a-z])", PROGRAM.sub("", text), re.I)
    assert not re.search(r"from brikks_vision\.(?:rules|games|infer)\b", text)


def test_no_module_is_longer_than_500_lines() -> None:
    rooms = (PACKAGE, ROOT / "training")
    lengths = {
        str(path.relative_to(ROOT)): len(path.read_text("utf-8").splitlines())
        for room in rooms
        for path in room.rglob("*.py")
    }
    assert {path for path, length in lengths.items() if length > 500} == set()
