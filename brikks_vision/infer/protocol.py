"""All that common code asks of a game; `brikks_vision.games` has the table of them.

Readings, printings and states are of the game's own classes, so
that they are ``Any`` here. Places are named as in the contract: the name of a field and numbers
from 0, "cell 3,4" or "energy 12".
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from brikks_vision.errors import NoBoardFound
from brikks_vision.layout import Layout, Point, Printing
from brikks_vision.reading import GameSettings, Setting, Status, ViolationReading
from brikks_vision.text.phrases import Fact, Phrase, Translator

if TYPE_CHECKING:
    from brikks_vision.detect.marks import Key
    from brikks_vision.detect.photo import Photo
    from brikks_vision.detect.placement import Image
    from brikks_vision.infer.advice import Coach
    from brikks_vision.infer.evidence import Evidence
    from brikks_vision.infer.following import Follow
    from brikks_vision.infer.sameness import Traces
    from brikks_vision.reading.views import BoardChoices, BoardPlace, Choice


class Placed(Protocol):
    """Where a printing lies in a photo."""

    @property
    def layout(self) -> Any:
        """The printing."""

    @property
    def placement(self) -> Any:
        """Its ``to_photo`` takes points of the printing (N, 2), in cells, to px of the photo."""


class Game:
    """One game: how its evidence becomes a reading, and how that is told.

    What is defined here is the answer of a game that lacks a thing; a part that is None is lacking.
    """

    NAME: str
    """The name of its rooms, layouts and texts."""

    TITLE: str
    """What people call it."""

    SETTINGS: tuple[Setting, ...] = ()
    """What a person can say of it that the paper cannot: what its module ``settings`` has."""

    MARKS: Mapping[str, tuple[str, ...]] = {}
    """By field, the marks of the contract that a program can answer with."""

    COLUMNS: tuple[str, ...] = ()
    """The columns that a table has for parts of its points."""

    FORMER_KEYS: Mapping[str, Key] = {}
    """Names of marks in evidence that an earlier version kept."""

    PART_FIELDS: Mapping[str, str] = {}
    """By part of a sheet that a broken rule names, the field, or "row", that it shows in."""

    TRACES: Traces[Any] | None = None
    """What tells whether two readings are of one sheet; None: nothing does."""

    board: OnBoard | None = None
    """What can stand on the fields of its board."""

    moves: Callable[..., Sequence[BoardMove]] | None = None
    """Every legal action of a player, best first.

    Of a posterior, the player's colour, cards, blocks (none, if left out) and ``phase`` (None: all
    that the towers allow); raises RulesForbid where what is said cannot be by the rules.
    """

    table: Table | None = None
    """The ranking of several sheets."""

    coach: Coach | None = None
    """What a sheet lost, and what would have been better."""

    winnings: Winnings | None = None
    """What players have won, and who wins."""

    learner: Callable[[], Learner] | None = None
    """Learns a printing from a photo of it, empty; called, it imports what it needs."""

    printer: Callable[[str, int, str, Translator], bytes] | None = None
    """Writes a printing as a PDF.

    Of a paper ("a4", "a3" or "letter"), a number of sheets a page, a style, and what puts what is
    printed into words; raises UnknownValue where there is no such paper, number or style.
    """

    @property
    def turns(self) -> Turns | None:
        """What was done between two photos."""
        return None

    @property
    def follow(self) -> Follow | None:
        """What was done from photo to photo of a game."""
        return None

    def is_possible(self, known: GameSettings) -> bool:
        """Whether these of its settings go together; its phrase "settings-rule" says which do."""
        return True

    def packaged(self) -> Sequence[Printing]:
        """The printings that the package brings, by name."""
        return ()

    def parse_printing(self, data: Mapping[str, Any], source: object) -> Printing:
        """A printing from the data of its definition. ``source``: where it is from.

        Raises
        ------
        DefinitionDamaged
        """
        raise NotImplementedError

    def printing_of(self, reading: Any) -> Any:
        """The printing as a reading holds it; None: the reading has only its name and content."""
        return None

    def place(self, image: Image, printings: Sequence[Any]) -> Placed:
        """Which of these boards, with the finder "lattice", a photo shows, and where.

        Raises
        ------
        PhotoUnreadable
        """
        raise NoBoardFound

    def observe(self, photo: Photo, placed: Any, known: GameSettings) -> Any:
        """The evidence of what stands on such a board. known: of its settings."""
        raise NoBoardFound

    def read(
        self, name: str, evidence: Any, layout: Any, answers: Mapping[str, str]
    ) -> tuple[Any, Any]:
        """The reading of evidence, and the posterior that it follows from.

        name: of the photo. answers: by place, the mark that stands there. The reading has no
        corners and no times.
        """
        raise NotImplementedError

    def combined(self, photos: Sequence[Any], layout: Any) -> Any:
        """The evidence of one or more photos of the same sheet or board in the same state, added.

        Where it lies is told as in the first. layout: the printing.
        """
        raise NotImplementedError

    def contradicts(self, one: Any, other: Any) -> bool:
        """Whether the evidence of two photos shows that something stands otherwise in them."""
        raise NotImplementedError

    def needs_full_pass(self, posterior: Any, evidence: Any) -> bool:
        """Whether the full pass is needed although the fast one is sure of the total."""
        return False

    def marks(self, state: Any) -> Mapping[str, str]:
        """By place, the mark of the contract that stands there."""
        return {}

    def marks_at(self, where: str) -> Sequence[str]:
        """The marks that evidence can show at a place, to choose from."""
        return ()

    def counted(self, where: str, layout: Layout) -> Mapping[str, Fact]:
        """The numbers of a place as people count, and words, by the names that the texts use.

        Rows from the bottom, columns from the left, other places by their number; all from 1.
        """
        _, _, numbers = where.partition(" ")
        at = [int(number) for number in numbers.split(",")]
        if len(at) == 2:
            return {"row": layout.grid.rows - at[0], "column": at[1] + 1}
        return {"number": at[0] + 1}

    def answers_there(self, layout: Layout) -> Phrase:
        """The places that a sheet has, in words."""
        return Phrase("")

    def rank_of(self, reading: Any) -> Phrase | None:
        """What the game's publisher calls such a result."""
        return None

    def rank_told(self, reading: Any) -> Phrase | None:
        """The rank as one, with what it depends on: "Rank: Well done! (level 2)"."""
        return None

    def view(self, reading: Any, layout: Any, state: Any = None) -> Any:
        """What is shown of a reading on the sheet or board and beside it.

        state: of the sheet, where more of it is known than the reading says.
        """
        raise NotImplementedError

    def row_names(self, layout: Layout) -> Sequence[str]:
        """What stands beside the rows of the grid, top first; empty texts where nothing does."""
        return ("",) * layout.grid.rows

    def columns(self, reading: Any) -> Mapping[str, object]:
        """Parts of the points, by the names in ``COLUMNS``."""
        return {}

    def evidence_of_reading(self, reading: Any, layout: Layout) -> Evidence:
        """Evidence that decodes to a reading whose own evidence was not kept."""
        raise NotImplementedError


class Table(NamedTuple):
    """How several sheets of one game are compared.

    is_table: whether this many sheets can belong to one game with these settings. read_game: the
    ranking of the sheets, and what they prove together, from the names of their photos, the
    posterior of each sheet (None where it could not be read), their layout, what is known, and the
    names of the players (None of unknown ones).
    """

    is_table: Callable[[GameSettings, int], bool]
    read_game: Callable[..., Any]


LONG_SIDE = 2600  # px of the photo that is read; a page then has about the resolution of its blank


@dataclass(frozen=True)
class Learner:
    """How a printing is learnt.

    propose: from a photo of it, empty, whose long side has ``long_side`` px at most, the name to
    give it, and what a person says of the print (`brikks_vision.games.learning.Given`), a
    `Proposal`; raises AnswerUnclear, AnswerOffSheet. values: the places of a printing whose print
    a person can say. kind: prints of one kind can be taken for each other. with_pieces: a proposal,
    with what a photo of the game set up tells of its pieces; raises PhotoUnreadable. None: the game
    has none. from_marked: a proposal from photos of several marked sheets, each with its marks by
    place, and its name; raises PhotoUnreadable. None: to be read, a sheet's print must be known.
    """

    propose: Callable[[Photo, str, Any], Any]
    values: Callable[[Any], Sequence[Any]]
    long_side: int = LONG_SIDE
    kind: str = "sheet"
    with_pieces: Callable[[Any, Photo], Any] | None = None
    from_marked: Callable[[Sequence[tuple[Photo, Mapping[str, str]]], str], Any] | None = None


class Standing(NamedTuple):
    """Where a player ends. rank: from 1, shared in a tie. content: what travels as JSON."""

    rank: int
    told: Phrase
    content: Mapping[str, Any]


class Winnings(NamedTuple):
    """What players win during a game and count at its end.

    chips, blocks: their kinds, as they are said. most_chips, most_blocks: of one kind. standings:
    where each player ends, in their order, by the chips and the blocks that each has won; raises
    RulesForbid where what is said cannot be by the rules.
    """

    chips: Sequence[Choice]
    blocks: Sequence[Choice]
    most_players: int
    most_chips: int
    most_blocks: int
    standings: Callable[[Sequence[Sequence[str]], Sequence[Sequence[str]]], Sequence[Standing]]


class Count(NamedTuple):
    """How many things of a kind there are, and what the kind is called."""

    told: Phrase
    number: int


class OnBoard(Protocol):
    """What can stand on the fields of a board."""

    def canonical(self, answers: Mapping[str, str]) -> Mapping[str, str]:
        """The same answers in the words in which `places` and `choices` have them.

        Raises
        ------
        AnswerUnclear, AnswerOffSheet
        """

    def counts(self, reading: Any) -> Sequence[Count]:
        """How many things of each kind stand on a board."""

    def judged(self, reading: Any) -> Any:
        """The reading with its broken rules as phrases, which one from JSON lacks."""

    def places(self, reading: Any) -> Sequence[BoardPlace]:
        """All fields of a reading, row by row."""

    def choices(self) -> BoardChoices:
        """What a person can say of a board and of a hand."""

    def likely(self, posterior: Any, where: str) -> Sequence[str]:
        """All that can stand on a field, as answers name it, the most probable first."""

    def from_other_side(self, posterior: Any, size: tuple[int, int]) -> Sequence[str]:
        """The places that a photo from the other side should show; none: it is not worth one.

        size: width and height of the photo, px.
        """


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

    @property
    def brings(self) -> tuple[float, float] | None:
        """Expected points at once, and of the player's next turn; None: not known."""

    def to_dict(self) -> dict[str, Any]:
        """The action as the contract has it."""


class TurnSaid(NamedTuple):
    """What is said of a turn.

    roll: colour, in English or in other words, and number. out: that the player of the one photo
    has no legal place left. phase: of a game on a board; None: all that its towers allow. words:
    puts phrases into those words.
    """

    roll: tuple[str, int] | None = None
    out: bool = False
    phase: int | None = None
    words: Translator = Phrase.text


class Turns(NamedTuple):
    """How turns are judged.

    check: raises what cannot be said of a turn, RollUnknown. judge: what was done between two
    photos, from their names, the posteriors, what is said of the turn and what of the game; raises
    PhotosNotOneTurn, BoardIsAnother, RulesForbid.
    """

    check: Callable[[TurnSaid], object]
    judge: Callable[[Sequence[str], Sequence[Any], TurnSaid, GameSettings], Turn]


class Turn(Protocol):
    """A turn from two photos: a `ToldTurn`, or one of the game's own class."""

    @property
    def status(self) -> Status:
        """Whether both photos were read surely."""

    @property
    def violations(self) -> tuple[ViolationReading, ...]:
        """What makes it illegal."""

    def to_dict(self) -> dict[str, Any]:
        """As the contract has it."""
