"""Brikks as a game of `brikks_vision.infer.protocol`.

What a scan does not need is imported where it is asked for: the command starts sooner.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any

from brikks_vision.games.brikks.compose import (
    is_possible,
    is_table,
    needs_full_pass,
    rank_of,
    rank_told,
    read,
)
from brikks_vision.games.brikks.reading import (
    FORMER_KEYS,
    MARKS,
    PART_FIELDS,
    answers_there,
    combined,
    counted,
    evidence_of_reading,
    marks,
    marks_at,
)
from brikks_vision.games.brikks.settings import SETTINGS
from brikks_vision.infer.evidence import (
    board,
    contradicts,
    moves,
    observe,
    parsed_sheet,
    place,
    printing_of,
    winnings,
)
from brikks_vision.infer.protocol import Table, Turns, TurnSaid
from brikks_vision.layout import Layout, load_layout, packaged_layouts
from brikks_vision.reading import GameSettings
from brikks_vision.text.phrases import Translator

if TYPE_CHECKING:
    from brikks_vision.games.brikks.coach import coach
    from brikks_vision.games.brikks.compare import (
        GameReading,
        OutReading,
        TurnReading,
        grown_state,
        is_better,
        same_state,
    )
    from brikks_vision.games.brikks.posterior import Posterior
    from brikks_vision.games.brikks.view import columns, row_names, view
    from brikks_vision.infer.following import FollowedGame, Shown
    from brikks_vision.infer.protocol import Learner

NAME, TITLE = "brikks", "Brikks"
PRINTED_LAYOUT = "brikks-light"
COLUMNS: tuple[str, ...] = ("lines", "bonus", "bombs", "energy")
_HOMES = {
    "coach": "coach",
    **dict.fromkeys(("grown_state", "is_better", "same_state"), "compare"),
    **dict.fromkeys(("columns", "row_names", "view"), "view"),
}


def read_game(
    photos: Sequence[str],
    sheets: Sequence[Posterior | None],
    layout: Layout,
    known: GameSettings,
    names: Sequence[str | None] = (),
) -> GameReading:
    """The ranking of the sheets of one game, and what they prove together."""
    from brikks_vision.games.brikks import compare

    return compare.read_game(photos, sheets, layout, known, names)


table = Table(is_table, read_game)


def _judge_turn(
    photos: Sequence[str], sheets: Sequence[Posterior], said: TurnSaid, known: GameSettings
) -> TurnReading | OutReading:
    """Whether a turn was legal, or a player had no place left."""
    from brikks_vision.games.brikks.coach import rolled
    from brikks_vision.games.brikks.compare import read_out, read_turn

    roll = rolled(said)
    if said.out:
        return read_out(photos[0], sheets[0], roll, known)
    return read_turn((photos[0], photos[1]), (sheets[0], sheets[1]), roll, known)


def follow(shown: Sequence[Shown], players: Sequence[str]) -> FollowedGame:
    """What was done from photo to photo of a sheet; raises as of `Follow`."""
    from brikks_vision.games.brikks.compare import follow

    return follow(shown, players)


def _check_turn(said: TurnSaid) -> None:
    from brikks_vision.games.brikks.coach import rolled

    rolled(said)


turns = Turns(_check_turn, _judge_turn)


def printer(paper: str, per_page: int, style: str, words: Translator) -> bytes:
    """A sheet to print, as a PDF; raises UnknownValue."""
    from brikks_vision.games.brikks import pdf  # takes long to import

    return pdf.sheet_pdf(load_layout(PRINTED_LAYOUT), paper, per_page, style, words)


def packaged() -> tuple[Layout, ...]:
    """The printings that the package brings, by name."""
    return packaged_layouts(NAME)


def parse_printing(data: Mapping[str, Any], source: object) -> Layout:
    """A printing from the data of its definition; raises DefinitionDamaged."""
    from brikks_vision.games.brikks.learn import check

    return parsed_sheet(data, source, check)


def learner() -> Learner:
    """Learns a printing from a photo of its empty sheet, or of several marked ones."""
    from brikks_vision.games.brikks import learn
    from brikks_vision.games.learning import sheet_learner

    return sheet_learner(learn.propose, learn.values_of, learn.learn_from_marked)


def __getattr__(name: str) -> Any:
    """What is imported where it is asked for."""
    if name not in _HOMES:
        raise AttributeError(name)
    return getattr(import_module(f"brikks_vision.games.brikks.{_HOMES[name]}"), name)
