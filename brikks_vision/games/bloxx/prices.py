"""Prices of broken rules of BLOXX!, in natural log-odds, as those in `decode.prices`.

They were chosen by hand by the same measure: clear evidence against a rule must stand (a log-odds
of 7 and more outweighs each of them by 2 and more), and one faint mark must be mended. No fit is
recorded for them.
"""

from __future__ import annotations

OPEN_GAP = 3.5
"""Price of an empty cell under a drawn one. Forgetting to colour a gap in is a slip as easy as a
box that is crossed out of order, so the price is that of `decode.prices.BROKEN_ORDER`."""

NEXT_OPEN_GAP = 0.5
"""Price of each further one below it in its column: who forgets one gap forgets those below."""

FALSE_GAP = 3.5
"""Price of a coloured cell with nothing drawn above it: the same slip the other way round."""

NO_ROW_FOR_BONUS = 5.0
"""Price of a bonus that is circled for an incomplete row: that of `decode.prices.BROKEN_RULE`."""

TWO_BONUSES = 5.0
"""Price of two bonuses that are circled for one row: that of `decode.prices.BROKEN_RULE`."""

NO_BONUS_FOR_ROW = 2.0
"""Price of a complete row for which nothing is circled: about one player in eight forgets it or
has not come to it yet."""

STRUCK_LOWEST = 2.0
"""Price of striking a row's lowest bonus. Players strike the highest one, which is gone once
somebody has it; the lowest one is never gone."""

OTHER_FIGURES = 6
"""Values that a wrong figure of the player may have, about equally probable: a slip in counting
gives one of the next ones."""

MIN_RIGHT_SHARE = 0.01
"""As `decode.prices.MIN_RIGHT_SHARE`. Of 25 figures in boxes, by hands that no network learnt from,
that are read wrongly with 0.9 and more, the right value has a smaller share of the rest in two, and
so any one of fifty values seldom has it. Of 1,289 such figures none is told surely as another one
beside its right value with this, and beside a wrong one half as many again are named as with 0.03.
"""

MIN_RIGHT_FIGURE = 0.94
"""Probability from which on a figure is held against the player, where its marks are sure: a sheet
has four figures, where `decode.prices.MIN_TOLD_SLIP` has a dozen in mind. (Of 24 planted slips 16
are named instead of 9, seed 990314; of 330 legal sheets, seed 990331, nobody more is accused.)
"""
