"""The rules of BLOXX!: no pixels, no numpy.

Cells are (row, column) from 0 at the grid's top left; players, dice and their sides count from 0.

sheet       what the print means: size, coloured rows, numbers, dice
faces       the shapes on the dice, turned and mirrored
state       what is marked on one sheet
settings    how many play
scoring     points, with what is assumed where no bonus is circled
entering    where a shape can be entered, and the sheet with it
order       an order of entering that builds the shapes of a sheet
placement   rules of the outlines and of the gaps
referee     all that one finished sheet proves
table       several sheets of one game: places, and what cannot belong together
violations  the codes, and where they show
words       places on a sheet in words
"""
