"""Photos of BLOX boards, for training and measurements.

looks       how a set looks: colours, blocks, pawns, chips, and the art of the board
meshes      shapes of blocks and pawns
cameras     poses of a camera, by kind of view
positions   what stands on the board
scene       a scene for the renderer
photos      a photo and all that is true of it
second      sets by a second hand: prints, colours, pawns, rooms
rasterizer  light of a scene, fast
path_tracer light of a scene, as it is, slowly

Frame of the world: one field is 1 wide; x to the right and y down the board from the outer corner
of the first field, and z up. The renderer's frame is right-handed, so its y is the negative one.

The renderers (ModernGL, Mitsuba 3) are the extra ``simulation``; nothing else needs them.
"""
