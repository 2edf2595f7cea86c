"""What is told of turns, and of a game that photos follow, whatever the game."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from brikks_vision.layout import Cell
from brikks_vision.reading import Status, ViolationReading
from brikks_vision.text.phrases import Phrase


@dataclass(frozen=True)
class JudgedTurn:
    """What a coach says of a turn of a followed game.

    player: whose turn it was, as the contract names it, and told. earned: its points. better: what
    would have brought more; None: nothing that is known. points, blocks: how much more. content:
    of what is better, as `BoardMove.to_dict` or `Choice.to_dict` has it. expected: of a sheet, its
    final total after this turn; then ``points`` are those of final totals. margin: how far off they
    may be.
    """

    player: str
    told_player: Phrase
    earned: int
    better: Phrase | None = None
    points: float = 0
    blocks: int = 0
    content: Mapping[str, Any] | None = None
    expected: float | None = None
    margin: float = 0

    def to_dict(self) -> dict[str, Any]:
        """As ``--coach`` prints it of each turn, in plain Python types."""
        return {
            "player": self.player,
            "earned": self.earned,
            "better": self.content,
            "points": round(self.points, 1),
            "blocks": self.blocks,
            "expected": None if self.expected is None else round(self.expected, 1),
            "margin": round(self.margin, 1),
        }


@dataclass(frozen=True)
class ToldTurn:
    """A turn from two photos.

    status: whether both photos were read surely. told: what was done; None where nothing explains
    the change. violations: what makes it illegal. content: as the contract has it. notes: what else
    is to be said of it.
    """

    status: Status
    told: Phrase | None
    violations: tuple[ViolationReading, ...]
    content: Mapping[str, Any]
    notes: tuple[Phrase, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """The JSON object that follows those of the readings, in plain Python types."""
        return {"turn": dict(self.content)}


class Shown(Protocol):
    """What was read of a photo."""

    @property
    def reading(self) -> Any:
        """The reading; its ``photo`` is the name of the photo."""

    @property
    def layout(self) -> Any:
        """The printing."""

    @property
    def posterior(self) -> Any:
        """As of `Game.read`."""

    @property
    def evidence(self) -> Any:
        """As of `Game.read`."""


@dataclass(frozen=True)
class FollowedGame:
    """A game from photos that were taken one after the other.

    readings: one a photo, as all of them together explain it; without corners and times. turns: in
    their order. content: what the contract has besides, of which ``notation`` is the game as text.
    judge: what a coach says of the turn of a number, from 0; None where that cannot be told. facts:
    what is told besides. order: of a sheet, its blocks in the order in which they were entered.
    """

    readings: tuple[Any, ...]
    turns: tuple[ToldTurn, ...]
    content: Mapping[str, Any]
    judge: Callable[[int], JudgedTurn | None]
    facts: tuple[Phrase, ...] = ()
    order: tuple[frozenset[Cell], ...] = ()


class Follow(Protocol):
    def __call__(self, shown: Sequence[Shown], players: Sequence[str]) -> FollowedGame:
        """The game that these photos show, two or more of one printing.

        players: who plays, in the order of their turns; empty: not known.

        Raises
        ------
        PhotosOutOfOrder, PhotoOfAnother
        RulesForbid
            There are no such players.
        """
