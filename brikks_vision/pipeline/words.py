"""Puts readings into words: phrases become sentences in the user's language."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, TypeVar

from brikks_vision.games import game_of
from brikks_vision.reading import Reading, ViolationReading

OfReading = TypeVar("OfReading", bound=Reading)
Told = TypeVar("Told")


def localize(reading: OfReading, language: str) -> OfReading:
    """The reading with its rank and its broken rules in that language."""
    return replace(
        reading,
        rank=rank_words(reading, language) or reading.rank,
        violations=violations_in_words(reading.violations, language),
    )


def rank_words(reading: Reading, language: str) -> str:
    """What the publisher calls such a result; empty where it has no name."""
    rank = game_of(reading).rank_of(reading) if reading.score is not None else None
    return "" if rank is None else rank.text(language)


def verdict_in_words(verdict: Told, language: str) -> Told:
    """The verdict on several sheets, a dataclass with ``violations``, in that language."""
    told: Any = verdict
    changed: Told = replace(told, violations=violations_in_words(told.violations, language))
    return changed


def violations_in_words(
    violations: Sequence[ViolationReading], language: str
) -> tuple[ViolationReading, ...]:
    """Broken rules in that language; those that come from JSON keep their sentence."""
    return tuple(
        each if each.told is None else replace(each, message=each.told.sentence(language))
        for each in violations
    )
