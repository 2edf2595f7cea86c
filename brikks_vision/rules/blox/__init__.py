"""The rules of BLOX (Kramer, Raggan, Grunau; 2008): no pixels.

Fields are (row, column), counted from 0 at the board's top left; players are named by the colour of
their pawns; cards, blocks and fields by "white", "grey", "purple" and "black".

material       what is in the box
board          the fields' colours and squares, from a layout's JSON
position       what stands on the board
ways           straight ways, which nothing may block
phases         what may be cleared and built, and which phase the towers allow
actions        enter, move, clear, build, capture, swap
checks         what each of them asks; an illegal one raises a named error
errors         those errors, in four languages
notation       positions and whole games as text
possible       ``possible_actions`` on a photographed position
ahead          ``looked_ahead``: those actions, best first, by what the next turn may bring
points         what players have won, and who wins
referee        the rules that one position breaks
turn           the action between two positions
typed          cards, blocks and pawns from what a user types
violations     the codes, and where they show
words          colours, pawns and fields as phrases

The published rules leave some things open. Here, only pawns of another colour are captured; the
capturing pawn goes to the captured one's field; "the way" to a tower or a pawn is the fields
between; a tower stays reachable from a side while no tower stands on the field there; the 60 cards
are 15 of each colour; a used-up draw pile is the shuffled discard pile; players who tie in points
and in blocks win together.
"""
