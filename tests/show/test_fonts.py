"""The letters of pictures."""

from __future__ import annotations

import pytest

from brikks_vision.show.pictures import BOLD, REGULAR, font

MISSING = "\ue000"  # for private use, so no font has it


@pytest.mark.parametrize("name", [BOLD, REGULAR])
@pytest.mark.parametrize("text", ["Zoë", "Łukasz Żółć", "Đorđe Šćepanović", "Ğüneş", "Ζωή", "Анна"])
def test_names_have_their_letters(name: str, text: str) -> None:
    letters = font(40, name)
    missing = bytes(letters.getmask(MISSING))
    for letter in text.replace(" ", ""):
        assert bytes(letters.getmask(letter)) != missing
