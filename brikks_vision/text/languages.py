"""The words of each language (``<language>/*.json``): type, dates and numbers as it sets them.

Sources: Lexique des règles typographiques en usage à l'Imprimerie nationale (French punctuation);
DIN 5008 (a space between figure and per cent sign).
"""

from __future__ import annotations

import json
import os
import re
from dataclasses import dataclass
from datetime import date, datetime
from functools import cache
from pathlib import Path
from typing import Any

__all__ = ["NARROW", "SOFT_HYPHEN", "typeset", "typeset_page", "typeset_report"]

NARROW = "\u202f"  # narrow no-break space
_BEFORE_SIGN = re.compile(r"[ \u00a0](?=[?!:;»])")
_AFTER_QUOTE = re.compile(r"(?<=«)[ \u00a0]")
_BEFORE_PERCENT = re.compile(r"(?<=[\d}])[ \u00a0](?=%)")
_BEFORE_DOTS = re.compile(r" (?=…)")


def spaced(text: str, language: str) -> str:
    """A text with the no-break spaces of its language.

    >>> spaced("{percent} % ?", "fr")
    '{percent}\\u202f%\\u202f?'
    """
    text = _BEFORE_PERCENT.sub(NARROW, text)
    text = _BEFORE_DOTS.sub(NARROW, text)
    if language == "fr":
        text = _BEFORE_SIGN.sub(NARROW, text)
        text = _AFTER_QUOTE.sub(NARROW, text)
    return text


def all_spaced(texts: Any, language: str) -> Any:
    """The texts of a JSON value, each as `spaced` has it; its keys stay."""
    if isinstance(texts, str):
        return spaced(texts, language)
    if isinstance(texts, dict):
        return {key: all_spaced(text, language) for key, text in texts.items()}
    return texts


FOLDERS = [Path(__file__).parent]
"""Where the texts are. A program with a game of its own adds its folder before it reads texts."""
LANGUAGES: dict[str, list[str]] = json.loads((FOLDERS[0] / "languages.json").read_text("utf-8"))
"""By code, the language's own name and the one that Windows has for it; English is first."""

_PARTS = ("words", "help", "options", "report", "phrases", "page", "errors", "answers")


@dataclass(frozen=True)
class Texts:
    """The texts of one language.

    words: by their English meaning. help: of the command, by key. options: of its arguments and
    options, by command and name, or by their English text. report: by key. errors: by class name.
    phrases: by key; a template, or one for each count with "other" for all others. page: of the
    page for the phone, by key. answers: what a person may write in an answer, by kind of place and
    by mark; the first is the one that is shown.
    """

    language: str
    words: dict[str, str]
    help: dict[str, str]
    options: dict[str, str]
    report: dict[str, str]
    phrases: dict[str, str | dict[str, str]]
    page: dict[str, str]
    errors: dict[str, str]
    answers: dict[str, list[str]]


@cache
def texts_in(language: str) -> Texts:
    """The texts in ``language``, one of ``LANGUAGES``; English for any other.

    All files of ``text/<language>/`` together. Phrases and answers in a game's file are known by
    the game's name and their key, with a point between.
    """
    known = language if language in LANGUAGES else "en"
    parts: dict[str, dict[str, Any]] = {name: {} for name in _PARTS}
    files = [file for folder in FOLDERS for file in folder.joinpath(known).iterdir()]
    for file in sorted(files, key=lambda file: file.name):
        if not file.name.endswith(".json"):
            continue
        book = file.name.removesuffix(".json")
        for part, texts in json.loads(file.read_text("utf-8")).items():
            if part in ("phrases", "answers") and book != "common":
                texts = {f"{book}.{key}": text for key, text in texts.items()}
            # In French everywhere, not on the page alone. Answers are compared with what is typed.
            is_set = known == "fr" and part != "answers"
            parts[part] |= all_spaced(texts, known) if is_set else texts
    return Texts(known, **parts)


def all_texts() -> tuple[Texts, ...]:
    """The texts of every language."""
    return tuple(map(texts_in, LANGUAGES))


def language_of_locale() -> str:
    """The language of the user's locale if it is one of ``LANGUAGES``, else English."""
    for variable in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if value := os.environ.get(variable):
            return _known(value)
    import locale

    return _known(locale.getlocale()[0] or "en")


def _known(locale_name: str) -> str:
    # Windows spells the language out: "German_Germany".
    language = locale_name.replace("-", "_").split("_")[0].split(".")[0].lower()
    return next((code for code, (_, spelt) in LANGUAGES.items() if language in (code, spelt)), "en")


SOFT_HYPHEN = "\u00ad"


def typeset(text: str, language: str) -> str:
    """A text with the no-break spaces of its language and soft hyphens in its long words.

    >>> typeset("{percent} % ?", "fr")
    '{percent}\\u202f%\\u202f?'
    """
    text = spaced(text, language)
    for word, parted in _parted_words(language):
        text = text.replace(word, parted)
    return text


@cache
def typeset_page(language: str) -> dict[str, str]:
    """The words of the page, typeset, by key."""
    return {key: typeset(text, language) for key, text in texts_in(language).page.items()}


@cache
def typeset_report(language: str) -> dict[str, str]:
    """The words of the report, typeset, by key."""
    return {key: typeset(text, language) for key, text in texts_in(language).report.items()}


@cache
def _parted_words(language: str) -> tuple[tuple[str, str], ...]:
    """Long words without and with soft hyphens, each with a small and a capital first letter."""
    listed = texts_in(language).page.get("hyphenated", "").split()
    parted = [each for word in listed for each in (word, word[0].upper() + word[1:])]
    return tuple((each.replace("|", ""), each.replace("|", SOFT_HYPHEN)) for each in parted)


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
