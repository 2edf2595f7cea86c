"""Default answers of a game to what `brikks_vision.decode.game` asks.

A game's module imports those that fit it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from functools import reduce
from itertools import permutations
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from brikks_vision.decode.evidence import Evidence
from brikks_vision.detect.blank import blank_picture
from brikks_vision.detect.figures import added_figures
from brikks_vision.detect.fusion import Shared
from brikks_vision.detect.marks import NO_SHARED, Covered, Key, Marks, added_marks, either_covered
from brikks_vision.detect.photo import Photo
from brikks_vision.detect.placement import Image
from brikks_vision.errors import DefinitionDamaged, NoBoardFound
from brikks_vision.layout import Layout, Mark, Printing, parse_layout
from brikks_vision.layout.definition import check_definition
from brikks_vision.reading import GameSettings, Reading, Status
from brikks_vision.text.phrases import Phrase

if TYPE_CHECKING:
    from brikks_vision.decode.sameness import Sameness

MARKS: Mapping[str, tuple[str, ...]] = {}
COLUMNS: tuple[str, ...] = ()
PART_FIELDS: Mapping[str, str] = {}
FORMER_KEYS: Mapping[str, Key] = {}
SURE = 4.0
"""Log-odds beyond which a mark is sure. Measured on photos of 30 sheets in hard light: two of
one state contradict each other by 2.5 at most; where one mark is more, by 6.4 and more in 27 of 30,
and it is a doubt in the others."""
CONTRARY = 2.5
"""Log-odds for and against a mark that two photos do not tell of one state: see `SURE`."""
board = moves = turns = follow = table = coach = winnings = learner = printer = None


def is_possible(known: GameSettings) -> bool:
    """Any of its settings go together."""
    return True


def packaged() -> tuple[Printing, ...]:
    """None: the package has no printing of the game."""
    return ()


def parse_printing(data: Mapping[str, Any], source: object) -> Printing:
    """Any sheet is one of the game; raises DefinitionDamaged."""
    return parsed_sheet(data, source)


def parsed_sheet(
    data: Mapping[str, Any], source: object, check: Callable[[Layout], None] | None = None
) -> Layout:
    """A sheet from the data of its definition.

    check: whether it is a sheet of the game; raises KeyError, TypeError, ValueError or
        AttributeError where it is not.

    Raises
    ------
    DefinitionDamaged
    """
    check_definition(data, source)
    layout = parse_layout(data)
    try:
        if check is not None:
            check(layout)
    except (KeyError, TypeError, ValueError, AttributeError):
        raise DefinitionDamaged(source, "printed") from None
    blank_picture(layout)
    return layout


def printing_of(reading: Reading) -> Printing | None:
    """None: a reading gives only the name and content of its printing."""
    return None


def place(image: Image, printings: Sequence[Any]) -> Any:
    """Raises NoBoardFound: the game has no boards."""
    raise NoBoardFound


def observe(photo: Photo, placed: Any, known: GameSettings) -> Any:
    """Raises NoBoardFound: the game has no boards."""
    raise NoBoardFound


def combined(
    photos: Sequence[Evidence], layout: Any, shared: Mapping[Key, Shared] = NO_SHARED
) -> Evidence:
    """The evidence of one or more photos of the same sheet in the same state, added.

    A photo that leaves open where the sheet lies counts only where all others do. Where one plainly
    shows a mark and another plainly none, something may lie in either: the place is covered.
    shared: as of `added_marks`.
    """
    clear = [photo for photo in photos if photo.is_clear] or photos
    settings = [photo.on_sheet for photo in clear if photo.on_sheet is not None]
    crossed = {name: value for each in settings for name, value in each.items()}
    marks = added_marks([photo.marks for photo in clear], shared)
    for one, other in permutations(clear, 2):
        contrary = _by_field(surely_gone(one, other, CONTRARY))
        marks = marks.with_covered(either_covered(marks.covered, contrary))
    return replace(
        clear[0],
        marks=marks,
        figures=added_figures(
            [photo.figures for photo in clear], [photo.marks.covered for photo in clear]
        ),
        on_sheet=crossed if settings else None,
    )


def contradicts(one: Evidence, other: Evidence) -> bool:
    """Whether two photos show different states: many places are surely marked in one of them only.

    On few something can lie that hides a mark or is taken for one, or they are misread.
    """
    from brikks_vision.decode.sameness import MAX_SURE_DIFFERENCES

    gone = (_by_field(surely_gone(*both)) for both in ((one, other), (other, one)))
    return max(sum(int(each.sum()) for each in of.values()) for of in gone) > MAX_SURE_DIFFERENCES


def _by_field(marked: Mapping[Key, NDArray[np.bool_]]) -> Covered:
    """The places that bear any of the marks."""
    return reduce(either_covered, ({name: places} for (name, _), places in marked.items()), {})


def surely_gone(one: Evidence, other: Evidence, sure: float = SURE) -> dict[Key, NDArray[np.bool_]]:
    """By field and mark, the places that are surely marked in one photo and surely not in another.

    Lines are left out: they count only beside marks, which are seen more surely.
    """
    gone = {}
    for (name, mark), logits in one.marks.logits.items():
        if mark == Mark.LINE:
            continue
        places = (logits > sure) & (other.marks[name, mark] < -sure)
        if mark == Mark.RING:  # which is not told in a place that is crossed
            for photo in (one, other):
                crossed = photo.marks.logits.get((name, Mark.CROSS))
                places &= True if crossed is None else crossed < 0
        gone[name, mark] = places
    return gone


def marks(state: Any) -> Mapping[str, str]:
    """Nothing: players of the game mark nothing."""
    return {}


def marks_at(where: str) -> tuple[str, ...]:
    """Nothing: players of the game mark nothing."""
    return ()


def answers_there(layout: Layout) -> Phrase:
    """Nothing: players of the game mark nothing."""
    return Phrase("")


def evidence_of_reading(reading: Reading, layout: Layout) -> Evidence:
    """Nothing: players of the game mark nothing."""
    return Evidence(Marks({}), {})


def needs_full_pass(posterior: Any, evidence: Evidence) -> bool:
    """Never: the full pass is needed only if the total is unsure."""
    return False


def counted(where: str, layout: Layout) -> Mapping[str, int]:
    """Rows from the bottom, columns from the left, other places by their number; all from 1."""
    _, _, numbers = where.partition(" ")
    at = [int(number) for number in numbers.split(",")]
    if len(at) == 2:
        return {"row": layout.grid.rows - at[0], "column": at[1] + 1}
    return {"number": at[0] + 1}


def rank_of(reading: Reading) -> Phrase | None:
    """No result has a name."""
    return None


def rank_told(reading: Reading) -> Phrase | None:
    """No result has a name."""
    return None


def row_names(layout: Layout) -> tuple[str, ...]:
    """Nothing stands beside the rows."""
    return ("",) * layout.grid.rows


def columns(reading: Reading) -> Mapping[str, object]:
    """A table has the total alone."""
    return {}


def same_state(
    one: Reading, one_taken: datetime, other: Reading, other_taken: datetime
) -> Sameness:
    """Every photo shows a sheet of its own."""
    from brikks_vision.decode.sameness import Sameness

    return Sameness.DIFFERENT


def grown_state(
    before: Reading, before_taken: datetime, after: Reading, after_taken: datetime
) -> Sameness:
    """Every photo shows a sheet of its own."""
    from brikks_vision.decode.sameness import Sameness

    return Sameness.DIFFERENT


def is_better(new: Reading, old: Reading) -> bool:
    """Whether ``new`` is sure and ``old`` is not, or has fewer doubts."""

    def certainty(reading: Reading) -> tuple[bool, int]:
        return reading.status is Status.OK, -len(reading.doubts)

    return certainty(new) > certainty(old)
