"""The search for tilings, against trying all covers."""

from __future__ import annotations

import random
from collections.abc import Iterator
from math import exp

import pytest

from brikks_vision.decode.tiling import Candidates, Cover, Label, Piece, tile


def some_pieces(seed: int, cells: int, spread: float) -> Candidates:
    """Single cells and pairs in a row of cells, empty, crossed or outlined, at drawn prices."""
    dice = random.Random(seed)
    edges = [dice.gauss(0, spread) for _ in range(cells - 1)]

    def borders(places: tuple[int, ...]) -> tuple[tuple[int, float, float], ...]:
        beside = [(places[0] - 1, places[0] - 1), (places[-1] + 1, places[-1])]
        return tuple(
            (1 << other, max(0.0, -edges[edge]), max(0.0, edges[edge]))
            for other, edge in beside
            if 0 <= other < cells
        )

    def piece(places: tuple[int, ...], label: Label) -> Piece:
        bits = sum(1 << place for place in places)
        return Piece(places, bits, label, abs(dice.gauss(0, spread)), 0.0, borders(places))

    return [
        [
            *(piece((place,), label) for label in Label),
            *(piece((place, place + 1), Label.OUTLINED) for _ in range(place < cells - 1)),
        ]
        for place in range(cells)
    ]


def all_covers(pieces: Candidates, place: int = 0) -> Iterator[Cover]:
    if place == len(pieces):
        yield ()
        return
    for piece in pieces[place]:
        for rest in all_covers(pieces, place + len(piece.places)):
            yield (piece, *rest)


def regret(cover: Cover) -> float:
    """The regret of a cover, with each border counted once, for the later piece."""
    whole = 0.0
    for before, piece in zip((None, *cover), cover, strict=False):
        whole += piece.price
        for other, missing, extra in piece.borders:
            if before is not None and other & before.cells:
                inked = Label.OUTLINED in (piece.label, before.label)
                whole += missing if inked else extra
    return whole


def _crosses(cover: Cover, place: int) -> bool:
    return any(place in piece.places and piece.label is not Label.EMPTY for piece in cover)


@pytest.mark.parametrize("seed", range(20))
def test_the_best_tilings_and_their_probabilities_are_those_of_all(seed: int) -> None:
    pieces = some_pieces(seed, cells=6, spread=4.0)
    by_regret = sorted(all_covers(pieces), key=regret)
    mass = sum(exp(-regret(cover)) for cover in by_regret)
    found = tile(pieces).best
    assert found[0].regret == pytest.approx(regret(by_regret[0]))
    told = {tiling.pieces: tiling.probability for tiling in found}
    assert all(tiling.regret == pytest.approx(regret(tiling.pieces)) for tiling in found)
    assert all(cover in told for cover in by_regret[:8])
    for place in range(6):
        crossed = sum(exp(-regret(cover)) / mass for cover in by_regret if _crosses(cover, place))
        as_told = sum(share for cover, share in told.items() if _crosses(cover, place))
        assert as_told == pytest.approx(crossed, abs=0.1)


@pytest.mark.parametrize("seed", range(20))
def test_where_all_tilings_are_much_alike_the_best_is_still_the_first(seed: int) -> None:
    pieces = some_pieces(seed, cells=40, spread=0.3)
    found = tile(pieces).best
    best, probability, least = found[0]
    assert regret(best) == pytest.approx(least)
    assert probability < 0.1
    assert min(regret(cover) for cover, *_ in found) == pytest.approx(least)
    assert all(tiling.regret == pytest.approx(regret(tiling.pieces)) for tiling in found)


def test_what_is_drawn_stands_for_the_rest() -> None:
    """One cell of forty is surely crossed in the evidence; all others may be anything."""
    pieces = [
        [
            Piece((place,), 1 << place, Label.EMPTY, 6.0 if place == 20 else 0.0, 0.0, ()),
            Piece((place,), 1 << place, Label.LOOSE, 0.0, 0.0, ()),
        ]
        for place in range(40)
    ]
    covers = [(cover, probability) for cover, probability, _ in tile(pieces).best]
    crossed = [
        sum(share for cover, share in covers if _crosses(cover, place)) for place in range(40)
    ]
    assert crossed[20] > 0.95
    assert all(0.1 < share < 0.9 for place, share in enumerate(crossed) if place != 20)
