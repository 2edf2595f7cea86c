"""Sets by a second hand: prints, colours, pawns and rooms of its own.

style     how a set looks
pawns     shapes of pawns
prints    what is printed: boards, chips, cards
textures  clouds and wood
rooms     windows and lamps

Colours are sRGB, red first, 0 to 1; `as_image` makes pictures of them as the renderers want them.
"""
