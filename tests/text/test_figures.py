"""Dates and numbers of each language."""

from datetime import datetime

import pytest

from brikks_vision.text.languages import day_text, decimal_text, moment_text

EVENING = datetime(2026, 3, 4, 20, 5)


@pytest.mark.parametrize(
    ("language", "day", "number"),
    [
        ("en", "4 Mar 2026", "63.8"),
        ("de", "04.03.2026", "63,8"),
        ("fr", "04/03/2026", "63,8"),
        ("es", "04/03/2026", "63,8"),
    ],
)
def test_dates_and_numbers_are_written_as_in_the_language(
    language: str, day: str, number: str
) -> None:
    assert day_text(EVENING, language) == day
    assert moment_text(EVENING, language) == f"{day}, 20:05"
    assert decimal_text(63.75, language) == number
