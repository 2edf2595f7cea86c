"""Scores and ranks, by the publisher's figures."""

from dataclasses import replace

import pytest

from brikks_vision.rules.brikks.blocks import Energy, SheetState, as_photographed, blank_sheet
from brikks_vision.rules.brikks.scoring import rank, score
from brikks_vision.rules.brikks.sheet import load_sheet

BRIKKS = load_sheet()

WORKED_EXAMPLE = """
.X......X.
XX.XXXXXXX
X.XXXXX..X
XXXXXXXXXX
XX.XXXXXXX
XXX.XXXXXX
XXXXXXXXXX
XXXXXXXXXX
XXXXXXXXXX
XXXXXXXXXX
XXXXXXXXXX
"""
"""The publisher's own example of a finished game."""


def drawn(picture: str, used: int, circled: int, crosses: int, bombs: int) -> SheetState:
    rows = picture.split()
    blank = blank_sheet(BRIKKS)
    return SheetState(
        crossed=frozenset(
            (r, c) for r, row in enumerate(rows) for c, mark in enumerate(row) if mark == "X"
        ),
        blocks=(),
        energy=(Energy.USED,) * used
        + (Energy.CIRCLED,) * circled
        + (Energy.OPEN,) * (len(blank.energy) - used - circled),
        bonus=(True,) * crosses + (False,) * (len(blank.bonus) - crosses),
        bombs=(True,) * bombs + (False,) * (len(blank.bombs) - bombs),
        sheet=BRIKKS,
    )


def test_the_publishers_worked_example():
    result = score(drawn(WORKED_EXAMPLE, used=24, circled=2, crosses=6, bombs=2))
    assert result.rows == (0, 4, 0, 10, 4, 4, 5, 5, 5, 5, 5)
    assert (result.lines, result.bonus, result.bombs, result.energy) == (47, 21, 4, 1)
    assert result.total == 73


def test_a_blank_sheet_is_worth_its_bombs_and_its_energy():
    result = score(blank_sheet(BRIKKS))
    assert (result.lines, result.bonus, result.bombs, result.energy) == (0, 0, 7, 2)


def test_a_full_sheet_counts_every_row_with_its_factor():
    full = "\n".join(["X" * BRIKKS.columns] * BRIKKS.rows)
    result = score(drawn(full, used=0, circled=28, crosses=14, bombs=0))
    assert result.lines == 5 * 1 * 5 + 5 * 2 * 5 + 4 * 5
    assert (result.bonus, result.energy) == (75, 14)


@pytest.mark.parametrize(
    ("total", "level", "language", "text"),
    [
        (151, 1, "en", "Brikks-Master 2000!!!"),
        (150, 1, "de", "Du Angeber!"),
        (130, 1, "en", "You Bragger!"),
        (129, 1, "fr", "Tu devrais en faire ton métier."),
        (125, 2, "en", "You Bragger!"),
        (73, 1, "de", "Läuft!"),
        (60, 1, "es", "¡Puedes hacer más!"),
        (59, 1, "en", "Your first time?"),
        (45, 4, "en", "You can do more!"),
        (0, 1, "fr", "Ta première fois\u202f?"),
    ],
)
def test_ranks(total, level, language, text):
    assert rank(total, level).text(language) == text


def test_a_photo_cannot_tell_a_struck_point_from_a_used_one():
    struck = drawn(WORKED_EXAMPLE, 0, 4, 0, 0)
    struck = replace(struck, energy=(Energy.OFF, *struck.energy[1:]))
    assert as_photographed(struck).energy[0] is Energy.USED
