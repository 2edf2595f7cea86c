"""Photos of BLOX boards by another hand: its own prints, pieces, light and phone, for training.

style      how one set looks
textures   wood, cloth and stone
prints     what is printed on board, chips and cards
shapes     triangles
pieces     what stands on the board, and what lies about
light      the room, windows and lamps
tracing    Mitsuba traces few paths a pixel; they are smoothed
phone      what a phone makes of the light
photos     a set, and photos of it

``python -m simulation.blox.samples FOLDER --of-a-set 3 --renderer traced`` draws them.
"""
