"""Photos of BLOX boards by a third hand: its own prints, pieces, light and phone, for training.

style      how one set looks
textures   clouds, wood, cloth and stone
prints     what is printed on board, chips and cards
pieces     what stands on the board, and what lies about
rooms      windows and lamps
caster     casts rays by `cast.cpp`, which the compiler g++ makes ready at first use
phone      what a phone makes of the light
photos     a set, and photos of it

``python -m simulation.blox.samples FOLDER --of-a-set 3 --renderer cast`` draws them.
"""
