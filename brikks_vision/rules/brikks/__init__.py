"""The rules of Brikks.

sheet       what the print means, and players, level and variant of a game
blocks      marks on a sheet, its blocks, where they come to rest, the two bars
placement   rules of the grid
counts      rules of the bars, and of the duel
order       an order of legal drops that builds the blocks of a sheet
scoring     points and ranks, where points went, what a turn does
referee     all that one finished sheet proves
table       several sheets of one game
turn        one sheet before and after a turn
"""
