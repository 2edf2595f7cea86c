"""The rules of Brikks.

state       what is marked on one sheet
blocks      the blocks of the overview: which colours and columns a shape can be
board       where a block can come to rest
energy      the energy bar
play        what a turn does to a sheet
scoring     points and ranks
lost        where the points of a finished sheet went
settings    players, level, variant
game        a game round by round; illegal turns raise named errors
notation    a sheet as text
order       every order of legal drops that builds the blocks of a sheet
placement   rules of the grid
counts      rules of the bars
referee     all that one finished sheet proves
duel, table several sheets of one game
turn        one sheet before and after a turn
violations  the codes, and where they show
"""
