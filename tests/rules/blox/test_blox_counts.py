"""How many positions can be reached: figures, and a slow implementation that agrees with them."""

import pytest
from hypothesis import assume, given, settings

from simulation.blox.notation import read_state
from simulation.blox.random_player import legal_actions
from tests.rules.blox import slow_blox
from tests.rules.blox.games import BOARD, states

OPENING = """\
.    w    .    .    g    .    .    .    .
.    .    .    .    .    .    .    p    .
.    .    wgp  .    bbw  .    gp   .    .
.    .    .    pw   .    wgpb .    b    .
.    .    bgw  .    w    .    .    .    g
.    .    .    ppgw .    p    .    .    .
.    .    gb   .    wb   .    ppw  .    .
b    .    .    w    .    .    .    .    g
.    .    p    .    .    b    .    .    .
turn blue
phase 1
player blue cards wwwww joker spent blocks - points 0
player red cards pppbb joker spent blocks - points 0
player green cards ggggg joker spent blocks - points 0
draw wwwwwwwwwwwwwwww
"""

MIDDLE = """\
.    .    .    .    g    .    .    .    .
.    .    .    Re   .    .    .    p    .
.    .    wgp  .    bbw  .    gp   .    .
.    .    .    pw   Bl   wgpb .    .    .
.    .    bgw  .    .    .    Gr   .    Bl
.    .    .    ppgw .    Re   .    .    .
Bl   .    gb   .    wb   .    ppw  .    .
.    .    Gr   .    .    .    .    .    g
.    .    .    wgp  .    Bl   .    .    Re
turn blue
phase 2
player blue cards wwwwp joker spent blocks wwwg points 4
player red cards ppppp joker spent blocks ppbb points 3
player green cards ggggg joker spent blocks wwwgggb points 7
draw wwwwwwwwwwwwwwww
"""

END = """\
.    .    .    .    .    .    .    .    .
.    .    .    Bl   pp   .    .    .    .
.    .    wgp  .    bbw  .    .    .    .
.    .    .    pw   Bl   wgpb .    Re   .
.    .    .    .    .    .    .    .    .
.    .    .    ppww .    Bl   .    .    .
Bl   .    gb   .    .    .    .    .    .
.    .    Br   .    Gr   .    .    .    .
Re   .    .    .    .    .    Re   .    .
turn blue
phase 4
player blue cards ppppp joker spent blocks wwwww points 24
player red cards wwwww joker spent blocks wwwwb points 23
draw wwwwwwwwwwwwwwww
"""

FIGURES = {OPENING: (18, 590, 9304), MIDDLE: (26, 547, 13178), END: (13, 361, 9264)}
"""Different positions after one, two and three actions, as ``slow_blox.count`` gave them."""


def next_states(state):
    return {state.play(action) for action in legal_actions(state, state.to_move.color)}


@pytest.mark.parametrize("drawing", FIGURES, ids=["opening", "middle", "end"])
def test_as_many_positions_are_reached_as_the_figures_say(drawing):
    reached = {read_state(drawing, BOARD)}
    counts = []
    for _ in FIGURES[drawing]:
        reached = {after for state in reached for after in next_states(state)}
        counts.append(len(reached))
    assert tuple(counts) == FIGURES[drawing]


@pytest.mark.parametrize("drawing", FIGURES, ids=["opening", "middle", "end"])
def test_the_slow_implementation_counts_as_many_after_two_actions(drawing):
    game = slow_blox.plain(read_state(drawing, BOARD))
    assert [slow_blox.count(game, actions) for actions in (1, 2)] == [*FIGURES[drawing][:2]]


@settings(max_examples=40, deadline=None)
@given(states())
def test_the_slow_implementation_reaches_the_same_positions(state):
    assume(len(state.draw_pile) >= 5)
    slow = {slow_blox.key(game) for game in slow_blox.next_games(slow_blox.plain(state))}
    assert {slow_blox.key(slow_blox.plain(after)) for after in next_states(state)} == slow
