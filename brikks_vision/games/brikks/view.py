"""What is shown of a Brikks reading on the sheet and beside it."""

from __future__ import annotations

from collections.abc import Mapping

from brikks_vision.games.brikks.reading import BrikksReading, marks
from brikks_vision.layout import Layout, Point
from brikks_vision.reading.views import Outline, PartView, RowView, SheetView, Sign
from brikks_vision.rules.brikks.blocks import SheetState
from brikks_vision.rules.brikks.sheet import phrase, sheet_of
from brikks_vision.text.phrases import Phrase

# How far the drawn marks reach, in cells, or as a multiple of half a place's width.
CELL_REACH, BOX_REACH, RING_REACH, BOMB_REACH = 0.24, 0.76, 1.12, 0.8
_BESIDE_BAR, _BELOW_BOMBS = 0.95, 0.42  # cells, from the last place to the points


def view(reading: BrikksReading, layout: Layout, state: SheetState | None = None) -> SheetView:
    """What is shown of a reading.

    state: says which boxes and bombs are crossed; without it, the first ones are, as many as the
    reading counts.
    """
    stands = _marks_of(reading, layout) if state is None else marks(state)
    letters = {
        f"cell {row},{column}": letter
        for row, line in enumerate(reading.grid)
        for column, letter in enumerate(line)
    }
    energy = {f"energy {at}": str(mark) for at, mark in enumerate(reading.energy)}
    stands = {**stands, **letters, **energy, **dict.fromkeys(reading.covered, "?")}
    return SheetView(
        stands,
        _signs(stands, layout),
        tuple(Outline(block.cells, block.color) for block in reading.blocks),
        _rows(reading, layout),
        _parts(reading, layout),
        reading.written.total if reading.written else None,
    )


def row_names(layout: Layout) -> tuple[str, ...]:
    """What the points of the rows are multiplied with, top first."""
    return tuple(f"×{factor}" for factor in sheet_of(layout).row_factors)


def columns(reading: BrikksReading) -> Mapping[str, object]:
    """Parts of the points for tables."""
    score = reading.score
    return {
        "lines": score.lines, "bonus": score.bonus, "bombs": score.bombs, "energy": score.energy
    }  # fmt: skip


def _marks_of(reading: BrikksReading, layout: Layout) -> dict[str, str]:
    counts = {"box": reading.bonus_crosses or 0, "bomb": reading.bombs_used or 0}
    return {
        f"{field} {at}": "X" if at < count else "."
        for field, count in counts.items()
        for at in range(len(layout.fields[field].centres))
    }


def _signs(stands: Mapping[str, str], layout: Layout) -> tuple[Sign, ...]:
    signs = []
    for where, mark in stands.items():
        field, _, numbers = where.partition(" ")
        places, at = layout.fields[field], [int(number) for number in numbers.split(",")]
        if field == "cell":
            centre, kind, reach = (at[1] + 0.5, at[0] + 0.5), "cross", CELL_REACH
        else:
            centre = places.centres[at[0]]
            kind, reach = "struck", places.radius
        if field == "energy":
            kind = {"circled": "ring", "used": "struck", "off": "off"}.get(mark, "")
            reach *= RING_REACH if kind == "ring" else 1
        elif field == "box":
            kind, reach = "cross", BOX_REACH * min(places.size) / 2
        elif field == "bomb":
            reach *= BOMB_REACH
        if kind and mark not in (".", "?"):
            signs.append(Sign(field, kind, centre, reach))
    return tuple(signs)


def _rows(reading: BrikksReading, layout: Layout) -> tuple[RowView, ...]:
    factors = row_names(layout)
    written = reading.written.rows if reading.written else ()
    partly_hidden = {where.split(",")[0] for where in reading.covered}  # no figure differs there
    return tuple(
        RowView(
            points,
            written[row] if row < len(written) and f"cell {row}" not in partly_hidden else None,
            factors[row],
        )
        for row, points in enumerate(reading.score.rows)
    )


def _parts(reading: BrikksReading, layout: Layout) -> tuple[PartView, ...]:
    score, fields = reading.score, layout.fields

    def beside(field: str) -> Point:
        x, y = fields[field].centres[-1]
        return x + _BESIDE_BAR, y

    bombs = fields["bomb"]
    x, y = bombs.centres[-1]
    left = None if "?" in reading.energy else reading.energy.count("circled")
    return (
        PartView(phrase("points-rows"), score.lines, is_sum=True),
        PartView(
            phrase("points-bonus"),
            score.bonus,
            _count_told("crossed-boxes", reading.bonus_crosses),
            beside("box"),
        ),
        PartView(
            phrase("points-bombs"),
            score.bombs,
            _count_told("bombs-used", reading.bombs_used),
            (x, y + bombs.radius + _BELOW_BOMBS),
        ),
        PartView(
            phrase("points-energy"),
            score.energy,
            _count_told("energy-left", left),
            beside("energy"),
        ),
    )


def _count_told(key: str, count: int | None) -> Phrase | None:
    """How many places are marked; None where something hides that."""
    return None if count is None else phrase(key, count=count)
