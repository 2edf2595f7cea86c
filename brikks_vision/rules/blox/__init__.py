"""The rules of BLOX (Kramer, Raggan, Grunau; 2008): no pixels.

Fields are (row, column), counted from 0 at the board's top left; players are named by the colour of
their pawns; cards, blocks and fields by "white", "grey", "purple" and "black".

material    what is in the box, what users type, and the errors of what is illegal
position    the board, what stands on it, straight ways over it
actions     enter, move, clear, build, capture, swap
possible    the actions that are possible on a photographed position, and what each may bring
referee     the rules that one position breaks, what an action requires, the phases
turn        the action between two positions, games as text, who wins

The published rules leave some things open. Here, only pawns of another colour are captured; the
capturing pawn goes to the captured one's field; "the way" to a tower or a pawn is the fields
between; a tower stays reachable from a side while no tower stands on the field there; the 60 cards
are 15 of each colour; a used-up draw pile is the shuffled discard pile; players who tie in points
and in blocks win together.
"""
