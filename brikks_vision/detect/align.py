"""Corrects a placement by the keypoints seen through it: first as a plane, then bent."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from brikks_vision.detect.aligner import (
    ALIGNER_PIXELS,
    LOWEST_EVIDENCE,
    Keypoints,
    evidence_for,
    lies_where_seen,
    match_keypoints,
    see_keypoints,
)
from brikks_vision.detect.displaced import bars_aside
from brikks_vision.detect.features import keypoints
from brikks_vision.detect.fit import STIFFNESS, fit
from brikks_vision.detect.lattice import CLEAR_EVIDENCE, plane_placements
from brikks_vision.detect.placement import Image, Placement, halved, most_moved
from brikks_vision.errors import NoSheetFound
from brikks_vision.layout import Layout

LEAST_EVIDENCE = -0.2  # under less it is not this sheet, or cannot be read
MOST_FITS = 3  # of a bent placement
A_SLIP = 0.7  # cells: markers say where the sheet lies within less
WORSE = 0.05  # evidence lost by bending: then what was matched is not print
SETTLED = 0.2  # cells: a fit, or another view, that moved nothing farther needs no other


@dataclass(frozen=True)
class Alignment:
    """A corrected placement, and the evidence for it (`keypoint_evidence`, at most 0).

    layout: the printing that lies there. is_clear: whether it is sure that it did not slip by a
    cell, by what is seen or by markers.
    """

    layout: Layout
    placement: Placement
    evidence: float
    is_clear: bool

    def scaled(self, factor: float) -> Alignment:
        """The same in a photo that is ``factor`` times as large."""
        return replace(self, placement=self.placement.scaled(factor))


def align(image: Image, placement: Placement, layout: Layout) -> Alignment:
    """Correct a placement by the keypoints seen through it: first plane, then bent.

    Slips of the lattice are tried ever wider until one placement explains all that is seen, or
    nothing that looks like the sheet is near.

    Raises
    ------
    NoSheetFound
    """
    image, scale = halved(image, ALIGNER_PIXELS / placement.cell_size())
    first = placement.scaled(scale)
    best: tuple[bool, Bent] | None = None
    for start, seen in plane_placements(image, first, layout):
        with suppress(NoSheetFound):
            found = settle(image, start, seen, layout)
            best = _better(best, (lies_where_seen(seen, found.placement, layout), found))
            if _is_clear(best):
                break
    if best is None:
        raise NoSheetFound
    if _is_clear(best) and not _bars_in_place(best[1], layout):
        with suppress(NoSheetFound):
            best = _better(best, _with_bars_followed(image, best[1].placement, layout))
    placed = best[1].placement
    is_clear = _is_clear(best) or (
        first.method == "markers" and most_moved(keypoints(layout), first, placed) < A_SLIP
    )
    return Alignment(layout, placed.scaled(1 / scale), best[1].evidence, is_clear)


@dataclass(frozen=True)
class Bent:
    """A bent placement, the evidence for it, and what was seen when it was fitted."""

    placement: Placement
    evidence: float
    seen: Keypoints


def _better(known: tuple[bool, Bent] | None, found: tuple[bool, Bent]) -> tuple[bool, Bent]:
    """The one that lies where the sheet is seen, or of two that do the one of more evidence."""
    if known is None or (found[0], found[1].evidence) > (known[0], known[1].evidence):
        return found
    return known


def _is_clear(found: tuple[bool, Bent]) -> bool:
    """Whether a sheet is seen there, and in no other place."""
    in_place, bent = found
    return in_place and bent.evidence > CLEAR_EVIDENCE


def _bars_in_place(bent: Bent, layout: Layout) -> bool:
    """Whether the bars of a sheet whose place is clear are seen where they should be.

    A lattice that came into its place late has said nothing yet of where they are.
    """
    first, *others = bars_aside(bent.seen, bent.placement, layout)
    return not others and not first.any()


def _with_bars_followed(image: Image, placement: Placement, layout: Layout) -> tuple[bool, Bent]:
    """The placement with the bars where they are seen through it, and whether all is seen there.

    Raises
    ------
    NoSheetFound
    """
    seen = see_keypoints(image, placement)
    asides = bars_aside(seen, placement, layout)
    found = _best_bent(image, seen, placement, asides, layout)
    return lies_where_seen(found.seen, found.placement, layout), found


def settle(image: Image, placement: Placement, seen: Keypoints, layout: Layout) -> Bent:
    """Bend a placement until the keypoints that are ``seen`` near it lie where they should.

    Returns the bent placement; or the plane one, where bending explains less of what is seen.

    Raises
    ------
    NoSheetFound
    """
    plane_evidence = evidence_for(seen, placement, layout)
    asides = _bars_aside_if_near(seen, placement, plane_evidence, layout)
    best = _best_bent(image, seen, placement, asides, layout)
    if plane_evidence > best.evidence + WORSE:
        return Bent(placement, plane_evidence, seen)
    return best


def _best_bent(
    image: Image,
    seen: Keypoints,
    placement: Placement,
    asides: list[NDArray[np.float64]],
    layout: Layout,
) -> Bent:
    """The bent placement of the most evidence of those with the bars so far aside at first.

    Raises
    ------
    NoSheetFound
    """
    found = []
    for aside in asides:
        with suppress(NoSheetFound):
            found.append(_bent(image, seen, placement, aside, layout))
    if not found:
        raise NoSheetFound
    return max(found, key=lambda bent: bent.evidence)


def _bars_aside_if_near(
    seen: Keypoints, placement: Placement, evidence: float, layout: Layout
) -> list[NDArray[np.float64]]:
    """`bars_aside` where the lattice is seen: else the bars tell nothing, and a search is dear."""
    if evidence < LEAST_EVIDENCE:
        return [np.zeros_like(keypoints(layout))]
    return bars_aside(seen, placement, layout)


def _bent(
    image: Image,
    seen: Keypoints,
    placement: Placement,
    aside: NDArray[np.float64],
    layout: Layout,
) -> Bent:
    """A placement bent by what is seen near it, the bars first as they are thought to lie.

    Raises
    ------
    NoSheetFound
    """
    evidence = LOWEST_EVIDENCE
    for look in range(MOST_FITS):
        if look:
            seen = see_keypoints(image, placement)
            aside = _bars_aside_if_near(seen, placement, evidence, layout)[0]
        matches = match_keypoints(seen, placement, layout, aside)
        found = fit(matches, placement.area, placement.method, STIFFNESS)
        settled = most_moved(keypoints(layout), placement, found) < SETTLED
        evidence = evidence_for(seen, found, layout)
        placement = found
        if settled:
            break
    return Bent(placement, evidence, seen)
