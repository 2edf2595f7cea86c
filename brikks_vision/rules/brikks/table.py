"""Several sheets of one game: who won, and whether the sheets can belong together.

Sheets count from 0 in the order given; sentences count them from 1.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import combinations, product

from brikks_vision.rules import shapes
from brikks_vision.rules.brikks import blocks, counts, placement
from brikks_vision.rules.brikks.scoring import score
from brikks_vision.rules.brikks.sheet import PLAYERS, Sheet, Variant, phrase
from brikks_vision.text.phrases import all_of, one_of


def judge_table(
    sheets: Sequence[blocks.SheetState | None],
    sheet: Sheet,
    variant: str | None = None,
) -> shapes.TableVerdict:
    """Rank the sheets of one game and say what cannot be of one game.

    sheets: one a player; None where it is not known: the others are ranked and held against each
    other. variant: left out, it is a duel where there are mini-blocks and two sheets, else the
    standard game. What one sheet alone proves is the referee's to say.

    Raises
    ------
    NoSuchTableError
        The variant is not for so many players.
    """
    if variant is None:
        minis = any(counts.mini_blocks(state) for state in sheets if state is not None)
        variant = Variant.DUEL if minis and len(sheets) == 2 else Variant.STANDARD
    game = Variant(variant)
    if len(sheets) not in PLAYERS[game]:
        raise shapes.NoSuchTableError(len(sheets), variant, PLAYERS[game])
    starts: list[frozenset[str] | None] = []
    hands: list[_Hand | None] = []
    for state in sheets:
        if state is None:
            starts.append(None)
            hands.append(None)
            continue
        placed = placement.judge_placement(state, minis=game is Variant.DUEL)
        starts.append(_start_colors(placed, sheet))
        hands.append(_hand(state, placed, len(sheets), game))
    violations = [
        *_judge_starts(starts),
        *_judge_rolls(hands, sheet),
        *(_judge_minis(sheets) if game is Variant.DUEL else ()),
    ]
    return shapes.TableVerdict(rank_table(sheets, game), tuple(violations), game)


def rank_table(
    sheets: Sequence[blocks.SheetState | None], variant: Variant
) -> tuple[shapes.Result, ...]:
    """Results of the sheets that are known, in their order; those who tie share a place.

    The standard game ranks by total; the duel by rounds survived, then by the points of the rows.
    """
    known = {at: state for at, state in enumerate(sheets) if state is not None}
    results = shapes.ranked({at: score(state) for at, state in known.items()})
    results = tuple(
        replace(each, rounds=counts.rounds_survived(known[each.sheet])) for each in results
    )
    if variant is not Variant.DUEL:
        return results
    merits = [(each.rounds, each.score.lines) for each in results if each.rounds is not None]
    if len(merits) < len(sheets):
        return tuple(replace(each, place=None) for each in results)
    places = [1 + sum(other > merit for other in merits) for merit in merits]
    return tuple(replace(each, place=place) for each, place in zip(results, places, strict=True))


def _start_colors(placed: placement.Placed, sheet: Sheet) -> frozenset[str] | None:
    """Colours of the blocks that can have been the start block; None where that is not known."""
    if not placed.sound or None in placed.starts:
        return None
    colors = (placement.color_of(start, sheet) for start in placed.starts if start is not None)
    return frozenset(color for color in colors if color is not None)


def _judge_starts(starts: Sequence[frozenset[str] | None]) -> Iterator[shapes.Violation]:
    """A violation for the smallest group that must share a start block; each may be taken once."""
    known = [(sheet, colors) for sheet, colors in enumerate(starts) if colors]
    for size in range(2, len(known) + 1):
        for group in combinations(known, size):
            if not any(len(set(pick)) == size for pick in product(*(c for _, c in group))):
                sheets = tuple(sheet for sheet, _ in group)
                colors = sorted(frozenset().union(*(colors for _, colors in group)))
                told = phrase(
                    "same-start",
                    sheets=all_of(sheet + 1 for sheet in sheets),
                    colors=one_of(phrase(color) for color in colors),
                )
                yield shapes.Violation(
                    placement.Rule.SAME_START, placement.Part.SHEETS, sheets, told
                )
                return


@dataclass(frozen=True)
class _Hand:
    """What a player entered.

    starts: kinds that can have been the start block. bombs: rounds without a block. spent: the
    maximum energy that can have gone into turns and swaps. is_sure: whether every block has its
    outline.
    """

    kinds: tuple[blocks.Kind, ...]
    starts: frozenset[blocks.Kind]
    bombs: int
    spent: int
    is_sure: bool


def _hand(
    state: blocks.SheetState, placed: placement.Placed, players: int, game: Variant
) -> _Hand | None:
    """None where the sheet does not tell every block."""
    if not placement.is_outlined(state) or None in placed.starts:
        return None
    bare = shapes.connected(placed.unclear)
    # Crosses between outlined blocks can only be the block that they fill. In a duel they could be
    # mini-blocks.
    is_told = (
        placed.unclear.isdisjoint(frozenset().union(*state.blocks)) and game is not Variant.DUEL
    )
    if bare and not (is_told and all(blocks.kinds_of(cells, state.sheet) for cells in bare)):
        return None
    found = [_kind(block, state.sheet) for block in (*placed.sound, *bare)]
    starts = {_kind(start, state.sheet) for start in placed.starts if start is not None}
    # A point lost to a circle looks the same, and none is lost where all were spent before.
    out = len(counts.crossed_out_points(state) - blocks.struck_at_setup(state.sheet, players))
    return _Hand(
        kinds=tuple(kind for kind in found if kind is not None),
        starts=frozenset(kind for kind in starts if kind is not None),
        bombs=sum(state.bombs),
        spent=out,
        is_sure=not bare,
    )


def _kind(block: blocks.Block, sheet: Sheet) -> blocks.Kind | None:
    found = blocks.kinds_of(block, sheet)
    return found[0] if found else None


def _judge_rolls(hands: Sequence[_Hand | None], sheet: Sheet) -> Iterator[shapes.Violation]:
    """For every two sheets: can one series of rolls have given both?

    The rounds of the player who was out first are rounds of the other, too. Two different blocks of
    one round were paid for: a point for each column between them, or five for a swap; a round with
    a bomb fits anything. The rounds in which the blocks came are not known, so only what holds for
    every order is reported; three sheets are judged by their pairs.
    """
    for (one, first), (other, second) in combinations(enumerate(hands), 2):
        if first is None or second is None:
            continue
        longer, shorter = sorted((first, second), key=lambda hand: -(len(hand.kinds) + hand.bombs))
        trials = [
            _fit(_after(start, longer), _after(taken, shorter))
            for start, taken in product(_sorted(longer.starts), _sorted(shorter.starts))
            if start != taken or longer.starts == shorter.starts == {start}
        ]
        if trials and not any(trial.is_paid for trial in trials):
            least = min(trials, key=lambda trial: trial.cost)
            told = phrase(
                "rolls-differ",
                one=one + 1,
                other=other + 1,
                cost=placement.energy_points(least.cost),
                swaps=phrase("swaps", count=least.swaps),
                swap_cost=blocks.SWAP_COST,
                spent=first.spent,
                other_spent=second.spent,
            )
            confidence = 1.0 if first.is_sure and second.is_sure else shapes.FORGOTTEN_LINE
            yield shapes.Violation(
                placement.Rule.ROLLS_DIFFER, placement.Part.SHEETS, (one, other), told, confidence
            )


def _sorted(found: Iterable[blocks.Kind]) -> list[blocks.Kind]:
    return sorted(found, key=lambda kind: (kind.color, kind.columns))


@dataclass(frozen=True)
class _Rounds:
    """The rounds after a player's start block: their blocks, sorted; the rest as in `_Hand`."""

    kinds: tuple[blocks.Kind, ...]
    bombs: int
    spent: int


def _after(start: blocks.Kind, hand: _Hand) -> _Rounds:
    left = list(hand.kinds)
    left.remove(start)
    return _Rounds(tuple(_sorted(left)), hand.bombs, hand.spent)


@dataclass(frozen=True)
class _Fit:
    """The cheapest way to pair two players' rounds.

    cost: energy for turns and swaps of both. swaps: how many of the pairs are swaps.
    """

    cost: int
    swaps: int
    is_paid: bool


def _turn_cost(one: blocks.Kind, other: blocks.Kind) -> int:
    """Columns between two blocks of one colour; both players may have paid for a part of them."""
    return min(abs(a - b) for a in one.columns for b in other.columns)


@lru_cache(4096)  # one doubt about a sheet leaves most of its hand as it is
def _fit(longer: _Rounds, shorter: _Rounds) -> _Fit:
    """Match every round of the shorter hand with one of the longer at the least cost.

    A swap costs more than any turn, so blocks that no bomb of the longer hand takes are paired
    within their colours as far as that is possible, and only the rest are swaps. A swap costs one
    of the two players five points at once; a turn's points can be shared in any way. So payment is
    possible exactly if both can pay for the swaps in fives, and the whole cost is at most what both
    have spent.
    """
    least: Costs = (0,)
    for color in sorted({kind.color for kind in shorter.kinds}):
        own = (tuple(kind for kind in hand.kinds if kind.color == color)
               for hand in (shorter, longer))  # fmt: skip
        pairs = _pairs(*own)
        least = tuple(
            min(least[count - at] + pairs[at]
                for at in range(len(pairs)) if 0 <= count - at < len(least))
            for count in range(len(least) + len(pairs) - 1)
        )  # fmt: skip
    needed = max(0, len(shorter.kinds) - longer.bombs)
    swaps = max(0, needed + 1 - len(least))
    cost = least[needed - swaps] + blocks.SWAP_COST * swaps
    payable = longer.spent // blocks.SWAP_COST + shorter.spent // blocks.SWAP_COST
    return _Fit(cost, swaps, swaps <= payable and cost <= longer.spent + shorter.spent)


Costs = tuple[int, ...]
"""The least that none, one, two, ... pairs of blocks cost."""


@lru_cache(4096)
def _pairs(some: tuple[blocks.Kind, ...], others: tuple[blocks.Kind, ...]) -> Costs:
    """Of blocks of one colour, as many pairs as there can be."""
    if not some or not others:
        return (0,)
    first, rest = some[0], some[1:]
    least = dict(enumerate(_pairs(rest, others)))  # the first one stays alone
    for at, other in enumerate(others):
        if other not in others[:at]:
            for count, cost in enumerate(_pairs(rest, others[:at] + others[at + 1 :]), 1):
                cost += _turn_cost(first, other)
                least[count] = min(cost, least.get(count, cost))
    return tuple(least.values())


def _judge_minis(sheets: Sequence[blocks.SheetState | None]) -> Iterator[shapes.Violation]:
    """A duel: each sheet bears at most the mini-blocks that the opponent earned."""
    for sheet, other in ((0, 1), (1, 0)):
        state, opponent = sheets[sheet], sheets[other]
        if state is None or opponent is None:
            continue
        thrown = len(counts.mini_blocks(state))
        earned = counts.max_minis_earned(opponent)
        if thrown > earned:
            told = phrase(
                "too-many-minis", sheet=sheet + 1, count=thrown, other=other + 1, earned=earned
            )
            yield shapes.Violation(
                placement.Rule.BONUS_COUNT, placement.Part.SHEETS, (sheet, other), told
            )
