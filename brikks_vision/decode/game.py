"""All that common code asks of a game; `brikks_vision.games` has the table of them.

A module is a game if it has these names. Readings are of the game's own class, states its own, so
that they are ``Any`` here. Places are named as in the contract: the name of a field
and numbers from 0, "cell 3,4" or "energy 12".
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple, Protocol

from brikks_vision.decode.evidence import Evidence
from brikks_vision.decode.posterior import Decoded
from brikks_vision.decode.sameness import Sameness
from brikks_vision.detect.marks import Key
from brikks_vision.detect.photo import Photo
from brikks_vision.detect.placement import Points
from brikks_vision.layout import Layout, Point
from brikks_vision.reading import (
    BoardChoices,
    BoardLabel,
    BoardPlace,
    BoardView,
    GameSettings,
    PrintDoubt,
    ReadBoard,
    ReadPoints,
    ReadSheet,
    SheetView,
    Status,
    ViolationReading,
)
from brikks_vision.text.phrases import Phrase, Translator


class Game(Protocol):
    """One game: how its evidence becomes a reading, and how that is told."""

    NAME: str
    """The name of its rooms, layouts and texts."""

    MARKS: Mapping[str, tuple[str, ...]]
    """By field, the marks of the contract that a program can answer with."""

    COLUMNS: tuple[str, ...]
    """The columns that a table has for parts of its points."""

    STYLES: tuple[str, ...]
    """How a sheet can be printed, the usual one first."""

    FORMER_KEYS: Mapping[str, Key]
    """Names of marks in evidence that an earlier version kept."""

    HAS_TURNS: bool
    """Whether two photos of a sheet can be judged as one turn."""

    PART_FIELDS: Mapping[str, str]
    """By part of a sheet that a broken rule names, the field that it shows in."""

    def is_possible(self, known: GameSettings) -> bool:
        """Whether there is a game with these settings."""

    def read(
        self, name: str, evidence: Evidence, layout: Layout, answers: Mapping[str, str]
    ) -> tuple[ReadSheet, Decoded[Any]]:
        """The reading of a sheet's evidence, and the posterior that it follows from.

        name: of the photo. answers: by place, the mark that stands there. The reading has no
        corners and no times.
        """

    def needs_full_pass(self, posterior: Any, evidence: Evidence) -> bool:
        """Whether a close look is needed although the total is sure after a glance."""

    def marks(self, state: Any) -> Mapping[str, str]:
        """By place, the mark of the contract that stands there."""

    def marks_at(self, where: str) -> Sequence[str]:
        """The marks that evidence can show at a place, to choose from."""

    def counted(self, where: str, layout: Layout) -> Mapping[str, int]:
        """The numbers of a place as people count, by the names that the texts use."""

    def answers_there(self, layout: Layout) -> Phrase:
        """The places that a sheet has, in words."""

    def rank_of(self, reading: Any) -> Phrase | None:
        """What the game's publisher calls such a result."""

    def rank_told(self, reading: Any) -> Phrase | None:
        """The rank as one, with what it depends on: "Rank: Well done! (level 2)"."""

    def view(self, reading: Any, layout: Layout, state: Any = None) -> SheetView:
        """What is shown of a reading on the sheet and beside it.

        state: of the sheet, where more of it is known than the reading says.
        """

    def row_names(self, layout: Layout) -> Sequence[str]:
        """What stands beside the rows of the grid, top first; empty texts where nothing does."""

    def columns(self, reading: Any) -> Mapping[str, object]:
        """Parts of the points, by the names in ``COLUMNS``."""

    def evidence_of_reading(self, reading: Any, layout: Layout) -> Evidence:
        """Evidence that decodes to a reading whose own evidence was not kept."""

    def same_state(
        self, one: Any, one_taken: datetime, other: Any, other_taken: datetime
    ) -> Sameness:
        """Whether two readings show the same sheet in the same state."""

    def grown_state(
        self, before: Any, before_taken: datetime, after: Any, after_taken: datetime
    ) -> Sameness:
        """Whether ``after`` is the sheet of ``before`` later in the same game."""

    def is_table(self, known: GameSettings, sheets: int) -> bool:
        """Whether so many sheets can be those of one game with these settings."""

    def read_game(
        self,
        photos: Sequence[str],
        sheets: Sequence[Any],
        layout: Layout,
        known: GameSettings,
        names: Sequence[str | None] = (),
    ) -> Any:
        """The ranking of the sheets of one game, and what they prove together.

        sheets: the posterior of each photo's sheet, None where it could not be read.
        """

    def sheet_pdf(self, paper: str, per_page: int, style: str, words: Translator) -> bytes:
        """A sheet to print, as a PDF.

        paper: "a4" or "letter". style: one of `STYLES`. words: puts what is printed into words.

        Raises
        ------
        UnknownValue
        """

    def is_better(self, new: Any, old: Any) -> bool:
        """Whether ``new`` is a more certain reading of a sheet than ``old``."""


class Count(NamedTuple):
    """How many things of a kind there are, and what the kind is called."""

    told: Phrase
    number: int


class BoardGame(Protocol):
    """A game that is played on a board: how a photo of it is read.

    Boards and positions are of the game's own classes, so that they are ``Any`` here.
    """

    NAME: str
    TITLE: str

    def packaged_board(self) -> Any:
        """The board that the package brings."""

    def board_pdf(self, paper: str, words: Translator) -> bytes:
        """The packaged board to print, as a PDF.

        Raises
        ------
        UnknownValue
            It is not printed on such paper.
        """

    def parse_definition(self, data: Mapping[str, Any], source: object) -> Any:
        """A board from the data of its definition. ``source``: where it is from.

        Raises
        ------
        DefinitionDamaged
        """

    def learn(self, photo: Photo, name: str, settings: Mapping[str, str]) -> BoardLearnt:
        """Learn a board from a photo of it, empty.

        Raises
        ------
        PhotoUnreadable
            There is no board, or something stands on it.
        AnswerUnclear, AnswerOffSheet
            A setting is none, or the board has no such field.
        """

    def read(self, photo: Photo, boards: Sequence[Any], answers: Mapping[str, str]) -> BoardSeen:
        """What stands on that one of the boards which the photo shows.

        answers: by place ("field 3,4") what stands there.

        Raises
        ------
        PhotoUnreadable
        AnswerUnclear, AnswerOffSheet
        """

    def canonical(self, answers: Mapping[str, str]) -> Mapping[str, str]:
        """The same answers in the words in which `places` and `choices` have them.

        Raises
        ------
        AnswerUnclear, AnswerOffSheet
        """

    def view(self, reading: Any) -> BoardView:
        """What is shown of a reading."""

    def counts(self, reading: Any) -> Sequence[Count]:
        """How many things of each kind stand on a board."""

    def judged(self, reading: Any) -> Any:
        """The reading with its broken rules as phrases, which one from JSON lacks."""

    def points(self, photo: Photo, answers: Mapping[str, str]) -> ReadPoints:
        """What a player has won, from a photo of it on a table.

        answers: by place ("thing 3") what lies there.

        Raises
        ------
        PhotoUnreadable
        AnswerUnclear, AnswerOffSheet
        """

    def places(self, reading: Any) -> Sequence[BoardPlace]:
        """All fields of a reading, row by row."""

    def choices(self) -> BoardChoices:
        """What a person can say of a board and of a hand."""

    def moves(
        self,
        seen: Any,
        color: str,
        cards: Sequence[str],
        blocks: Sequence[str] = (),
        phase: int | None = None,
    ) -> Sequence[BoardMove]:
        """Every legal action of a player with these cards and blocks.

        Raises
        ------
        RulesForbid
            What is said cannot be by the rules.
        """

    def turn(self, before: Any, after: Any, phase: int | None = None) -> BoardTurn:
        """Which action leads from one reading to the other; raises RulesForbid."""


class BoardMove(Protocol):
    """An action that the rules allow."""

    @property
    def told(self) -> Sequence[Phrase]:
        """What is done, and what it requires."""

    @property
    def start(self) -> str | None:
        """The place of the pawn that acts, as answers name it; None: none on the board does."""

    @property
    def way(self) -> Sequence[Point]:
        """Where a pawn goes, in fields (x, y); empty where none does."""

    def to_dict(self) -> dict[str, Any]:
        """The action as the contract has it."""


class BoardTurn(Protocol):
    """A turn from two photos."""

    @property
    def status(self) -> Status:
        """Whether both photos were read surely."""

    @property
    def told(self) -> Phrase | None:
        """What was done; None where no action explains the change."""

    @property
    def violations(self) -> tuple[ViolationReading, ...]:
        """What makes it illegal."""

    def to_dict(self) -> dict[str, Any]:
        """The turn as the contract has it, without the names of its photos."""


class BoardLearnt(Protocol):
    """A board that was learnt."""

    @property
    def name(self) -> str:
        """What it is called."""

    @property
    def game(self) -> str:
        """The name of its game."""

    @property
    def title(self) -> str:
        """The title of its game."""

    @property
    def side(self) -> int:
        """How many fields it has along each side."""

    @property
    def photo(self) -> Photo:
        """The photo that it was learnt from."""

    @property
    def doubts(self) -> tuple[PrintDoubt, ...]:
        """What is not sure of its print, least sure first."""

    @property
    def labels(self) -> tuple[BoardLabel, ...]:
        """What was learnt, by field."""

    @property
    def places(self) -> Sequence[BoardPlace]:
        """All fields, row by row, of the colours that were learnt."""

    def to_photo(self, points: Points) -> Points:
        """Where points of the board (N, 2), in fields, lie in the photo's image, px."""

    def to_json(self) -> str:
        """Its definition."""


class BoardSeen(Protocol):
    """A board with what stands on it."""

    @property
    def reading(self) -> ReadBoard:
        """What is told of it."""

    @property
    def photo(self) -> Photo:
        """The photo that it was read from."""

    @property
    def board(self) -> Any:
        """The board, as definitions hold it."""

    def to_photo(self, points: Points) -> Points:
        """Where points of the board (N, 2), in fields, lie in the photo's image, px."""
