"""The rules of BLOXX!: no pixels, no numpy.

Cells are (row, column) from 0 at the grid's top left; players, dice and their sides count from 0.

sheet       what the print means: size, coloured rows, numbers; the shapes on the dice
state       what is marked on one sheet, its points, and where points went
order       where a shape can be entered, and an order that builds the shapes of a sheet
referee     all that one finished sheet proves
table       several sheets of one game: places, and what cannot belong together
"""
