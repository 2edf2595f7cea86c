"""Dates and numbers as people of a language write them."""

from __future__ import annotations

from datetime import date, datetime

from brikks_vision.text.languages import texts_in


def day_text(day: date, language: str) -> str:
    """A day, as the texts of the language have it under "day".

    >>> day_text(date(2026, 3, 4), "de"), day_text(date(2026, 3, 4), "en")
    ('04.03.2026', '4 Mar 2026')
    """
    words = texts_in(language).report
    months = words["months"].split()
    month = months[day.month - 1] if months else f"{day.month:02}"
    return words["day"].format(day=day.day, month=month, year=day.year)


def moment_text(moment: datetime, language: str) -> str:
    """Day and time of day, to the minute."""
    return f"{day_text(moment, language)}, {moment:%H:%M}"


def decimal_text(value: float, language: str) -> str:
    """A number with one place behind the point, or comma."""
    return f"{value:.1f}".replace(".", texts_in(language).report["point"])
