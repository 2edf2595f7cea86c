"""Every threshold, tolerance and limit that decides what is found and read in a photo.

Each line says the unit, the meaning and the source. "By hand" with a date: chosen on that day so
that the simulated photos and the fixtures were placed and read; no measurement of the value was
kept. What a network was trained with (resolution, stride, size of its input) is no threshold and
stands beside the network's code, except in the section on the pen. Limits that guard memory (file
size, pixels) stand in `headers` and `photo`.

An evidence is a mean log-likelihood for each point of the print, at most 0, see
`aligner.keypoint_evidence`.
"""

from __future__ import annotations

from itertools import product

# --- the first view of a photo (`locate`, `markers`, `locator`) ----------------------------------

OVERVIEW_SIDE = 1000
"""px, about the longer side of the photo in which sheets are located: enough for markers and for
the networks. By hand, 2026-11-20."""

MIN_MARKERS = 3
"""Markers of one sheet by which it is placed. By hand, 2026-11-20."""

MARKER_WINDOW = 23
"""px, window of OpenCV's adaptive threshold. One window instead of the three by default takes a
third of the time and lost no marker of a readable sheet (simulated photos, 2026-11-21)."""

MARKER_SCALES = (0.5, 1.0)
"""Scales of the overview at which markers are searched, one after the other. By hand, 2026-11-22:
a sheet without any marker at the first scale has none, or is so small that its print is enough."""

VIEW_TURNS = tuple(range(45, 360, 45))
"""Degrees by which the whole photo is rotated if no sheet is found in it upright. By hand,
2026-11-22."""

CLOSER_VIEWS = (
    (0.6, (*product((0.0, 1.0), repeat=2), (0.5, 0.5))),
    (0.45, tuple(product((0.0, 0.5, 1.0), repeat=2))),
)
"""Closer views if no sheet is found in a rotated photo either: side as a share of the photo's
longer side, and places (across, down) from 0 (left, top) to 1. By hand, 2026-11-21."""

MIN_FRONT_SHARE = 0.012
"""Share of a square view that shows a sheet's front; a smaller one cannot be read. By hand,
2026-11-20."""

MIN_BACK_PROBABILITY = 0.15
"""Probability from which on the back of the sheet is said to be up, if no front is seen. By hand,
2026-11-20."""

SIMILARITY_TOLERANCE = 1.5
"""Cells, RANSAC's tolerance for the locator's matches under one similarity. By hand, 2026-11-20."""

VIEW_MARGIN = 1.6
"""Side of a closer view, as a multiple of the longer side of the reading area. By hand,
2026-11-20."""

MIN_MAGNIFICATION = 1.5
"""Factor by which a second view of the locator magnifies the first at least, or it is not taken,
that is if the reading area is shorter than 42 % of the photo. Larger sheets were placed as well
without it: measured on 660 simulated photos and on 70 that were reduced (2026-11-23)."""

MAX_MATCH_LOG_SCALE = 4.0
"""The predicted log scale of a match of the locator is clipped to +-this. By hand, 2026-11-20."""

MAX_FOLLOWED = 2
"""First placements of one round of views that are aligned, those with the most inliers first. By
hand, 2026-11-22."""

OTHER_TURNS = (90, 180)
"""Degrees, the views from which an unclear sheet is placed again. By hand, 2026-11-23."""

MAX_SAME_SHEET_SHIFT = 3.0
"""Cells; a placement that is farther from a known one is of another sheet. By hand, 2026-11-23."""

# --- fitting a placement to matches (`fit`) ------------------------------------------------------

MIN_MATCHES = 8
"""Matches to fit a placement to: twice what a homography needs. By hand, 2026-11-20."""

MIN_VISIBLE_CELL, MAX_VISIBLE_CELL = 0.5, 2000.0
"""px, side of a cell; no placement of a sheet lies outside. By hand, 2026-11-21."""

PLANE_TOLERANCE = 0.6
"""Cells, RANSAC's tolerance for the locator's matches under one homography. By hand, 2026-11-20."""

MAX_PLANE_TRIALS = 500
"""Iterations of that RANSAC. By hand, 2026-11-20."""

STIFFNESS = 0.0001
"""Ridge of the bend, relative to the mean weight of a match. By hand, 2026-11-21."""

CAUCHY_SCALE = 1.5
"""Scale of the Cauchy weights, as a multiple of the median error: about the standard deviation of
normal errors (1.48). By hand, 2026-11-20."""

MIN_CAUCHY_SPREAD = 1e-3
"""Cells, lower bound of that median error. By hand, 2026-11-20."""

MAX_FIT_STEPS = 6
"""Gauss-Newton steps of one fit. By hand, 2026-11-21."""

MIN_FIT_STEP = 0.005
"""Cells; a fit has converged if no coefficient moves by more. By hand, 2026-11-22."""

# --- the keypoints of the print (`aligner`) ------------------------------------------------------

MIN_KEYPOINTS = 60
"""Keypoints within the photo; fewer prove nothing. By hand, 2026-11-20."""

NO_EVIDENCE = -4.0
"""Evidence for a placement with fewer keypoints: below log `MIN_HEAT` (-3.9), the lowest that the
clipped heat allows."""

MIN_HEAT, MAX_HEAT = 0.02, 0.98
"""Bounds of the probability of a keypoint, so that no single point decides. By hand, 2026-11-20."""

MIN_KEYPOINT_LOG_SCALE, MAX_KEYPOINT_LOG_SCALE = -5.0, 3.0
"""Bounds of the predicted log scale of a vote for a keypoint. By hand, 2026-11-20."""

SEARCH_RADIUS = 0.5
"""Cells around the expected place of a keypoint: half the way to the next node."""

VOTE_VARIANCE = 0.01
"""Cells², scatter of the votes for a keypoint that halves its weight. By hand, 2026-11-20."""

MAX_KEYPOINT_OFFSET = 0.25
"""Cells; farther from its place a vote is nearer to the point half-way to the next node."""

# --- the lattice and its slips (`lattice`, `align`) ----------------------------------------------

MIN_EVIDENCE = -0.2
"""Evidence below which it is another sheet or none, or the sheet cannot be read. By hand,
2026-11-20."""

MIN_CLEAR_EVIDENCE = -0.12
"""Evidence above which a placement is right: a slip by a cell costs more. By hand, 2026-11-20."""

MIN_NEAR_EVIDENCE = -0.5
"""Evidence below which no sheet is within reach of a slip. Near a sheet it stayed above -0.45:
measured on 24 photos with seven displacements of up to two cells each (2026-11-21)."""

SLIPS = ((0.0, -0.8, 0.8), (0.0, -0.6, 0.6, -1.2, 1.2))
"""Cells, slips across and down that are tried, in two rounds, 0 first. By hand, 2026-11-20. Wider
ones had rescued none of 580 photos (2026-11-21)."""

MAX_LATTICE_LOOKS = 3
"""Looks of the aligner for one round of slips. By hand, 2026-11-20."""

MAX_SEEN_SHIFT = 0.5
"""Cells; a placement that moved no farther is not looked through again. By hand, 2026-11-22."""

MIN_DETERMINANT = 1e-6
"""Determinant of a homography in cells; a smaller one maps the sheet to a line."""

MIN_NODE_SHARE = 1 / 4
"""Visible nodes that a slip is fitted to, as a share of the number of keypoints. By hand,
2026-11-20."""

MAX_FITS = 3
"""Fits of one bent placement. By hand, 2026-11-21."""

MAX_BENDING_LOSS = 0.05
"""Evidence lost by bending; beyond it the matches were ink and not print. By hand, 2026-11-21."""

MAX_SETTLED_SHIFT = 0.2
"""Cells; a placement that moves no farther has converged. By hand, 2026-11-21."""

MIN_SLIP = 0.7
"""Cells; markers locate a sheet more closely, so a placement by them cannot slip. By hand,
2026-11-21."""

# --- bars that curled paper displaces against the lattice (`displaced`) --------------------------
# Wide enough for a fold between grid and bars, but less than a row down, because no print tells one
# row of marks from the next.

MAX_BAR_SHIFT, BAR_SHIFTS = 1.65, 23
"""Cells: the bars are tried in so many places across, from minus to plus the first number. By hand,
2026-11-23: wider than on 2026-11-21, for folds."""

BAR_DROPS = (0.0, -0.2, 0.2, -0.4, 0.4, -0.6, 0.6)
"""Cells down. By hand, 2026-11-21."""

BAR_STRETCHES = (0.0, -0.2, 0.2, -0.4, 0.4)
"""Cells, half the difference between the right and the left end. By hand, 2026-11-21."""

BAR_SLANTS = (0.0, -0.2, 0.2)
"""Cells, half the difference between the lowest and the highest bar. By hand, 2026-11-21."""

DISPLACEMENT_PENALTY = 2.0
"""Log-odds per cell of all four, the prior against a displacement. By hand, 2026-11-21."""

MIN_BARS_IN_PLACE = -0.15
"""Mean log-likelihood of undisplaced bars above which no other place is tried. By hand,
2026-11-23."""

MAX_DISPLACEMENT_REGRET = 15.0
"""Log-odds; a displacement that is worse than the best by more is dropped. By hand, 2026-11-21."""

VOTE_DEVIATION = 0.15
"""Cells, the standard deviation of a vote for a mark of the bars. By hand, 2026-11-21."""

UNSEEN_PROBABILITY = 0.5
"""Probability of a mark outside the photo or the rectified area: it says nothing."""

# --- sheets that cannot be read (`outlying`) -----------------------------------------------------

MIN_CELL = 8.0
"""px, side of a cell; the print of a smaller sheet cannot be read. By hand, 2026-11-20."""

MIN_SHARPNESS = 0.15
"""Contrast at `FINE_BLUR` over that at `COARSE_BLUR`; readable simulated photos had 0.3 or more
(2026-11-20)."""

FINE_BLUR, COARSE_BLUR = 0.1, 0.5
"""Cells, the standard deviations of the two blurs that the sharpness compares."""

MIN_CONTRAST = 1.0
"""Grey levels added to the coarse contrast, so that blank paper is not sharp. By hand,
2026-11-20."""

MIN_LATTICE_EVIDENCE = -0.8
"""Evidence below which there is no lattice at all, not even a blurred one. By hand, 2026-11-20."""

MAX_OVERRUN = 0.35
"""Cells beyond the photo's edge, of an aligned placement; more is cut off. By hand, 2026-11-20."""

MAX_FIRST_OVERRUN = 1.5
"""The same of a first placement, which is less exact. By hand, 2026-11-20."""

# --- photos flipped left to right (`mirror`) -----------------------------------------------------

MIN_MIRROR_COSINE = 0.3
"""Of what is seen of the printed circles with those of the sheet or of its mirror image; with less
neither is plain. Of 38 simulated sheets, photographed as they are and flipped (seed 6301), one had
0.08 in colour and in grey and all others at least 0.54; in black and white the wrong one was ahead
three times, by 0.24 at most."""

MIN_MIRROR_BLANK_COSINE = 0.1
"""Of what a mirror changes in a photo and in the empty sheet; with less neither is plain. Of eight
photos of simulated printings (seed 6401) it was 0.31 at least, in black and white 0.12."""

MIN_MIRROR_CHANGE = 15.0
"""Grey levels by which a mirror changes a place of an empty sheet; less is not compared. By hand,
2026-11-26."""

MIRROR_SPOTS = (-0.28, -0.14, 0.0, 0.14, 0.28)
"""Cells from the middle of a cell, across and down: within a printed circle, of which a printed
digit covers less than half. By hand, 2026-11-26."""

MIRROR_RIM = 0.42
"""Cells from the middle of a cell: beside a printed circle, within the lines. By hand,
2026-11-26."""

# --- boards of games (`pose`) --------------------------------------------------------------------

MAX_SKEW = 0.09
"""Of a board: how far its cells are from squares, see `pose.skew_of_plane`. Of 60 whole boards
(simulated, seeds 77101 and 77103) it was at most 0.022, of the same photos cut so that the board
lies at a corner 0.083; of lattices that were seen in halves of boards and in sheets of other games
at least 0.107."""

MIN_EMPTY_STRENGTH = 0.57
"""Of an empty board: the share of the sides of its fields that are seen as lines. Of the same
boards it was 0.60 at least; of lattices seen in cut boards 0.55 at most."""

MIN_FIELDS_OF_A_COLOR = 10
"""Fields of each colour that a board has. Of 26 learnt boards (seed 77101) each had 17 or more of
each colour, of the 20 or 21 that it has; chess boards have 7 or fewer of one of four."""

MAX_AMBIGUOUS_FIELDS = 12
"""Fields of a learnt board whose colour is hardly told from another one. Of the same boards there
was at most one; of drawn boards with two colours 17 or more."""

# --- loose things on a table (`things`) -----------------------------------------------------------

MIN_PEAK = 0.1
"""Probability that a thing lies there; what is fainter is not looked at. By hand, 2026-11-25."""

# --- several sheets in one photo (`several`) -----------------------------------------------------

MAX_SHEETS = 6
"""Sheets in one photo. By hand, 2026-11-21, as are the others of this section."""

MAX_GROUP_RESIDUAL = 3.0
"""Cells, RANSAC's tolerance for the matches of one sheet under one similarity, which ignores the
perspective."""

MIN_GROUP = 8
"""Matches; fewer are no sheet."""

MIN_UNEXPLAINED = 4
"""Matches that belong to no group and so hint at another sheet."""

MIN_COVERAGE = 0.6
"""Share of the reading area seen in closer views; less is a part of a sheet."""

COVERAGE_STEP = 2.0
"""Cells, side of the squares in which the coverage is counted."""

MIN_ROOM = 0.75
"""Of the first sheet's width, free beside it for another one."""

MIN_SIZE_RATIO = 0.55
"""Of two sheets in one photo, by length."""

MAX_OVERLAP = 0.2
"""Share of a sheet's area; if two sheets share more, they are the same."""

PART_MARGIN = 0.25
"""Of the page's size, around a sheet in its own picture."""

MAX_CLOSER_VIEWS = 96
"""Closer views of one photo; only sheets too small to be read would need more."""

CLOSER_SIDE = 2000
"""px, longer side of the picture from which closer views are taken."""

CLOSER_STEP = 0.5
"""Of a view's side, from one closer view to the next."""

SMALL_SHEET = 0.4
"""Of the photo's longer side: the size that is tried if no view shows any sheet."""

MAX_SIZES = 3
"""Sizes of sheets that are tried if no sheet was found in the whole photo."""

# --- straightening (`placement`) -----------------------------------------------------------------

TARGET_VARIANCE = 0.17
"""px² of the result, of the kernel that a pixel is sampled with: no thin line aliases away. By
hand, 2026-11-22."""

MIN_BLUR_VARIANCE = 0.06
"""px²; a weaker blur is not worth its time. By hand, 2026-11-22."""

NEARBY_SHIFT = 0.02
"""Cells, across and down, between the additional looks at a sheet. By hand, 2026-11-23."""

# --- the pen (`pen`) -----------------------------------------------------------------------------
# The networks of the bars were trained with these values: another value needs another training. All
# by hand, 2026-11-22.

MIN_PEN_LOG_ODDS = 2.0
"""Log-odds of a cell that counts as crossed, or as empty."""

MIN_PEN_CROSSES = 3
"""Crosses to measure the ink."""

MIN_EMPTY_CELLS = 2
"""Empty cells of a zone, to measure its paper."""

INNER_CELL = (0.2, 0.8)
"""Of a cell's side, from and to: the part clear of outlines."""

INK_SHARE = 0.08
"""Of the inner pixels of a crossed cell; those least like the paper count as ink."""

NOISE_LEVEL = 8.0
"""Grey levels, added before taking logarithms."""

CONTRAST_OFFSET = 20.0
"""Grey levels, added to the distance between paper and ink."""

ABSORBANCE_OFFSET = 0.05
"""Squared absorbance, added to that of the ink."""

# --- boxes for the game's settings (`settings`) --------------------------------------------------

SETTINGS_PIXELS = 32
"""px per cell: a frame, the finest line here, is then more than a pixel wide."""

FRAME_REACH = 0.14
"""Cells on either side of a frame's line in which the frame must stand out. By hand, 2026-11-25."""

MAX_FRAME_SHIFT = 0.25
"""Cells by which curled paper moves a box from its expected place. By hand, 2026-11-25."""

FRAME_BLUR = 1.5
"""px, standard deviation of a blur of ink and frames, so that a line slightly beside its place
still correlates. By hand, 2026-11-25."""

GRAIN_BLUR = 0.1
"""Cells, standard deviation of the blur that averages the paper's grain. By hand, 2026-11-25."""

PAPER_REACH = 1.1
"""Cells, side of the closing that estimates the paper: wider than any stroke and than a filled box,
so that a shadow is not taken for ink. By hand, 2026-11-25."""

MIN_FRAMES = 0.55
"""Mean correlation of a row of boxes with its frames. Rows of boxes had 0.74 or more, places
without boxes 0.41 or less: 116 rows on simulated photos, tiers good and hard, all kinds of pens
(2026-11-25)."""

MIN_CROSSED = 0.08
"""Evidence of a crossed box, as a share of black all over. From the same 116 rows."""

MAX_OPEN = 0.03
"""Evidence of an open box, likewise; in the same 116 rows it had 0.029 at most."""

# --- the player's figures (`figures`) ------------------------------------------------------------

MIN_FIGURE_PROBABILITY = 1e-6
"""Probability below which the value of a figure is dropped. By hand, 2026-11-21."""

# --- learning a printing from its empty sheet (`measure`, `unlike`) ------------------------------

LOOK_SHIFTS = (-1 / 3, 0.0, 1 / 3)
"""Parts of the distance of two outputs of the aligner by which looks at a sheet are shifted, across
and down, so that its errors differ from look to look. By hand, 2026-11-25."""

MEASURING_ROUNDS = 2
"""The placement is fitted to the measured places, then they are measured through it again."""

FIELD_MOVES = tuple(
    product(
        (step * 0.075 for step in range(-16, 17)),
        (step * 0.15 for step in range(-3, 4)),
        (0.0, -0.1, 0.1, -0.2, 0.2),
    )
)
"""cells, across and down, by which a field is moved as a whole, and stretched at its ends. By hand,
2026-11-25, to catch moves that simulated printings had."""

MOVE_PENALTY = 4.0
"""log-odds per cell, the prior against a move of a field. By hand, 2026-11-25."""

MAX_FIELD_MOVE = 1.4
"""cells, of one place of a field. By hand, 2026-11-25."""

KEPT_DEVIATION = 0.4
"""Part of what a place deviates from the line of its row that is kept: prints are regular, votes
are not. 0 and 0.8 measured as well on 12 simulated printings (seeds 101 to 112), 2026-11-25."""

PLACE_MARGIN = 0.4
"""cells around a place that the networks look at."""

AREA_STEP = 8 / 3
"""cells; the networks take reading areas with sides that are multiples of it."""

CHANGED_SHARE = 0.12
"""Share of a patch that ink changes; those pixels that differ most count. By hand, 2026-11-25."""

MAX_PRINT_SLIP = 1
"""px at `unlike.PATCH_PIXELS`, by which print may lie beside its place. By hand, 2026-11-25."""

MIN_ALIKE = 3
"""Places with the same print; fewer cannot be compared."""

MIN_UNLIKENESS_DEVIATION = 4.0
"""grey levels, by which untouched places differ at least. By hand, 2026-11-25."""

# --- an empty sheet, to learn its printing ------------------------------------------------------

MIN_BOX_WIDTH = 0.9
"""Cells; of a printed box for figures. By hand, on simulated blanks."""

MAX_BOX_WIDTH = 2.6
"""Cells; of a printed box for figures. By hand, on simulated blanks."""

MIN_BOX_HEIGHT = 0.55
"""Cells; of a printed box for figures. By hand, on simulated blanks."""

MAX_BOX_HEIGHT = 1.5
"""Cells; of a printed box for figures. By hand, on simulated blanks."""

MIN_BOX_FILLED = 0.85
"""Of its rectangle; of a printed box for figures. By hand, on simulated blanks."""

MIN_CELL_SIDE = 10.0
"""Px there; where a grid is found by its cells. By hand, on simulated blanks."""

MAX_CELL_SIDE = 200.0
"""Px there; where a grid is found by its cells. By hand, on simulated blanks."""

MIN_CELL_FILLED = 0.72
"""Of its smallest parallelogram, of a cell; where a grid is found by its cells. By hand, on
simulated blanks.
"""

MAX_CELL_SIDE_RATIO = 1.9
"""Of the longer side to the shorter, of a cell seen at a slant; where a grid is found by its
cells. By hand, on simulated blanks.
"""

MAX_CELL_STEP_ERROR = 0.22
"""Cells, from where a neighbour is expected; where a grid is found by its cells. By hand, on
simulated blanks.
"""

MAX_CELL_AREA_RATIO = 1.8
"""Of neighbouring cells; where a grid is found by its cells. By hand, on simulated blanks."""

MIN_CELLS = 20
"""Of a lattice; where a grid is found by its cells. By hand, on simulated blanks."""

MAX_LATTICE_ERROR = 0.14
"""Cells, from the place on the plane lattice; where a grid is found by its cells. By hand, on
simulated blanks.
"""

MIN_GRID_SIDE = 4
"""Rows or columns of a grid; where a grid is found by its cells. By hand, on simulated blanks."""

MAX_GRID_SIDE = 20
"""Rows or columns of a grid; where a grid is found by its cells. By hand, on simulated blanks."""

MIN_LINE_CONTRAST = 0.35
"""Of a line beyond the grid, to the usual contrast of its lines; where a grid is found by its
cells. By hand, on simulated blanks.
"""

MIN_CELL_CONTRAST = 3.0
"""Grey levels, of any line; where a grid is found by its cells. By hand, on simulated blanks."""

MIN_LINES = 0.8
"""Of the lines that a further row has, that must be seen; where a grid is found by its cells.
By hand, on simulated blanks.
"""

MIN_LINE_SHARE = 0.66
"""Of a row's or column's cells that are seen, or it is none of the grid; where a grid is found
by its cells. By hand, on simulated blanks.
"""

MAX_GROUND_SLOPE = 0.12
"""Of logarithms a row, of light that falls off along a page; of the grounds of rows. By hand,
on simulated blanks.
"""

MIN_DIGIT_CONTRAST = 12.0
"""Grey levels between a digit and its ground; of a printed digit. By hand, on simulated blanks."""

MIN_DIGIT_HEIGHT = 0.16
"""Of a digit, in cells; of a printed digit. By hand, on simulated blanks."""

MAX_DIGIT_HEIGHT = 0.72
"""Of a digit, in cells; of a printed digit. By hand, on simulated blanks."""

MIN_DIGIT_ASPECT = 0.3
"""Width over height of a digit; of a printed digit. By hand, on simulated blanks."""

MAX_DIGIT_ASPECT = 1.4
"""Width over height of a digit; of a printed digit. By hand, on simulated blanks."""

MIN_DIGIT_COVER = 0.15
"""Share of its box that a digit covers; of a printed digit. By hand, on simulated blanks."""

MAX_DIGIT_COVER = 0.85
"""Share of its box that a digit covers; of a printed digit. By hand, on simulated blanks."""

MIN_SAME_PRINT = 0.78
"""Median correlation of tiles; of the same printing. On 118 simulated photos of displaced printings
of any art: the own printing has 0.71 to 0.96 but for one (90 % have 0.78 or more), the best of 19
others 0.73 at most.
"""

MIN_TILE_CONTRAST = 6.0
"""Grey levels, standard deviation of a tile on which something is printed. By hand, as above."""

MAX_GAIN = 2.0
"""Times as light as another place of the same print on one sheet. By hand."""

MIN_TONE_STEP = 4.0
"""Grey levels between two at which the contrast of an empty sheet is matched. By hand."""

MIN_PLAINNESS = 0.35
"""Of the lines of a row that a grid is extended by to reach a usual size, beside its own lines.

By hand, on simulated printings (seed 8600): beside a grid there is less.
"""

MAX_MARKER_ASIDE = 0.3
"""Of the distance of two markers: by how much one may lie beside where the other one has it.

By hand: a marker's own corners tell its size and turn within a tenth or so, perspective adds to it.
"""

MIN_KEYPOINT_CONTRAST = 0.02
"""Of a keypoint of SIFT; half of what OpenCV takes, for pale print. By hand, on simulations."""

MIN_MATCHING_KEYPOINTS = 12
"""Of a photo and an empty sheet that agree with one plane. By hand, on simulated photos."""

MIN_TILE_CORRELATION = 0.35
"""Of a tile that corrects a placement. By hand, on simulated photos."""

MIN_PLACED_LIKENESS = 0.4
"""Of a sheet that is placed by its empty sheet: of the correlations of tiles the upper quartile.

Of 36 photos of sheets that are placed so (seed 4101) it was 0.45 at least.
"""

MIN_CLEAR_LIKENESS = 0.6
"""The same where the sheet lies there for sure."""

# What is left of the evidence (`detect.tones`, `looks`). Of 102 sheets in ordinary photos.
MIN_QUALITY = 12.0
"""Of a JPEG, as libjpeg counts it; cameras and messengers have 50 or more. Of photos 900 px
long of quality 5, one in some 50 was read wrong, but told as sure."""

TONE_ROWS = 100
"""Rows of pixels of a picture at which its tones are counted."""

FEW_TONES = 16
"""Of a channel: so many are too few, in which hardly a mark is fainter than another."""

MIN_OTHER_TONES = 0.005
"""Share of the pixels with other tones than the `FEW_TONES` commonest, in one channel at least.

Black and white and up to 16 levels have none; sheets had 0.25 or more, one of 48 colours 0.05.
"""

OUTLYING_TONES = 0.001
"""Share of the pixels that may be darker, or lighter, than the range of tones."""

MIN_BETWEEN = 0.002
"""Share of the pixels in the middle half of the range of tones, in one channel at least.

Black and white has none, even as a JPEG of quality 70. Sheets had 0.13 or more; those whose light
was doubled, so that most is white, 0.013; those that were whitened as apps for documents do, 0.057.
"""

# What something hides (`detect.occlusion`).
MIN_COVERED_SHARE = 0.3
"""Of a place, 0 to 1: where more of it is hidden, it counts as covered.

On 50 photos with nothing on the sheets no place did, and on seven of another renderer with things
on them every hidden mark.
"""

# What a photo must be like (`detect.photo`).
MAX_STRIP = 20
"""Times as long as wide: a photo that is narrower shows no sheet and no board. By hand."""
