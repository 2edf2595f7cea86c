"""Which parts of a sheet something hides."""

OCCLUSION_PIXELS = 12  # px per cell
OCCLUSION_STRIDE = 4  # px per output
