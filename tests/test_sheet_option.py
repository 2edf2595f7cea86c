"""The printing that a photo is read as, where it is named."""

from __future__ import annotations

from pathlib import Path

import pytest

from brikks_vision import Status, scan
from brikks_vision.errors import LayoutUnknown, UnknownValue
from brikks_vision.layout import load_layout

pytestmark = pytest.mark.usefixtures("observed_once")

ARCADE, PRINTED = Path("samples/arcade.jpg"), Path("samples/printed.jpg")


def test_a_named_printing_is_the_one_that_is_told() -> None:
    by_name = scan(PRINTED, sheet="brikks-light")
    assert (by_name.sheet, by_name.status) == ("brikks-light", Status.OK)
    assert by_name.score == scan(PRINTED).score
    assert scan(ARCADE, sheet=load_layout("brikks"), game="brikks").score == scan(ARCADE).score


def test_a_printing_with_markers_alone_is_found_by_its_print_where_none_show() -> None:
    reading = scan(ARCADE, sheet="brikks-light")
    assert reading.status is Status.UNREADABLE or reading.sheet == "brikks-light"


def test_printings_that_cannot_be_read_are_refused() -> None:
    with pytest.raises(LayoutUnknown):
        scan(ARCADE, sheet="no-such-sheet")
    with pytest.raises(UnknownValue, match="chess"):
        scan(ARCADE, game="chess")
