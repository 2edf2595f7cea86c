"""Orders of entering, against drawings and against trying every order."""

import random

from hypothesis import given, settings
from hypothesis import strategies as st

from brikks_vision.rules.bloxx.order import Resting, find_order
from brikks_vision.rules.bloxx.sheet import Sheet, turned
from simulation.bloxx.play import play_game
from tests.rules.bloxx.bloxx_sheets import OWN, drawn

FACES = [side for die in OWN.dice for side in die]


def order_of(picture: str, resting: Resting = Resting.ENGLISH, **known):
    shapes = drawn(
        "\n".join(f"....... {line}" for line in picture.split()),
    ).shapes
    return find_order(shapes, OWN, resting, **known)


def is_legal(order, sheet: Sheet, resting: Resting) -> bool:
    """Whether shapes may be entered in this order, by the words of the rules."""
    taken = set()
    for shape in order:
        if any((above, column) in taken for row, column in shape for above in range(row + 1)):
            return False
        near = {(row + 1, column) for row, column in shape}
        if resting is Resting.ENGLISH:
            near |= {(row - 1, column) for row, column in shape}
            near |= {(row, column + side) for row, column in shape for side in (-1, 1)}
        if taken and not near & taken:
            return False
        if not taken and all(row < sheet.rows - 1 for row, _ in shape):
            return False
        taken |= shape
    return True


def some_order_is_legal(shapes, sheet: Sheet, resting: Resting) -> bool:
    """Try every order, dropping those that have become illegal."""
    dead = set()

    def extend(order) -> bool:
        entered = frozenset(order)
        if entered in dead:
            return False
        if len(order) == len(shapes):
            return True
        for shape in shapes:
            longer = (*order, shape)
            if shape not in entered and is_legal(longer, sheet, resting) and extend(longer):
                return True
        dead.add(entered)
        return False

    return extend(())


def packed(sheet: Sheet, rng: random.Random) -> list:
    """Shapes anywhere that share no cell, mostly near the floor."""
    shapes, taken = [], set()
    for _ in range(rng.randint(1, 30)):
        way = rng.choice(turned(rng.choice(FACES)))
        top, left = rng.randint(0, sheet.rows - 1), rng.randint(0, sheet.columns - 1)
        cells = frozenset((top + row, left + column) for row, column in way.cells)
        if all(sheet.holds(cell) for cell in cells) and not cells & taken and len(shapes) < 7:
            shapes.append(cells)
            taken |= cells
    return shapes


def torn(sheet: Sheet, rng: random.Random) -> list:
    """Any connected groups of two to six cells that fill much of the sheet."""
    left = set(sheet.cells)
    shapes = []
    while left and len(shapes) < 7:
        cell = rng.choice(sorted(left))
        shape = {cell}
        for _ in range(rng.randint(1, 5)):
            row, column = rng.choice(sorted(shape))
            near = rng.choice([(row + 1, column), (row - 1, column), (row, column + 1)])
            if near in left:
                shape.add(near)
        left -= shape
        if rng.random() < 0.8:
            shapes.append(frozenset(shape))
    return shapes


def test_the_search_finds_what_trying_every_order_finds():
    rng = random.Random(35)
    outcomes = {(resting, exists): 0 for resting in Resting for exists in (False, True)}
    for trial in range(800):
        sheet = Sheet(rng.randint(3, 6), rng.randint(3, 5), dice=OWN.dice)
        shapes = (packed, torn)[trial % 2](sheet, rng)
        for resting in Resting:
            found = find_order(shapes, sheet, resting)
            assert found.exists == some_order_is_legal(shapes, sheet, resting)
            assert is_legal(found.entered, sheet, resting)
            assert sorted(map(sorted, found.entered + found.stuck)) == sorted(map(sorted, shapes))
            outcomes[resting, found.exists] += bool(shapes)
    assert min(outcomes.values()) > 100


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**6), st.sampled_from(Resting), st.integers(0, 4))
def test_every_game_has_an_order(seed, resting, care):
    game = play_game(OWN, random.Random(seed), (care, care), resting)
    for side in game.players:
        found = find_order(side.sheet.shapes, OWN, resting)
        assert found.exists
        assert is_legal(found.entered, OWN, resting)
        assert is_legal(side.order, OWN, resting)


def test_what_lies_below_comes_first():
    found = order_of("""
        .BBB...
        .A.....
        .A.....
        .A.....
    """)
    assert [min(shape) for shape in found.entered] == [(7, 1), (6, 1)]


def test_the_german_rules_want_one_shape_alone_on_the_floor():
    beside = """
        AA.BB..
        AAABB..
    """
    assert order_of(beside, Resting.ENGLISH).exists
    german = order_of(beside, Resting.GERMAN)
    assert len(german.entered) == len(german.stuck) == 1


def test_two_shapes_that_bar_each_other_have_no_order():
    hooked = """
        AAB....
        A.BB...
        AB.B...
        .BBB...
    """
    assert order_of(hooked).exists
    assert not order_of("""
        AA.....
        ABB....
        AA.....
    """).exists


def test_two_towers_on_the_floor_have_no_order_even_under_one_bridge():
    assert not order_of("""
        .CCC...
        AA.BB..
        AA.BB..
    """).exists
    assert order_of("""
        .CCC...
        AABB...
        AABB...
    """).exists


def test_cells_that_are_in_no_shape_hold_others_from_the_beginning():
    picture = """
        BBB....
        .......
        A.A....
        AAA....
    """
    assert not order_of(picture).exists
    assert order_of(picture, props={(7, 1)}).exists


def test_no_shapes_are_in_order():
    assert order_of("").exists
