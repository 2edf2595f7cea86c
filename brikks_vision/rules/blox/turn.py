"""Turns of BLOX: what happened between two positions, games as text, and who won.

One turn, from two positions: before and after.

A turn changes at most two fields, and which it changes how tells the action: a pawn that came from
nowhere entered; one that is now elsewhere moved, cleared or captured by what stood there; one whose
field bears a tower was built upon; where nothing changed, cards were swapped.

A position is nine lines of nine fields: ``.`` for nothing, ``Bl``, ``Br``, ``Gr``, ``Re`` for a
blue, brown, green or red pawn, and for a tower the letters of its blocks, bottom-up, ``?`` where a
colour does not show. A tower bears the chip of its height; another one follows a colon, ``-`` for
none: ``wg:3``, ``wg:-``. Rows left out at the bottom are empty.

A game is the position at its beginning and one line a turn, fields as "row,column" from 0::

    enter Bl 0,2
    move Bl 0,2 0,4
    clear Bl 0,4 3,4
    build Bl 3,4 wp
    capture Re 1,1 1,5
    swap
    change 1,5=. 2,5=wg:-

``change`` is what no action explains. Whether a turn was legal is not written: the positions tell.

What players have won: their chips, added, and who wins ("End" of the published rules).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise, permutations
from typing import Any, Literal, ParamSpec

from brikks_vision.rules.blox import material, referee
from brikks_vision.rules.blox.position import FIELDS, SIDE, Position, Thing, Tower

MAX_LISTED = 6
"""Maximum number of changed fields that a sentence lists; of more it says only the number."""

_Parameters = ParamSpec("_Parameters")

ActionName = Literal["enter", "move", "clear", "build", "capture", "swap"]


@dataclass(frozen=True)
class TurnVerdict:
    """What one turn was.

    action: None where no action explains the change. pawn: the one that acted. start, target: where
    it stood before, and the field that it went to; both are the field of a new tower. cards: those
    that must have been played, in the order of the blocks, None for a block that does not show; a
    joker may have stood for any one. A capture takes at least three, and so many are told.
    """

    action: ActionName | None
    pawn: material.PawnColor | None = None
    start: material.Field | None = None
    target: material.Field | None = None
    cards: tuple[material.Color | None, ...] = ()
    violations: tuple[referee.Violation, ...] = ()

    @property
    def is_legal(self) -> bool:
        return not self.violations

    @property
    def way(self) -> tuple[material.Field, ...]:
        """The fields that the action changes: where it began, and its target."""
        return tuple(dict.fromkeys(filter(None, (self.start, self.target))))

    @property
    def points(self) -> int:
        """What the action earns at least: a capture may have taken more cards than are told."""
        return len(self.cards) if self.action in ("clear", "build", "capture") else 0

    def to_dict(self) -> dict[str, Any]:
        """The verdict as in the reading's JSON, without its status and its photos."""
        return {
            "action": self.action,
            "pawn": None if self.pawn is None else str(self.pawn),
            "from": None if self.start is None else list(self.start),
            "to": None if self.target is None else list(self.target),
            "cards": [None if card is None else str(card) for card in self.cards],
            "violations": [
                {
                    "rule": str(violation.rule),
                    "where": [list(field) for field in violation.where],
                    "message": violation.message,
                }
                for violation in self.violations
            ],
        }


def judge_turn(before: Position, after: Position, phase: int | None = None) -> TurnVerdict:
    """Which action leads from one position to the other, and whether it is legal.

    phase: left out, it is what the towers of ``before`` tell; where they can stand so in no phase,
    the action may be one of any. Cards and blocks in front of the players do not show, so neither
    is judged whether they had them, nor the rule of seven. A tower is the same one if its height
    is, and no block shows two colours.

    Raises
    ------
    ImpossiblePhaseError
        There is no such phase.
    """
    phases = (
        referee.phases_of(before) or referee.PHASES
        if phase is None
        else (referee.known_phase(phase),)
    )
    both = zip(FIELDS, before.things, after.things, strict=True)
    changed = tuple(field for field, one, other in both if not _is_same(one, other))
    if not changed:
        return TurnVerdict("swap")
    found: list[TurnVerdict | None] = []
    if len(changed) == 1:
        found = [_one_change(before, after, changed[0], phases)]
    elif len(changed) == 2:
        pairs = permutations(changed)
        found = [_pawn_gone_on(before, after, start, target, phases) for start, target in pairs]
    explained = [verdict for verdict in found if verdict is not None]
    return explained[0] if explained else _unexplained(before, after, changed)


def _is_same(one: Thing | None, other: Thing | None) -> bool:
    if one is other:
        return True
    if isinstance(one, Tower) and isinstance(other, Tower):
        return one.height == other.height and all(
            color == twin or None in (color, twin)
            for color, twin in zip(one.blocks, other.blocks, strict=True)
        )
    return one == other


def _one_change(
    before: Position, after: Position, field: material.Field, phases: Sequence[int]
) -> TurnVerdict | None:
    """An entry, or a tower that was built; None where it is neither."""
    was, now = before.at(field), after.at(field)
    if was is None and isinstance(now, material.PawnColor):
        errors = [_error(referee.check_enter, before, now, field)]
        cards = (before.board.color(field),)
        return TurnVerdict("enter", now, None, field, cards, _violations((field,), errors))
    if isinstance(was, material.PawnColor) and isinstance(now, Tower):
        errors = [_error(referee.check_build, before, field, now.height, phase) for phase in phases]
        return TurnVerdict("build", was, field, field, now.blocks, _violations((field,), errors))
    return None


def _pawn_gone_on(
    before: Position,
    after: Position,
    start: material.Field,
    target: material.Field,
    phases: Sequence[int],
) -> TurnVerdict | None:
    """A pawn that moved, cleared or captured; None where none went from start to target."""
    pawn = before.at(start)
    if not isinstance(pawn, material.PawnColor) or after.at(start) or after.at(target) != pawn:
        return None
    was, color, where = before.at(target), before.board.color(target), (start, target)
    if was is None:
        errors = [_error(referee.check_move, before, start, target)]
        return TurnVerdict("move", pawn, *where, (color,), _violations(where, errors))
    if isinstance(was, Tower):
        errors = [
            _error(referee.check_clear, before, start, target, was, phase) for phase in phases
        ]
        return TurnVerdict("clear", pawn, *where, was.blocks, _violations(where, errors))
    errors = [_error(referee.check_capture, before, start, target)]
    cards = (color,) * material.MIN_CAPTURE
    return TurnVerdict("capture", pawn, *where, cards, _violations(where, errors))


def _error(
    check: Callable[_Parameters, object], *args: _Parameters.args, **kwargs: _Parameters.kwargs
) -> material.IllegalActionError | None:
    """What the check raises, if anything."""
    try:
        check(*args, **kwargs)
    except material.IllegalActionError as error:
        return error
    return None


def _violations(
    where: tuple[material.Field, ...], errors: Sequence[material.IllegalActionError | None]
) -> tuple[referee.Violation, ...]:
    """Nothing if a phase allows the action; else what the last one forbids, which allows most."""
    error = None if None in errors else errors[-1]
    return (
        () if error is None else (referee.Violation(referee.Rule.ILLEGAL_MOVE, where, error.told),)
    )


def _unexplained(
    before: Position, after: Position, changed: tuple[material.Field, ...]
) -> TurnVerdict:
    if len(changed) == 1:
        told = _change(before.at(changed[0]), after.at(changed[0]), changed[0])
    elif len(changed) <= MAX_LISTED:
        told = material.phrase("several-changes", fields=material.fields_words(changed))
    else:
        told = material.phrase("many-changes", fields=len(changed))
    return TurnVerdict(
        None, violations=(referee.Violation(referee.Rule.ILLEGAL_MOVE, changed, told),)
    )


def _change(was: Thing | None, now: Thing | None, field: material.Field) -> material.Phrase:
    """What one field shows that no action does."""
    place = material.field_words(field)
    match was, now:
        case Tower(), None:
            return material.phrase("tower-gone", field=place)
        case Tower(), Tower():
            return material.phrase("tower-changed", field=place)
        case Tower(), material.PawnColor():
            return material.phrase("entered-on-tower", pawn=material.pawn_words(now), field=place)
        case material.PawnColor(), material.PawnColor():
            return material.phrase("entered-on-pawn", pawn=material.pawn_words(now), field=place)
        case material.PawnColor(), _:
            return material.phrase("pawn-gone", pawn=material.pawn_words(was), field=place)
        case _:
            return material.phrase("tower-from-nowhere", field=place)


EMPTY = "."
HIDDEN = "?"
NONE = "-"
CHIP = ":"


def print_position(position: Position) -> str:
    """What stands on the board, as text."""
    return grid_text([thing_sign(thing) for thing in position.things])


def print_game(positions: Sequence[Position]) -> str:
    """A game from its positions, one more than there were turns."""
    turns = [_print_turn(before, after) for before, after in pairwise(positions)]
    return print_position(positions[0]) + "".join(f"{turn}\n" for turn in turns)


def _print_turn(before: Position, after: Position) -> str:
    verdict = judge_turn(before, after)
    changed = [field for field in FIELDS if before.at(field) != after.at(field)]
    if not changed:
        return "swap"
    if verdict.action is None or set(changed) != {verdict.start, verdict.target} - {None}:
        signs = [f"{_field_text(field)}={thing_sign(after.at(field))}" for field in changed]
        return " ".join(["change", *signs])
    told = [verdict.action, thing_sign(verdict.pawn), *map(_field_text, verdict.way)]
    if verdict.action == "build":
        told.append(thing_sign(after.at(changed[0])))
    return " ".join(told)


def _field_text(field: material.Field) -> str:
    return f"{field[0]},{field[1]}"


def thing_sign(thing: Thing | None) -> str:
    """What stands on a field, as text."""
    if thing is None:
        return EMPTY
    if not isinstance(thing, Tower):
        return thing[:2].capitalize()
    blocks = "".join(color[0] if color else HIDDEN for color in thing.blocks)
    if thing.chip == material.chip_for(thing.height):
        return blocks
    return f"{blocks}{CHIP}{NONE if thing.chip is None else thing.chip}"


def grid_text(signs: Sequence[str]) -> str:
    """Nine lines of nine signs, in columns."""
    width = max(len(sign) for sign in signs)
    rows = [signs[start : start + SIDE] for start in range(0, len(signs), SIDE)]
    return "".join(" ".join(sign.ljust(width) for sign in row).rstrip() + "\n" for row in rows)


@dataclass(frozen=True)
class Won:
    """What lies in front of a player. chips: their values."""

    chips: tuple[int, ...] = ()
    blocks: tuple[material.Color, ...] = ()

    @property
    def points(self) -> int:
        return sum(self.chips)


def parse_won(
    chips: Sequence[Iterable[str]], blocks: Sequence[Iterable[str]] = ()
) -> tuple[Won, ...]:
    """What each player says to have won: "1", "2", "3", "4", "10"; "white", "grey" and so on.

    Raises
    ------
    UnknownChipError, UnknownColorError
    BlocksOfSomeError
        Blocks are told, but not those of each player.
    """
    if blocks and len(blocks) != len(chips):
        raise material.BlocksOfSomeError(len(chips), len(blocks))
    told = blocks or [()] * len(chips)
    return tuple(
        Won(tuple(map(_chip, values)), material.parse_blocks(colors))
        for values, colors in zip(chips, told, strict=True)
    )


def _chip(word: str) -> int:
    values = {str(value): value for value in material.CHIP_VALUES}
    if word.strip() not in values:
        raise material.UnknownChipError(word)
    return values[word.strip()]


def ranks(players: Sequence[Won]) -> tuple[int, ...]:
    """The place of each player: most points, then most blocks; who ties in both shares it.

    Raises
    ------
    TooManyPlayersError, TooManyChipsError, TooManyBlocksError
        One box holds no such game.
    """
    if len(players) > len(material.PawnColor):
        raise material.TooManyPlayersError(len(players))
    chips = sum(len(each.chips) for each in players)
    if chips > material.CHIPS:
        raise material.TooManyChipsError(chips)
    for color, count in Counter(block for each in players for block in each.blocks).items():
        if count > material.BLOCKS_OF_A_COLOR:
            raise material.TooManyBlocksError(color, count)
    worths = [(each.points, len(each.blocks)) for each in players]
    return tuple(1 + sum(other > worth for other in worths) for worth in worths)
