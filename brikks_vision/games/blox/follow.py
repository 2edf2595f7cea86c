"""A game followed over photos of its board: positions, hidden blocks and points from its turns."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from brikks_vision.detect.marks import OF_A_GAME
from brikks_vision.games.blox import sequence
from brikks_vision.games.blox.colors_of_pieces import COLORS, SURE_COLOR, TowerColors, tower_with
from brikks_vision.games.blox.decode import FIRST_TOWER, THINGS, Decoded
from brikks_vision.games.blox.reading import BoardReading, compose, thing_at
from brikks_vision.rules.blox.material import BLOCKS_OF_A_COLOR, Color, Field, PawnColor
from brikks_vision.rules.blox.position import FIELDS, Position, Thing, Tower

Array = NDArray[np.float64]

MIN_FEWER_CHANGES = 4
"""Fields that change less in another order of the photos: two turns, which are no misreading."""
MAX_ORDERS = 3
MIN_BETTER = 10.0
"""Log-odds of another order of the photos before the given one."""
MIN_COLOR = 1e-6
"""Probability that any block has any colour, however it looks."""
SCALINGS = 50


@dataclass(frozen=True)
class FollowedBoard:
    """A game as the photos show it together.

    readings: one a photo. positions: the one at the beginning and that after each turn. turns: of
    which some have no photo of their own. points: by pawns, of all players who are known or took a
    turn, since the first photo. open_points: the pawns that may have won more, by a capture or a
    turn that no photo shows.
    score: log-probability of all.
    """

    readings: tuple[BoardReading, ...]
    positions: tuple[Position, ...]
    turns: tuple[sequence.FoundTurn, ...]
    points: Mapping[PawnColor, int]
    open_points: tuple[PawnColor, ...]
    score: float


def follow_boards(
    boards: Sequence[BoardReading], players: Sequence[PawnColor] = ()
) -> FollowedBoard:
    """The game that photos of its board show, one after each turn or after a few.

    boards: two or more, in the order in which they were taken. players: who plays, in the order of
    their turns; empty: not known.
    """
    found = sequence.find_sequence(boards, players)
    towers = _Towers.of(boards, found)
    turns = [replace(turn, verdict=replace(turn.verdict, cards=towers.cards_of(number, turn)))
             for number, turn in enumerate(found.turns)]  # fmt: skip
    turns = [_forgiven(turn) for turn in turns]
    positions = [towers.position(boards[0], number) for number in range(-1, len(turns))]
    after = [max([-1, *(number for number, turn in enumerate(turns) if turn.photo <= photo)])
             for photo in range(len(boards))]  # fmt: skip
    readings = [
        _reading(boards, found, photo, positions[last + 1], towers.chances_after(last))
        for photo, last in enumerate(after)
    ]
    points, open_points = _points(turns, players)
    return FollowedBoard(
        tuple(readings), tuple(positions), tuple(turns), points, open_points, found.score
    )


def better_order(
    boards: Sequence[BoardReading], found: FollowedBoard, players: Sequence[PawnColor] = ()
) -> tuple[int, ...] | None:
    """Another order of the photos that turns explain much better; None: there is none."""
    read = np.stack([board.log_chances.argmax(axis=1) for board in boards])
    differing = (read[:, None] != read[None]).sum(axis=2)
    given = tuple(range(len(boards)))
    others = sorted(set(_orders(given)), key=lambda order: (_changes(differing, order), order))
    most = _changes(differing, given) - MIN_FEWER_CHANGES
    tried = [order for order in others[:MAX_ORDERS] if _changes(differing, order) <= most]
    scores = {
        order: follow_boards([boards[number] for number in order], players).score for order in tried
    }
    order = max(scores, key=scores.__getitem__, default=given)
    return order if scores.get(order, found.score) - found.score > MIN_BETTER else None


def _orders(given: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """The order turned round, and those in which one photo stands elsewhere."""
    yield given[::-1]
    for number in given:
        others = given[:number] + given[number + 1 :]
        for place in given:
            yield (*others[:place], number, *others[place:])


def _changes(differing: NDArray[np.intp], order: Sequence[int]) -> int:
    """In how many fields photos differ from the ones before them."""
    return int(sum(differing[one, other] for one, other in pairwise(order)))


def is_gap(turn: sequence.FoundTurn) -> bool:
    """Whether more has changed than photos of all turns but one can leave open."""
    return turn.verdict.action is None and len(turn.changes) > sequence.MAX_CHANGED


def _forgiven(turn: sequence.FoundTurn) -> sequence.FoundTurn:
    """What may be a misreading accuses nobody, nor do several turns without photos."""
    if is_gap(turn):
        return replace(turn, verdict=replace(turn.verdict, violations=()), margin=0.0)
    if turn.margin < sequence.ACCUSING_MARGIN:
        return replace(turn, verdict=replace(turn.verdict, violations=()))
    return turn


def _points(
    turns: Sequence[sequence.FoundTurn], players: Sequence[PawnColor]
) -> tuple[dict[PawnColor, int], tuple[PawnColor, ...]]:
    points = dict.fromkeys(players, 0)
    more: set[PawnColor] = set()
    for turn in turns:
        pawn, verdict = turn.verdict.pawn, turn.verdict
        if pawn is not None:
            points[pawn] = points.get(pawn, 0) + verdict.points
        if verdict.action == "capture" and pawn is not None:
            more.add(pawn)
        if verdict.action is None:
            more |= set(PawnColor)
    ordered = {pawn: points[pawn] for pawn in PawnColor if pawn in points}
    return ordered, tuple(pawn for pawn in PawnColor if pawn in more)


@dataclass(frozen=True)
class _Towers:
    """All towers of a game, by the turn that built them (-1: there from the beginning) and place.

    chances: of each block's colour, bottom-up, 0 for one that is not known. things: after each
    turn, by place among ``FIELDS``, what stands there, and the turn that brought it, (81,) each.
    """

    towers: Mapping[tuple[int, int], Tower]
    chances: Mapping[tuple[int, int], tuple[float, ...]]
    things: Mapping[int, NDArray[np.intp]]
    brought: Mapping[int, NDArray[np.intp]]

    @classmethod
    def of(
        cls,
        boards: Sequence[BoardReading],
        found: sequence.FoundSequence,
    ) -> _Towers:
        things = {-1: found.things[0]}
        brought = {-1: np.full(len(FIELDS), -1, np.intp)}
        spans = {(-1, int(place)): (0, len(boards))
                 for place in np.flatnonzero(things[-1] >= FIRST_TOWER)}  # fmt: skip
        for number, turn in enumerate(found.turns):
            now, by = things[number - 1].copy(), brought[number - 1].copy()
            for place, thing in turn.changes:
                before = (int(by[place]), place)
                if before in spans:
                    spans[before] = (spans[before][0], turn.photo)
                if thing >= FIRST_TOWER:
                    spans[number, place] = (turn.photo, len(boards))
                now[place], by[place] = thing, number
            things[number], brought[number] = now, by
        colors = TowerColors.of(boards)
        seen = {
            tower: colors.chances(
                tower[1], *span, int(things[tower[0]][tower[1]]) - FIRST_TOWER + 1
            )
            for tower, span in spans.items()
        }
        for number, by in brought.items():
            standing = np.flatnonzero(things[number] >= FIRST_TOWER)
            towers = [(int(by[place]), int(place)) for place in standing]
            legal = [tower for tower in towers
                     if tower[0] < 0 or found.turns[tower[0]].verdict.is_legal]  # fmt: skip
            _weigh_by_box(seen, legal)
        told = {tower: tower_with(chances) for tower, chances in seen.items()}
        sure = {
            tower: tuple(np.where(best >= SURE_COLOR, best, 0.0).tolist())
            for tower, best in ((tower, chances.max(axis=1)) for tower, chances in seen.items())
        }
        return cls(told, sure, things, brought)

    def at(self, number: int, place: int) -> Thing | None:
        """What stands on a field after a turn."""
        thing = int(self.things[number][place])
        if thing < FIRST_TOWER:
            return thing_at(thing)
        return self.towers[int(self.brought[number][place]), place]

    def position(self, board: BoardReading, number: int) -> Position:
        """What stands on the board after a turn; -1: at the beginning."""
        things = tuple(self.at(number, place) for place in range(len(FIELDS)))
        return Position(board.position.board, things)

    def chances_after(self, number: int) -> dict[Field, tuple[float, ...]]:
        """How sure the colour of each block is after a turn, by field."""
        return {
            FIELDS[place]: self.chances[int(self.brought[number][place]), int(place)]
            for place in np.flatnonzero(self.things[number] >= FIRST_TOWER)
        }

    def cards_of(self, number: int, turn: sequence.FoundTurn) -> tuple[Color | None, ...]:
        """The cards of a turn, with all that is known of the blocks that it took or built."""
        if turn.verdict.action not in ("clear", "build") or turn.verdict.target is None:
            return turn.verdict.cards
        place = FIELDS.index(turn.verdict.target)
        after = number if turn.verdict.action == "build" else number - 1
        built = (int(self.brought[after][place]), place)
        sure = zip(self.towers[built].blocks, self.chances[built], strict=True)
        return tuple(color if chance >= SURE_COLOR else None for color, chance in sure)


def _weigh_by_box(seen: dict[tuple[int, int], Array], towers: Sequence[tuple[int, int]]) -> None:
    """Weighs the colours of towers by how many blocks of each colour there are: changes ``seen``.

    As many blocks as the box holds have each colour as often as it does, fewer at most so often.
    Rows and columns are scaled in turn (Sinkhorn and Knopp 1967).
    """
    box = BLOCKS_OF_A_COLOR
    chances = np.concatenate([np.zeros((0, len(COLORS))), *(seen[tower] for tower in towers)])
    if len(chances) > box * len(COLORS):
        return
    is_whole = len(chances) == box * len(COLORS)
    weighed = chances = np.maximum(chances, MIN_COLOR)
    factors = np.ones(len(COLORS))
    for _ in range(SCALINGS):
        weighed = chances * factors
        weighed /= weighed.sum(axis=1, keepdims=True)
        counts = weighed.sum(axis=0)
        factors *= np.where(is_whole | (counts > box), box / np.maximum(counts, MIN_COLOR), 1.0)
    ends = np.cumsum([len(seen[tower]) for tower in towers])
    for tower, rows in zip(towers, np.split(weighed, ends[:-1]), strict=True):
        seen[tower] = rows


def _reading(
    boards: Sequence[BoardReading],
    found: sequence.FoundSequence,
    photo: int,
    position: Position,
    color_chances: Mapping[Field, tuple[float, ...]],
) -> BoardReading:
    """One photo as all of them explain it."""
    board, things = boards[photo], found.things[photo]
    logs = np.empty((len(FIELDS), THINGS))
    for place in range(len(FIELDS)):
        since = int(found.since[photo][place])
        changed = np.flatnonzero(found.since[photo:, place] > photo)
        until = photo + int(changed[0]) if len(changed) else len(boards)
        row = found.shown[since:until, place].sum(axis=0) / (until - since) ** OF_A_GAME
        row += board.expected[place]
        if since:
            row[np.arange(THINGS) != things[place]] -= sequence.FIELD_COST  # no turn explains it
        chances = np.exp(row - row.max())
        chances /= chances.sum()
        of_all, thing = found.chances[photo, place], int(things[place])
        chances = chances * of_all[thing] + np.where(np.arange(THINGS) == thing, 0.0, of_all)
        logs[place] = np.log(np.maximum(chances, 1e-12))
    is_said = np.zeros(len(FIELDS), np.bool_)
    decoded = Decoded(position, logs, board.expected, things.astype(np.int64), color_chances,
                      board.block_colors, board.shown, logs, is_said)  # fmt: skip
    return compose(decoded, board.homography)
