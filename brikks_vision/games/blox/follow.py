"""A game followed over photos of its board: positions, hidden blocks and points from its turns."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise, product

import numpy as np
from numpy.typing import NDArray

from brikks_vision.detect.fusion import OF_A_GAME
from brikks_vision.games.blox.decode import FIRST_TOWER, THINGS, Decoded
from brikks_vision.games.blox.reading import BoardReading, compose, thing_at
from brikks_vision.games.blox.sequence import (
    ACCUSING_MARGIN,
    MAX_CHANGED,
    FoundSequence,
    FoundTurn,
    find_sequence,
)
from brikks_vision.games.blox.tower_colors import COLORS, TowerColors, tower_with
from brikks_vision.games.blox.turn import SURE_COLOR
from brikks_vision.rules.blox.board import FIELDS
from brikks_vision.rules.blox.material import BLOCKS_OF_A_COLOR, Color, Field, PawnColor
from brikks_vision.rules.blox.position import Position, Thing, Tower, tower_of

Array = NDArray[np.float64]

TWO_PLAYERS = 2
LEFT_IN_BOX = 1
"""Blocks of each colour that two players do not need (published rules, "Two players")."""
MIN_FEWER_CHANGES = 4
"""Fields that change less in another order of the photos: two turns, which are no misreading."""
MAX_ORDERS = 3
MIN_BETTER = 10.0
"""Log-odds of another order of the photos before the given one."""
MIN_BUILD = 1e-6
"""Probability of the colours of a tower from which its player can have had such blocks."""


@dataclass(frozen=True)
class FollowedBoard:
    """A game as the photos show it together.

    readings: one a photo. positions: the one at the beginning and that after each turn. turns: of
    which some have no photo of their own. points: by pawns, from the turns since the first photo.
    open_points: the pawns that may have won more, by a capture or a turn that no photo shows.
    score: log-probability of all.
    """

    readings: tuple[BoardReading, ...]
    positions: tuple[Position, ...]
    turns: tuple[FoundTurn, ...]
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
    found = find_sequence(boards, players)
    towers = _Towers.of(boards, found, players)
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
    points, open_points = _points(turns)
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


def is_gap(turn: FoundTurn) -> bool:
    """Whether more has changed than photos of all turns but one can leave open."""
    return turn.verdict.action is None and len(turn.changes) > MAX_CHANGED


def _forgiven(turn: FoundTurn) -> FoundTurn:
    """What may be a misreading accuses nobody, nor do several turns without photos."""
    if is_gap(turn):
        return replace(turn, verdict=replace(turn.verdict, violations=()), margin=0.0)
    if turn.margin < ACCUSING_MARGIN:
        return replace(turn, verdict=replace(turn.verdict, violations=()))
    return turn


def _points(
    turns: Sequence[FoundTurn],
) -> tuple[dict[PawnColor, int], tuple[PawnColor, ...]]:
    points: dict[PawnColor, int] = {}
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
        cls, boards: Sequence[BoardReading], found: FoundSequence, players: Sequence[PawnColor]
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
        shows = {
            tower: colors.shows(tower[1], *span, len(seen[tower])) for tower, span in spans.items()
        }
        _tell_hidden(seen, things[-1], brought, found.turns, players)
        for number, by in brought.items():
            standing = np.flatnonzero(things[number] >= FIRST_TOWER)
            _keep_within_box(seen, shows, [(int(by[place]), int(place)) for place in standing])
        told, sure = {}, {}
        for tower, chances in seen.items():
            known = shows[tower] | (chances.max(axis=1) >= SURE_COLOR)
            blocks = zip(chances.argmax(axis=1), known, strict=True)
            told[tower] = tower_of(tuple(COLORS[kind] if each else None for kind, each in blocks))
            sure[tower] = tuple(float(each) for each in np.where(known, chances.max(axis=1), 0.0))
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

    def cards_of(self, number: int, turn: FoundTurn) -> tuple[Color | None, ...]:
        """The cards of a turn, with all that is known of the blocks that it took or built."""
        if turn.verdict.action not in ("clear", "build") or turn.verdict.target is None:
            return turn.verdict.cards
        place = FIELDS.index(turn.verdict.target)
        after = number if turn.verdict.action == "build" else number - 1
        built = (int(self.brought[after][place]), place)
        sure = zip(self.towers[built].blocks, self.chances[built], strict=True)
        return tuple(color if chance >= SURE_COLOR else None for color, chance in sure)


def _tell_hidden(
    seen: dict[tuple[int, int], Array],
    first: NDArray[np.intp],
    brought: Mapping[int, NDArray[np.intp]],
    turns: Sequence[FoundTurn],
    players: Sequence[PawnColor],
) -> None:
    """Weighs the colours of blocks by which blocks there were: changes ``seen``.

    A game that is seen from its beginning has all blocks on the board; what a player cleared is
    what that player builds with.
    """
    box = BLOCKS_OF_A_COLOR - (LEFT_IN_BOX if len(players) == TWO_PLAYERS else 0)
    on_board = int(np.maximum(0, first - FIRST_TOWER + 1).sum())
    if on_board != box * len(COLORS):
        return
    _tell_last_color(seen, [key for key in seen if key[0] < 0], box)
    owned: dict[PawnColor, list[Color | None]] = {}
    for number, turn in enumerate(turns):
        verdict, pawn = turn.verdict, turn.verdict.pawn
        if verdict.action is None:
            return  # what was taken then is not known
        if verdict.target is None or pawn is None:
            continue
        place = FIELDS.index(verdict.target)
        if verdict.action == "clear":
            cleared = seen[int(brought[number - 1][place]), place]
            owned.setdefault(pawn, []).extend(tower_with(cleared).blocks)
        elif verdict.action == "build":
            pile = owned.setdefault(pawn, [])
            weighed = _weighed_by(seen[number, place], pile)
            if weighed is None:
                return
            seen[number, place] = weighed
            blocks = tower_with(weighed).blocks
            if None in blocks:
                owned[pawn] = [None] * (len(pile) - len(blocks))
                continue
            for color in blocks:
                pile.remove(color if color in pile else None)


def _tell_last_color(
    seen: dict[tuple[int, int], Array], towers: Sequence[tuple[int, int]], box: int
) -> None:
    """Where all blocks that are not known must have one colour, they have it."""
    blocks = [(tower, level) for tower in towers for level in range(len(seen[tower]))]
    known = Counter(
        int(seen[tower][level].argmax())
        for tower, level in blocks
        if seen[tower][level].max() >= SURE_COLOR
    )
    missing = {kind: box - known[kind] for kind in range(len(COLORS)) if known[kind] != box}
    if len(missing) == 1 and min(missing.values()) > 0:
        for tower, level in blocks:
            if seen[tower][level].max() < SURE_COLOR:
                seen[tower] = seen[tower].copy()
                seen[tower][level] = np.eye(len(COLORS))[next(iter(missing))]


def _keep_within_box(
    seen: dict[tuple[int, int], Array],
    shows: Mapping[tuple[int, int], NDArray[np.bool_]],
    standing: Sequence[tuple[int, int]],
) -> None:
    """Where blocks on a board have more of one colour than there are, the least sure have another.

    Changes ``seen``.
    """
    blocks = [(tower, level) for tower in standing for level in np.flatnonzero(shows[tower])]
    while blocks:
        chances = np.array([seen[tower][level] for tower, level in blocks])
        kinds = chances.argmax(axis=1)
        counts = np.bincount(kinds, minlength=len(COLORS))
        if counts.max() <= BLOCKS_OF_A_COLOR:
            return
        most = int(counts.argmax())
        next_best, best = np.sort(chances)[:, -2:].T
        lead = np.where((kinds == most) & (next_best > 0), best - next_best, np.inf)
        if not np.isfinite(lead).any():
            return  # there are too many blocks altogether
        tower, level = blocks[int(lead.argmin())]
        seen[tower] = seen[tower].copy()
        seen[tower][level, most] = 0
        seen[tower][level] /= seen[tower][level].sum()


def _weighed_by(chances: Array, pile: Sequence[Color | None]) -> Array | None:
    """The colours (height, 4) of a tower that was built with blocks of a pile.

    pile: None for a block whose colour is not known. None: no such tower can be built with it.
    """
    have = Counter(color for color in pile if color is not None)
    unknown = len(pile) - have.total()
    weighed = np.zeros_like(chances)
    for kinds in product(range(len(COLORS)), repeat=len(chances)):
        need = Counter(COLORS[kind] for kind in kinds)
        if (need - have).total() <= unknown:
            levels = np.arange(len(kinds))
            weighed[levels, list(kinds)] += chances[levels, list(kinds)].prod()
    total = weighed[0].sum()
    return None if total < MIN_BUILD else weighed / total


def _reading(
    boards: Sequence[BoardReading],
    found: FoundSequence,
    photo: int,
    position: Position,
    color_chances: Mapping[Field, tuple[float, ...]],
) -> BoardReading:
    """One photo as all of them explain it."""
    board, things = boards[photo], found.things[photo]
    changes = {place: turn for turn in found.turns if turn.photo <= photo
               for place, _ in turn.changes}  # fmt: skip
    logs = np.empty((len(FIELDS), THINGS))
    for place in range(len(FIELDS)):
        since = int(found.since[photo][place])
        changed = np.flatnonzero(found.since[photo:, place] > photo)
        until = photo + int(changed[0]) if len(changed) else len(boards)
        row = found.shown[since:until, place].sum(axis=0) / (until - since) ** OF_A_GAME
        chances = np.exp(row - row.max())
        chances /= chances.sum()
        if place in changes:
            turn = changes[place]
            unsure = float(np.exp(-max(0.0, turn.margin)))
            before = int(found.things[turn.photo - 1][place])
            chances = (1 - unsure) * chances + unsure * np.eye(THINGS)[before]
        logs[place] = np.log(np.maximum(chances, 1e-12))
    decoded = Decoded(position, logs, things.astype(np.int64), color_chances, board.block_colors,
                      board.shown)  # fmt: skip
    return compose(decoded, board.homography)
