"""One turn, from two positions: before and after.

A turn changes at most two fields, and which it changes how tells the action: a pawn that came from
nowhere entered; one that is now elsewhere moved, cleared or captured by what stood there; one whose
field bears a tower was built upon; where nothing changed, cards were swapped.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import Any, Literal, ParamSpec

from brikks_vision.rules.blox.board import FIELDS
from brikks_vision.rules.blox.checks import (
    check_build,
    check_capture,
    check_clear,
    check_enter,
    check_move,
)
from brikks_vision.rules.blox.errors import IllegalActionError
from brikks_vision.rules.blox.material import MIN_CAPTURE, Color, Field, PawnColor
from brikks_vision.rules.blox.phases import PHASES, known_phase, phases_of
from brikks_vision.rules.blox.position import Position, Thing, Tower
from brikks_vision.rules.blox.violations import Rule, Violation
from brikks_vision.rules.blox.words import Phrase, field_words, fields_words, pawn_words, phrase

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
    pawn: PawnColor | None = None
    start: Field | None = None
    target: Field | None = None
    cards: tuple[Color | None, ...] = ()
    violations: tuple[Violation, ...] = ()

    @property
    def is_legal(self) -> bool:
        return not self.violations

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
    phases = phases_of(before) or PHASES if phase is None else (known_phase(phase),)
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
    before: Position, after: Position, field: Field, phases: Sequence[int]
) -> TurnVerdict | None:
    """An entry, or a tower that was built; None where it is neither."""
    was, now = before.at(field), after.at(field)
    if was is None and isinstance(now, PawnColor):
        errors = [_error(check_enter, before, now, field)]
        cards = (before.board.color(field),)
        return TurnVerdict("enter", now, None, field, cards, _violations((field,), errors))
    if isinstance(was, PawnColor) and isinstance(now, Tower):
        errors = [_error(check_build, before, was, field, now.height, phase) for phase in phases]
        return TurnVerdict("build", was, field, field, now.blocks, _violations((field,), errors))
    return None


def _pawn_gone_on(
    before: Position, after: Position, start: Field, target: Field, phases: Sequence[int]
) -> TurnVerdict | None:
    """A pawn that moved, cleared or captured; None where none went from start to target."""
    pawn = before.at(start)
    if not isinstance(pawn, PawnColor) or after.at(start) or after.at(target) != pawn:
        return None
    was, color, where = before.at(target), before.board.color(target), (start, target)
    if was is None:
        errors = [_error(check_move, before, pawn, start, target)]
        return TurnVerdict("move", pawn, *where, (color,), _violations(where, errors))
    if isinstance(was, Tower):
        errors = [_error(check_clear, before, pawn, start, target, phase) for phase in phases]
        return TurnVerdict("clear", pawn, *where, was.blocks, _violations(where, errors))
    errors = [_error(check_capture, before, pawn, start, target)]
    cards = (color,) * MIN_CAPTURE
    return TurnVerdict("capture", pawn, *where, cards, _violations(where, errors))


def _error(
    check: Callable[_Parameters, object], *args: _Parameters.args, **kwargs: _Parameters.kwargs
) -> IllegalActionError | None:
    """What the check raises, if anything."""
    try:
        check(*args, **kwargs)
    except IllegalActionError as error:
        return error
    return None


def _violations(
    where: tuple[Field, ...], errors: Sequence[IllegalActionError | None]
) -> tuple[Violation, ...]:
    """Nothing if a phase allows the action; else what the last one forbids, which allows most."""
    error = None if None in errors else errors[-1]
    return () if error is None else (Violation(Rule.ILLEGAL_MOVE, where, error.told),)


def _unexplained(before: Position, after: Position, changed: tuple[Field, ...]) -> TurnVerdict:
    if len(changed) == 1:
        told = _change(before.at(changed[0]), after.at(changed[0]), changed[0])
    elif len(changed) <= MAX_LISTED:
        told = phrase("several-changes", fields=fields_words(changed))
    else:
        told = phrase("many-changes", fields=len(changed))
    return TurnVerdict(None, violations=(Violation(Rule.ILLEGAL_MOVE, changed, told),))


def _change(was: Thing | None, now: Thing | None, field: Field) -> Phrase:
    """What one field shows that no action does."""
    place = field_words(field)
    match was, now:
        case Tower(), None:
            return phrase("tower-gone", field=place)
        case Tower(), Tower():
            return phrase("tower-changed", field=place)
        case Tower(), PawnColor():
            return phrase("entered-on-tower", pawn=pawn_words(now), field=place)
        case PawnColor(), PawnColor():
            return phrase("entered-on-pawn", pawn=pawn_words(now), field=place)
        case PawnColor(), _:
            return phrase("pawn-gone", pawn=pawn_words(was), field=place)
        case _:
            return phrase("tower-from-nowhere", field=place)
