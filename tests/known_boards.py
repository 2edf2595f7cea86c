"""The board in the photos of tests, as its owner keeps it."""

import json
from pathlib import Path

FIELD_COLORS: list[str] = json.loads(Path("tests/fixtures/blox/empty.json").read_text())[
    "field_colors"
]


def board_definition(name: str = "mine", colors: list[str] = FIELD_COLORS) -> str:
    """The definition of a board with these colours, as JSON."""
    data = {"version": 1, "name": name, "title": "BLOX", "game": "blox"}
    return json.dumps({**data, "field_colors": colors})


def turns_of(rows: list[str]) -> list[list[str]]:
    """The four turns of a board: the side that is uppermost in the photo becomes the top."""
    found = [[*rows]]
    for _ in range(3):
        found.append(["".join(column) for column in zip(*found[-1][::-1], strict=True)])
    return found
