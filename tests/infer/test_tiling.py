"""The search for tilings, against trying all covers."""

import random
from collections.abc import Iterator
from math import exp

import pytest

from brikks_vision.infer.tiling import Border, Candidates, Cover, Label, Piece, Step, tile


def some_pieces(seed: int, cells: int, spread: float) -> Candidates:
    """Single cells and pairs in a row of cells, empty, crossed or outlined, at drawn costs."""
    dice = random.Random(seed)
    edges = [dice.gauss(0, spread) for _ in range(cells - 1)]

    def step(places: tuple[int, ...], label: Label) -> Step:
        bits = sum(1 << place for place in places)
        beside = [(places[0] - 1, places[0] - 1), (places[-1] + 1, places[-1])]
        sides = [(1 << other, edges[edge]) for other, edge in beside if 0 <= other < cells]
        lines: list[Border] = [(other, -edge / 2) for other, edge in sides if edge < 0]
        blanks: list[Border] = [(other, edge) for other, edge in sides if edge > 0]
        cost, piece = abs(dice.gauss(0, spread)), Piece(places, label, 0.0)
        if label is Label.OUTLINED:
            return Step(cost + sum(half for _, half in lines), bits, bits, lines, (), piece)
        return Step(cost, bits, 0, blanks, lines, piece)

    return Candidates(
        [
            [
                *(step((place,), label) for label in Label),
                *(step((place, place + 1), Label.OUTLINED) for _ in range(place < cells - 1)),
            ]
            for place in range(cells)
        ]
    )


def all_covers(candidates: Candidates, place: int = 0) -> Iterator[Cover]:
    if place == len(candidates.steps):
        yield ()
        return
    for step in candidates.steps[place]:
        for rest in all_covers(candidates, place + len(step.piece.places)):
            yield (step.piece, *rest)


def regret(cover: Cover, candidates: Candidates) -> float:
    """The regret of a cover, with each border counted once, for the later piece."""
    steps = {step.piece: step for each in candidates.steps for step in each}
    whole = 0.0
    bare = inked = 0
    for piece in cover:
        step = steps[piece]
        whole += step.cost
        whole += sum(cost for other, cost in step.on_bare if other & bare)
        whole += sum(cost for other, cost in step.on_inked if other & inked)
        bare, inked = step.cells & ~step.inked, step.inked
    return whole


def _crosses(cover: Cover, place: int) -> bool:
    return any(place in piece.places and piece.label is not Label.EMPTY for piece in cover)


@pytest.mark.parametrize("seed", range(20))
def test_the_best_tilings_and_their_probabilities_are_those_of_all(seed: int) -> None:
    pieces = some_pieces(seed, cells=6, spread=4.0)
    by_regret = sorted(all_covers(pieces), key=lambda cover: regret(cover, pieces))
    mass = sum(exp(-regret(cover, pieces)) for cover in by_regret)
    found = tile(pieces)
    assert found[0].regret == pytest.approx(regret(by_regret[0], pieces))
    told = {tiling.pieces: tiling.probability for tiling in found}
    assert all(tiling.regret == pytest.approx(regret(tiling.pieces, pieces)) for tiling in found)
    assert all(cover in told for cover in by_regret[:8])
    for place in range(6):
        crossed = sum(
            exp(-regret(cover, pieces)) / mass for cover in by_regret if _crosses(cover, place)
        )
        as_told = sum(share for cover, share in told.items() if _crosses(cover, place))
        assert as_told == pytest.approx(crossed, abs=0.1)


@pytest.mark.parametrize("seed", range(20))
def test_no_cover_regrets_less_than_the_least_of_its_cells(seed: int) -> None:
    pieces = some_pieces(seed, cells=6, spread=4.0)
    for cover in all_covers(pieces):
        assert regret(cover, pieces) >= sum(pieces.least) - 1e-9
    assert all(step.cost >= -1e-9 for each in pieces.within(100.0) for step in each)


@pytest.mark.parametrize("seed", range(20))
def test_where_all_tilings_are_much_alike_the_best_is_still_the_first(seed: int) -> None:
    pieces = some_pieces(seed, cells=40, spread=0.3)
    found = tile(pieces)
    best, probability, least = found[0]
    assert regret(best, pieces) == pytest.approx(least)
    assert probability < 0.1
    assert min(regret(cover, pieces) for cover, *_ in found) == pytest.approx(least)
    assert all(tiling.regret == pytest.approx(regret(tiling.pieces, pieces)) for tiling in found)


def test_what_is_drawn_stands_for_the_rest() -> None:
    """One cell of forty is surely crossed in the evidence; all others may be anything."""

    def steps(place: int) -> list[Step]:
        empty, loose = (Piece((place,), label, 0.0) for label in (Label.EMPTY, Label.LOOSE))
        cost = 6.0 if place == 20 else 0.0
        return [Step(cost, 1 << place, 0, (), (), empty), Step(0.0, 1 << place, 0, (), (), loose)]

    pieces = Candidates([steps(place) for place in range(40)])
    covers = [(cover, probability) for cover, probability, _ in tile(pieces)]
    crossed = [
        sum(share for cover, share in covers if _crosses(cover, place)) for place in range(40)
    ]
    assert crossed[20] > 0.95
    assert all(0.1 < share < 0.9 for place, share in enumerate(crossed) if place != 20)
