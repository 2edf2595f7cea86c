"""The most probable sequence of legal turns that explains photos of one board.

A beam search over what stands on the fields from photo to photo. What the photos after a moment
show of a field, if it changes as seldom as in a game, is known before the search begins, so that
what one photo shows badly is decided by those around it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from heapq import heappop, heappush

import numpy as np
from numpy.typing import NDArray

from brikks_vision.games.blox.colors_of_pieces import TowerColors
from brikks_vision.games.blox.decode import FIRST_TOWER, FORBIDDEN, PAWNS, THINGS
from brikks_vision.games.blox.field_evidence import normalized
from brikks_vision.games.blox.reading import BoardReading, thing_at
from brikks_vision.rules.blox.material import PawnColor
from brikks_vision.rules.blox.position import (
    FIELDS,
    Board,
    Position,
    Thing,
    Tower,
    entries,
    index,
    moves,
    reached,
)
from brikks_vision.rules.blox.referee import PHASES, height_to_build, phases_of
from brikks_vision.rules.blox.turn import TurnVerdict, judge_turn

Array = NDArray[np.float64]
Things = NDArray[np.intp]  # by field (81,), the place among `THINGS`
Changes = tuple[tuple[int, int], ...]  # by place among ``FIELDS`` and among `THINGS`

# Log-odds, fitted on simulated games (seeds 61001, 61113 and 71501).
FEWEST_MISREAD, MOST_MISREAD = 0.0002, 0.1
"""Shares of fields of which a photo shows nothing true: one photo is no proof. Of 37 260 fields on
460 photos (seeds 61113, 71501 and 71502) 62 show something else with log-odds of 4 or more, 9 with
6, 3 with 8."""
ONE_MISREAD = 1e-6
"""The same where just two photos are compared."""
EXPECTED_MISREAD = 0.1
"""Fields that the photos of a game show plainly wrong, before any other tells."""
OVERLOOKED = 0.02
"""How much more seldom a tower is taken for an empty field than anything else for another thing."""
PLAIN = 4.0
"""Log-odds from which a photo plainly shows what does not stand there; below, it is in doubt."""
LASTING_COST = 6.0
"""Of a change of a field, where it is asked how often photos show it wrongly."""
SAID = -60.0
"""Of what a person said that it does not stand there."""
COSTS = {"swap": 2.0, "enter": 5.0, "move": 4.5, "clear": 3.0, "build": 3.5, "capture": 3.0}
"""Of each legal action: the six are as frequent, and there are many ways to enter and few to clear.
"""
LEAST_COST = min(cost for action, cost in COSTS.items() if action != "swap")
CHANGE_AHEAD = 2.0
"""Of a change of a field in what later photos show; a turn changes one field or two."""
ILLEGAL_COST = 5.0
"""Of a turn that no rule allows: accusing wrongly is worse than overlooking something."""
MISSING_COST, TWICE_COST = 4.0, 5.0
"""Of a turn that no photo shows; of two turns of one player, between which all others swapped."""
ORDER_COST, STRANGER_COST = 3.0, 8.0
"""Of a turn of a player whose turn it is not, and of pawns with which nobody plays."""
UNEXPLAINED_COST, FIELD_COST = 4.0, 4.25
"""Of changes that no turn makes, and of each field of them. One simulated turn in 25 is such a one,
on one of 80 fields, and any of four heights may come."""
MARGIN, ACCUSING_MARGIN = 3.5, 1.5
"""Log-odds before all other sequences from which a turn is sure, and from which it is called
illegal: on 54 games (seeds 61113, 71501 and 71502) 30 of 33 illegal turns had it, and two of 399
legal ones were taken for illegal ones."""

BEAM, STARTS = 24, 24
MAX_TURNS, MAX_PAIRS, MAX_SPLIT = 40, 12, 3
"""Turns that are judged from one position; pairs of turns; positions for which pairs are sought."""
MAX_REGRET = 8.0
"""Log-odds: what is less probable than that at the beginning is not tried."""
MAX_CHANGED = 4
"""Fields that two turns change; more are several turns without photos."""


@dataclass(frozen=True)
class FoundTurn:
    """A turn of a sequence.

    photo: the number of the first photo after it. changes: by place among ``FIELDS`` and among
    `THINGS`. verdict: with the colours of blocks that were known then. expected: whose turn it was,
    where another player acted. margin: log-odds before sequences in which this turn is another.
    """

    photo: int
    changes: Changes
    verdict: TurnVerdict
    expected: PawnColor | None = None
    margin: float = np.inf

    @property
    def told(self) -> tuple[object, ...]:
        """What other sequences are compared by."""
        verdict = self.verdict
        what = (verdict.action, verdict.pawn, verdict.start, verdict.target, verdict.is_legal)
        return what if verdict.action else (*what, self.changes)

    @property
    def is_sure(self) -> bool:
        return self.margin >= MARGIN


@dataclass(frozen=True, eq=False)
class _Path:
    """A sequence up to some photo.

    since: by field, the first photo that shows what stands there now. score: log-probability of the
    photos so far. totals: by photo, the score with what later photos show. player: whose turn is
    next, among the players; None: not known.
    """

    things: Things
    since: Things
    score: float
    start: Things
    turns: tuple[FoundTurn, ...] = ()
    totals: tuple[float, ...] = ()
    player: int | None = None

    @property
    def total(self) -> float:
        return self.totals[-1]

    @property
    def told(self) -> tuple[tuple[object, ...], ...]:
        return tuple((turn.photo, *turn.told) for turn in self.turns)


@dataclass(frozen=True)
class FoundSequence:
    """What stood on the fields at each photo, and the turns between.

    things: (photos, 81), places among `THINGS`. since: (photos, 81), the first photo that shows
    what stands there. shown: (photos, 81, THINGS), log-probabilities of what each photo shows.
    chances: (photos, 81, THINGS), the probability of all sequences in which a field bore that.
    score: log-probability of all.
    """

    things: NDArray[np.intp]
    since: NDArray[np.intp]
    turns: tuple[FoundTurn, ...]
    shown: Array
    chances: Array
    score: float


def find_sequence(
    boards: Sequence[BoardReading],
    players: Sequence[PawnColor] = (),
    phase: int | None = None,
    is_one_turn: bool = False,
) -> FoundSequence:
    """The most probable sequence of turns that leads from photo to photo.

    players: who plays, in the order of their turns; empty: not known. phase: left out, it is what
    the towers tell. is_one_turn: between two photos lies one turn for sure.
    """
    seen = _Seen.of(boards, players, phase, is_one_turn)
    paths = list(_starts(seen))
    rivals: list[tuple[_Path, _Path | None]] = []
    for photo in range(1, len(boards)):
        gone_on: list[_Path] = []
        paths.sort(key=lambda path: -path.total)
        for number, path in enumerate(paths):
            is_near = number < MAX_SPLIT
            for begun in _begun_otherwise(seen, path, photo) if is_near else (path,):
                gone_on += _continued(seen, begun, photo, with_pairs=is_near)
        gone_on.sort(key=lambda path: -path.total)
        paths, given_up = _different(gone_on)
        rivals += given_up
    paths.sort(key=lambda path: -path.total)
    best = paths[0]
    rivals += [(path, None) for path in paths[1:]]
    return _found(seen, best, rivals, _chances(paths, len(boards)))


def told_by(log_chances: Array, misread: float) -> Array:
    """How much one photo tells of what stands on fields, (..., THINGS); what a person said, all.

    misread: the share of fields of which a photo shows nothing true.
    """
    others = np.full(log_chances.shape, misread / THINGS)
    others[..., FIRST_TOWER:] *= np.where(log_chances.argmax(axis=-1) == 0, OVERLOOKED, 1.0)[
        ..., None
    ]
    told = np.log((1 - misread) * np.exp(log_chances) + others)
    return np.asarray(np.where(log_chances > FORBIDDEN / 2, told, SAID))


def share_misread(log_chances: Array) -> float:
    """In how many fields photos (photos, 81, THINGS) show what those before and after do not.

    One pawn in each photo may stand there for no longer. What the first and the last show may have
    changed right after or before.
    """
    ahead = _with_later(told_by(log_chances, MOST_MISREAD), LASTING_COST)
    read, now = log_chances.argmax(axis=2), ahead[0].argmax(axis=1)
    rows, differing = np.arange(len(now)), 0
    for chances, at, then in zip(log_chances[1:-1], read[1:-1], ahead[1:], strict=False):
        now = np.where(then.max(axis=1) - LASTING_COST > then[rows, now], then.argmax(axis=1), now)
        differing += max(0, int((chances[rows, at] - chances[rows, now] > PLAIN).sum()) - 1)
    share = (differing + EXPECTED_MISREAD) / read.size
    return float(np.clip(share, FEWEST_MISREAD, MOST_MISREAD))


def _with_later(shown: Array, cost: float) -> Array:
    """What each photo and those after it show, if each change has that cost."""
    ahead = shown.copy()
    for photo in range(len(shown) - 2, -1, -1):
        later = ahead[photo + 1]
        ahead[photo] += np.maximum(later, later.max(axis=1, keepdims=True) - cost)
    return ahead


@dataclass(frozen=True)
class _Seen:
    """What the photos show.

    misread: the share of fields of which a photo shows nothing true. shown: (photos, 81, THINGS),
    log-probabilities of what each photo shows, without what is expected before it is looked at:
    that counts once, not once a photo. ahead: the same with what the photos after it show.
    expected: (81, THINGS), before the first photo. players, phase, is_one_turn: as of
    `find_sequence`.
    """

    board: Board
    misread: float
    shown: Array
    ahead: Array
    expected: Array
    colors: TowerColors
    players: Sequence[PawnColor]
    phase: int | None
    is_one_turn: bool

    @classmethod
    def of(
        cls,
        boards: Sequence[BoardReading],
        players: Sequence[PawnColor],
        phase: int | None,
        is_one_turn: bool,
    ) -> _Seen:
        log_chances = np.stack([board.log_chances for board in boards])
        expected = np.stack([board.expected for board in boards])
        misread = ONE_MISREAD if is_one_turn else share_misread(log_chances)
        shown = told_by(normalized(log_chances - expected), misread)
        ahead = _with_later(shown, CHANGE_AHEAD)
        colors = TowerColors.of(boards)
        board = boards[0].position.board
        return cls(board, misread, shown, ahead, expected[0], colors, players, phase, is_one_turn)

    def judged(self, position: Position, changes: Changes) -> TurnVerdict:
        """What a turn was that made these changes."""
        return judge_turn(position, _after(position, changes), self.phase)

    def position(self, path: _Path, photo: int) -> Position:
        """The position of a path before a photo, with the colours that were seen until then."""
        things: list[Thing | None] = [None] * len(FIELDS)
        for place in np.flatnonzero(path.things):
            thing = thing_at(int(path.things[place]))
            if isinstance(thing, Tower):
                since = int(path.since[place])
                thing = self.colors.tower(int(place), since, photo, thing.height)
            things[place] = thing
        return Position(self.board, tuple(things))


def _starts(seen: _Seen) -> Iterator[_Path]:
    """The most probable beginnings, best first."""
    ahead = seen.ahead[0] + seen.expected
    best = ahead.argmax(axis=1)
    top = ahead[np.arange(len(FIELDS)), best]
    regrets = top[:, None] - ahead
    others = [
        (float(regrets[place, thing]), int(place), int(thing))
        for place, thing in zip(*np.nonzero(regrets < MAX_REGRET), strict=True)
        if thing != best[place]
    ]
    others.sort()
    # Sets of exceptions in the order of their regret: each is continued by its next one.
    queue: list[tuple[float, tuple[int, ...]]] = [(0.0, ())]
    for _ in range(STARTS):
        if not queue:
            return
        regret, chosen = heappop(queue)
        things = best.copy()
        for number in chosen:
            _, place, thing = others[number]
            things[place] = thing
        if len({others[number][1] for number in chosen}) == len(chosen):
            yield _Path(things, np.zeros(len(FIELDS), np.intp), float(
                (seen.shown[0] + seen.expected)[np.arange(len(FIELDS)), things].sum()), things,
                totals=(float(top.sum()) - regret,))  # fmt: skip
        following = chosen[-1] + 1 if chosen else 0
        if following < len(others):
            heappush(queue, (regret + others[following][0], (*chosen, following)))
            if chosen:
                without = regret - others[chosen[-1]][0]
                heappush(queue, (without + others[following][0], (*chosen[:-1], following)))


def _begun_otherwise(seen: _Seen, path: _Path, photo: int) -> Iterator[_Path]:
    """The path, and those on which a field bore from the beginning what this photo shows there."""
    yield path
    rows = np.arange(len(FIELDS))
    now = seen.ahead[photo]
    gains = now.max(axis=1) - now[rows, path.things]
    for place in np.flatnonzero((gains > FIELD_COST) & (path.since == 0)):
        thing = int(now[place].argmax())
        before = seen.shown[:photo, place]
        lost = float((before[:, path.things[place]] - before[:, thing]).sum())
        lost += float(seen.expected[place, path.things[place]] - seen.expected[place, thing])
        if lost > MAX_REGRET:
            continue
        things, start = path.things.copy(), path.start.copy()
        things[place] = start[place] = thing
        total = path.total - lost + float(_later(seen, photo - 1, things, path.things))
        yield replace(path, things=things, start=start, score=path.score - lost,
                      totals=(*path.totals[:-1], total))  # fmt: skip


def _later(seen: _Seen, photo: int, things: Things, others: Things) -> float:
    """How much more the photos after one show some things than others."""
    rows, later = np.arange(len(FIELDS)), seen.ahead[photo] - seen.shown[photo]
    return float((later[rows, things] - later[rows, others]).sum())


@dataclass(frozen=True)
class _Guess:
    """One turn that may have been. gain: log-odds of its changes. cost: of its kind."""

    gain: float
    changes: Changes
    verdict: TurnVerdict = field(default_factory=lambda: TurnVerdict("swap"))
    cost: float = 0.0

    @property
    def value(self) -> float:
        return self.gain - self.cost


def _continued(seen: _Seen, path: _Path, photo: int, with_pairs: bool) -> Iterator[_Path]:
    """A path with one more photo, by each turn that may have been before it."""
    ahead = seen.ahead[photo]
    gains = ahead - ahead[np.arange(len(FIELDS)), path.things][:, None]
    position = seen.position(path, photo)
    singles = _judged(seen, position, path.things, gains)
    explained: list[tuple[_Guess, ...]] = [(guess,) for guess in singles]
    best = max(guess.value for guess in singles)
    changed = [int(place) for place in np.flatnonzero(gains.max(axis=1) > FIELD_COST)]
    within_reach = float(np.maximum(gains, 0).max(axis=1).sum()) - MISSING_COST - 2 * LEAST_COST
    if with_pairs and not seen.is_one_turn and within_reach > best - MARGIN:
        pairs = list(_pairs(seen, position, path.things, gains))
        explained += pairs
        best = max([best, *(_value(pair) for pair in pairs)])
    unexplained = _unexplained(seen, position, gains, changed)
    if unexplained.verdict.action is None:
        explained.append((unexplained,))
    for turns in explained:
        if _value(turns) > best - 2 * MARGIN:
            yield _with_turns(seen, path, photo, turns)


def _value(turns: Sequence[_Guess]) -> float:
    return sum(turn.value for turn in turns) - _missing_cost(turns)


def _missing_cost(turns: Sequence[_Guess]) -> float:
    players = {turn.verdict.pawn for turn in turns}
    return MISSING_COST * (len(turns) - 1) + TWICE_COST * (len(turns) - len(players))


def _judged(seen: _Seen, position: Position, things: Things, gains: Array) -> list[_Guess]:
    """That nothing changed, and the likeliest changes that are an action, legal or not."""
    found = [_Guess(0.0, (), cost=COSTS["swap"])]
    best = found[0].value
    for gain, changes in _actions(things, gains)[:MAX_TURNS]:
        if gain - LEAST_COST < best - 2 * MARGIN:
            break
        verdict = seen.judged(position, changes)
        if verdict.action is not None:
            cost = COSTS[verdict.action]
            if not verdict.is_legal:
                cost = min(cost + ILLEGAL_COST, UNEXPLAINED_COST + FIELD_COST * len(changes))
            found.append(_Guess(gain, changes, verdict, cost))
            best = max(best, gain - cost)
    return found


def _actions(things: Things, gains: Array) -> list[tuple[float, Changes]]:
    """Changes in which a pawn enters, goes or becomes a tower, the likeliest first."""
    found: list[tuple[float, Changes]] = []
    for place in np.flatnonzero(things == 0):
        found += [
            (float(gains[place, pawn]), ((int(place), pawn),)) for pawn in range(1, FIRST_TOWER)
        ]
    for place in np.flatnonzero((things > 0) & (things < FIRST_TOWER)):
        start, pawn = int(place), int(things[place])
        found += [
            (float(gains[start, tower]), ((start, tower),)) for tower in range(FIRST_TOWER, THINGS)
        ]
        found += [
            (float(gains[start, 0] + gains[target, pawn]), ((start, 0), (int(target), pawn)))
            for target in np.flatnonzero(things != pawn)
        ]
    return sorted(found, key=lambda each: -each[0])


def _after(position: Position, changes: Changes) -> Position:
    return position.with_things({FIELDS[place]: thing_at(thing) for place, thing in changes})


def _pairs(
    seen: _Seen, position: Position, things: Things, gains: Array
) -> Iterator[tuple[_Guess, _Guess]]:
    """The likeliest two legal turns, of which no photo shows the first alone."""
    firsts: list[tuple[float, Changes, float]] = []
    for changes in _legal_changes(position, seen.players):
        places = [place for place, _ in changes]
        gain = sum(float(gains[place, thing]) for place, thing in changes)
        left = np.delete(gains, places, axis=0)
        within_reach = float(np.sort(np.maximum(left, 0).max(axis=1))[-2:].sum())
        # the second may undo what the first did
        undone = sum(max(0.0, float(gains[place].max() - gains[place, thing]))
                     for place, thing in changes)  # fmt: skip
        firsts.append((gain + max(within_reach, undone), changes, gain))
    firsts.sort(key=lambda first: -first[0])
    for _, changes, gain in firsts[:MAX_PAIRS]:
        verdict = seen.judged(position, changes)
        if not verdict.is_legal or verdict.action is None:
            continue
        first = _Guess(gain, changes, verdict, COSTS[verdict.action])
        then, moved = _after(position, changes), things.copy()
        for place, thing in changes:
            moved[place] = thing
        rest = gains - gains[np.arange(len(FIELDS)), moved][:, None]
        seconds = [guess for guess in _judged(seen, then, moved, rest)
                   if guess.verdict.is_legal and guess.changes]  # fmt: skip
        for second in sorted(seconds, key=lambda guess: -guess.value)[:3]:
            yield first, second


def _legal_changes(position: Position, players: Sequence[PawnColor]) -> Iterator[Changes]:
    """The changes of legal actions, and of a few that are not."""
    places = {pawn: number for number, pawn in enumerate(PAWNS, start=1)}
    for target in entries(position):
        for pawn in players or PAWNS:
            if position.pawns_left(pawn):
                yield ((index(target), places[pawn]),)
    heights = {height_to_build(phase) for phase in phases_of(position) or PHASES}
    for start, pawn in position.pawns.items():
        if players and pawn not in players:
            continue
        for height in heights:
            yield ((index(start), FIRST_TOWER + height - 1),)
        ways = [*moves(position, start).values(), *reached(position, start)]
        for way in ways:
            yield ((index(start), 0), (index(way[-1]), places[pawn]))


def _unexplained(seen: _Seen, position: Position, gains: Array, changed: Sequence[int]) -> _Guess:
    changes = tuple((place, int(gains[place].argmax())) for place in changed)
    gain = sum(float(gains[place, thing]) for place, thing in changes)
    verdict = seen.judged(position, changes)
    return _Guess(gain, changes, verdict, UNEXPLAINED_COST + FIELD_COST * len(changes))


def _with_turns(seen: _Seen, path: _Path, photo: int, turns: Sequence[_Guess]) -> _Path:
    """The path with these turns before the photo."""
    players = seen.players
    things, since, player = path.things.copy(), path.since.copy(), path.player
    found = list(path.turns)
    cost = _missing_cost(turns)
    for turn in turns:
        expected = None if player is None else players[player]
        acted = turn.verdict.pawn
        is_other = acted is not None and expected is not None and acted != expected
        cost += turn.cost
        if acted is None:
            is_swap = turn.verdict.action == "swap"
            player = (player + 1) % len(players) if is_swap and player is not None else None
        elif players and acted not in players:
            cost += STRANGER_COST
        elif players:
            cost += ORDER_COST if is_other else 0.0
            player = (players.index(acted) + 1) % len(players)
        found.append(FoundTurn(photo, turn.changes, turn.verdict, expected if is_other else None))
        for place, thing in turn.changes:
            things[place], since[place] = thing, photo
    rows = np.arange(len(FIELDS))
    score = path.score - cost + float(seen.shown[photo][rows, things].sum())
    later = float((seen.ahead[photo] - seen.shown[photo])[rows, things].sum())
    return replace(path, things=things, since=since, score=score, turns=tuple(found),
                   totals=(*path.totals, score + later), player=player)  # fmt: skip


def _different(paths: Sequence[_Path]) -> tuple[list[_Path], list[tuple[_Path, _Path | None]]]:
    """The best paths to different positions, and those that are not followed.

    With each of them the better path to the same position, if there is one.
    """
    kept: dict[tuple[bytes, int | None], _Path] = {}
    given_up: list[tuple[_Path, _Path | None]] = []
    for path in paths:
        key = (path.things.tobytes(), path.player)
        if key in kept or len(kept) >= BEAM:
            given_up.append((path, kept.get(key)))
        else:
            kept[key] = path
    return list(kept.values()), given_up


def _chances(paths: Sequence[_Path], photos: int) -> Array:
    """How probable each thing is on each field at each photo, (photos, 81, THINGS)."""
    totals = np.array([path.total for path in paths])
    weights = np.exp(totals - totals.max())
    chances = np.zeros((photos, len(FIELDS), THINGS))
    for path, weight in zip(paths, weights / weights.sum(), strict=True):
        things = _replayed(path.start, path.turns, photos)[0]
        chances[np.arange(photos)[:, None], np.arange(len(FIELDS)), things] += weight
    return chances


def _replayed(
    start: Things, turns: Sequence[FoundTurn], photos: int
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """What stands on the fields at each photo, and since which photo, (photos, 81) each."""
    things, since = [start], [np.zeros(len(FIELDS), np.intp)]
    for photo in range(1, photos):
        now, first = things[-1].copy(), since[-1].copy()
        for turn in turns:
            if turn.photo == photo:
                for place, thing in turn.changes:
                    now[place], first[place] = thing, photo
        things.append(now)
        since.append(first)
    return np.stack(things), np.stack(since)


def _found(
    seen: _Seen, best: _Path, rivals: Sequence[tuple[_Path, _Path | None]], chances: Array
) -> FoundSequence:
    """The best path, with the margin of each turn."""
    margins = np.full(len(best.turns), np.inf)
    told = best.told
    for rival, twin in rivals:
        photos = len(rival.totals) - 1
        if twin is not None and twin.totals != best.totals[: photos + 1]:
            continue  # both lead on to the same paths, which are rivals themselves
        margin = best.totals[photos] - rival.total
        others = set(rival.told)
        for number, turn in enumerate(best.turns):
            if turn.photo <= photos and told[number] not in others:
                margins[number] = min(margins[number], margin)
    turns = tuple(
        replace(turn, margin=float(margin))
        for turn, margin in zip(best.turns, margins, strict=True)
    )
    things, since = _replayed(best.start, turns, len(seen.shown))
    return FoundSequence(things, since, turns, seen.shown, chances, best.score)
