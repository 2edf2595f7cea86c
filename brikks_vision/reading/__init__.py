"""What a scan returns, whatever the game: plain data that travels to the terminal and the web page.

A game adds its own fields in a subclass (``games/<game>/reading.py``). Cells are (row, column) from
0 at the grid's top left. Nothing here knows pixels.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from enum import StrEnum
from typing import (
    TYPE_CHECKING,
    Annotated,
    Any,
    ClassVar,
    Literal,
    NamedTuple,
    Protocol,
    Self,
    TypeAlias,
)

from brikks_vision.codec import OMITTED, JsonObject, Rounded, plain, plain_fields, read_fields
from brikks_vision.errors import ReadingDamaged
from brikks_vision.layout import Cell, Point
from brikks_vision.text.phrases import Phrase

if TYPE_CHECKING:
    from brikks_vision.reading.views import ReadBoard


FIRST = ("photo", "photos", "index", "game", "sheet", "printing", "status", "error", "grid")
"""What JSON tells of a reading before what its game adds."""


class Status(StrEnum):
    """``OK`` is a promise that the total is right."""

    OK = "ok"
    UNCERTAIN = "uncertain"
    UNREADABLE = "unreadable"


class Setting(NamedTuple):
    """What a person can say of a game that the paper cannot, in commands, on pages and in programs.

    name: there, and of the game's phrase "setting-<name>". values: those that are possible, all
    numbers or all words; a word is told by the phrase "<name>-<value>". help: of the option, in
    English. is_each: players of one game can have different ones.
    """

    name: str
    values: tuple[int, ...] | tuple[str, ...]
    help: str
    is_each: bool = False


PLAYERS = "players"
"""The setting that a table of players tells by its seats; games with a table have it."""

GameSettings = Mapping[str, Any]
"""What a person says of a game: by the name of a setting, one of its values."""

NO_SETTINGS: GameSettings = {}


Probability = Annotated[float, Rounded(4)]
"""0 to 1."""


@dataclass(frozen=True)
class Doubt:
    """A mark that might be another: ``total_otherwise`` is the total if it is."""

    where: str
    read: str
    confidence: Probability
    total_otherwise: int | None

    @property
    def is_of_a_rule(self) -> bool:
        """Whether it is asked as it would mend a broken rule: its 0.5 is no measured share."""
        return self.confidence == 0.5


class Points(Protocol):
    """The points of a sheet; a game's own say their parts as well."""

    @property
    def total(self) -> int:
        """The score."""


class BrokenRule(Protocol):
    """A broken rule as the rules of any game tell it."""

    @property
    def rule(self) -> str:
        """Its code in the contract."""

    @property
    def part(self) -> str:
        """The part of the sheet that it shows in."""

    @property
    def where(self) -> tuple[Cell, ...] | tuple[int, ...]:
        """Cells, or numbers of places in that part."""

    @property
    def told(self) -> Phrase:
        """The sentence that the players are told."""


@dataclass(frozen=True)
class ViolationReading:
    """A broken rule by its code, where it shows, and the sentence that the user reads.

    ``where``: cells, or numbers from 0 of the places of a bar, of rows or of sheets, as ``part``
    says ("grid", the name of a bar, "rows", "total" or "sheets"). ``told``: the sentence
    as data, to put it into other words; None where the reading comes from JSON.
    """

    rule: str
    where: tuple[Cell, ...] | tuple[int, ...]
    message: str
    confidence: Probability
    part: str = "grid"
    told: Phrase | None = field(default=None, compare=False, repr=False)

    @classmethod
    def of(cls, violation: BrokenRule, confidence: float) -> Self:
        """What the rules found, told in English."""
        told, part = violation.told, str(violation.part)
        return cls(
            str(violation.rule), violation.where, told.sentence(), confidence, part, told=told
        )

    @property
    def cells(self) -> tuple[Cell, ...]:
        """The cells of the grid that it shows in; empty where it shows elsewhere."""
        return tuple(place for place in self.where if isinstance(place, tuple))

    def to_dict(self) -> JsonObject:
        """The JSON object of the contract, in plain Python types."""
        return {"rule": self.rule, "part": self.part, **plain_fields(self)}


@dataclass(frozen=True, eq=False)
class Reading:
    """One sheet in one photo: what readings of all games have in common.

    ``printing``: what tells the printing from others (`brikks_vision.layout.Layout.printing`); None
    of the package's own. ``grid``: one string a row, top first: a letter of the game, "." empty,
    "?" cannot be told.
    ``corners``: the grid's four corners, clockwise from its top left, in px of the upright
    full-size photo; anticlockwise where the photo is a mirror image. ``undecided``: the names in
    ``assumed`` of which one value leads to another rank or verdict than another.
    ``said_on_sheet``: what is plainly crossed about the game ("level", "players") in the printed
    boxes for it; it counts where nothing else was said. ``covered``: places that something hides,
    named as those of doubts; ``total_range`` holds what they leave open. ``cancelled``: places of
    marks that the player has cancelled, and that do not count. ``print_doubts``: of what
    was unsure when the printing was learnt, that on which the total or a broken rule rests.
    ``timing_ms``: milliseconds by step. ``photos``: the names of all photos where several were read
    as one, the first one's first.
    An unreadable photo has ``error`` and nothing of what stands on a sheet.
    """

    photo: str
    status: Status
    index: int = 0
    game: str | None = None
    sheet: str | None = None
    printing: str | None = None
    error: str | None = None
    grid: tuple[str, ...] = ()
    score: Points | None = None
    total_range: tuple[int, int] | None = None
    rank: str | None = None
    doubts: tuple[Doubt, ...] = ()
    violations: tuple[ViolationReading, ...] = ()
    assumed: Mapping[str, tuple[int | str, ...]] = field(default_factory=dict)
    undecided: tuple[str, ...] = ()
    said_on_sheet: Mapping[str, int] = field(default_factory=dict)
    covered: tuple[str, ...] = ()
    cancelled: tuple[str, ...] = ()
    print_doubts: tuple[Doubt, ...] = ()
    corners: Annotated[tuple[Point, ...] | None, Rounded(1)] = None
    timing_ms: Annotated[Mapping[str, float], Rounded(1)] = field(default_factory=dict)
    photos: Annotated[tuple[str, ...], OMITTED] = ()

    classes: ClassVar[dict[str, type[Reading]]] = {}
    """By game, the class of its readings."""

    def __init_subclass__(cls, game: str | None = None) -> None:
        """Makes a class that of a game's readings; ``game``: None of classes of several games."""
        if game is not None:
            Reading.classes[game] = cls

    def __eq__(self, other: object) -> bool:
        """Whether all fields agree that `to_dict` tells, whatever the class."""
        if not isinstance(other, Reading):
            return NotImplemented
        names = {each.name for each in (*fields(self), *fields(other)) if each.name != "nothing"}
        nothing = object()
        return all(getattr(self, name, nothing) == getattr(other, name, nothing) for name in names)

    __hash__ = None  # type: ignore[assignment]  # some of its fields are dictionaries

    def as_of(self, other: Reading) -> Self:
        """The same reading with what another one tells of its photos and of where it lies."""
        names = ("photo", "photos", "index", "corners", "timing_ms")
        return replace(self, **{name: getattr(other, name) for name in names})

    def content(self) -> JsonObject:
        """What stands on the sheet, in plain Python types: the game's own fields and ``score``."""
        told = plain_fields(self)
        return {name: told[name] for name in self.own_fields()}

    @classmethod
    def own_fields(cls) -> tuple[str, ...]:
        """The names of the fields that the game adds, and of the score."""
        common = {each.name for each in fields(Reading)}
        return (*(each.name for each in fields(cls) if each.name not in common), "score")

    @classmethod
    def no_content(cls) -> JsonObject:
        """`content` of a sheet that was not read."""
        empty = {each.name: each.default for each in fields(cls) if each.name != "score"}
        return {name: plain(empty.get(name)) for name in cls.own_fields()}

    def to_dict(self) -> JsonObject:
        """The JSON object of the contract, in plain Python types."""
        told = plain_fields(self)
        first = {name: told.pop(name) for name in FIRST if name in told}
        return {**first, **self.content(), **told}

    @classmethod
    def from_dict(cls, data: Mapping[str, object]) -> Reading:
        """The reading that ``to_dict`` wrote; most fields that are missing keep their defaults.

        It has the class of its game, if that has been imported (see `brikks_vision.games`).

        Raises ReadingDamaged: something that no reading is without is missing, or a field is of
        another kind.
        """
        if not isinstance(data, Mapping):
            raise ReadingDamaged("photo")
        game, is_read = data.get("game"), data.get("status") != Status.UNREADABLE
        of_game = Reading.classes.get(game, Reading) if isinstance(game, str) else Reading
        kind = of_game if is_read else UnreadableSheet
        try:
            return kind(**kind.parsed(data))
        except ValueError as error:
            raise ReadingDamaged(str(error).partition(".")[0]) from None

    @classmethod
    def parsed(cls, data: Mapping[str, object]) -> JsonObject:
        """The fields of ``data`` as arguments of the class; raises as `read_fields`."""
        return read_fields(cls, data)


@dataclass(frozen=True, eq=False)
class ReadSheet(Reading):
    """A sheet that was read, surely or not: it has a score and every total that is open."""

    status: Literal[Status.OK, Status.UNCERTAIN]
    error: None = None
    score: Points = field(kw_only=True)
    total_range: tuple[int, int] = field(kw_only=True)


@dataclass(frozen=True, eq=False)
class UnreadableSheet(Reading):
    """A sheet that could not be read: ``error`` says why, and what to do.

    ``nothing``: what its JSON says of the sheet.
    """

    status: Literal[Status.UNREADABLE]
    error: str = field(kw_only=True)
    score: None = None
    total_range: None = None
    nothing: JsonObject = field(default_factory=dict, repr=False, kw_only=True)

    def content(self) -> JsonObject:
        return {**self.nothing, "score": None}

    @classmethod
    def parsed(cls, data: Mapping[str, object]) -> JsonObject:
        known = {each.name for each in fields(cls)}
        nothing = {name: value for name, value in data.items() if name not in known}
        return {**read_fields(cls, data), "nothing": nothing}


AnyReading: TypeAlias = "ReadSheet | ReadBoard | UnreadableSheet"
"""What a scan returns; checking ``status`` (or the class) tells a type checker which of them."""
